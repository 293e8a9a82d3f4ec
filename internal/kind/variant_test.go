package kind_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"muster/internal/kind"
	"muster/internal/message"
)

// A box holds things; its shelf and label are those of a room that has it.
type box struct {
	kind.Record
	Name, Colour string
	Secret       kind.Bool
	Uses, Room   kind.Int
	State, Trace string
	Shelf        string
	Since        time.Time
}

func (b *box) fields(f *kind.Fields) {
	f.Record(&b.Record)
	f.Text("name", &b.Name).Required().Filter()
	f.Text("colour", &b.Colour)
	f.Bool("secret", &b.Secret).Filter()
	f.Int("uses", &b.Uses).Kept()
	f.Text("trace", &b.Trace).Apart()
	f.Int("room", &b.Room)
	f.Text("state", &b.State).ByNumber(f.MoreThan("uses", "room", "Full"), f.AtLeast("uses", 1, "Used"),
		f.AtLeast("uses", 0, "Empty"))
	f.Stamps(&b.Record)
	f.UniqueTogether("name", "colour")
}

var (
	boxes = kind.Define("box", "boxes", "Boxes List", func(b *box, f *kind.Fields) {
		f.Noun("crate")
		b.fields(f)
		f.Skip(&b.Shelf)
		f.Skip(&b.Since)
	})
	shelved = boxes.Variant(func(b *box, f *kind.Fields) {
		b.fields(f)
		f.Text("shelf", &b.Shelf).InTie()
		f.Date("since", &b.Since).InTie()
		f.ByID()
		f.View("secret", "secret")
	})
)

// A store room may be shown with its boxes.
type storeRoom struct {
	kind.Record
	Name  string
	Boxes []box
}

var storeRooms = kind.Define("store-room", "store-rooms", "", func(s *storeRoom, f *kind.Fields) {
	f.Record(&s.Record)
	f.Text("name", &s.Name).Filter()
	f.Stamps(&s.Record)
	kind.Included(f, &s.Boxes, shelved)
})

// TestVariant has fields that the kind has not, and is stored as the kind.
func TestVariant(t *testing.T) {
	equal(t, "stored as", shelved.Stored() == boxes.Schema, true)
	equal(t, "noun", shelved.Noun, "crate")
	b := &box{Record: kind.Record{ID: 7}, Name: "a", Shelf: "left"}
	equal(t, "the kind's document", strings.Contains(string(boxes.AppendRecord(nil, kind.XML, base, b)), "shelf"),
		false)
	doc := string(shelved.AppendRecord(nil, kind.XML, base, b))
	if !strings.Contains(doc, "  <shelf>left</shelf>\n  <since nil=\"true\"/>\n</box>") ||
		!strings.Contains(doc, "<href>"+base+"/boxes/7.xml</href>") {
		t.Errorf("got the document %s, want what is tied last", doc)
	}
	for _, f := range []*kind.Field{shelved.Field("shelf"), shelved.Field("since")} {
		equal(t, f.Name, []bool{f.Stored(), f.Sortable(), f.Editable()}, []bool{false, true, true})
	}
	equal(t, "unique together",
		strings.Contains(boxes.Reference(), "| `name` | string | required; unique together with colour |"), true)
}

// TestPatchID reads which record a document means, where the kind says so.
func TestPatchID(t *testing.T) {
	for doc, want := range map[string]struct {
		id    kind.Int
		fault string
	}{
		"<box><id> 12 </id></box>": {id: kind.Some[int64](12)}, "<box><id>0</id></box>": {id: kind.Some[int64](0)},
		"<box/>": {}, "<box><id/></box>": {}, `<box><id nil="true"/></box>`: {},
		"<box><id>x</id></box>": {fault: "Id is not a number: "}, "<box><id>-1</id></box>": {
			fault: "Id must be greater than or equal to 0",
		},
		"<box><id><a>1</a></id><name>n</name></box>": {fault: "Id must be plain text, not hold <a>"},
		"<box><id>1</id><id>2</id></box>":            {id: kind.Some[int64](1), fault: "Id is given more than once"},
	} {
		patch, err := shelved.Decode([]byte(doc))
		if err != nil {
			t.Fatalf("%s: %v", doc, err)
		}
		equal(t, doc, patch.ID(), want.id)
		if got := message.Join(patch.Faults(), "; "); (got == "") != (want.fault == "") ||
			!strings.HasPrefix(got, want.fault) {
			t.Errorf("%s: got the faults %q, want %q", doc, got, want.fault)
		}
		if patch, err = boxes.Decode([]byte(doc)); err != nil || patch.ID().Valid || len(patch.Faults()) > 0 {
			t.Errorf("%s, without ByID: got %v, %v and error %v", doc, patch.ID(), patch.Faults(), err)
		}
	}
}

// TestKept: what is kept is no change, and no document sets it.
func TestKept(t *testing.T) {
	old := &box{Name: "a", Uses: kind.Some[int64](3)}
	now := &box{Name: "a", Uses: kind.Some[int64](9)}
	equal(t, "same", boxes.Same(old, now), true)
	equal(t, "diff", boxes.Diff(old, now), kind.Diff{})
	patch, err := boxes.Decode([]byte("<box><uses>5</uses></box>"))
	if err != nil {
		t.Fatal(err)
	}
	patch.Apply(now)
	equal(t, "uses", now.Uses.V, int64(9))
}

