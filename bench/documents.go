package main

import (
	"bytes"
	"context"
	"encoding/xml"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"

	"muster/bench/result"
	"muster/bench/tagged"
	"muster/internal/demo"
	"muster/internal/inventory"
	"muster/internal/kind"
)

// listSize is how many computers a long list shows.
const listSize = 250

// base is what addresses in documents begin with.
const base = "https://localhost:8443"

// benchDocuments measures documents beside encoding/xml.
func benchDocuments(ctx context.Context, s *settings, r *result.Run) error {
	page := kind.Page{Position: kind.Position{Number: 1, PerPage: listSize, Total: listSize}}
	for i := range listSize {
		page.Records = append(page.Records, sampleComputer(i))
	}
	full := sampleComputer(0) // the first computer has parts of every sort, 57 in all
	duels, err := encodeDuels(fmt.Sprintf("encode list of %d", listSize), 8, new(tagged.List), func(b []byte) []byte {
		return inventory.Computers.AppendList(b, kind.XML, base, page)
	})
	if err != nil {
		return fmt.Errorf("compare lists: %w", err)
	}
	more, err := encodeDuels("encode full record", 0, new(tagged.Computer), func(b []byte) []byte {
		return inventory.Computers.AppendRecord(b, kind.XML, base, full)
	})
	if err != nil {
		return fmt.Errorf("compare records: %w", err)
	}
	decode, err := decodeDuel(full)
	if err != nil {
		return fmt.Errorf("compare decoders: %w", err)
	}
	return fight(ctx, s, r, append(append(duels, more...), decode))
}

// encodeDuels make a document beside the same of tagged structs: once both
// sides write to a buffer that is there, and once both make a new one. plain is
// set to the values of the document.
func encodeDuels(name string, goal float64, plain any, encode func([]byte) []byte) ([]duel, error) {
	var doc []byte
	doc = encode(doc)
	if err := fill(plain, doc); err != nil {
		return nil, err
	}
	var buf bytes.Buffer
	return []duel{{
		name: name, rival: "encoding/xml Encoder", goals: result.Goals{Aim: "documents", Goal: goal},
		ours: func() int { doc = encode(doc[:0]); return len(doc) },
		theirs: func() int {
			buf.Reset()
			if err := xml.NewEncoder(&buf).Encode(plain); err != nil {
				panic("unreachable: tagged structs were encoded before: " + err.Error())
			}
			return buf.Len()
		},
	}, {
		name: name + ", new buffer", rival: "encoding/xml Marshal",
		ours:   func() int { return len(encode(nil)) },
		theirs: func() int { return len(mustMarshal(plain)) },
	}}, sameValues(doc, mustMarshal(plain))
}

// decodeDuel reads the document of a computer.
func decodeDuel(c *inventory.Computer) (duel, error) {
	doc := inventory.Computers.AppendRecord(nil, kind.XML, base, c)
	return duel{
		name: "decode full record", rival: "encoding/xml Unmarshal", goals: result.Goals{Aim: "documents", Goal: 10},
		ours:   func() int { mustDecode(doc); return len(doc) },
		theirs: func() int { mustUnmarshal(doc); return len(doc) },
	}, checkDecoders(c, doc)
}

// sampleComputer returns a computer as it would come from a database.
func sampleComputer(i int) *inventory.Computer {
	people := make([]kind.Person, 0, 64)
	for j, user := range demo.Users() {
		inventory.Users.Settle(user, nil)
		user.ID, user.LastLogin = int64(j+1), epoch
		people = append(people, user.Person())
	}
	c := demo.Computer(i, people, epoch)
	c.ID, c.Version, c.CreatedAt, c.UpdatedAt = int64(i+1), 1, epoch.Add(-24*time.Hour), epoch
	c.AssetID = fmt.Sprintf("MUS-%06d", i+1)
	return c
}

// nullElement is an element without a value. Tagged structs leave it out.
var nullElement = regexp.MustCompile(`\s*<[a-z-]+ (nil="true"|type="array")/>`)

// fill sets tagged structs to the values of a document.
func fill(v any, doc []byte) error { return xml.Unmarshal(nullElement.ReplaceAll(doc, nil), v) }

func mustMarshal(v any) []byte {
	doc, err := xml.Marshal(v)
	if err != nil {
		panic("unreachable: tagged structs were encoded before: " + err.Error())
	}
	return doc
}

func mustUnmarshal(doc []byte) *tagged.Computer {
	c := new(tagged.Computer)
	if err := xml.Unmarshal(doc, c); err != nil {
		panic("unreachable: the document was decoded before: " + err.Error())
	}
	return c
}

func mustDecode(doc []byte) *kind.Patch {
	patch, err := inventory.Computers.Decode(doc)
	if err != nil || patch.Faults() != nil {
		panic(fmt.Sprintf("unreachable: the document was decoded before: %v %v", err, patch.Faults()))
	}
	return patch
}

// checkDecoders checks that both decoders find the values of the computer in
// its document.
func checkDecoders(c *inventory.Computer, doc []byte) error {
	var theirs tagged.Computer
	if err := xml.Unmarshal(doc, &theirs); err != nil {
		return err
	}
	if err := sameValues(doc, mustMarshal(&theirs)); err != nil {
		return fmt.Errorf("encoding/xml: %w", err)
	}
	patch, err := inventory.Computers.Decode(doc)
	if err != nil {
		return err
	}
	ours := inventory.Computers.New()
	patch.Apply(ours)
	// What clients cannot set, and what the desk looks up.
	ours.Record, ours.DetectedAt, ours.Owner, ours.TechnicalContact = c.Record, c.DetectedAt, c.Owner,
		c.TechnicalContact
	return sameValues(doc, inventory.Computers.AppendRecord(nil, kind.XML, base, ours))
}

// sameValues checks that two documents carry the same values.
func sameValues(a, b []byte) error {
	one, err := values(a)
	if err != nil {
		return err
	}
	other, err := values(b)
	if err != nil {
		return err
	}
	for i := range min(len(one), len(other)) {
		if one[i] != other[i] {
			return fmt.Errorf("the documents differ: %s and %s", one[i], other[i])
		}
	}
	if len(one) != len(other) || len(one) == 0 {
		return fmt.Errorf("the documents have %d and %d values", len(one), len(other))
	}
	return nil
}

// values returns the values of a document with their paths, sorted. Nulls are
// left out, and so are zeros, which encoding/xml makes of them.
func values(doc []byte) ([]string, error) {
	var path, out []string
	for d := xml.NewDecoder(bytes.NewReader(doc)); ; {
		token, err := d.Token()
		if err == io.EOF {
			slices.Sort(out)
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		switch t := token.(type) {
		case xml.StartElement:
			path = append(path, t.Name.Local)
		case xml.EndElement:
			path = path[:len(path)-1]
		case xml.CharData:
			if text := strings.TrimSpace(string(t)); text != "" && text != "0" {
				out = append(out, strings.Join(path, "/")+"="+text)
			}
		}
	}
}
