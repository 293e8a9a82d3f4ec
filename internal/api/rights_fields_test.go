package api_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/mustertest"
)

// What becomes of a value that a requester sends.
const (
	taken   = "taken"
	denied  = "denied"  // 403 naming the field, unless it is the value that the record has
	ignored = "ignored" // set by the service
	unknown = "unknown" // in no document
)

// A fieldRight is what a requester may do with a field of a new record, and of
// one that is there.
type fieldRight struct{ field, create, change string }

// fieldRights has a row for each field of the kinds that requesters write.
var fieldRights = map[*kind.Schema][]fieldRight{
	inventory.Tickets.Schema: {
		{"id", ignored, ignored},
		{"href", ignored, ignored},
		{"number", ignored, ignored},
		{"name", taken, denied},
		{"description", taken, denied},
		{"state", denied, taken},
		{"priority", taken, denied},
		{"category", taken, denied},
		{"subcategory", taken, denied},
		{"requester", denied, denied},
		{"assignee", denied, denied},
		{"created-by", ignored, ignored},
		{"site", denied, denied},
		{"department", denied, denied},
		{"due-at", denied, denied},
		{"resolved-at", ignored, ignored},
		{"closed-at", ignored, ignored},
		{"resolution", denied, denied},
		{"origin", ignored, ignored},
		{"tag", denied, denied},
		{"hardwares", taken, denied},
		{"other-assets", denied, denied},
		{"created-at", ignored, ignored},
		{"updated-at", ignored, ignored},
		{"comments-href", ignored, ignored},
		{"comments-count", ignored, ignored},
		{"comments", ignored, ignored},
	},
	inventory.Comments.Schema: { // which nobody changes
		{"id", ignored, ""},
		{"href", ignored, ""},
		{"body", taken, ""},
		{"is-private", denied, ""},
		{"user", ignored, ""},
		{"ticket", unknown, ""},
		{"created-at", ignored, ""},
		{"updated-at", ignored, ""},
	},
}

// A fieldWorld has a ticket of anna's that says something in each field, and
// what documents in it refer to.
type fieldWorld struct {
	*mustertest.Server
	boss, anna *mustertest.Client
	ticket     string // the id of anna's ticket
	// ids of records that the ticket does not name, by their element; of computers, one of anna's
	spare            map[string]string
	foreign, private string // ids of a computer and another asset that the ticket names and anna does not see
}

func newFieldWorld(t *testing.T, db mustertest.Database) *fieldWorld {
	t.Helper()
	s := start(t, db)
	w := &fieldWorld{Server: s, boss: s.Admin(), anna: s.AddUser("anna@example.com", inventory.Requester, false),
		spare: map[string]string{}}
	mustertest.Insert(s, inventory.Users,
		&inventory.User{Email: "bert@example.com", FirstName: "Bert", Role: inventory.Requester})
	w.foreign = w.post(t, "/hardwares", "<name>foreign</name>")
	w.private = w.post(t, "/other_assets", "<name>private</name>")
	mine := w.post(t, "/hardwares", "<name>mine</name><owner>anna@example.com</owner>")
	w.spare["hardware"] = w.post(t, "/hardwares", "<name>mine too</name><owner>anna@example.com</owner>")
	w.spare["other-asset"] = w.post(t, "/other_assets", "<name>spare</name>")
	w.ticket = w.post(t, "/tickets", `<name>n</name><description>d</description><state>On Hold</state><priority>Low</priority><category>c</category>
		<subcategory>s</subcategory><requester>anna@example.com</requester><assignee>admin@localhost</assignee><site>HQ</site><department>IT</department>
		<due-at>2026-03-01T00:00:00Z</due-at><resolution>r</resolution><tag>t</tag>
		<hardwares><hardware><id>`+w.foreign+`</id></hardware><hardware><id>`+mine+`</id></hardware></hardwares>
		<other-assets><other-asset><id>`+w.private+`</id></other-asset></other-assets>`)
	w.spare["ticket"] = w.post(t, "/tickets", "<name>foreign</name>")
	return w
}

// post makes a record as the administrator and returns its id.
func (w *fieldWorld) post(t *testing.T, path, fields string) string {
	t.Helper()
	item := kindAt(path[strings.LastIndex(path, "/")+1:]).Item
	r := w.boss.Do("POST", path, "<"+item+">"+fields+"</"+item+">")
	if r.Status != http.StatusCreated {
		t.Fatalf("POST %s: got %d %s, want 201", path, r.Status, r.Body)
	}
	return value(t, r.Body, "id")
}

