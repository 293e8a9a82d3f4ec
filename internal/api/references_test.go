package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/mustertest"
)

// put changes fields of a record.
func (sc *scene) put(t *testing.T, k *kind.Schema, path, fields string) *mustertest.Response {
	t.Helper()
	r := sc.Do("PUT", path, fmt.Sprintf("<%s>%s</%s>", k.Item, fields, k.Item))
	equal(t, "PUT "+path, r.Status, http.StatusOK)
	return r
}

// TestVendorsAreMade: a contract or software that names a new vendor makes it,
// once, and not at all when it is refused itself.
func TestVendorsAreMade(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		sc := &scene{Server: s, Client: s.Admin()}
		contract, body := sc.post(t, inventory.Contracts.Schema, "<name>a</name><vendor> Acme GmbH </vendor>")
		equal(t, "vendor", value(t, body, "vendor"), "Acme GmbH")
		a := sc.lastAudit(t, inventory.Vendors.Schema, "create")
		equal(t, "the vendor's audit record",
			[]string{a.child("message").Text, a.child("user").child("email").Text, a.child("record-href").Text},
			[]string{"Vendor Acme GmbH created", "admin@localhost", s.Base + "/vendors/1.xml"})
		_, body = sc.post(t, inventory.Contracts.Schema, "<name>b</name><vendor><name>ACME gmbh</name></vendor>")
		equal(t, "vendor in another case", value(t, body, "vendor"), "Acme GmbH")
		sc.post(t, inventory.Softwares.Schema, "<name>s</name><vendor>Soft</vendor>")
		for what, r := range map[string]*mustertest.Response{
			"POST": sc.Do("POST", "/contracts",
				"<contract><name>c</name><vendor>Ghost</vendor><type>nonsense</type></contract>"),
			"PUT": sc.Do("PUT", contract, "<contract><vendor>Ghost</vendor><start-date>never</start-date></contract>"),
		} {
			equal(t, what+" that is refused", r.Status, http.StatusUnprocessableEntity)
		}
		sc.put(t, inventory.Contracts.Schema, contract, "<vendor>Third</vendor>")
		root := parse(t, sc.Get("/vendors").Body)
		var vendors []string
		for _, v := range root.Nodes[3:] {
			vendors = append(vendors, v.child("id").Text+" "+v.child("name").Text)
		}
		equal(t, "vendors", vendors, []string{"1 Acme GmbH", "2 Soft", "3 Third"})
		message := sc.lastAudit(t, inventory.Contracts.Schema, "update").child("message").Text
		equal(t, "message", message, "Vendor changed from Acme GmbH to Third")
		equal(t, "cleared", value(t, sc.put(t, inventory.Contracts.Schema, contract, "<vendor/>").Body, "vendor"),
			"nil")
		refused(t, "too long", sc.Do("PUT", contract, "<contract><vendor>"+strings.Repeat("x",
			256)+"</vendor></contract>"), http.StatusUnprocessableEntity, "Vendor is too long")
	})
}

