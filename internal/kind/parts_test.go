package kind_test

import (
	"encoding/hex"
	"runtime"
	"strings"
	"testing"

	"muster/internal/kind"
)

// packedDevice is how the parts of the full device are packed.
const packedDevice = "01" + // format
	"02" + // parts
	"046469736b" + "025570" + "01" + "01" + "81e4ad950d" + "81e4ad950d" + "e907" +
	"0366616e" + "00" + "00" + "00" + "00" + "00" + "00" +
	"01" + // tools
	"0441636d65" + "025331"

const layout = "parts(name:t,part-state:t,size:i,good:b,at:s,on:s,cost:d);tools(maker:t,serial:t)"

// unpack reads a packed document in the given layout.
func unpack(t *testing.T, layout, doc string, rec any) error {
	t.Helper()
	u, err := devices.Parts.Unpacker(layout)
	if err != nil {
		t.Fatal(err)
	}
	return u.Unpack(doc, rec)
}

func TestPack(t *testing.T) {
	equal(t, "layout", devices.Parts.Layout(), layout)
	equal(t, "packed", hex.EncodeToString(devices.Parts.Pack(nil, full())), packedDevice)
	equal(t, "no parts", hex.EncodeToString(devices.Parts.Pack([]byte{0xff}, devices.New())), "ff010000")
}

func TestUnpack(t *testing.T) {
	doc := string(devices.Parts.Pack(nil, full()))
	got := &device{Name: "stays"}
	if err := unpack(t, layout, doc, got); err != nil {
		t.Fatal(err)
	}
	equal(t, "device", got, &device{Name: "stays", Parts: full().Parts, Tools: full().Tools})
	if err := unpack(t, layout, "\x01\x00\x00", got); err != nil {
		t.Fatal(err)
	}
	equal(t, "emptied", got, &device{Name: "stays"})
}

// TestUnpackOldLayouts reads documents that were packed when the kind had
// other fields.
func TestUnpackOldLayouts(t *testing.T) {
	for _, test := range []struct {
		name, layout, doc string
		want              device
	}{
		{"fields and lists missing", "parts(name:t)", "\x01\x02\x01a\x01b", device{
			Parts: []part{{Name: "a"}, {Name: "b"}},
		}},
		{"fields moved", "parts(size:i,name:t)", "\x01\x01\x03\x01a", device{
			Parts: []part{{Name: "a", Size: kind.Some[int64](1)}},
		}},
		{"lists moved", "tools(serial:t);parts(name:t)", "\x01\x01\x01S\x01\x01a", device{
			Parts: []part{{Name: "a"}}, Tools: []tool{{Serial: "S"}},
		}},
		{"field removed", "parts(colour:t,weight:i,name:t)", "\x01\x01\x03red\x09\x01a", device{
			Parts: []part{{Name: "a"}},
		}},
		{"list removed", "wheels(name:t,size:i);tools(maker:t)", "\x01\x02\x01a\x03\x00\x00\x01\x01M", device{
			Tools: []tool{{Maker: "M"}},
		}},
		{"text became number", "parts(size:t,name:t)", "\x01\x01\x0212\x01a", device{Parts: []part{{Name: "a"}}}},
		{"number became text", "parts(name:i,size:i)", "\x01\x01\x05\x03", device{
			Parts: []part{{Size: kind.Some[int64](1)}},
		}},
		{"number became boolean", "parts(good:i,size:i)", "\x01\x01\x03\x03", device{
			Parts: []part{{Size: kind.Some[int64](1)}},
		}},
		{"decimal became number", "parts(size:d,name:t)", "\x01\x01\x03\x01a", device{Parts: []part{{Name: "a"}}}},
		{"number became decimal", "parts(cost:i,name:t)", "\x01\x01\x03\x01a", device{Parts: []part{{Name: "a"}}}},
		{"collection became links", "sockets(name:t);tools(maker:t)", "\x01\x01\x01x\x01\x01M", device{
			Tools: []tool{{Maker: "M"}},
		}},
		{"collection became field", "name(maker:t);tools(maker:t)", "\x01\x01\x01x\x01\x01M", device{
			Tools: []tool{{Maker: "M"}},
		}},
	} {
		var got device
		if err := unpack(t, test.layout, test.doc, &got); err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
		equal(t, test.name, got, test.want)
	}
}

