package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/mustertest"
	"muster/internal/store"
)

// TestETag: a tag changes whenever the document changes that this caller sees,
// and only then.
func TestETag(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		fleet(s, 3)
		c := s.Admin()
		seen := map[string]string{}
		for _, target := range []string{"/api.xml", "/hardwares.xml", "/hardwares/1.xml", "/hardwares/1.json",
			"/hardwares/2.xml", "/hardwares?per_page=1"} {
			r := c.Get(target)
			tag := r.Header.Get("ETag")
			if len(tag) < 10 || tag[0] != '"' || tag[len(tag)-1] != '"' || seen[tag] != "" {
				t.Errorf("%s: got ETag %s, want a strong one that %s does not have", target, tag, seen[tag])
			}
			seen[tag] = target
			equal(t, target+" again", c.Get(target).Header.Get("ETag"), tag)
			equal(t, "HEAD "+target, c.Do("HEAD", target, "").Header.Get("ETag"), tag)
			for _, given := range []string{tag, "W/" + tag, `"other", ` + tag, "*"} {
				same := c.Get(target, "If-None-Match", given)
				equal(t, target+" if none match "+given,
					[]any{same.Status, same.Body, same.Header.Get("ETag"), same.Header.Get("Content-Type")},
					[]any{http.StatusNotModified, "", tag, ""})
				equal(t, "Vary and Cache-Control", same.Header.Get("Vary")+"; "+same.Header.Get("Cache-Control"),
					"Accept, Accept-Encoding; private, no-cache")
				equal(t, "HEAD "+target+" if none match "+given,
					c.Do("HEAD", target, "", "If-None-Match", given).Status, http.StatusNotModified)
			}
			equal(t, target+" if none match another", c.Get(target, "If-None-Match", `"other"`).Status, http.StatusOK)
		}
		one, list, two := c.Get("/hardwares/1.xml"), c.Get("/hardwares.xml"), c.Get("/hardwares/2.xml")
		put := c.Do("PUT", "/hardwares/1", hardware("<site>Lyon</site>"))
		for name, change := range map[string][2]*mustertest.Response{
			"record": {one, c.Get("/hardwares/1.xml")}, "list": {list, c.Get("/hardwares.xml")},
		} {
			if change[0].Header.Get("ETag") == change[1].Header.Get("ETag") {
				t.Errorf("the %s after a change: got the same ETag", name)
			}
		}
		equal(t, "another record", c.Get("/hardwares/2.xml").Header.Get("ETag"), two.Header.Get("ETag"))
		equal(t, "the answer to PUT", put.Header.Get("ETag"), c.Get("/hardwares/1.xml").Header.Get("ETag"))
		equal(t, "what changes nothing", c.Do("PUT", "/hardwares/1", put.Body).Header.Get("ETag"),
			put.Header.Get("ETag"))
		if created := c.Do("POST", "/hardwares", hardware("<name>new</name>")); created.Header.Get("ETag") == "" {
			t.Error("the answer to POST has no ETag")
		}
		equal(t, "the answer to DELETE", c.Do("DELETE", "/hardwares/1", "").Header.Get("ETag"), "")
	})
}

// TestETagOfOthers: what a document shows of other records is in its tag too,
// but a change is compared with the record's own version only.
func TestETagOfOthers(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		c, anna := s.Admin(), s.AddUser("anna@example.com", inventory.Technician, false)
		address := create(t, c, "<name>a</name><technical-contact>anna@example.com</technical-contact>")
		create(t, c, "<name>b</name>")
		before := c.Get(address).Header.Get("ETag")
		equal(t, "unchanged", c.Get(address, "If-None-Match", before).Status, http.StatusNotModified)
		s.Clock.Advance(time.Minute)
		anna.Get("/api") // a login, which the record shows
		after := c.Get(address, "If-None-Match", before)
		equal(t, "after the contact's login", []any{
			after.Status, value(t, after.Body, "technical-contact", "last-login"),
		}, []any{200, "2026-01-31T09:31:00Z"})
		if after.Header.Get("ETag") == before {
			t.Error("after the contact's login: got the same tag for another document")
		}
		put := c.Do("PUT", address, hardware("<site>HQ</site>"), "If-Match", before)
		equal(t, "a change of the record, which is in the version read first", put.Status, http.StatusOK)
		refused(t, "another one", c.Do("DELETE", address, "", "If-Match", before), http.StatusPreconditionFailed,
			"not in the version")

		page := c.Get("/hardwares?per_page=1")
		c.Do("DELETE", "/hardwares/2", "")
		after = c.Get("/hardwares?per_page=1", "If-None-Match", page.Header.Get("ETag"))
		equal(t, "a page whose total changed", []any{after.Status, ids(t, after.Body)}, []any{200, "1"})
	})
}

// TestETagOfReports: a report that changes nothing but its time is in the tag,
// and is not another version of the record.
func TestETagOfReports(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		c := s.Admin()
		address := create(t, c, "<name>a</name>")
		before, page := c.Get(address), c.Get("/hardwares")
		reported := &inventory.Computer{Record: kind.Record{ID: 1}, DetectedAt: s.Clock.Now().Add(time.Hour)}
		err := s.Store().Update(t.Context(),
			func(tx *store.Tx) error { return tx.SetApart(t.Context(), inventory.Computers.Schema, reported) })
		equal(t, "report", err, error(nil))
		tag := before.Header.Get("ETag")
		after := c.Get(address, "If-None-Match", tag)
		equal(t, "after the report",
			[]any{after.Status, value(t, after.Body, "detected-at"), value(t, after.Body, "updated-at")},
			[]any{200, "2026-01-31T10:30:00Z", value(t, before.Body, "updated-at")})
		if after.Header.Get("ETag") == tag {
			t.Error("after the report: got the same tag for another document")
		}
		equal(t, "the list", c.Get("/hardwares", "If-None-Match", page.Header.Get("ETag")).Status, http.StatusOK)
		equal(t, "a change of the version read before", c.Do("PUT", address, hardware("<site>HQ</site>"), "If-Match",
			tag).Status, http.StatusOK)
		equal(t, "the time after it", value(t, c.Get(address).Body, "detected-at"), "2026-01-31T10:30:00Z")
	})
}

