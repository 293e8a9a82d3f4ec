package inventory_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"muster/internal/kind"
	"muster/internal/markup"
)

// FuzzDocuments reads any document as one of every kind. It is refused as it
// should be, or makes a record whose own document is well-formed and says
// nothing new of it.
func FuzzDocuments(f *testing.F) {
	files, err := filepath.Glob("testdata/*.xml")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range files {
		doc, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(doc)
	}
	f.Fuzz(func(t *testing.T, doc []byte) {
		for _, k := range kinds() {
			patch, err := k.Decode(doc)
			if err != nil {
				_, malformed := errors.AsType[*markup.SyntaxError](err)
				_, invalid := errors.AsType[*kind.Invalid](err)
				if !malformed && !invalid {
					t.Fatalf("%s: error %T %v", k.Item, err, err)
				}
				continue
			}
			if err := patch.Resolve(everything); err != nil {
				t.Fatal(err)
			}
			rec := k.New()
			patch.Apply(rec)
			k.Settle(rec, nil)
			if len(patch.Check(rec, nil)) > 0 {
				continue
			}
			comesBack(t, k, rec)
		}
	})
}

// comesBack sends a record its own document.
func comesBack(t *testing.T, k *kind.Schema, rec any) {
	t.Helper()
	for _, f := range k.Fields {
		if f.Secret {
			*k.Values(rec).Text(f) = "" // which no document shows
		}
	}
	doc := k.AppendRecord(nil, kind.XML, "https://muster.example.com", rec)
	if err := wellFormed(doc); err != nil {
		t.Fatalf("%s: %v\n%s", k.Item, err, doc)
	}
	patch, err := k.Decode(doc)
	if err != nil {
		t.Fatalf("%s: %v\n%s", k.Item, err, doc)
	}
	if err := patch.Resolve(everything); err != nil {
		t.Fatal(err)
	}
	again := k.Copy(rec)
	patch.Apply(again)
	k.Settle(again, rec)
	if !k.Same(again, rec) {
		t.Fatalf("%s: its own document says something new: %+v\n%s", k.Item, k.Diff(rec, again).Changes, doc)
	}
}
