package api_test

import (
	"fmt"
	"strings"
	"testing"

	"muster/internal/mustertest"
	"muster/internal/server"
	"muster/internal/store"
)

// TestFromMemory: a document that is asked for again is the same, whatever
// address it is asked for under, and follows every change at once. On SQLite it
// is answered from memory then; on PostgreSQL once the node has read its indexes.
func TestFromMemory(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		c := s.Admin()
		anna, _ := people(s)
		for i := range 30 {
			c.Do("POST", "/hardwares",
				hardware(fmt.Sprintf("<name>pc%d</name><owner>%s</owner><ip>&lt;&amp;&gt;\n&quot;</ip>", i,
					anna.Email)))
		}
		elsewhere := *c
		elsewhere.Host = "127.0.0.1:1"
		for _, target := range []string{"/hardwares.xml?per_page=20&page=2", "/hardwares.json", "/hardwares/3.xml",
			"/hardwares/3.json", "/incidents.xml", "/audits.xml"} {
			first := c.Get(target)
			hits := s.Metrics()["muster_cache_hits_total"]
			again, there := c.Get(target), elsewhere.Get(target)
			equal(t, target+" again", again.Body, first.Body)
			equal(t, "the tag of "+target+" again", again.Header.Get("ETag"), first.Header.Get("ETag"))
			equal(t, target+" elsewhere", there.Body,
				strings.ReplaceAll(first.Body, s.Base+"/", "https://127.0.0.1:1/"))
			if there.Header.Get("ETag") == first.Header.Get("ETag") && there.Body != first.Body {
				t.Errorf("%s elsewhere: got the same tag for another body", target)
			}
			if now := s.Metrics()["muster_cache_hits_total"]; target != "/incidents.xml" && now == hits &&
				!store.IsPostgres(s.Database) {
				t.Errorf("%s: got no records from memory", target)
			}
			c.Do("PUT", fmt.Sprintf("/users/%d", anna.ID),
				"<user><first-name>"+strings.ReplaceAll(target, "/", "_")+"</first-name></user>")
			if changed := c.Get(target, "If-None-Match", first.Header.Get("ETag")); strings.Contains(target,
				"hardwares") && changed.Body == first.Body {
				t.Errorf("%s shows the owner by the old name", target)
			}
		}
	})
}

// TestTagsOfNodes: a document has the same tag from a server that keeps nothing,
// and after a new start.
func TestTagsOfNodes(t *testing.T) {
	t.Parallel()
	database, data := mustertest.SQLite.New(t), t.TempDir()
	tags := func(cache int) (all string) {
		var got string
		t.Run(fmt.Sprint(cache), func(t *testing.T) {
			s := mustertest.Start(t,
				mustertest.Options{
					Database: database, Data: data,
					Change: func(cfg *server.Config) { cfg.Cache = cache; cfg.BaseURL = "https://muster.example" },
				})
			c := s.Admin()
			if c.Get("/hardwares/1").Status == 404 {
				c.Do("POST", "/hardwares", hardware("<name>one</name>"))
			}
			for _, target := range []string{
				"/hardwares", "/hardwares", "/hardwares/1", "/hardwares/1.json", "/vendors",
			} {
				got += c.Get(target).Header.Get("ETag")
			}
		})
		return got
	}
	first := tags(64)
	equal(t, "the tags without a cache", tags(0), first)
	equal(t, "the tags after a new start", tags(1), first)
}

// TestFromMemoryByAnotherName: incidents are found and sorted as the tickets that
// they are, from memory too.
func TestFromMemoryByAnotherName(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		c := s.Admin()
		anna, bert := people(s)
		for i, requester := range []string{bert.Email, anna.Email, bert.Email} {
			c.Do("POST", "/tickets", ticket(fmt.Sprintf("<name>t%d</name><requester>%s</requester>", i, requester)))
		}
		for _, query := range []string{
			"requester=bert*", "state=new&priority=medium", "sort_by=requester&sort_order=DESC", "number=2", "due_at=",
		} {
			tables := s.Metrics()[`muster_lists_total{from="tables"}`]
			tickets, incidents := c.Get("/tickets.json?"+query), c.Get("/incidents.json?"+query)
			equal(t, "/incidents?"+query, strings.ReplaceAll(incidents.Body, "incident", "ticket"), tickets.Body)
			if now := s.Metrics()[`muster_lists_total{from="tables"}`]; now != tables && !store.IsPostgres(s.Database) {
				t.Errorf("%s: got lists from the tables", query)
			}
		}
	})
}
