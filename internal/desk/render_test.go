package desk_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"regexp"
	"sync"
	"testing"
	"time"

	"muster/internal/desk"
	"muster/internal/desk/seal"
	"muster/internal/draws"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/mustertest"
	"muster/internal/store"
)

// A gallery is an office whose records a second desk shows that keeps what it
// has shown.
type gallery struct {
	*office
	keeping *desk.Desk
	who     desk.Caller   // who changes records
	viewers []desk.Caller // the program itself, an administrator and a requester
}

func openGallery(t *testing.T, db mustertest.Database, cache int64) *gallery {
	t.Helper()
	ctx := context.Background()
	g := &gallery{office: openOffice(t, db)}
	var err error
	g.keeping, err = desk.Open(ctx,
		desk.Config{Store: g.Store, Key: make([]byte, seal.KeySize), Realm: "Muster", Now: g.Clock.Now,
			Log: slog.New(slog.DiscardHandler), Cache: cache})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(g.keeping.Close)
	g.who = g.Administrator(t)
	g.change(t, inventory.Users.Schema, 0, "<email>rita@example.com</email><role>requester</role>")
	rita, err := g.Get(ctx, program, inventory.Users.Schema, 2)
	if err != nil {
		t.Fatal(err)
	}
	g.viewers = []desk.Caller{program, g.who, {User: rita.(*inventory.User), Origin: "api"}}
	return g
}

// change makes a record, or changes the one with an id, unless that is refused.
func (g *gallery) change(t *testing.T, k *kind.Schema, id int64, fields string) {
	t.Helper()
	doc := func() (*kind.Patch, error) {
		return k.Decode([]byte("<" + k.Item + ">" + fields + "</" + k.Item + ">"))
	}
	var err error
	if id == 0 {
		_, _, err = g.Create(context.Background(), g.who, desk.New{Kind: k, Document: doc})
	} else {
		_, err = g.Update(context.Background(), g.who, desk.Target{Kind: k, ID: id}, doc)
	}
	g.allow(t, err)
}

// furnish makes some records of each kind.
func (g *gallery) furnish(t *testing.T) {
	for i := range 4 {
		name := fmt.Sprintf("<name>n%d</name>", i)
		g.change(t, inventory.Vendors.Schema, 0, name)
		g.change(t, inventory.Computers.Schema, 0, name+"<owner>rita@example.com</owner>")
		g.change(t, inventory.OtherAssets.Schema, 0, name)
		g.change(t, inventory.Softwares.Schema, 0, name+"<vendor>n1</vendor>")
		g.change(t, inventory.Tickets.Schema, 0,
			name+"<requester>rita@example.com</requester><hardwares><hardware><id>1</id></hardware></hardwares>")
		g.change(t, inventory.Contracts.Schema, 0,
			name+"<type>SoftwareLicense</type><items><item><name>p*</name></item></items>")
	}
}

// allow takes refusals for what they are.
func (g *gallery) allow(t *testing.T, err error) {
	t.Helper()
	_, refused := errors.AsType[*desk.Error](err)
	if _, invalid := errors.AsType[*kind.Invalid](err); err != nil && !refused && !invalid &&
		!errors.Is(err, store.ErrUnavailable) {
		t.Errorf("a change: %v", err)
	}
}

// comment writes under a ticket.
func (g *gallery) comment(t *testing.T, ticket int64, private bool) {
	relation := desk.Relations(inventory.Tickets.Schema)[0]
	k := inventory.Comments.Schema
	_, _, err := g.Create(context.Background(), g.who,
		desk.New{Kind: k, Under: &desk.Place{Relation: relation, ID: ticket}, Document: func() (*kind.Patch, error) {
			return k.Decode(fmt.Appendf(nil, "<comment><body>Look</body><is-private>%t</is-private></comment>",
				private))
		}})
	g.allow(t, err)
}

// signIn notes that a user has signed in.
func (g *gallery) signIn(t *testing.T, id int64) {
	ctx := context.Background()
	g.allow(t, g.Store.Update(ctx, func(tx *store.Tx) error {
		return tx.SetTime(ctx, inventory.Users.Schema, id, inventory.Users.Field("last-login"), g.Clock.Now())
	}))
}

