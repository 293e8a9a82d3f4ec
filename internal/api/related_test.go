package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/mustertest"
)

// TestRelatedLists reads the lists that belong to records.
func TestRelatedLists(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		sc := &scene{Server: s, Client: s.Admin()}
		made := func(k *kind.Schema, fields ...string) {
			for _, f := range fields {
				sc.post(t, k, f)
			}
		}
		printer := func(name string) string {
			return "<printers><printer><name>" + name + "</name></printer></printers>"
		}
		made(inventory.Computers.Schema, "<name>one</name>"+printer("HP &amp; co"),
			"<name>two</name>"+printer("hp &amp; CO"), "<name>three</name>"+printer("hp*"))
		made(inventory.OtherAssets.Schema, "<name>x</name>", "<name>y</name>")
		on := func(ids ...int) (out string) {
			for _, id := range ids {
				out += fmt.Sprintf("<hardware><id>%d</id></hardware>", id)
			}
			return "<hardwares>" + out + "</hardwares>"
		}
		made(inventory.Tickets.Schema, "<name>a</name>"+on(1), "<name>b</name>"+on(2),
			"<name>c</name><tag>t</tag>"+on(1, 2), "<name>d</name>", "<name>e</name>"+on(1))
		asset := func(kind string, id int) string {
			return fmt.Sprintf("<affected-assets><affected-asset><asset-type>%s</asset-type><id>%d</id></affected-asset></affected-assets>", kind, id)
		}
		made(inventory.Risks.Schema, "<name>a</name>"+asset("hardware", 1), "<name>b</name>"+asset("other-asset", 1),
			"<name>c</name>"+asset("hardware", 2))
		made(inventory.Contracts.Schema, "<name>a</name><vendor>Acme</vendor>"+on(1, 3),
			"<name>b</name><vendor>Acme</vendor><end-date>2020-01-01</end-date>",
			"<name>c</name><vendor>Other</vendor>", "<name>d</name>"+on(2))
		made(inventory.Printers.Schema, "<name>Hp &amp; Co</name>", "<name>hp*</name>", "<name>none</name>")

		for target, want := range map[string]string{
			"/hardwares/1/tickets": "1 3 5", "/hardwares/2/tickets.xml": "2 3", "/hardwares/3/tickets": "",
			"/hardwares/1/tickets?tag=T":                        "3",
			"/hardwares/1/tickets?sort_by=name&sort_order=DESC": "5 3 1",
			"/hardwares/1/tickets?per_page=2&page=2":            "5", "/hardwares/1/tickets?after=1&per_page=1": "3",
			"/hardwares/1-one/tickets?updated_since=2026-02-01": "", "/hardwares/1/risks": "1",
			"/hardwares/2/risks": "3", "/hardwares/3/risks": "",
			"/vendors/1/contracts": "1 2", "/vendors/1/contracts?status=expired": "2",
			"/vendors/1/contracts?status=active": "1", "/vendors/2/contracts?vendor=acme": "",
			"/vendors/2/contracts": "3", "/contracts/1/hardwares": "1 3", "/contracts/1/hardwares?name=three": "3",
			"/contracts/1/hardwares?sort_by=name&sort_order=desc": "3 1",
			"/contracts/2/hardwares":                              "", "/contracts/4/hardwares": "2",
			"/printers/1/hardwares": "1 2", "/printers/2/hardwares": "3", "/printers/3/hardwares": "",
			"/printers/1/hardwares?name=t*": "2",
		} {
			r := sc.Get(target)
			equal(t, target, []any{r.Status, ids(t, r.Body)}, []any{http.StatusOK, want})
			if !strings.Contains(target, "per_page") {
				equal(t, target+": total", []string{r.Header.Get("X-Total-Count"), value(t, r.Body, "total_entries")},
					[]string{fmt.Sprint(len(strings.Fields(want))), fmt.Sprint(len(strings.Fields(want)))})
			}
		}
		relatedForms(t, sc)
		relatedPosts(t, sc, on)
	})
}

