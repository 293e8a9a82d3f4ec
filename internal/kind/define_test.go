package kind_test

import (
	"fmt"
	"testing"
	"time"

	"muster/internal/kind"
)

type small struct {
	kind.Record
	Name, Other string
	Items       []tool
}

// declareTool declares the fields of an item.
func declareTool(t *tool, f *kind.Fields) {
	f.Text("maker", &t.Maker)
	f.Text("serial", &t.Serial)
}

func TestDefinePanics(t *testing.T) {
	elsewhere := ""
	for _, test := range []struct {
		want    string
		declare func(*small, *kind.Fields)
	}{
		{"kind small: struct field Name is declared twice", func(s *small, f *kind.Fields) {
			f.Text("name", &s.Name)
			f.Text("title", &s.Name)
		}},
		{`kind small: field "name" is declared twice`, func(s *small, f *kind.Fields) {
			f.Text("name", &s.Name)
			f.Text("name", &s.Other)
		}},
		{`kind small: field "name" is not in the struct`, func(s *small, f *kind.Fields) {
			f.Text("name", &elsewhere)
		}},
		{`kind small: field "id" is not in the struct`, func(s *small, f *kind.Fields) { f.Record(&kind.Record{}) }},
		{"kind small: struct field Other is not declared", func(s *small, f *kind.Fields) {
			f.Record(&s.Record)
			f.Text("name", &s.Name)
			kind.Many(f, "items", "item", &s.Items, declareTool)
		}},
		{"kind item: struct field Serial is not declared", func(s *small, f *kind.Fields) {
			kind.Many(f, "items", "item", &s.Items, func(t *tool, f *kind.Fields) { f.Text("maker", &t.Maker) })
		}},
		{"kind small: filter name is declared twice", func(s *small, f *kind.Fields) {
			f.Text("name", &s.Name).Filter()
			f.Text("other", &s.Other).FilterAs("name")
		}},
		{"kind small: filter name is declared twice", func(s *small, f *kind.Fields) {
			f.Text("name", &s.Name).Filter()
			kind.Many(f, "items", "item", &s.Items, func(t *tool, f *kind.Fields) {
				f.Text("maker", &t.Maker).FilterAs("name")
				f.Text("serial", &t.Serial)
			})
		}},
		{`kind item: there is no field "size"`, func(s *small, f *kind.Fields) {
			kind.Many(f, "items", "item", &s.Items, declareTool).Key("serial", "size")
		}},
		{`kind small: there is no field "seen-at"`, func(s *small, f *kind.Fields) { f.Within("recent", "seen-at") }},
		{"kind small: what is skipped is not in the struct, or declared", func(s *small, f *kind.Fields) {
			f.Text("name", &s.Name)
			f.Skip(&s.Name)
		}},
		{"kind small: what is skipped is not in the struct, or declared", func(s *small, f *kind.Fields) {
			f.Skip(&elsewhere)
		}},
		{`kind small: there is no field "end"`, func(s *small, f *kind.Fields) { f.Past("end", "Over") }},
		{"kind small: more than 128 fields", func(s *small, f *kind.Fields) {
			for i := range 129 {
				f.Link(fmt.Sprint("link-", i), "")
			}
		}},
	} {
		got := panicOf(func() { kind.Define("small", "smalls", "Smalls List", test.declare) })
		if got != test.want {
			t.Errorf("got panic %v, want %s", got, test.want)
		}
	}
}

// panicOf returns what f panics with.
func panicOf(f func()) (text any) {
	defer func() { text = recover() }()
	f()
	return nil
}

func TestWrongRecordPanics(t *testing.T) {
	for want, f := range map[string]func(){
		"kind test-device: record is a *kind_test.small": func() { devices.Meta(&small{}) },
		"kind test-device: record is a kind_test.device": func() { devices.Copy(device{}) },
		"kind test-device: record is a <nil>":            func() { devices.AppendRecord(nil, kind.XML, "", nil) },
		"kind test-device: field name is no integer":     func() { devices.Values(full()).Int(devices.Field("name")) },
		"kind test-device: field parts is no string": func() {
			devices.Values(full()).Text(devices.Field("parts"))
		},
		"kind test-device: field serial is no string": func() {
			devices.Values(full()).Text(devices.Field("tools").Items.Field("serial"))
		},
		"kind test-device: field parts is no collection": func() {
			devices.Values(full()).Links(devices.Field("parts"))
		},
	} {
		if got := panicOf(f); got != want {
			t.Errorf("got panic %v, want %s", got, want)
		}
	}
}