// happens makes something happen, at random.
func (g *gallery) happens(t *testing.T, r *rand.Rand) {
	id := 1 + r.Int64N(6)
	any := func(texts ...string) string { return texts[r.IntN(len(texts))] }
	kinds := []*kind.Schema{inventory.Computers.Schema, inventory.Tickets.Schema, inventory.OtherAssets.Schema,
		inventory.Risks.Schema,
		inventory.Vendors.Schema, inventory.Contracts.Schema, inventory.Softwares.Schema, inventory.Users.Schema,
		inventory.Solutions.Schema}
	name := fmt.Sprintf("<name>n%d</name>", r.IntN(9))
	switch r.IntN(19) {
	case 0, 1:
		g.Clock.Advance(time.Minute)
		g.Deliver(t, busyMachine(r.IntN(3), r.IntN(4)).XML())
	case 2:
		g.change(t, inventory.Computers.Schema, id*r.Int64N(2),
			name+"<owner>"+any("rita@example.com", "admin@localhost",
				"")+"</owner><technical-contact>admin@localhost</technical-contact>")
	case 3:
		g.change(t, inventory.Users.Schema, 1+r.Int64N(2),
			"<first-name>"+any("Ann", "Bob", "")+"</first-name><phone>"+any("1", "2")+"</phone>")
	case 4:
		g.change(t, inventory.Vendors.Schema, id*r.Int64N(2), name)
	case 5:
		g.change(t, inventory.Softwares.Schema, id*r.Int64N(2), name+"<vendor>"+any("n1", "n2", "")+"</vendor>")
	case 6:
		g.change(t, inventory.Contracts.Schema, id*r.Int64N(2),
			name+"<type>"+any("SoftwareLicense", "Other")+"</type><vendor>"+any("n1", "n3")+
				"</vendor><end-date>"+g.Clock.Now().Add(time.Duration(r.IntN(5)-2)*24*time.Hour).Format("2006-01-02")+
				"</end-date>"+
				"<items><item><name>p"+any("1*", "2*",
				"*")+"</name><quantity>2</quantity></item></items><hardwares><hardware><id>1</id></hardware></hardwares>")
	case 7:
		g.change(t, inventory.Tickets.Schema, id*r.Int64N(2),
			name+"<requester>"+any("rita@example.com", "admin@localhost")+"</requester>"+
				fmt.Sprintf("<hardwares><hardware><id>%d</id></hardware></hardwares>", id))
	case 8, 9:
		g.comment(t, id, r.IntN(2) == 0)
	case 10:
		g.change(t, inventory.Risks.Schema, id*r.Int64N(2),
			name+fmt.Sprintf("<affected-assets><affected-asset><asset-type>hardware</asset-type><id>%d</id></affected-asset></affected-assets>", id))
	case 11:
		g.change(t, inventory.Solutions.Schema, id*r.Int64N(2),
			name+fmt.Sprintf("<state>%s</state><tickets><ticket><id>%d</id></ticket></tickets>",
				any("Draft", "Published"), id))
	case 12:
		g.change(t, inventory.OtherAssets.Schema, id*r.Int64N(2), name+"<user>"+any("rita@example.com", "")+"</user>")
	case 13:
		g.allow(t, g.installOn(context.Background(), g.who, id, any("p1", "p2", "n1")))
	case 14:
		place := mustertest.PlaceOf("softwares", id)
		_, err := g.Untie(context.Background(), g.who, place,
			desk.Target{Kind: inventory.Softwares.Schema, ID: 1 + r.Int64N(9)})
		g.allow(t, err)
	case 15:
		g.signIn(t, 1+r.Int64N(2))
	case 16:
		_, err := g.Merge(t, g.who, id, 1+r.Int64N(6))
		g.allow(t, err)
	case 17:
		k := kinds[r.IntN(len(kinds))]
		if k == inventory.Users.Schema {
			id += 2
		}
		_, err := g.Delete(context.Background(), g.who, desk.Target{Kind: k, ID: id})
		g.allow(t, err)
	case 18:
		g.Clock.Advance(24 * time.Hour)
	}
}