// relatedForms checks roots, links and what is not there.
func relatedForms(t *testing.T, sc *scene) {
	t.Helper()
	for target, want := range map[string]string{
		"/hardwares/1/tickets": "tickets ticket", "/hardwares/1/risks": "risks risk",
		"/vendors/1/contracts":   "contracts contract",
		"/contracts/1/hardwares": "hardwares hardware", "/printers/1/hardwares": "hardwares hardware",
	} {
		r := sc.Get(target + "?per_page=1&after=0")
		root := parse(t, r.Body)
		equal(t, target+": root", root.XMLName.Local+" "+root.Nodes[3].XMLName.Local, want)
		equal(t, target+": the record's own address",
			strings.HasPrefix(root.Nodes[3].child("href").Text, sc.Base()+"/"+strings.Fields(want)[0]+"/"), true)
		first := fmt.Sprintf("<%s%s.xml?after=0&per_page=1>; rel=\"first\"", sc.Base(), target)
		if link := r.Header.Get("Link"); !strings.HasPrefix(link, first) {
			t.Errorf("%s: got the Link %s, want it to begin with %s", target, link, first)
		}
		equal(t, target+": JSON", sc.Get(target+".json").Status, http.StatusOK)
		equal(t, target+": HEAD", sc.Do("HEAD", target, "").Header.Get("ETag"), sc.Get(target).Header.Get("ETag"))
		refused(t, target+": an unknown parameter", sc.Get(target+"?colour=red"), http.StatusBadRequest,
			"unknown parameter colour")
		for _, bad := range []string{"/999", "/0", "/x", "/-1", "/99999999999999999999"} {
			absent := strings.Replace(target, "/1", bad, 1)
			refused(t, absent, sc.Get(absent), http.StatusNotFound, "there is no ")
		}
	}
	equal(t, "a ticket", sc.Get("/hardwares/1/tickets/3.xml").Body, sc.Get("/tickets/3.xml").Body)
	equal(t, "a risk", sc.Get("/hardwares/1/risks/1").Body, sc.Get("/risks/1").Body)
	for _, target := range []string{"/hardwares/1/tickets/2", "/hardwares/1/tickets/4", "/hardwares/1/tickets/99",
		"/hardwares/1/tickets/x", "/hardwares/9/tickets/1", "/hardwares/1/risks/2", "/hardwares/1/risks/3"} {
		refused(t, target, sc.Get(target), http.StatusNotFound, "there is no ")
	}
	for _, target := range []string{
		"/vendors/1/contracts", "/contracts/1/hardwares", "/printers/1/hardwares", "/hardwares/1/tickets/1",
	} {
		r := sc.Do("POST", target, "<contract><name>a</name></contract>")
		equal(t, "POST "+target, []any{r.Status, r.Header.Get("Allow")},
			[]any{http.StatusMethodNotAllowed, "GET, HEAD, OPTIONS"})
	}
}

// relatedPosts makes tickets and risks of a computer.
func relatedPosts(t *testing.T, sc *scene, on func(...int) string) {
	t.Helper()
	computers := func(body, list string) (out string) {
		for _, n := range parse(t, body).child(list).Nodes {
			out += n.child("name").Text + " "
		}
		return out
	}
	for fields, want := range map[string]string{
		"": "three ", on(): "three ", on(2, 1): "one two three ", on(3): "three ",
	} {
		r := sc.Do("POST", "/hardwares/3/tickets.xml", ticket("<name>new</name>"+fields))
		equal(t, "POST of a ticket with "+fields, []any{r.Status, computers(r.Body, "hardwares")},
			[]any{http.StatusCreated, want})
		equal(t, "Location", r.Header.Get("Location"), sc.Base()+"/tickets/"+value(t, r.Body, "id")+".xml")
		a := sc.lastAudit(t, inventory.Tickets.Schema, "create")
		equal(t, "audit", []string{a.child("record-id").Text, a.child("message").Text},
			[]string{value(t, r.Body, "id"), "Ticket new created"})
	}
	equal(t, "tickets of the computer", sc.Get("/hardwares/3/tickets").Header.Get("X-Total-Count"), "4")
	other := "<affected-assets><affected-asset><asset-type>other-asset</asset-type><id>2</id></affected-asset></affected-assets>"
	r := sc.Do("POST", "/hardwares/3/risks", "<risk><name>new</name>"+other+"</risk>")
	equal(t, "POST of a risk", []any{r.Status, computers(r.Body, "affected-assets")},
		[]any{http.StatusCreated, "three y "})
	equal(t, "risks of the computer", ids(t, sc.Get("/hardwares/3/risks").Body), value(t, r.Body, "id"))
	refused(t, "POST to no computer", sc.Do("POST", "/hardwares/99/tickets", ticket("<name>a</name>")),
		http.StatusNotFound, "there is no computer")
	refused(t, "POST of none", sc.Do("POST", "/hardwares/3/tickets", ticket("")), http.StatusUnprocessableEntity,
		"Name can't be blank")
	first := sc.Do("POST", "/hardwares/3/tickets", ticket("<name>a</name>"), "Idempotency-Key", "k")
	again := sc.Do("POST", "/hardwares/3/tickets", ticket("<name>a</name>"), "Idempotency-Key", "k")
	elsewhere := sc.Do("POST", "/hardwares/2/tickets", ticket("<name>a</name>"), "Idempotency-Key", "k")
	equal(t, "with a key", []string{again.Header.Get(replayed), again.Body, elsewhere.Header.Get(replayed)},
		[]string{"true", first.Body, ""})
}
