//go:build full

package api_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"muster/internal/draws"
	"muster/internal/inventory"
	"muster/internal/mustertest"
	"muster/internal/server"
	"muster/internal/store"
)

// writers are those of TestWriters, and steps is how many changes each tries.
const (
	writers = 8
	steps   = 1000
)

// TestWriters lets several clients change records of all kinds at once while
// another follows the change feed, and checks what must be true of the records in the
// end.
func TestWriters(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db, func(c *server.Config) { c.RateLimit = 0 })
		known := &known{ids: map[string][]string{}}
		w := newWriter(t, s, known, writers)
		for _, collection := range collections {
			w.create("/" + collection)
		}
		f := &follower{t: t, client: s.Admin()}
		var writing, following sync.WaitGroup
		for i := range writers {
			writing.Go(func() { newWriter(t, s, known, i).write(draws.Of(steps)) })
		}
		done := make(chan struct{})
		following.Go(func() { f.readUntil(done) })
		writing.Wait()
		close(done)
		following.Wait()
		f.read()
		t.Logf("%d changes, %d refused, %d audit records", known.changes, known.refused, len(f.audits))
		known.checkNumbers(t)
		f.check(s)
		exact(t, s)
		if _, err := s.Store().Verify(context.Background(), inventory.Audits.Schema, store.Walk{}); err != nil {
			t.Errorf("the chain of audit records: %v", err)
		}
	})
}

// collections are those that the writers make records in: each after those that
// its records refer to.
var collections = []string{"hardwares", "other_assets", "vendors", "printers", "softwares", "tickets", "incidents",
	"risks", "contracts", "solutions", "users"}

// known is what all writers know.
type known struct {
	mu               sync.Mutex
	ids              map[string][]string // of records that were made, by collection
	numbers          []int               // of tickets
	changes, refused int
}

// checkNumbers looks for gaps and repetitions in the numbers of tickets.
func (k *known) checkNumbers(t *testing.T) {
	slices.Sort(k.numbers)
	for i, n := range k.numbers {
		if n != i+1 {
			t.Fatalf("numbers of tickets: got %d in place %d of %v", n, i+1, k.numbers)
		}
	}
}

// A writer changes records at random.
type writer struct {
	t      *testing.T
	client *mustertest.Client
	rand   *rand.Rand
	known  *known
}

func newWriter(t *testing.T, s *mustertest.Server, k *known, seed int) *writer {
	return &writer{t, s.Admin(), rand.New(rand.NewPCG(1, uint64(seed))), k}
}

// write makes changes, until the test fails.
func (w *writer) write(steps int) {
	for range steps {
		if !w.t.Failed() {
			w.step()
		}
	}
}

// step makes one change.
func (w *writer) step() {
	collection := w.one(collections...)
	target := "/" + collection + "/" + w.pick(collection)
	computer := "/hardwares/" + w.pick("hardwares")
	software := w.pick("softwares")
	switch w.rand.IntN(10) {
	case 0, 1:
		w.create("/" + collection)
	case 2, 3, 4:
		w.do("PUT", target, w.document(collection))
	case 5:
		if w.rand.IntN(4) == 0 {
			w.do("DELETE", target, "")
		}
	case 6:
		w.do("POST", "/tickets/"+w.pick("tickets")+"/comments",
			"<comment><body>b</body><is-private>"+w.one("true", "false")+"</is-private></comment>")
	case 7:
		w.create(computer + w.one("/tickets", "/risks"))
	case 8:
		w.do("POST", computer+"/softwares", "<software><id>"+software+"</id></software>")
	case 9:
		w.do("DELETE", computer+"/softwares/"+software, "")
	}
}

// create makes a record and notes it.
func (w *writer) create(target string) {
	collection := target[strings.LastIndex(target, "/")+1:]
	r := w.do("POST", target, w.document(collection))
	if r == nil {
		return
	}
	id := value(w.t, r.Body, "id")
	w.known.mu.Lock()
	defer w.known.mu.Unlock()
	w.known.ids[collection] = append(w.known.ids[collection], id)
	if collection == "tickets" || collection == "incidents" {
		number, _ := strconv.Atoi(value(w.t, r.Body, "number"))
		w.known.numbers = append(w.known.numbers, number)
	}
}

// do makes a request; nil is returned when it was refused for what others did
// meanwhile.
func (w *writer) do(method, target, body string) *mustertest.Response {
	r := w.client.Do(method, target, body)
	w.known.mu.Lock()
	defer w.known.mu.Unlock()
	switch r.Status {
	case 200, 201:
		w.known.changes++
		return r
	case 404, 409, 422:
		w.known.refused++
	default:
		w.t.Errorf("%s %s %s: got %d %s", method, target, body, r.Status, r.Body)
	}
	return nil
}

// pick returns the id of a record that was made; it may be gone.
func (w *writer) pick(collection string) string {
	w.known.mu.Lock()
	defer w.known.mu.Unlock()
	if made := w.known.ids[collection]; len(made) > 0 {
		return made[w.rand.IntN(len(made))]
	}
	return "1"
}

func (w *writer) one(of ...string) string { return of[w.rand.IntN(len(of))] }

