//go:build full

package web_test

import (
	"encoding/csv"
	"encoding/xml"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/mustertest"
	"muster/internal/server"
)

// A hostileHouse is a server all of whose texts are one that would harm.
type hostileHouse struct {
	*mustertest.Server
	text        string
	admin, asks *mustertest.Visitor // an administrator, and the requester whose ticket and computer are there
	job, bulk   string              // addresses of an import and of a change of many records
	shown       map[string]bool     // what has shown the text
}

// openHostile starts a server and writes a text wherever one can be written.
func openHostile(t *testing.T, text string) *hostileHouse {
	t.Helper()
	h := &hostileHouse{Server: mustertest.Start(t, mustertest.Options{}), text: text, shown: map[string]bool{}}
	for _, k := range []*kind.Schema{
		inventory.Vendors.Schema, inventory.Computers.Schema, inventory.Softwares.Schema, inventory.Printers.Schema,
		inventory.OtherAssets.Schema,
		inventory.Contracts.Schema, inventory.Risks.Schema, inventory.Users.Schema, inventory.Tickets.Schema,
		inventory.Solutions.Schema,
	} {
		add(t, h.Server, "/"+k.Path(), documentOf(k, text, 1))
	}
	h.User(server.UserCommand{Do: "passwd", Email: "user1@example.com", Password: mustertest.AdminPassword})
	h.admin, h.asks = h.SignIn(server.Administrator), h.SignIn("user1@example.com")
	h.connect(t)
	h.converse(t)
	h.programs(t)
	h.Clock.Advance(48 * time.Hour) // so that there is a past
	h.admin, h.asks = h.SignIn(server.Administrator), h.SignIn("user1@example.com")
	h.change(t, "computers/1", url.Values{"site": {text + "2"}, "notes": {text + "2"}})
	h.file(t)
	return h
}

// change changes a record by its form.
func (h *hostileHouse) change(t *testing.T, path string, form url.Values) {
	t.Helper()
	expect(t, path, h.admin.Post("/app/"+path+"/edit", form), http.StatusSeeOther)
}

// connect makes records belong to each other and to the requester.
func (h *hostileHouse) connect(t *testing.T) {
	t.Helper()
	person := []string{"user1@example.com"}
	h.change(t, "users/1", url.Values{"first-name": {h.text}, "last-name": {h.text}, "department": {h.text}, "site": {
		h.text,
	}})
	expect(t, "a status", h.admin.Post("/app/settings", url.Values{"name": {"statuses"}, "value": {h.text}}),
		http.StatusSeeOther)
	h.change(t, "computers/1", url.Values{"owner": person, "status": {h.text}})
	h.change(t, "tickets/1", url.Values{"requester": person, "hardwares": {"", "1"}, "other-assets": {"", "1"}})
	h.change(t, "articles/1", url.Values{"state": {inventory.SolutionPublished}, "tickets": {"", "1"}})
	h.change(t, "contracts/1", url.Values{"type": {inventory.SoftwareLicense}, "hardwares": {"", "1"}})
	h.change(t, "risks/1", url.Values{"affected-assets": {"", "hardware:1"}})
	for section, query := range map[string]string{"computers": "site", "tickets": "tag"} {
		form := url.Values{"name": {h.text[:min(len(h.text), 60)]}, "query": {url.Values{query: {h.text}}.Encode()},
			"shared": {"yes"}}
		expect(t, "a view", h.admin.Post("/app/"+section+"/views", form), http.StatusSeeOther)
	}
}

// converse answers the ticket, in public, in private and as who asks.
func (h *hostileHouse) converse(t *testing.T) {
	t.Helper()
	for _, way := range []string{"reply", "note"} {
		form := seen(h.admin.Get("/app/tickets/1"), url.Values{"kind": {way}, "body": {h.text}})
		expect(t, way, h.admin.Post("/app/tickets/1/reply", form), http.StatusSeeOther)
	}
	form := seen(h.asks.Get("/app/requests/1"), url.Values{"body": {h.text}})
	expect(t, "answer", h.asks.Post("/app/requests/1/reply", form), http.StatusSeeOther)
}

// programs makes tokens, lets agents report two computers that may be one, and
// one be refused, and signs somebody in with a browser of such a name.
func (h *hostileHouse) programs(t *testing.T) {
	t.Helper()
	token := url.Values{"user": {"user1@example.com"}, "name": {h.text}, "days": {"0"}}
	h.look(t, "secret", h.admin.Post("/app/tokens", token))
	h.look(t, "secret", h.admin.Post("/app/profile/api/tokens", token))
	made := h.admin.Post("/app/agents/tokens",
		url.Values{"name": {h.text}, "site": {h.text}, "department": {h.text}, "tag": {h.text}})
	h.look(t, "secret", made)
	address, err := url.Parse(between(t, made.Body, `id="secret-0">`, "<"))
	if err != nil {
		t.Fatal(err)
	}
	secret, _ := address.User.Password()
	post := func(body, agent string) int {
		return h.Anonymous().Do(http.MethodPost, "/ocsinventory/t/"+secret, body, "User-Agent", agent).Status
	}
	for i := range 2 {
		if got := post(h.report(i), "OCS-NG_unified_unix_agent_v2.10.0"); got != http.StatusOK {
			t.Fatalf("report: got %d", got)
		}
	}
	if got := post("no report", h.text); got == http.StatusOK {
		t.Errorf("what is no report: got %d", got)
	}
	form := url.Values{"email": {server.Administrator}, "password": {mustertest.AdminPassword}}.Encode()
	h.Anonymous().Do(http.MethodPost, "/app/signin", form, "Content-Type", "application/x-www-form-urlencoded",
		"User-Agent", h.text)
}

