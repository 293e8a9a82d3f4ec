package kind_test

import (
	"encoding/json"
	"testing"

	"pgregory.net/rapid"

	"muster/internal/kind"
)

// TestJSONRecord compares a JSON document with the fields that it was made of.
func TestJSONRecord(t *testing.T) {
	var doc map[string]any
	if err := json.Unmarshal(devices.AppendRecord(nil, kind.JSON, base, full()), &doc); err != nil {
		t.Fatal(err)
	}
	v := devices.Values(full())
	for _, f := range devices.Fields {
		got, ok := doc[f.Column()]
		if ok == f.Hidden {
			t.Errorf("%s: got it in the document: %v, want %v", f.Name, ok, !f.Hidden)
		}
		switch f.Type {
		case kind.Text, kind.Time, kind.Date, kind.RecordRef:
			if text, _ := got.(string); !f.Hidden && text != v.Format(f) {
				t.Errorf("%s: got %v, want %q", f.Name, got, v.Format(f))
			}
		case kind.Integer, kind.ID, kind.Boolean, kind.Amount:
			if text, _ := json.Marshal(got); string(text) != v.Format(f) {
				t.Errorf("%s: got %s, want %s", f.Name, text, v.Format(f))
			}
		}
	}
}

func TestJSONDocuments(t *testing.T) {
	type desk struct {
		kind.Record
		Name   string
		Height kind.Int
		Owner  kind.Person
		Feet   []struct{ Name string }
	}
	desks := kind.Define("desk", "work-desks", "Desks", func(d *desk, f *kind.Fields) {
		f.Record(&d.Record)
		f.Text("name", &d.Name)
		f.Link("audits-href", "/audits?a=1&b=2")
		f.Detail()
		f.Int("full-height", &d.Height)
		f.Person("owner", &d.Owner).Shows("id", "first-name", "last-login")
		kind.Many(f, "feet", "foot", &d.Feet,
			func(p *struct{ Name string }, f *kind.Fields) { f.Text("name", &p.Name) })
		f.Stamps(&d.Record)
	})
	d := &desk{Record: kind.Record{ID: 7, CreatedAt: at("2026-01-31T09:30:00Z")}, Name: "a \"b\" \\ <c>\n\t\x01é"}
	empty := string(desks.AppendRecord(nil, kind.JSON, "https://x", d))
	equal(t, "a bare record", empty, `{"id":7,"href":"https://x/work_desks/7.json","name":"a \"b\" \\ <c>\n\t\u0001é",`+
		`"audits_href":"https://x/work_desks/7/audits.json?a=1&b=2","full_height":null,"owner":null,"feet":[],`+
		`"created_at":"2026-01-31T09:30:00Z","updated_at":null}`+"\n")
	d.Height, d.Owner = kind.Some(int64(0)), kind.Person{ID: 3, FirstName: "Ada"}
	d.Feet = []struct{ Name string }{{"left"}, {""}}
	equal(t, "a full record", string(desks.AppendRecord(nil, kind.JSON, "", d)),
		`{"id":7,"href":"/work_desks/7.json","name":"a \"b\" \\ <c>\n\t\u0001é",`+
			`"audits_href":"/work_desks/7/audits.json?a=1&b=2","full_height":0,"owner":{"id":3,"first_name":"Ada","last_login":null},`+
			`"feet":[{"name":"left"},{"name":null}],"created_at":"2026-01-31T09:30:00Z","updated_at":null}`+"\n")
	d.Name = "d"
	item := `{"id":7,"href":"/work_desks/7.json","name":"d","audits_href":"/work_desks/7/audits.json?a=1&b=2"}`
	equal(t, "a list", string(desks.AppendList(nil, kind.JSON, "",
		kind.Page{Position: kind.Position{Number: 2, PerPage: 25, Total: 27}, Records: []any{d, d}})),
		`{"page":2,"per_page":25,"total_entries":27,"work_desks":[`+item+`,`+item+`]}`+"\n")
	equal(t, "an empty list",
		string(desks.AppendList(nil, kind.JSON, "", kind.Page{Position: kind.Position{Number: 1, PerPage: 25}})),
		`{"page":1,"per_page":25,"total_entries":0,"work_desks":[]}`+"\n")
	equal(t, "services", string(kind.AppendServices(nil, kind.JSON,
		[]kind.Service{{Href: "/a", Name: "A"}, {Href: "/b", Name: "B"}})),
		`{"services":[{"href":"/a","name":"A"},{"href":"/b","name":"B"}]}`+"\n")
	equal(t, "errors", string(kind.AppendErrors(nil, kind.JSON, []string{`"a"`, "b"})), `{"errors":["\"a\"","b"]}`+"\n")
}

// TestJSONText writes any text so that it is read back the same, but for bytes
// that are none.
func TestJSONText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text")
		var got struct{ Errors []string }
		if err := json.Unmarshal(kind.AppendErrors(nil, kind.JSON, []string{text}), &got); err != nil ||
			len(got.Errors) != 1 || got.Errors[0] != text {
			t.Fatalf("%q: got %q, %v", text, got.Errors, err)
		}
	})
	equal(t, "bytes that are no text", string(kind.AppendErrors(nil, kind.JSON, []string{"a\xffb"})),
		"{\"errors\":[\"a\uFFFDb\"]}\n")
}