// sample returns a field with a value that no record of the world has, and the
// text in it by which the value is known again.
func (w *fieldWorld) sample(f *kind.Field) (field, trace string) {
	trace = map[kind.Type]string{
		kind.ID: "77", kind.Text: "sample", kind.Integer: "77", kind.Boolean: "true",
		kind.Time: "2027-01-31T09:30:00Z", kind.Date: "2027-01-31",
		kind.PersonRef: "bert@example.com", kind.Link: "https://localhost/sample", kind.Amount: "7.5",
		kind.RecordRef: "another sample", kind.Address: "https://localhost/sample",
	}[f.Type]
	inside := trace
	switch {
	case f.OneOf != nil:
		trace = f.OneOf[len(f.OneOf)-1]
		inside = trace
	case f.Type == kind.List:
		trace, inside = "sample", ""
		for _, sub := range f.Items.Fields {
			part, _ := w.sample(sub)
			inside += part
		}
		if f.Targets != nil {
			target := f.Targets[len(f.Targets)-1].Item
			trace = "<id>" + w.spare[target] + "</id>"
			inside = trace
			if len(f.Targets) > 1 {
				inside += "<asset-type>" + target + "</asset-type>"
			}
		}
		inside = "<" + f.Items.Item + ">" + inside + "</" + f.Items.Item + ">"
	}
	return "<" + f.Name + ">" + inside + "</" + f.Name + ">", trace
}

// element returns a field as the documents of the API have it.
func element(t *testing.T, doc, name string) string {
	t.Helper()
	for _, shape := range [][2]string{{"\n  <" + name + ">", "</" + name + ">"}, {
		"\n  <" + name + " type=\"array\">", "\n  </" + name + ">",
	}, {"\n  <" + name + " ", "/>"}} {
		if _, rest, ok := strings.Cut(doc, shape[0]); ok {
			inside, _, _ := strings.Cut(rest, shape[1])
			return shape[0] + inside + shape[1]
		}
	}
	t.Fatalf("got no %s in\n%s", name, doc)
	return ""
}

// TestRightsOnFields: of each field of a kind that they write, a requester sends
// another value and the one that it has. A field without a row fails.
func TestRightsOnFields(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		w := newFieldWorld(t, db)
		for k, rows := range fieldRights {
			var fields, names []string
			for _, f := range k.Fields {
				fields = append(fields, f.Name)
			}
			for _, r := range rows {
				names = append(names, r.field)
			}
			slices.Sort(fields)
			slices.Sort(names)
			equal(t, "the rows of "+k.Plural, names, fields)
		}
		for _, r := range fieldRights[inventory.Tickets.Schema] {
			for _, k := range []*kind.Schema{inventory.Tickets.Schema, inventory.Incidents.Schema} {
				w.creates(t, k, "/"+k.Path(), "<name>n</name>", r)
				w.changes(t, k, r)
			}
		}
		for _, r := range fieldRights[inventory.Comments.Schema] {
			w.creates(t, inventory.Comments.Schema, "/tickets/"+w.ticket+"/comments", "<body>b</body>", r)
		}
	})
}

// creates sends a new record with a field, and with an empty one.
func (w *fieldWorld) creates(t *testing.T, k *kind.Schema, path, needs string, r fieldRight) {
	t.Helper()
	f := k.Field(r.field)
	if f.Required && f.Default == "" && r.create == taken {
		needs = ""
	}
	what := "POST " + path + " with " + r.field
	post := func(field string) *mustertest.Response {
		return w.anna.Do("POST", path, "<"+k.Item+">"+needs+field+"</"+k.Item+">")
	}
	before := w.boss.Get(path).Header.Get("X-Total-Count")
	field, trace := w.sample(f)
	got := post(field)
	w.judge(t, what, k, fieldValue{r.field, trace, r.create}, got)
	if got.Status != http.StatusCreated {
		equal(t, what+": records", w.boss.Get(path).Header.Get("X-Total-Count"), before)
	}
	if needs != "" && r.create != unknown {
		equal(t, what+" empty", post("<"+r.field+" nil=\"true\"/>").Status, http.StatusCreated)
	}
}

