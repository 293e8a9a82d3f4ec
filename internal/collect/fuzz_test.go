package collect

import (
	"bytes"
	"testing"

	"muster/internal/report"
)

// readable fails unless the server can read a document with some rows.
func readable(t *testing.T, fill func(*document)) {
	t.Helper()
	d := &document{}
	d.open("REQUEST")
	d.value("QUERY", "INVENTORY")
	d.open("CONTENT")
	fill(d)
	d.close("CONTENT")
	d.close("REQUEST")
	if _, err := report.Read(d.text, report.Source{}); err != nil {
		t.Errorf("%v in\n%s", err, d.text)
	}
}

// FuzzSMBIOS: whatever firmware holds, there is a document.
func FuzzSMBIOS(f *testing.F) {
	f.Add([]byte("\x7f\x04\x00\x00\x00\x00"))
	f.Add([]byte("\x11\x28\x00\x11\x00\x10\x00\x00\x40\x00\x40\x00\xff\x7f\x0d\x00\x01\x00\x22\x00\x00\xff\xff\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00DIMM\x00\x00"))
	f.Add([]byte("\x08\x09\x00\x00\x01\x00\x02\x12\x10J1\x00USB\x00\x00\x08\xff"))
	f.Fuzz(func(t *testing.T, table []byte) {
		all := structures(table)
		size := 0
		for _, s := range all {
			size += len(s.data)
		}
		if size > len(table) {
			t.Errorf("got %d bytes of structures from %d", size, len(table))
		}
		f := &firmware{table: all}
		readable(t, func(d *document) { f.memories(d); f.ports(d) })
	})
}

// FuzzEDID: whatever a display sends, there is a document, with no control characters.
func FuzzEDID(f *testing.F) {
	f.Add([]byte{})
	f.Add(append(bytes.Clone(edidStart), make([]byte, 120)...))
	f.Add(append(append(bytes.Clone(edidStart), make([]byte, 46)...),
		bytes.Repeat([]byte("\x00\x00\x00\xfc\x00name\n        "), 5)...))
	f.Fuzz(func(t *testing.T, data []byte) {
		e, ok := parseEDID(data)
		if ok && (e.maker == "" || e.name == "") {
			t.Errorf("got %+v, want a maker and a name", e)
		}
		readable(t, func(d *document) {
			d.row("MONITORS", field{"CAPTION", e.name}, field{"MANUFACTURER", e.maker}, field{"SERIAL", e.serial})
		})
	})
}
