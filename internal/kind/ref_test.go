package kind_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"muster/internal/kind"
	"muster/internal/message"
)

// TestRef reads references by name; acme is the maker before.
func TestRef(t *testing.T) {
	for _, test := range []struct {
		name, field string
		want        kind.Ref
		fault       string
	}{
		{"text", "<maker>brand</maker>", brand, ""},
		{"name", "<maker><name>brand</name></maker>", brand, ""},
		{"name among others", `<maker><name> brand </name><id>99</id><href>x</href></maker>`, brand, ""},
		{"in blanks", "<maker>\n brand </maker>", brand, ""},
		{"shown by its own name", "<maker>ACME &lt;ltd&gt;</maker>", acme, ""},
		{"absent", "", acme, ""},
		{"empty", "<maker/>", kind.Ref{}, ""},
		{"blanks", "<maker> </maker>", kind.Ref{}, ""},
		{"nil", `<maker nil="true"/>`, kind.Ref{}, ""},
		{"empty name", "<maker><name/></maker>", kind.Ref{}, ""},
		{"unknown", "<maker>nobody</maker>", acme, "Maker does not exist"},
		{"by id", "<maker><id>6</id></maker>", acme, "Maker must be plain text, not hold <id>"},
		{"too long", "<maker>" + strings.Repeat("ä", 256) + "</maker>", acme,
			"Maker is too long (maximum is 255 characters)"},
		{"twice", "<maker>brand</maker><maker/>", brand, "Maker is given more than once"},
	} {
		patch, got := decode(t, inDevice(test.field)), full()
		if err := patch.Resolve(known); err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		patch.Apply(got)
		equal(t, test.name, got.Maker, test.want)
		equal(t, test.name+": faults", message.Join(patch.Check(got, full()), "; "), test.fault)
	}
}

// TestResolveAgain resolves a document again when nothing is any more what it
// was the first time.
func TestResolveAgain(t *testing.T) {
	doc := decode(t, inDevice("<maker>brand</maker><owner>anna@example.com</owner><sockets><socket><id>6</id></socket><socket><id>6</id></socket></sockets>"))
	resolved := func(r kind.Resolver) *device {
		t.Helper()
		patch, got := doc.Copy(), full()
		if err := patch.Resolve(r); err != nil {
			t.Fatal(err)
		}
		patch.Apply(got)
		equal(t, "faults", message.Strings(patch.Check(got, full())), []string(nil))
		return got
	}
	first := resolved(known)
	equal(t, "the maker at first", first.Maker, brand)
	later := resolved(kind.Resolver{
		Person: func(p *kind.Person) (message.Predicate, error) { p.ID += 7; return message.Predicate{}, nil },
		Ref: func(_ *kind.Schema, r *kind.Ref) (message.Predicate, error) {
			r.ID += 7
			return message.Predicate{}, nil
		},
		Links: func(_ *kind.Field, l []kind.Linked) ([]kind.Linked, message.Predicate, error) {
			return l, message.Predicate{}, nil
		},
	})
	equal(t, "the maker later", later.Maker, kind.Ref{ID: 7, Name: "brand"})
	equal(t, "the owner later", later.Owner, kind.Person{ID: 7, Email: "anna@example.com"})
	equal(t, "the sockets later", later.Sockets, []kind.Linked{link(sockets, 6, "")})
}

var digits = regexp.MustCompile("[0-9]+")