// document returns a document for a collection. Its values are few, so that
// writers meet.
func (w *writer) document(collection string) string {
	name := "<name>" + fmt.Sprint("n", w.rand.IntN(20)) + "</name>"
	computer := "<id>" + w.pick("hardwares") + "</id>"
	switch collection {
	case "hardwares":
		return hardware(name + "<status>" + w.one("Operational", "Operational", "Disposed", "Lost") + "</status>")
	case "other_assets":
		return "<other-asset>" + name + "<site>" + w.one("HQ", "Lisbon") + "</site></other-asset>"
	case "vendors":
		return "<vendor>" + name + "</vendor>"
	case "printers":
		return "<printer>" + name + "</printer>"
	case "softwares":
		return "<software><name>" + w.one("7-Zip", "Firefox", "Office") + "</name><version>" + w.one("1.0", "1.1",
			"2.0") + "</version><vendor>" +
			fmt.Sprint("n", w.rand.IntN(20)) + "</vendor><manufacturer>" + fmt.Sprint("m",
			w.rand.IntN(9)) + "</manufacturer></software>"
	case "tickets", "incidents":
		item := strings.TrimSuffix(collection, "s")
		return "<" + item + ">" + name + "<state>" + w.one(inventory.TicketStates...) +
			"</state><hardwares><hardware>" + computer + "</hardware></hardwares></" + item + ">"
	case "risks":
		return "<risk>" + name + "<affected-assets><affected-asset><asset-type>hardware</asset-type>" + computer +
			"</affected-asset></affected-assets></risk>"
	case "contracts":
		return "<contract>" + name + "<type>" + w.one(inventory.SoftwareLicense, inventory.SoftwareLicense,
			"Lease") + "</type><vendor>" + fmt.Sprint("n", w.rand.IntN(20)) +
			"</vendor><items><item><name>" + w.one("7-*", "firefox", "O*ce", "*") + "</name><version>" + w.one("", "1",
			"2.0") + "</version><quantity>2</quantity></item></items></contract>"
	case "solutions":
		return "<solution>" + name + "<tickets><ticket><id>" + w.pick("tickets") + "</id></ticket></tickets></solution>"
	}
	return "<user><email>" + fmt.Sprint("u",
		w.rand.IntN(1e6)) + "@example.com</email><password>correct horse battery</password></user>"
}

// A follower reads the audit records.
type follower struct {
	t      *testing.T
	client *mustertest.Client
	audits []*node
}

// readUntil reads what is new again and again.
func (f *follower) readUntil(done <-chan struct{}) {
	for {
		select {
		case <-done:
			return
		default:
			f.read()
		}
	}
}

// read reads what is new. Ids rise by one: nothing is left out, and nothing
// comes later in between.
func (f *follower) read() {
	for more := true; more && !f.t.Failed(); {
		r := f.client.Get(fmt.Sprint("/audits?per_page=1000&after=", len(f.audits)))
		if r.Status != http.StatusOK {
			f.t.Errorf("the change feed: got %d: %s", r.Status, r.Body)
			return
		}
		list := parse(f.t, r.Body).Nodes[3:]
		for i := range list {
			if id := list[i].child("id").Text; id != fmt.Sprint(len(f.audits)+1) {
				f.t.Fatalf("the change feed: got %s after %d", id, len(f.audits))
			}
			f.audits = append(f.audits, &list[i])
		}
		more = len(list) == 1000
	}
}

// check compares the audit records with the records that they are about: each version
// is recorded, but for those that comments made, and so is each deletion.
func (f *follower) check(s *mustertest.Server) {
	recorded, last := map[string]int64{}, map[string]string{}
	for _, a := range f.audits {
		record := a.child("record-type").Text + " " + a.child("record-id").Text
		last[record] = a.child("action").Text
		if a.child("record-type").Text != "hardware" || !strings.HasPrefix(a.child("message").Text, "Software ") {
			recorded[record]++
		}
	}
	ctx := context.Background()
	err := s.Store().View(ctx, func(tx *store.Tx) error {
		comments := map[int64]int64{}
		for _, k := range inventory.All() {
			if k == inventory.Audits.Schema {
				continue
			}
			ids, err := tx.IDs(ctx, k)
			if err != nil {
				return err
			}
			for _, id := range ids {
				rec, err := tx.Get(ctx, k, id)
				if err != nil {
					return err
				}
				record := fmt.Sprint(k.Item, " ", id)
				if c, ok := rec.(*inventory.Comment); ok && !c.IsPrivate.V {
					comments[c.Ticket.ID]++
				}
				if want := k.Meta(rec).Version; k != inventory.Tickets.Schema && recorded[record] != want {
					f.t.Errorf("%s: got %d audit records of version %d", record, recorded[record], want)
				}
				if last[record] == inventory.Deleted {
					f.t.Errorf("%s is there, and its last audit record says that it was deleted", record)
				}
				delete(last, record)
			}
		}
		for id, n := range comments {
			rec, err := store.Get(ctx, tx, inventory.Tickets, id)
			if err != nil {
				return err
			}
			equal(f.t, fmt.Sprint("audit records of ticket ", id), recorded[fmt.Sprint("ticket ", id)]+n, rec.Version)
		}
		return nil
	})
	if err != nil {
		f.t.Fatal(err)
	}
	for record, action := range last {
		if action != inventory.Deleted && !strings.HasPrefix(record, "comment ") {
			f.t.Errorf("%s is gone, and its last audit record says %s", record, action)
		}
	}
}