// TestApart: what is apart is no change, no document sets it, and lists of its
// kind can be sorted by it unless it is a text.
func TestApart(t *testing.T) {
	old, now := &box{Name: "a", Trace: "one"}, &box{Name: "a", Trace: "two"}
	equal(t, "same", boxes.Same(old, now), true)
	equal(t, "diff", boxes.Diff(old, now), kind.Diff{})
	equal(t, "texts", slices.Collect(boxes.Searched.Texts(now)), []string{"a"})
	patch, err := boxes.Decode([]byte("<box><trace>three</trace></box>"))
	if err != nil {
		t.Fatal(err)
	}
	patch.Apply(now)
	equal(t, "trace", now.Trace, "two")
	equal(t, "sortable", []bool{boxes.Field("trace").Sortable(), boxes.Field("trace").Folded()}, []bool{false, false})
}

// TestByNumber derives a text from numbers, null when they are.
func TestByNumber(t *testing.T) {
	some := kind.Some[int64]
	for _, test := range []struct {
		uses, room kind.Int
		want       string
	}{
		{some(0), some(2), "Empty"}, {some(1), some(2), "Used"}, {some(2), some(2), "Used"},
		{some(3), some(2), "Full"}, {some(1), some(0), "Full"},
		{some(0), some(0), "Empty"}, {some(3), kind.Int{}, "Used"}, {kind.Int{}, some(2), ""},
	} {
		b := &box{Uses: test.uses, Room: test.room, State: "stale"}
		boxes.Derive(b, now)
		equal(t, test.want, b.State, test.want)
	}
}

// TestView shows what is not secret, unless it is asked for.
func TestView(t *testing.T) {
	for query, want := range map[string]int64{"": 0, "view=secret": 1, "name=x": 0} {
		q, err := shelved.ParseQuery(query, now)
		if err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		equal(t, query, []any{q.Conds[0].Field.Name, q.Conds[0].Any},
			[]any{"secret", []kind.Test{{Range: true, Min: want, Max: want}}})
	}
	for _, query := range []string{"view=", "view=all", "view=secret&view=secret", "view[]=secret"} {
		if _, err := shelved.ParseQuery(query, now); err == nil {
			t.Errorf("%s: got no error", query)
		}
	}
	if _, err := boxes.ParseQuery("view=secret", now); err == nil {
		t.Error("the view of a kind without: got no error")
	}
}

// TestIncluded shows a collection to those who ask for it alone, and reads it
// from nobody.
func TestIncluded(t *testing.T) {
	room := &storeRoom{
		Record: kind.Record{ID: 1}, Name: "r", Boxes: []box{{Record: kind.Record{ID: 7}, Name: "a", Shelf: "<left>"}},
	}
	page := kind.Page{Position: kind.Position{Number: 1, PerPage: 25, Total: 1}, Records: []any{room}}
	with := storeRooms.Including("boxes")
	for _, f := range []kind.Format{kind.XML, kind.JSON} {
		plain, list := string(storeRooms.AppendRecord(nil, f, base, room)),
			string(storeRooms.AppendList(nil, f, base, page))
		equal(t, "left out", strings.Contains(plain+list, "boxes"), false)
		for _, doc := range []string{
			string(with.AppendRecord(nil, f, base, room)), string(with.AppendList(nil, f, base, page)),
		} {
			if !strings.Contains(doc, "/boxes/7"+f.Extension()) || !strings.Contains(doc, "left") {
				t.Errorf("got %s, want the box in it", doc)
			}
		}
	}
	patch, err := storeRooms.Decode(with.AppendRecord(nil, kind.XML, base, room))
	if err != nil || len(patch.Faults()) > 0 {
		t.Fatalf("got %v and error %v", patch.Faults(), err)
	}
	empty := storeRooms.New()
	patch.Apply(empty)
	equal(t, "read", empty, &storeRoom{Name: "r"})
	equal(t, "itself", storeRooms.Including("") == storeRooms.Schema, true)

	for query, want := range map[string]string{"": "", "include=boxes": "boxes"} {
		q, err := storeRooms.ParseQuery(query, now)
		name, errOne := storeRooms.ParseInclude(query)
		if err != nil || errOne != nil || q.Include != want || name != want {
			t.Errorf("%q: got %+v, %q, errors %v and %v", query, q, name, err, errOne)
		}
	}
	for _, query := range []string{"include=", "include=x", "include=boxes&include=boxes", "x=1", "%zz"} {
		_, err := storeRooms.ParseQuery(query, now)
		_, errOne := storeRooms.ParseInclude(query)
		if err == nil || errOne == nil {
			t.Errorf("%s: got errors %v and %v", query, err, errOne)
		}
	}
	if _, err := storeRooms.ParseQuery("include=boxes&per_page=100", now); err != nil {
		t.Errorf("100 a page: %v", err)
	}
	if _, err := storeRooms.ParseQuery("include=boxes&per_page=101", now); err == nil {
		t.Error("101 a page: got no error")
	}
}
