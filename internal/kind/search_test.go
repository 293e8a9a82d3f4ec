package kind_test

import (
	"slices"
	"testing"

	"muster/internal/kind"
)

// A book is a record with texts that the search looks at, and others.
type book struct {
	kind.Record
	Name, Shelf, Genre, Key, Draft string
	Number, Pages                  kind.Int
	Author                         kind.Person
	Press                          kind.Ref
	Copies                         []copyOf
	Covers                         []cover
	Loans                          []cover
	Note                           string
}

type (
	copyOf struct {
		Code, State string
		Seal        kind.Int
	}
	cover struct{ Name string }
)

func (c *cover) fields(f *kind.Fields) { f.Text("name", &c.Name) }

var books = kind.Define("book", "books", "Books", func(b *book, f *kind.Fields) {
	f.Record(&b.Record)
	f.Int("number", &b.Number).Searched()
	f.Int("pages", &b.Pages)
	f.Text("name", &b.Name)
	f.Text("shelf", &b.Shelf).Unsearched()
	f.Text("genre", &b.Genre).OneOf("Crime", "Poetry")
	f.Text("key", &b.Key).Hidden()
	f.Text("draft", &b.Draft).Computed()
	f.Person("author", &b.Author)
	f.Ref("press", &b.Press, makers.Schema)
	kind.Many(f, "copies", "copy", &b.Copies, func(c *copyOf, f *kind.Fields) {
		f.Text("code", &c.Code)
		f.Text("state", &c.State).Unsearched()
		f.Int("seal", &c.Seal).Searched()
	})
	kind.Many(f, "covers", "cover", &b.Covers, (*cover).fields).Unsearched()
	kind.Many(f, "loans", "loan", &b.Loans, (*cover).fields).Computed()
	f.LongText("note", &b.Note)
	f.Stamps(&b.Record)
})

// TestTexts checks which texts the search looks at, the record's own first.
func TestTexts(t *testing.T) {
	equal(t, "fields", books.Searched.Names(), "number,name,note,copies(code,seal)")
	b := &book{
		Name: "name", Shelf: "shelf", Genre: "Crime", Key: "key", Draft: "draft", Number: kind.Some[int64](0),
		Pages:  kind.Some[int64](9),
		Author: kind.Person{ID: 1, Name: "author"}, Press: kind.Ref{ID: 1, Name: "press"}, Note: "note",
		Copies: []copyOf{{"c1", "torn", kind.Some[int64](7)}, {}, {Code: "c3"}}, Covers: []cover{{"cover"}},
		Loans: []cover{{"loan"}},
	}
	equal(t, "texts", slices.Collect(books.Searched.Texts(b)), []string{"0", "name", "note", "c1", "7", "c3"})
	equal(t, "texts of an empty one", slices.Collect(books.Searched.Texts(&book{})), []string(nil))
	for n := range 6 {
		var got []string
		for text := range books.Searched.Texts(b) {
			if got = append(got, text); len(got) > n {
				break
			}
		}
		equal(t, "texts until no more are wanted", len(got), n+1)
	}
}

// TestSearchParameter takes any text once.
func TestSearchParameter(t *testing.T) {
	for query, want := range map[string]*kind.Search{
		"":                   nil,
		"q":                  {},
		"q=":                 {},
		"q=a+b%26":           {Text: "a b&"},
		"q=%00%ff":           {Text: "\x00\xff"},
		"q=*&page=2&site=HQ": {Text: "*"},
	} {
		q, err := devices.ParseQuery(query, now)
		if err != nil {
			t.Errorf("%s: %v", query, err)
			continue
		}
		equal(t, query, q.Search, want)
	}
	for query, want := range map[string]string{
		"q=a&q=b":      "q is given more than once",
		"q[]=a":        "unknown parameter q[]",
		"Q=a":          "unknown parameter Q",
		"q=%zz":        "the query does not parse: ",
		"q=a&site=%ff": "the query holds bytes that are no text",
	} {
		_, err := devices.ParseQuery(query, now)
		if err == nil || len(err.Error()) < len(want) || err.Error()[:len(want)] != want {
			t.Errorf("%s: got %v, want %s", query, err, want)
		}
	}
}
