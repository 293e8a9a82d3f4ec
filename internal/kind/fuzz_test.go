package kind_test

import (
	"errors"
	"fmt"
	"hash/crc32"
	"slices"
	"testing"

	"muster/internal/kind"
	"muster/internal/markup"
)

// FuzzDecode checks that any document is refused as it should be, or makes a
// record whose own document is well-formed and makes the same record again.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		fullDocument, emptyDocument, "", "<device/>", inDevice("<tool><serial>x</serial></tool>"),
		inDevice(`<parts><part type="array"><part><size>1</size></part></part></parts>`),
		inDevice("<site><name>a<b/></name></site><owner><name>a<b/></name></owner>"),
		inDevice("<name>&#13;&lt;<![CDATA[x]]></name><chip_set> a </chip_set><colour/>"),
		`<t:test-device xmlns:t="urn:t"><t:code nil="true"/></t:test-device>`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, original []byte) {
		doc := slices.Clone(original)
		patch, err := devices.Decode(doc)
		if !slices.Equal(doc, original) {
			t.Fatalf("Decode altered %q", original)
		}
		if err != nil {
			_, malformed := errors.AsType[*markup.SyntaxError](err)
			_, invalid := errors.AsType[*kind.Invalid](err)
			if !malformed && !invalid {
				t.Fatalf("%q: error %T %v", doc, err, err)
			}
			return
		}
		if err := wellFormed(kind.AppendErrors(nil, kind.XML, patch.Faults())); err != nil {
			t.Fatalf("%q: errors %q: %v", doc, patch.Faults(), err)
		}
		if err := patch.People(everybody); err != nil {
			t.Fatal(err)
		}
		var d device
		patch.Apply(&d)
		again := decodeOwn(t, &d)
		equal(t, "record of its own document", again, d)
		clear(doc)
		equal(t, "record after the document is gone", d, again)
	})
}

// everybody makes any person known, each by an id and an address of its own.
func everybody(p *kind.Person) (string, error) {
	if p.ID == 0 {
		p.ID = 1<<32 + int64(crc32.ChecksumIEEE([]byte(p.Email+p.Name)))
	}
	if p.Email == "" {
		p.Email = fmt.Sprintf("somebody-%d@example.com", p.ID)
	}
	return "", nil
}

// decodeOwn reads the document of d.
func decodeOwn(t *testing.T, d *device) device {
	own := devices.AppendRecord(nil, kind.XML, base, d)
	if err := wellFormed(own); err != nil {
		t.Fatalf("%s: %v", own, err)
	}
	patch, err := devices.Decode(own)
	if err != nil || patch.Faults() != nil {
		t.Fatalf("%s: error %v, faults %v", own, err, patch.Faults())
	}
	err = patch.People(func(p *kind.Person) (string, error) {
		for _, known := range []kind.Person{d.Owner, d.Keeper} {
			if known.ID != 0 && (p.ID == known.ID || p.Email == known.Email) {
				*p = known
				return "", nil
			}
		}
		return "is unknown", nil
	})
	if err != nil {
		t.Fatal(err)
	}
	var again device
	patch.Apply(&again)
	return again
}