// report is what an agent posts of the one or the other of two machines of which
// its disk is a copy.
func (h *hostileHouse) report(machine int) string {
	var text strings.Builder
	_ = xml.EscapeText(&text, []byte(h.text))
	return fmt.Sprintf(`<?xml version="1.0" encoding="UTF-8"?><REQUEST><CONTENT><VERSIONCLIENT>OCS-NG_unified_unix_agent_v2.10.0</VERSIONCLIENT>
		<HARDWARE><NAME>%[1]s</NAME><OSNAME>%[1]s</OSNAME><PROCESSORT>%[1]s</PROCESSORT><USERID>%[1]s</USERID><WORKGROUP>%[1]s</WORKGROUP><DESCRIPTION>%[1]s</DESCRIPTION><UUID>4C4C4544-0042-3510-8052-B4C04F4D333%[2]d</UUID></HARDWARE>
		<BIOS><SMANUFACTURER>%[1]s</SMANUFACTURER><SMODEL>%[1]s</SMODEL><SSN>PF0ABCD%[2]d</SSN></BIOS>
		<SOFTWARES><NAME>%[1]s</NAME><VERSION>%[1]s</VERSION><PUBLISHER>%[1]s</PUBLISHER></SOFTWARES>
		</CONTENT><DEVICEID>lap-2026-01-01-00-00-00</DEVICEID><QUERY>INVENTORY</QUERY></REQUEST>`, text.String(), machine)
}

// file checks a file with such columns and rows, and changes records to what is
// refused.
func (h *hostileHouse) file(t *testing.T) {
	t.Helper()
	var b strings.Builder
	err := csv.NewWriter(&b).WriteAll([][]string{
		{h.text, "Name", "Asset id", "Site"}, {h.text, h.text, "A-1", h.text}, {h.text, "", "A-2", h.text},
	})
	if err != nil {
		t.Fatal(err)
	}
	begun := h.admin.Upload("/app/import", url.Values{"kind": {"computers"}}, h.text, b.String())
	expect(t, "a file", begun, http.StatusSeeOther)
	h.job = begun.Header.Get("Location")
	columns := h.admin.Get(h.job)
	h.look(t, "columns", columns)
	form := formOn(t, columns, h.job)
	form.Set("do", "check")
	expect(t, "check", h.admin.Post(h.job, form), http.StatusSeeOther)
	reach(t, h.admin, h.job)
	refused := h.admin.Post("/app/computers/bulk",
		url.Values{"id": {"1", "999"}, "field": {"owner"}, "to-owner": {h.text}})
	expect(t, "a change of many", refused, http.StatusSeeOther)
	h.bulk = refused.Header.Get("Location")
}

// posts looks at the answers to forms that are refused, which show what was typed.
func (h *hostileHouse) posts(t *testing.T) {
	t.Helper()
	text := []string{h.text}
	for target, form := range map[string]url.Values{
		"/app/computers/new":      {"name": {""}, "site": text, "owner": text, "drives.0.name": text},
		"/app/tickets/new":        {"name": {""}, "description": text, "requester": text},
		"/app/vendors/new":        {"name": {""}, "url": text, "note": text},
		"/app/users/new":          {"email": {""}, "first-name": text},
		"/app/computers/1/edit":   {"site": text, "version": {"1"}, "was": text},
		"/app/computers/1/merge":  {"other": text},
		"/app/computers/1/fact":   {"field": {"owner"}, "owner": text, "value": text},
		"/app/tickets/1/set":      {"assignee": text, "version": {"1"}, "seen": {"0"}, "said": {"0"}},
		"/app/tickets/1/link":     {"field": {"hardwares"}, "name": text},
		"/app/users/2/password":   {"password": {"short"}},
		"/app/tokens":             {"user": text, "name": text, "days": {"0"}},
		"/app/agents/tokens":      {"name": text, "site": text},
		"/app/settings":           {"name": {"agent-hours"}, "value": text},
		"/app/preferences":        {"theme": text, "to": text},
		"/app/computers/views":    {"name": {""}, "query": text},
		"/app/computers/1/delete": {"version": {"1"}, "confirm": text},
	} {
		h.look(t, "forms", h.admin.Post(target, form))
	}
	h.look(t, "preview", h.admin.Post("/app/preview", url.Values{"text": text, "description": text}))
	h.look(t, "preview", h.admin.Post("/app/articles/new",
		url.Values{"name": text, "description": text, "do": {"preview"}}))
	h.look(t, "forms", h.asks.Post("/app/requests", url.Values{"name": {""}, "description": text}))
	h.look(t, "/signin", h.Visitor().Post("/app/signin", url.Values{"email": text, "password": text, "to": text}))
}