// TestIfMatch changes a record only in a version that the client names.
func TestIfMatch(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		fleet(s, 1)
		c := s.Admin()
		first := c.Get("/hardwares/1.xml").Header.Get("ETag")
		json := c.Get("/hardwares/1.json").Header.Get("ETag")
		for i, given := range []string{first, json} { // both are of the version before the change
			put := c.Do("PUT", "/hardwares/1", hardware(fmt.Sprintf("<site>site %d</site>", i)), "If-Match", given)
			want := http.StatusOK
			if i > 0 {
				want = http.StatusPreconditionFailed
			}
			equal(t, "If-Match: "+given, put.Status, want)
		}
		fleet(s, 1)
		for _, given := range []string{
			first, `"other"`, `"0"`, "other", `""`, ``, "2", `"2"`, c.Get("/hardwares/2.xml").Header.Get("ETag"),
		} {
			for _, method := range []string{"PUT", "DELETE"} {
				r := c.Do(method, "/hardwares/1", hardware("<site>never</site>"), "If-Match", given)
				refused(t, method+" if match "+given, r, http.StatusPreconditionFailed,
					"is not in the version that the request expects")
			}
		}
		for _, given := range []string{"*", c.Get("/hardwares/1.xml").Header.Get("ETag")} {
			r := c.Do("PUT", "/hardwares/1", hardware("<site>never</site>"), "If-None-Match", given)
			refused(t, "PUT if none match "+given, r, http.StatusPreconditionFailed, "is not in the version")
		}
		now := func(path string) string { return c.Get(path).Header.Get("ETag") }
		for _, given := range []string{now("/hardwares/1.xml"), "*"} {
			equal(t, "If-Match: "+given, c.Do("PUT", "/hardwares/1", hardware("<site>a</site>"), "If-Match",
				given).Status, http.StatusOK)
		}
		for i, given := range []string{`"other", ` + now("/hardwares/1.xml"), "W/" + now("/hardwares/1.json")} {
			r := c.Do("PUT", "/hardwares/1", hardware("<site>a</site>"), "If-Match", given)
			equal(t, fmt.Sprintf("%d: If-Match: %s", i, given), r.Status, http.StatusOK)
		}
		equal(t, "site after all", strings.Contains(c.Get("/hardwares/1.xml").Body, "<site>a</site>"), true)
		equal(t, "DELETE", c.Do("DELETE", "/hardwares/1", "", "If-Match", now("/hardwares/1.xml")).Status,
			http.StatusOK)
		equal(t, "a record that is gone", c.Do("PUT", "/hardwares/1", hardware("<site>a</site>"), "If-Match",
			"*").Status, http.StatusNotFound)
	})
}

// TestConditionsAfterRights: what a user may not see is not there, whatever the
// condition.
func TestConditionsAfterRights(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		fleet(s, 1)
		tag := s.Admin().Get("/hardwares/1.xml").Header.Get("ETag")
		requester := s.AddUser("req@example.com", "requester", false)
		reader := s.AddUser("read@example.com", "technician", true)
		equal(t, "a foreign record read", requester.Get("/hardwares/1.xml", "If-None-Match", tag).Status,
			http.StatusNotFound)
		equal(t, "a foreign record changed", requester.Do("PUT", "/hardwares/1", hardware("<site>a</site>"),
			"If-Match", `"other"`).Status, http.StatusNotFound)
		equal(t, "a foreign record deleted", requester.Do("DELETE", "/hardwares/1", "", "If-Match", `"other"`).Status,
			http.StatusNotFound)
		equal(t, "by one who may only read", reader.Do("PUT", "/hardwares/1", hardware("<site>a</site>"), "If-Match",
			`"other"`).Status, http.StatusForbidden)
		if own, all := requester.Get("/hardwares.xml"),
			s.Admin().Get("/hardwares.xml"); own.Header.Get("ETag") == all.Header.Get("ETag") {
			t.Error("lists of two users who see different ones have the same ETag")
		}
	})
}

// TestIfMatchTogether: of many who change one version, one does.
func TestIfMatchTogether(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		fleet(s, 1)
		tag := s.Admin().Get("/hardwares/1.xml").Header.Get("ETag")
		var wg sync.WaitGroup
		var changed, refused atomic.Int32
		for i := range 8 {
			c := s.Admin()
			wg.Go(func() {
				switch r := c.Do("PUT", "/hardwares/1", hardware(fmt.Sprintf("<site>%d</site>", i)), "If-Match",
					tag); r.Status {
				case http.StatusOK:
					changed.Add(1)
				case http.StatusPreconditionFailed:
					refused.Add(1)
				}
			})
		}
		wg.Wait()
		equal(t, "changed and refused", []int32{changed.Load(), refused.Load()}, []int32{1, 7})
	})
}
