package inventory_test

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	_ "muster/internal/draws" // sets how many cases are drawn
	"muster/internal/kind"
	"muster/internal/kindtest"
	"muster/internal/message"
)

// people are the users to whom drawn records refer.
var people = []kind.Person{
	{ID: 7, Email: "anna@example.com", Name: "Anna Berg", FirstName: "Anna", LastName: "Berg",
		LastLogin: time.Unix(1_700_000_000, 0).UTC()},
	{ID: 8, Email: "bert@example.com", Name: "bert@example.com", Phone: "<1>"},
}

// findPerson completes a reference, as a store does.
func findPerson(p *kind.Person) (message.Predicate, error) {
	for _, known := range people {
		if p.ID == known.ID || p.Email == known.Email {
			*p = known
			return message.Predicate{}, nil
		}
	}
	return message.Says("does not exist"), nil
}

// linkedTo are records of a kind that others are tied to.
func linkedTo(target *kind.Schema) (all []kind.Linked) {
	for id := range int64(3) {
		all = append(all, kind.Linked{Item: target.Item, ID: kind.Some(id), Name: linkedName(target.Item, id)})
	}
	return all
}

func linkedName(item string, id int64) string { return fmt.Sprintf("<%s> %d", item, id) }

// vendors are records that others refer to by name.
var vendors = []kind.Ref{{ID: 3, Name: "Acme & <Co>"}, {ID: 4, Name: "ACME"}}

// everything completes what a document refers to, as a store does.
var everything = kind.Resolver{
	Person: findPerson,
	Ref: func(_ *kind.Schema, r *kind.Ref) (message.Predicate, error) {
		for _, known := range vendors {
			if r.Name == known.Name {
				*r = known
				return message.Predicate{}, nil
			}
		}
		return message.Says("does not exist"), nil
	},
	Links: func(_ *kind.Field, l []kind.Linked) ([]kind.Linked, message.Predicate, error) {
		for i := range l {
			l[i].Name = linkedName(l[i].Item, l[i].ID.V)
		}
		return l, message.Predicate{}, nil
	},
}

// world is what drawn records refer to.
var world = kindtest.World{People: people, Refs: vendors, Linked: linkedTo}

// TestEveryKind holds for any record of every kind, those of tomorrow too: its
// document is XML, makes the same record of an empty one and changes nothing
// in the record itself; its nested collections are packed without loss.
func TestEveryKind(t *testing.T) {
	for _, s := range kinds() {
		t.Run(s.Plural, func(t *testing.T) {
			rapid.Check(t, func(r *rapid.T) {
				rec, writable, packed := world.Record(r, s)
				equal(t, "faults", message.Strings(s.Check(rec, nil)), []string(nil))
				if len(s.Parts.Lists) > 0 {
					equal(t, "packed", string(s.Parts.Pack(nil, rec)), packed)
				}
				doc := s.AppendRecord(nil, kind.XML, base, rec)
				equal(t, "XML", wellFormed(doc), nil)
				equal(t, "XML of a list",
					wellFormed(s.AppendList(nil, kind.XML, base, kind.Page{Records: []any{rec, rec}})), nil)

				read := s.Empty(1)[0]
				apply(r, s, doc, read)
				equal(t, "record", read, writable)
				same := s.Copy(rec)
				apply(r, s, doc, same)
				equal(t, "record itself", same, rec)
				diff := s.Diff(rec, same)
				equal(t, "changes", diff.Changes, []kind.Change(nil))
				equal(t, "same", s.Same(rec, same), true)
				if t.Failed() {
					r.FailNow()
				}
			})
		})
	}
}

// apply reads a document of ours into rec.
func apply(t *rapid.T, s *kind.Schema, doc []byte, rec any) {
	patch, err := s.Decode(doc)
	if err == nil {
		err = patch.Resolve(everything)
	}
	if err != nil || patch.Faults() != nil {
		t.Fatalf("%s: error %v, faults %v", doc, err, patch.Faults())
	}
	patch.Apply(rec)
}

// wellFormed asks the standard library's reader.
func wellFormed(doc []byte) error {
	for d := xml.NewDecoder(strings.NewReader(string(doc))); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}
