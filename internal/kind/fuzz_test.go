package kind_test

import (
	"errors"
	"fmt"
	"hash/crc32"
	"slices"
	"testing"

	"muster/internal/kind"
	"muster/internal/markup"
	"muster/internal/message"
)

// FuzzDecode checks that any document is refused as it should be, or makes a
// record whose own document is well-formed and makes the same record again.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		fullDocument, emptyDocument, "", "<device/>", inDevice("<tool><serial>x</serial></tool>"),
		inDevice(`<parts><part type="array"><part><size>1</size></part></part></parts>`),
		inDevice("<site><name>a<b/></name></site><owner><name>a<b/></name></owner>"),
		inDevice("<name>&#13;&lt;<![CDATA[x]]></name><chip_set> a </chip_set><colour/>"),
		inDevice("<price>1.50</price><maker>x</maker><parts><part><cost>0.0001</cost></part></parts>"),
		inDevice(`<sockets><socket type="array"><socket><id>2</id></socket><socket><id>1</id></socket></socket></sockets>`),
		inDevice("<places><place><asset_type>ROOM</asset_type><id>1</id></place><place><id>1</id></place></places>"),
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
		if err := wellFormed(kind.AppendErrors(nil, kind.XML, message.Strings(patch.Faults()))); err != nil {
			t.Fatalf("%q: errors %q: %v", doc, patch.Faults(), err)
		}
		if err := patch.Resolve(anything); err != nil {
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

// anything makes all that a document refers to known.
var anything = kind.Resolver{Person: everybody, Ref: anyMaker, Links: anyRecords}

// anyMaker knows each name.
func anyMaker(_ *kind.Schema, r *kind.Ref) (message.Predicate, error) {
	r.ID = 1<<32 + int64(crc32.ChecksumIEEE([]byte(r.Name)))
	return message.Predicate{}, nil
}

// anyRecords knows each id. It fails the fuzz test when it is asked for records
// that are not named in full.
func anyRecords(f *kind.Field, all []kind.Linked) ([]kind.Linked, message.Predicate, error) {
	for i := range all {
		if !all[i].ID.Valid || !slices.ContainsFunc(f.Targets,
			func(t *kind.Schema) bool { return t.Item == all[i].Item }) {
			return nil, message.Predicate{}, fmt.Errorf("asked for %+v", all[i])
		}
		all[i].Name = fmt.Sprint(all[i].Item, " ", all[i].ID.V)
	}
	return all, message.Predicate{}, nil
}

// everybody makes any person known, each by an id and an address of its own.
func everybody(p *kind.Person) (message.Predicate, error) {
	if p.ID == 0 {
		p.ID = 1<<32 + int64(crc32.ChecksumIEEE([]byte(p.Email+p.Name)))
	}
	if p.Email == "" {
		p.Email = fmt.Sprintf("somebody-%d@example.com", p.ID)
	}
	return message.Predicate{}, nil
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
	err = patch.Resolve(kind.Resolver{Person: func(p *kind.Person) (message.Predicate, error) {
		for _, known := range []kind.Person{d.Owner, d.Keeper} {
			if known.ID != 0 && (p.ID == known.ID || p.Email == known.Email) {
				*p = known
				return message.Predicate{}, nil
			}
		}
		return message.Says("is unknown"), nil
	}, Ref: anyMaker, Links: anyRecords})
	if err != nil {
		t.Fatal(err)
	}
	var again device
	patch.Apply(&again)
	return again
}