// TestRenamed: what is renamed has its new name everywhere at once.
func TestRenamed(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		sc := startScene(t, db)
		const tied = "<hardwares><hardware><id>1</id></hardware></hardwares>"
		contract, _ := sc.post(t, inventory.Contracts.Schema, "<name>a</name><vendor>second vendor</vendor>"+tied)
		other, _ := sc.post(t, inventory.Contracts.Schema, "<name>b</name><vendor>Middle</vendor>")
		ticket, _ := sc.post(t, inventory.Tickets.Schema, "<name>t</name><requester>anna@example.com</requester>"+tied)
		later, _ := sc.post(t, inventory.Tickets.Schema, "<name>u</name><requester>bert@example.com</requester>")
		solution, _ := sc.post(t, inventory.Solutions.Schema,
			"<name>s</name><tickets><ticket><id>"+ticket[len("/tickets/"):]+"</id></ticket></tickets>")
		risk, _ := sc.post(t, inventory.Risks.Schema,
			"<name>r</name><affected-assets><affected-asset><asset-type>hardware</asset-type><id>1</id></affected-asset></affected-assets>")
		id := func(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }
		order := func(target string, first, second string) {
			t.Helper()
			got := " " + ids(t, sc.Get(target).Body) + " "
			if i, j := strings.Index(got, " "+id(first)+" "), strings.Index(got, " "+id(second)+" "); i < 0 || j < 0 ||
				i > j {
				t.Errorf("%s: got%s, want %s before %s", target, got, id(first), id(second))
			}
		}
		order("/contracts?sort_by=vendor", other, contract)
		order("/tickets?sort_by=requester", ticket, later)
		tags := map[string]string{}
		for _, target := range []string{
			contract, "/contracts", ticket, "/tickets", "/incidents/" + id(ticket), risk, "/risks", solution,
		} {
			tags[target] = sc.Get(target).Header.Get("ETag")
		}

		sc.put(t, inventory.Vendors.Schema, "/vendors/2", "<name>AAA &amp; Söhne</name>")
		sc.put(t, inventory.Computers.Schema, "/hardwares/1", "<name>renamed-1</name>")
		sc.put(t, inventory.Tickets.Schema, ticket, "<name>renamed-2</name>")
		sc.put(t, inventory.Users.Schema, "/users/2", "<first-name>Zoe</first-name>")

		for target, want := range map[string]string{
			contract: "AAA &amp; Söhne", "/contracts?vendor=aaa+*": "AAA &amp; Söhne", ticket: "renamed-1",
			"/tickets?requester=zoe+BERG": "Zoe Berg",
			"/incidents/" + id(ticket):    "renamed-1", risk: "renamed-1", "/risks": "renamed-1",
			solution: "renamed-2", "/solutions": "renamed-2",
			contract + ".json": "renamed-1", "/vendors/2/contracts": "renamed-1", "/hardwares/1/tickets": "renamed-2",
		} {
			if body := sc.Get(target).Body; !strings.Contains(body, want) {
				t.Errorf("%s: got %s, want %s in it", target, body, want)
			}
		}
		for target, tag := range tags {
			if got := sc.Get(target); got.Header.Get("ETag") == tag {
				t.Errorf("the ETag of %s: got the same, want another", target)
			}
		}
		equal(t, "by the old name", ids(t, sc.Get("/contracts?vendor=second+vendor").Body), "")
		order("/contracts?sort_by=vendor", contract, other)
		order("/tickets?sort_by=requester&sort_order=DESC", ticket, later)
		equal(t, "a ticket whose computer was renamed is not changed", value(t, sc.Get(contract).Body, "updated-at"),
			"2026-01-31T09:30:00Z")
	})
}