// changes sends a field of anna's ticket with the value that it has, and with
// another.
func (w *fieldWorld) changes(t *testing.T, k *kind.Schema, r fieldRight) {
	t.Helper()
	w.Clock.Advance(time.Second)
	path := "/" + k.Path() + "/" + w.ticket
	before, seen := w.boss.Get(path), w.anna.Get(path)
	put := func(c *mustertest.Client, fields string) *mustertest.Response {
		return c.Do("PUT", path, "<"+k.Item+">"+fields+"</"+k.Item+">")
	}
	what := "PUT " + path + " with " + r.field
	back := put(w.anna, element(t, seen.Body, r.field))
	equal(t, what+" as it is", []any{back.Status, back.Body}, []any{http.StatusOK, seen.Body})
	same(t, what+" as it is", w.boss.Get(path), before)
	field, trace := w.sample(k.Field(r.field))
	w.judge(t, what, k, fieldValue{r.field, trace, r.change}, put(w.anna, field))
	if r.change != taken {
		same(t, what, w.boss.Get(path), before)
	} else {
		put(w.boss, element(t, before.Body, r.field))
	}
}

// same checks that two answers are one document in one version.
func same(t *testing.T, what string, got, want *mustertest.Response) {
	t.Helper()
	equal(t, what+": the record", got.Header.Get("ETag")+got.Body, want.Header.Get("ETag")+want.Body)
}

// A fieldValue is a value that was sent, and what should become of it.
type fieldValue struct{ field, trace, should string }

// judge compares an answer with what should become of a value.
func (w *fieldWorld) judge(t *testing.T, what string, k *kind.Schema, v fieldValue, got *mustertest.Response) {
	t.Helper()
	switch {
	case v.should == denied:
		refused(t, what, got, http.StatusForbidden, "a requester may not set "+v.field+" of a "+k.Noun)
	case v.should == unknown:
		refused(t, what, got, http.StatusUnprocessableEntity, "is not a field")
	case got.Status != http.StatusOK && got.Status != http.StatusCreated:
		t.Errorf("%s: got %d %s, want it %s", what, got.Status, got.Body, v.should)
	default:
		equal(t, what+": the value is in the answer", strings.Contains(element(t, got.Body, v.field), v.trace),
			v.should == taken)
	}
}

// TestRightsOfStaff: technicians and administrators set each field that clients
// may set, technicians none of users.
func TestRightsOfStaff(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		w := newFieldWorld(t, db)
		technician := w.AddUser("tech@example.com", inventory.Technician, false)
		for _, k := range inventory.Served() {
			switch {
			case k.Given:
			case k == inventory.Users.Schema:
				w.sets(t, technician, k, "3", "a technician may not change user records")
			default:
				for role, c := range map[string]*mustertest.Client{
					inventory.Technician: technician, inventory.Administrator: w.boss,
				} {
					id := w.post(t, "/"+k.Path(), "<name>"+role+"</name>")
					w.sets(t, c, k, id, "")
					c.Do("DELETE", "/"+k.Path()+"/"+id, "") // so that what is unique is free
				}
			}
		}
	})
}

// sets changes each field of a record that clients may set; refusal is why that
// is not allowed, "" when it is.
func (w *fieldWorld) sets(t *testing.T, c *mustertest.Client, k *kind.Schema, id, refusal string) {
	t.Helper()
	path := "/" + k.Path() + "/" + id
	for _, f := range k.Fields {
		if !f.Editable() {
			continue
		}
		field, trace := w.sample(f)
		r := c.Do("PUT", path, "<"+k.Item+">"+field+"</"+k.Item+">")
		if refusal != "" {
			refused(t, "PUT "+path+" with "+field, r, http.StatusForbidden, refusal)
		} else if r.Status != http.StatusOK || !strings.Contains(element(t, r.Body, f.Name), trace) {
			t.Errorf("PUT %s with %s: got %d %s, want it taken", path, field, r.Status, r.Body)
		}
	}
}

// kindAt returns the kind whose collection has a name in addresses.
func kindAt(name string) *kind.Schema {
	all := append(inventory.Served(), inventory.Comments.Schema)
	return all[slices.IndexFunc(all, func(k *kind.Schema) bool { return k.Path() == name })]
}