// same compares a document with the one of the desk that keeps nothing.
func same(t *testing.T, what string, got kind.Document, gotErr error, want kind.Document, wantErr error) {
	t.Helper()
	if gotErr != nil || wantErr != nil {
		if fmt.Sprint(gotErr) != fmt.Sprint(wantErr) {
			t.Fatalf("%s: got the error %v, want %v", what, gotErr, wantErr)
		}
		return
	}
	const base = "https://example.com"
	text := textOf(t, got, base)
	if plain := textOf(t, want, base); !bytes.Equal(text, plain) {
		t.Fatalf("%s: got\n%s\nwant\n%s", what, text, plain)
	}
	if got.Sum(base) != want.Sum(base) || got.Len(base) != len(text) {
		t.Fatalf("%s: got the sum %x and the length %d, want %x and %d", what, got.Sum(base), got.Len(base),
			want.Sum(base), len(text))
	}
}

// textOf returns the text of a document.
func textOf(t *testing.T, d kind.Document, base string) []byte {
	t.Helper()
	var text bytes.Buffer
	if _, err := d.Write(&text, nil, base); err != nil {
		t.Error(err)
	}
	return text.Bytes()
}

// check compares all lists and records with those that are made anew.
func (g *gallery) check(t *testing.T, f kind.Format) {
	t.Helper()
	ctx := context.Background()
	for _, k := range append(inventory.Served(), inventory.Computers.Including("softwares")) {
		for i, who := range g.viewers {
			q := &kind.Query{Page: 1, PerPage: 1000, Today: kind.Today(g.Clock.Now())}
			if k.Listed(f).Includes() {
				q.Include = "softwares"
			}
			want, wantErr := g.Renderer().List(ctx, who, k.Listed(f), q)
			got, err := g.keeping.Renderer().List(ctx, who, k.Listed(f), q)
			same(t, fmt.Sprintf("%s of viewer %d", k.Path(), i), got, err, want, wantErr)
			for id := range int64(8) {
				want, wantErr := g.Renderer().One(ctx, who, k.Single(f), id)
				got, err := g.keeping.Renderer().One(ctx, who, k.Single(f), id)
				same(t, fmt.Sprintf("%s %d of viewer %d", k.Item, id, i), got, err, want, wantErr)
			}
		}
	}
}

// TestShowing: whatever happens, what is kept of documents is what they would be
// if they were made anew, for everybody.
func TestShowing(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		g := openGallery(t, db, 1<<20)
		g.furnish(t)
		r := rand.New(rand.NewPCG(1, 2))
		for i := range draws.Of(120) {
			g.happens(t, r)
			g.check(t, []kind.Format{kind.XML, kind.XML, kind.JSON}[i%3])
		}
		// What is not there is never found, so that each kind without records adds misses.
		if s := g.keeping.Renderer().Stats(); db.Name == mustertest.SQLite.Name && 2*s.Hits < s.Misses {
			t.Errorf("got %+v, want at least half as many hits as misses", s)
		}
	})
}

var ownerName = regexp.MustCompile(`(?s)<owner>.*?<name>([^<]*)<`)

// oneState makes sure that a list shows one person by one name.
func (g *gallery) oneState(t *testing.T) {
	form := inventory.Computers.Listed(kind.XML)
	doc, err := g.keeping.Renderer().List(context.Background(), g.who, form, &kind.Query{Page: 1, PerPage: 1000})
	if err != nil {
		t.Error(err)
		return
	}
	names := map[string]bool{}
	for _, m := range ownerName.FindAllSubmatch(textOf(t, doc, ""), -1) {
		names[string(m[1])] = true
	}
	if len(names) != 1 || len(doc.Items) != 30 {
		t.Errorf("got %d computers whose owner is called %v, want 30 with one name", len(doc.Items), names)
	}
}

// TestShowingMeanwhile: what is shown while others change it is of one state, and
// afterwards it is as if it were made anew.
func TestShowingMeanwhile(t *testing.T) {
	t.Parallel()
	g := openGallery(t, mustertest.SQLite, 100<<10)
	for range 30 {
		g.change(t, inventory.Computers.Schema, 0, "<name>pc</name><owner>rita@example.com</owner>")
	}
	done := make(chan struct{})
	var readers sync.WaitGroup
	for range 3 {
		readers.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				g.oneState(t)
			}
		})
	}
	r := rand.New(rand.NewPCG(3, 4))
	for i := range draws.Of(200) {
		g.change(t, inventory.Users.Schema, 2, fmt.Sprintf("<first-name>R%d</first-name>", i))
		g.change(t, inventory.Computers.Schema, 1+r.Int64N(30), fmt.Sprintf("<name>pc%d</name>", i))
		g.signIn(t, 2)
	}
	close(done)
	readers.Wait()
	g.check(t, kind.XML)
}