// TestDeletions: what others refer to stays; what they are merely tied to goes,
// and each of them is recorded.
func TestDeletions(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		sc := startScene(t, db)
		const tied = "<hardwares><hardware><id>1</id></hardware><hardware><id>2</id></hardware></hardwares>"
		contract, _ := sc.post(t, inventory.Contracts.Schema, "<name>a</name><vendor>second vendor</vendor>"+tied)
		sc.post(t, inventory.Contracts.Schema, "<name>b</name><vendor>second vendor</vendor>")
		sc.post(t, inventory.Softwares.Schema, "<name>s</name><vendor>second vendor</vendor>")
		ticket, _ := sc.post(t, inventory.Tickets.Schema, "<name>t</name><requester>anna@example.com</requester>"+tied)
		risk, _ := sc.post(t, inventory.Risks.Schema,
			"<name>r</name><affected-assets><affected-asset><asset-type>hardware</asset-type><id>1</id></affected-asset>"+
				"<affected-asset><asset-type>other-asset</asset-type><id>1</id></affected-asset></affected-assets>")
		id := ticket[len("/tickets/"):]
		solution, _ := sc.post(t, inventory.Solutions.Schema,
			"<name>s</name><tickets><ticket><id>"+id+"</id></ticket><ticket><id>1</id></ticket></tickets>")

		refused(t, "a vendor", sc.Do("DELETE", "/vendors/2", ""), http.StatusConflict,
			"the vendor 2 is still referred to, as vendor of 1 software, as vendor of 2 contracts")
		refused(t, "a user", sc.Do("DELETE", "/users/2", ""), http.StatusConflict,
			"as requester of 1 ticket; disable the user instead")
		equal(t, "a vendor of nothing", sc.Do("DELETE", "/vendors/1", "").Status, http.StatusOK)

		sc.Clock.Advance(time.Hour)
		computer, tag := sc.Get("/hardwares/1").Body, sc.Get(ticket).Header.Get("ETag")
		before := sc.audits()
		equal(t, "DELETE of a computer", sc.Do("DELETE", "/hardwares/1", "").Body, computer)
		var recorded []string
		for _, n := range parse(t, sc.Get("/audits?per_page=1000&updated_since=2026-01-31T10:30:00Z").Body).Nodes[3:] {
			recorded = append(recorded, n.child("record-type").Text+": "+n.child("message").Text)
		}
		equal(t, "audit records", recorded, []string{
			"ticket: Computer removed: First <hardware> & co", "risk: Affected asset removed: First <hardware> & co",
			"contract: Computer removed: First <hardware> & co", "hardware: Computer First <hardware> & co deleted",
		})
		equal(t, "how many", sc.audits() != before, true)
		for path, list := range map[string]string{ticket: "hardwares", contract: "hardwares", risk: "affected-assets"} {
			body := sc.Get(path).Body
			equal(t, path, len(parse(t, body).child(list).Nodes), 1)
			equal(t, path+" is changed", value(t, body, "updated-at"), "2026-01-31T10:30:00Z")
		}
		refused(t, "the ticket's old version", sc.Do("PUT", ticket, "<ticket><tag>x</tag></ticket>", "If-Match", tag),
			http.StatusPreconditionFailed, "read it again")
		equal(t, "the computer's audit records",
			ids(t, sc.Get("/audits?record_type=hardware&record_id=1&action=create").Body) != "", true)
		equal(t, "its tickets", sc.Get("/hardwares/1/tickets").Status, http.StatusNotFound)

		equal(t, "DELETE of a ticket", sc.Do("DELETE", ticket, "").Status, http.StatusOK)
		equal(t, "the solution's tickets", len(parse(t, sc.Get(solution).Body).child("tickets").Nodes), 1)
		equal(t, "message", sc.lastAudit(t, inventory.Solutions.Schema, "update").child("message").Text,
			"Ticket removed: t")
		equal(t, "DELETE of a user", sc.Do("DELETE", "/users/2", "").Status, http.StatusOK)
		equal(t, "DELETE of an other asset", sc.Do("DELETE", "/other_assets/1", "").Status, http.StatusOK)
		equal(t, "the risk's assets", len(parse(t, sc.Get(risk).Body).child("affected-assets").Nodes), 0)
	})
}

// TestDeletionsMeanwhile deletes a vendor and computers while others refer to
// them: nothing is left that refers to nothing, and nobody meets a fault.
func TestDeletionsMeanwhile(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		sc := startScene(t, db)
		allowed := func(what string, r *mustertest.Response, statuses ...int) {
			for _, status := range statuses {
				if r.Status == status {
					return
				}
			}
			t.Errorf("%s: got %d %s, want one of %v", what, r.Status, r.Body, statuses)
		}
		var wg sync.WaitGroup
		for i := range 4 {
			c := sc.Admin()
			wg.Go(func() {
				for j := range 12 {
					if i < 2 {
						allowed("POST of a contract",
							c.Do("POST", "/contracts", "<contract><name>a</name><vendor>Acme</vendor></contract>"), 201)
						doc := fmt.Sprintf("<ticket><name>a</name><hardwares><hardware><id>%d</id></hardware></hardwares></ticket>", 3+j)
						allowed("POST of a ticket", c.Do("POST", "/tickets", doc), 201, 422)
						continue
					}
					allowed("POST of a computer", c.Do("POST", "/hardwares", hardware("<name>a</name>")), 201)
					allowed("DELETE of a computer", c.Do("DELETE", fmt.Sprintf("/hardwares/%d", 3+j), ""), 200, 404)
					for _, id := range strings.Fields(ids(t, c.Get("/vendors?name=acme").Body)) {
						allowed("DELETE of a vendor", c.Do("DELETE", "/vendors/"+id, ""), 200, 404, 409)
					}
				}
			})
		}
		wg.Wait()
		for _, n := range parse(t, sc.Get("/contracts?per_page=1000").Body).Nodes[3:] {
			equal(t, "a contract's vendor", n.child("vendor").Text, "Acme")
		}
		for _, n := range parse(t, sc.Get("/tickets?per_page=1000").Body).Nodes[3:] {
			for _, c := range n.child("hardwares").Nodes {
				equal(t, "a ticket's computer", sc.Get("/hardwares/"+c.child("id").Text).Status, http.StatusOK)
			}
		}
		equal(t, "vendors called so", sc.Get("/vendors?name=ACME").Header.Get("X-Total-Count"), "1")
	})
}
