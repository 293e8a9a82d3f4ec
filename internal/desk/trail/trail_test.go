package trail_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"muster/internal/desk"
	"muster/internal/desk/trail"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/mustertest"
	"muster/internal/store"
)

// document returns what a client sends about a computer.
func document(name, tag string) desk.Document {
	return func() (*kind.Patch, error) {
		return inventory.Computers.Decode(fmt.Appendf(nil, "<hardware><name>%s</name><tag>%s</tag></hardware>",
			name, tag))
	}
}

// A node is one of a test.
type node = mustertest.Node

// feed reads the audit records after an id.
func feed(n node, who desk.Caller, query string) ([]*inventory.Audit, error) {
	q, err := inventory.Audits.ParseQuery(query, time.Now())
	if err != nil {
		return nil, err
	}
	page, err := n.List(ctx, who, inventory.Audits.Schema, q)
	var records []*inventory.Audit
	for _, rec := range page.Records {
		records = append(records, rec.(*inventory.Audit))
	}
	return records, err
}

// TestTrailTogether lets many change records, their own and common ones, on all nodes,
// while the change feed is followed. Everybody sees their own change at once, on
// another node too; the feed has every change once, in order, without holes; the
// changes of a record follow each other; and the chain fits.
func TestTrailTogether(t *testing.T) {
	t.Parallel()
	const writers, changes, common = 8, 20, 2
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		nodes := mustertest.NewNodes(t, db)
		who := nodes[0].Administrator(t)
		var ids []int64
		for i := range writers + common {
			rec, _, err := nodes[0].Create(ctx, who,
				desk.New{Kind: inventory.Computers.Schema, Document: document("pc", fmt.Sprint("first ", i))})
			if err != nil {
				t.Fatal(err)
			}
			ids = append(ids, rec.(*inventory.Computer).ID)
		}
		var all sync.WaitGroup
		for w := range writers {
			all.Go(func() {
				for i := range changes {
					id := ids[w]
					if i%4 == 3 {
						id = ids[writers+i%common]
					}
					change(t, nodes, who, w, i, id, id == ids[w])
				}
			})
		}
		written := make(chan struct{})
		go func() { all.Wait(); close(written) }()
		records := follow(t, nodes[len(nodes)-1], who, written)
		if want := 1 + writers + common + writers*changes; len(records) != want {
			t.Errorf("got %d audit records, want %d", len(records), want)
		}
		checkOrder(t, records)
		v, err := nodes[0].Store.Verify(ctx, inventory.Audits.Schema, store.Walk{})
		if err != nil || v.Head.Count != int64(len(records)) || v.Pending != 0 {
			t.Errorf("the chain: got %+v, %v, want %d records that fit", v, err, len(records))
		}
		if head, err := trail.Head(ctx, nodes[0].Desk); err != nil || head != v.Head {
			t.Errorf("the head: got %v, %v, want %v", head, err, v.Head)
		}
	})
}

// change gives a computer a tag that it never had, and if it is the writer's own
// looks for the audit record on another node.
func change(t *testing.T, nodes []node, who desk.Caller, w, i int, id int64, own bool) {
	tag := fmt.Sprintf("tag %d of %d", i, w)
	target := desk.Target{Kind: inventory.Computers.Schema, ID: id}
	if _, err := nodes[(w+i)%len(nodes)].Update(ctx, who, target, document("pc", tag)); err != nil {
		t.Errorf("writer %d, change %d: %v", w, i, err)
		return
	}
	if !own {
		return
	}
	q, err := inventory.Audits.ParseQuery("sort_by=id&sort_order=DESC&per_page=1", time.Now())
	if err != nil {
		t.Error(err)
		return
	}
	page, err := nodes[(w+i+1)%len(nodes)].ListOf(ctx, who, desk.Place{Relation: auditsOf, ID: id}, q)
	if err != nil || len(page.Records) != 1 || page.Records[0].(*inventory.Audit).Changes[0].To != tag {
		t.Errorf("writer %d, change %d: its last audit record on another node is %+v, %v, want %s", w, i, page.Records,
			err, tag)
	}
}

// auditsOf is the relation of a computer to its audits.
var auditsOf = func() *desk.Relation {
	all := desk.Relations(inventory.Computers.Schema)
	return all[slices.IndexFunc(all, func(r *desk.Relation) bool { return r.Kind == inventory.Audits.Schema })]
}()

// follow reads the change feed until all is written and nothing is left.
func follow(t *testing.T, n node, who desk.Caller, written <-chan struct{}) (trail []*inventory.Audit) {
	t.Helper()
	for last := false; ; {
		records, err := feed(n, who, fmt.Sprintf("after=%d&per_page=7", len(trail)))
		if err != nil {
			t.Fatal(err)
		}
		for _, rec := range records {
			if rec.ID != int64(len(trail))+1 {
				t.Fatalf("the feed: got audit record %d, want %d", rec.ID, len(trail)+1)
			}
			trail = append(trail, rec)
		}
		if len(records) == 0 && last {
			return trail
		}
		select {
		case <-written:
			last = len(records) == 0
		default:
		}
	}
}

// checkOrder checks that each change of a computer begins where the one before
// ended.
func checkOrder(t *testing.T, trail []*inventory.Audit) {
	t.Helper()
	tags := map[int64]string{}
	for _, rec := range trail {
		for _, c := range rec.Changes {
			if c.Field != "tag" {
				continue
			}
			if c.From != tags[rec.RecordID.V] {
				t.Errorf("audit record %d: computer %d was changed from %q, want from %q", rec.ID, rec.RecordID.V,
					c.From, tags[rec.RecordID.V])
			}
			tags[rec.RecordID.V] = c.To
		}
	}
}