// TestLinks reads linked records, on top of the sockets 4 and 6, and of socket 6
// and room 4.
func TestLinks(t *testing.T) {
	before := full()
	for _, test := range []struct {
		name, fields    string
		sockets, places []kind.Linked
		faults          string
	}{
		{"absent", "", before.Sockets, before.Places, ""},
		{"by id", "<sockets><socket><id>6</id></socket></sockets>", before.Sockets[1:], before.Places, ""},
		{"other children are ignored",
			"<sockets><socket><name>x</name><href>y<z/></href><id> 6 </id></socket></sockets>", before.Sockets[1:],
			before.Places, ""},
		{"marked", `<sockets type="array"><socket><id type="integer">6</id></socket></sockets>`, before.Sockets[1:],
			before.Places, ""},
		{"doubled", `<sockets type="array"><socket type="array"><socket><id>6</id></socket><socket><id>4</id></socket></socket></sockets>`, before.Sockets, before.Places, ""},
		{"another order", "<sockets><socket><id>6</id></socket><socket><id>4</id></socket></sockets>", before.Sockets,
			before.Places, ""},
		{"twice", "<sockets><socket><id>6</id></socket><socket><id>4</id></socket><socket><id>6</id></socket></sockets>", before.Sockets, before.Places, ""},
		{"empty", "<sockets/><places></places>", nil, nil, ""},
		{"nil", `<sockets nil="true"/><places type="array" nil="true"/>`, nil, nil, ""},
		{"doubled and empty", `<sockets><socket type="array"/></sockets>`, nil, before.Places, ""},
		{"an item that is nil", `<sockets><socket nil="true"/><socket><id>6</id></socket></sockets>`,
			before.Sockets[1:], before.Places, ""},
		{"of two kinds", "<places><place><asset-type>room</asset-type><id>4</id></place><place><id>6</id><asset_type>Wall-Socket</asset_type></place></places>", before.Sockets, before.Places, ""},
		{"one id of two kinds",
			"<places><place><asset-type>room</asset-type><id>4</id></place><place><asset-type>wall-socket</asset-type><id>4</id></place></places>",
			before.Sockets, []kind.Linked{link(sockets, 4, "left <1>"), link(rooms, 4, "Attic & Co")}, ""},

		{"missing id", "<sockets><socket><id>4</id></socket><socket><name>right</name></socket></sockets>",
			before.Sockets, before.Places, "Sockets item 2: id can't be blank"},
		{"empty item", "<sockets><socket/></sockets>", before.Sockets, before.Places,
			"Sockets item 1: id can't be blank"},
		{"empty id", "<sockets><socket><id/></socket></sockets>", before.Sockets, before.Places,
			"Sockets item 1: id can't be blank"},
		{"no number", "<sockets><socket><id>six</id></socket></sockets>", before.Sockets, before.Places,
			`Sockets item 1: id is not a number: "six"`},
		{"negative", "<sockets><socket><id>-6</id></socket></sockets>", before.Sockets, before.Places,
			"Sockets item 1: id must be greater than or equal to 0"},
		{"unknown id", "<sockets><socket><id>10</id></socket></sockets>", before.Sockets, before.Places,
			"Sockets holds one that does not exist"},
		{"no item", "<sockets><plug/></sockets>", nil, before.Places, "Sockets holds <plug>, want <socket>"},
		{"missing type", "<places><place><id>4</id></place></places>", before.Sockets, before.Places,
			"Places item 1: asset type can't be blank"},
		{"unknown type", "<places><place><asset-type>house</asset-type><id>4</id></place></places>", before.Sockets,
			before.Places, "Places item 1: asset type must be one of wall-socket, room"},
		{"type where there is one", "<sockets><socket><asset-type>room</asset-type><id>4</id></socket></sockets>",
			before.Sockets, before.Places,
			"Sockets item 1: asset type is not a field of socket (element <asset-type>)"},
		{"many faults", "<sockets>" + strings.Repeat("<socket><x/></socket>",
			60) + "</sockets><places><place/></places>", before.Sockets, before.Places,
			strings.Repeat("; Sockets item %: x is not a field of socket (element <x>)", 50)[2:]},
	} {
		patch, got := decode(t, inDevice(test.fields)), full()
		if err := patch.Resolve(known); err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		patch.Apply(got)
		equal(t, test.name+": sockets", got.Sockets, test.sockets)
		equal(t, test.name+": places", got.Places, test.places)
		faults := message.Join(patch.Check(got, full()), "; ")
		if strings.Contains(test.faults, "%") {
			faults = digits.ReplaceAllString(faults, "%")
		}
		equal(t, test.name+": faults", faults, test.faults)
	}
}

// TestJSONLinks writes addresses with the format's extension.
func TestJSONLinks(t *testing.T) {
	var doc struct {
		Sockets, Places json.RawMessage
		LastVisitHref   string `json:"last_visit_href"`
		Visits          json.RawMessage
	}
	if err := json.Unmarshal(devices.AppendRecord(nil, kind.JSON, base, full()), &doc); err != nil {
		t.Fatal(err)
	}
	equal(t, "sockets", string(doc.Sockets),
		`[{"id":4,"name":"left <1>","href":"https://muster.example.com/wall_sockets/4.json"},`+
			`{"id":6,"name":"right","href":"https://muster.example.com/wall_sockets/6.json"}]`)
	equal(t, "places", string(doc.Places),
		`[{"asset_type":"wall-socket","id":6,"name":"right","href":"https://muster.example.com/wall_sockets/6.json"},`+
			`{"asset_type":"room","id":4,"name":"Attic & Co","href":"https://muster.example.com/rooms/4.json"}]`)
	equal(t, "address", doc.LastVisitHref, "https://muster.example.com/visits/9.json")
	equal(t, "visits", string(doc.Visits),
		`[{"id":9,"user":{"id":8,"name":"bert@example.com","email":"bert@example.com"}},{"id":null,"user":null}]`)
	empty := string(devices.AppendRecord(nil, kind.JSON, base, devices.New()))
	if want := `"sockets":[],"places":[],"load":null,"last_visit_href":null,`; !strings.Contains(empty, want) {
		t.Errorf("got %s, want %s in it", empty, want)
	}
}