func TestSchema(t *testing.T) {
	equal(t, "Path", devices.Path(), "test_devices")
	equal(t, "Noun", devices.Noun, "device")
	equal(t, "Title", devices.Title, "Devices List")
	if f := devices.Field("nonsense"); f != nil {
		t.Errorf("got field %v, want none", f)
	}
	for name, want := range map[string]struct{ stored, sortable, folded, editable bool }{
		"id":         {false, true, false, false},
		"href":       {false, false, false, false},
		"code":       {true, true, true, true},
		"item-count": {true, true, false, true},
		"seen-at":    {true, true, false, true},
		"owner":      {true, true, false, true},
		"origin":     {true, true, true, false},
		"created-at": {true, true, false, false},
		"maker":      {true, true, false, true},
		"price":      {true, true, false, true},
		"phase":      {false, true, false, false},
		"sockets":    {false, false, false, true},
		"load":       {false, false, false, false},
		"visits":     {false, false, false, false},
		"note":       {true, false, false, true},
		"parts":      {false, false, false, true},
		"secret":     {true, false, false, false},
	} {
		f := devices.Field(name)
		if f.Stored() != want.stored || f.Sortable() != want.sortable || f.Folded() != want.folded ||
			f.Editable() != want.editable {
			t.Errorf("%s: got stored %v, sortable %v, folded %v, editable %v, want %v", name, f.Stored(), f.Sortable(),
				f.Folded(), f.Editable(), want)
		}
	}
}

func TestValues(t *testing.T) {
	d := full()
	v := devices.Values(d)
	*v.Text(devices.Field("name")) = "n"
	*v.Int(devices.Field("item-count")) = kind.Some[int64](1)
	*v.Bool(devices.Field("live")) = kind.Some(false)
	*v.Time(devices.Field("created-at")) = time.Time{}
	*v.Person(devices.Field("owner")) = anna
	want := full()
	want.Name, want.Count, want.Live, want.CreatedAt, want.Owner = "n", kind.Some[int64](1), kind.Some(false),
		time.Time{}, anna
	equal(t, "record", d, want)
	for name, want := range map[string]string{
		"id": "42", "name": "n", "item-count": "1", "live": "false", "created-at": "", "bought-on": "2025-12-24",
		"owner": "Anna <A> Berg (anna@example.com)", "keeper": "Anna <A> Berg (anna@example.com)", "parts": "",
		"href":  "",
		"price": "12.5", "maker": "Acme <Ltd>", "phase": "Here", "sockets": "", "last-visit-href": "",
	} {
		equal(t, "Format "+name, v.Format(devices.Field(name)), want)
	}
	var serials []string
	for serial := range v.Nested(devices.Field("tools"), devices.Field("tools").Items.Field("serial")) {
		serials = append(serials, serial)
	}
	equal(t, "Nested", serials, []string{"S1"})
	serials = nil
	for item := range v.Items(devices.Field("tools")) {
		serials = append(serials, *item.Text(devices.Field("tools").Items.Field("serial")))
	}
	equal(t, "Items", serials, []string{"S1"})
	equal(t, "Trim", devices.Field("chip-set").Trim(" x ")+devices.Field("name").Trim(" y "), "x y ")
	equal(t, "person without a name", bert.Title(), "bert@example.com")
}

func TestSettle(t *testing.T) {
	var before *small
	s := kind.Define("small", "smalls", "", func(s *small, f *kind.Fields) {
		f.Record(&s.Record)
		f.Text("name", &s.Name)
		f.Text("other", &s.Other).ReadOnly()
		kind.Many(f, "items", "item", &s.Items, declareTool)
		kind.Settle(f, func(rec, old *small) { rec.Other, before = rec.Name, old })
	})
	rec := &small{Name: "x"}
	s.Settle(rec, nil)
	equal(t, "settled", rec.Other, "x")
	equal(t, "old of a new record", before, (*small)(nil))
	s.Settle(rec, rec)
	equal(t, "old", before, rec)
	devices.Settle(full(), nil) // a kind without a rule
}