// TestUnknown: what a layout has that the kind neither has nor had is of a newer version.
func TestUnknown(t *testing.T) {
	for given, want := range map[string]string{
		layout: "", "parts(name:t)": "", "parts(name:t,colour:t)": "parts.colour", "parts(name:i)": "parts.name",
		"wheels(name:t);tools(maker:t)": "wheels",
	} {
		u, err := devices.Parts.Unpacker(given)
		if err != nil || u.Unknown() != want {
			t.Errorf("%s: got %q, %v, want %q", given, u.Unknown(), err, want)
		}
	}
}

func TestBadLayouts(t *testing.T) {
	for layout, want := range map[string]string{
		"":               `layout of test-devices: "" is no collection`,
		"parts":          `layout of test-devices: "parts" is no collection`,
		"parts(name:t);": `layout of test-devices: "" is no collection`,
		"parts(name:x)":  `layout of test-devices: "name:x" has no known type`,
		"parts(name)":    `layout of test-devices: "name" has no known type`,
		"parts(name:ti)": `layout of test-devices: "name:ti" has no known type`,
		"parts()":        `layout of test-devices: "" has no known type`,
	} {
		if _, err := devices.Parts.Unpacker(layout); err == nil || err.Error() != want {
			t.Errorf("%q: got %v, want %s", layout, err, want)
		}
	}
}

func TestUnpackDamaged(t *testing.T) {
	whole := string(devices.Parts.Pack(nil, full()))
	damaged := map[string]string{
		"empty":              "",
		"another format":     "\x02" + whole[1:],
		"more behind":        whole + "\x00",
		"negative count":     "\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x00",
		"count too large":    "\x01\x80\x80\x80\x80\x80\x80\x80\x80\x80\x02\x00",
		"count too long":     "\x01" + strings.Repeat("\x80", 10) + "\x00\x00",
		"more than there is": "\x01\x03" + whole[2:],
		"text beyond end":    "\x01\x01\xff\x01\x00\x00\x00\x00\x00\x00",
	}
	for n := 1; n < len(whole); n++ {
		damaged["cut "+hex.EncodeToString([]byte(whole[:n]))] = whole[:n]
	}
	for name, doc := range damaged {
		if err := unpack(t, layout, doc, &device{}); err == nil || err.Error() != "stored parts are damaged" {
			t.Errorf("%s: got error %v, want damaged", name, err)
		}
	}
}

// TestUnpackAllocation shows that a count alone makes nobody allocate.
func TestUnpackAllocation(t *testing.T) {
	doc := "\x01\x80\x80\x40" + strings.Repeat("\xff", 1<<20) // 1,048,576 items
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err := unpack(t, layout, doc, &device{})
	runtime.ReadMemStats(&after)
	if got := after.TotalAlloc - before.TotalAlloc; err == nil || got > 1<<20 {
		t.Errorf("got %d bytes allocated and error %v, want few and an error", got, err)
	}
}

// FuzzUnpack checks that any bytes are refused or make a record that can be
// written and packed.
func FuzzUnpack(f *testing.F) {
	f.Add(string(devices.Parts.Pack(nil, full())))
	f.Add("\x01\x00\x00")
	f.Add("\x01\x00\x01\x00\x00")
	f.Add("\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x00")
	f.Fuzz(func(t *testing.T, doc string) {
		var d device
		if err := unpack(t, layout, doc, &d); err != nil {
			return
		}
		if got := 100 * (len(d.Parts) + len(d.Tools)); got > 100*len(doc) {
			t.Fatalf("got %d parts of %d bytes", got, len(doc))
		}
		if err := wellFormed(devices.AppendRecord(nil, kind.XML, base, &d)); err != nil {
			t.Fatalf("%q: %v", doc, err)
		}
		var again device
		if err := unpack(t, layout, string(devices.Parts.Pack(nil, &d)), &again); err != nil {
			t.Fatalf("%q: %v", doc, err)
		}
		equal(t, "packed again", again, d)
	})
}