// TestBeyond names what a document says that a record does not have, without
// looking anything up.
func TestBeyond(t *testing.T) {
	for _, test := range []struct{ fields, want string }{
		{"<name>x</name><origin>x</origin><load>1</load><phase>x</phase>", "name"},
		{"<name>Press &amp; &lt;Co></name><chip-set>M1</chip-set><price>12.5</price>", ""},
		{"<owner><id>8</id></owner><maker>ACME &lt;Ltd></maker>", ""},
		{"<owner>Bert@Example.com</owner>", ""},
		{"<owner><name>BERT@example.com</name></owner>", ""},
		{"<owner><id>7</id></owner>", "owner"},
		{"<owner>nobody@example.com</owner>", "owner"},
		{"<owner><name>Nobody</name></owner><maker>nobody</maker>", "maker owner"},
		{"<owner/><maker/><places/><name/>", "name maker owner places"},
		{"<owner><id>x</id></owner><item-count>x</item-count>", "item-count owner"},
		{"<sockets><socket><id>6</id></socket><socket><id>4</id></socket><socket><id>4</id></socket></sockets>", ""},
		{"<sockets><socket><id>6</id></socket></sockets>", "sockets"},
		{"<sockets><socket/></sockets>", "sockets"},
	} {
		equal(t, test.fields, beyond(decode(t, "<test-device>"+test.fields+"</test-device>")), test.want)
	}
	equal(t, "its own document", beyond(decode(t, string(devices.AppendRecord(nil, kind.XML, base, full())))), "")
}

// beyond returns the names of what a document says beyond full.
func beyond(patch *kind.Patch) string {
	var names []string
	for _, f := range patch.Beyond(full()).Named() {
		names = append(names, f.Name)
	}
	return strings.Join(names, " ")
}

// TestHolds decides about one record as lists do.
func TestHolds(t *testing.T) {
	null, one, none := kind.Test{Null: true}, between(1, 1), between(0, 0)
	for _, test := range []struct {
		name, field string
		any         []kind.Test
		full, bare  bool
	}{
		{"text", "state", []kind.Test{text("in use")}, true, false},
		{"either text", "state", []kind.Test{text("New"), text("IN USE")}, true, true},
		{"another text", "state", []kind.Test{text("Gone")}, false, false},
		{"no text", "site", []kind.Test{null}, false, true},
		{"id", "id", []kind.Test{between(42, 42)}, true, false},
		{"person", "owner", []kind.Test{between(bert.ID, bert.ID)}, true, false},
		{"another person", "owner", []kind.Test{between(anna.ID, anna.ID)}, false, false},
		{"nobody", "owner", []kind.Test{null}, false, true},
		{"null is no person", "owner", []kind.Test{none}, false, false},
		{"reference", "maker", []kind.Test{between(acme.ID, acme.ID)}, true, false},
		{"no reference", "maker", []kind.Test{null}, false, true},
		{"true", "live", []kind.Test{one}, true, false},
		{"false is not null", "live", []kind.Test{none}, false, false},
		{"number", "item-count", []kind.Test{between(10, 12)}, true, false},
		{"null is not zero", "item-count", []kind.Test{none}, false, false},
		{"nothing to hold", "name", nil, false, false},
	} {
		c := kind.Cond{Field: devices.Field(test.field), Any: test.any}
		equal(t, test.name, []bool{devices.Matches(c, full()), devices.Matches(c, devices.New())},
			[]bool{test.full, test.bare})
	}
	c := kind.Cond{Field: devices.Field("seen-at"), Any: []kind.Test{null}}
	equal(t, "time", panicOf(func() { devices.Matches(c, full()) }),
		any("kind test-device: conditions on seen-at hold in lists alone"))
}

// TestTwoKindsOfOneStruct serves the same records under two names.
func TestTwoKindsOfOneStruct(t *testing.T) {
	type call struct {
		kind.Record
		Name  string
		Extra kind.Int
		Links []kind.Linked
	}
	fields := func(c *call, f *kind.Fields) {
		f.Record(&c.Record)
		f.Text("name", &c.Name).Filter()
		kind.Links(f, "rooms", "room", &c.Links, rooms.Schema)
	}
	calls := kind.Define("call", "calls", "", func(c *call, f *kind.Fields) { fields(c, f); f.Skip(&c.Extra) })
	cases := kind.Define("case", "cases", "", func(c *call, f *kind.Fields) { fields(c, f); f.Int("extra", &c.Extra) })
	c := &call{Record: kind.Record{ID: 3}, Name: "n", Extra: kind.Some[int64](1), Links: []kind.Linked{
		link(rooms, 4, "Attic"),
	}}
	linked := "  <rooms type=\"array\">\n    <room>\n      <id>4</id>\n      <name>Attic</name>\n      <href>/rooms/4.xml</href>\n    </room>\n  </rooms>\n"
	equal(t, "call", string(calls.AppendRecord(nil, kind.XML, "", c)),
		xmlHeader+"<call>\n  <id>3</id>\n  <href>/calls/3.xml</href>\n  <name>n</name>\n"+linked+"</call>\n")
	equal(t, "case", string(cases.AppendRecord(nil, kind.XML, "", c)),
		xmlHeader+"<case>\n  <id>3</id>\n  <href>/cases/3.xml</href>\n  <name>n</name>\n"+linked+
			"  <extra>1</extra>\n</case>\n")
	patch, err := cases.Decode([]byte("<case><name>m</name><rooms/></case>"))
	if err != nil {
		t.Fatal(err)
	}
	copied := calls.Copy(c)
	patch.Apply(copied)
	diff := calls.Diff(c, copied)
	equal(t, "diff", diff.Message(), "Name changed from n to m; Room removed: Attic")
}
