//go:build full

package web_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"muster/internal/inventory"
	"muster/internal/mustertest"
	"muster/internal/server"
)

// twinReport is the report of one of two computers with one UUID.
func twinReport(name, serial string) string {
	return fmt.Sprintf(`<?xml version="1.0"?><REQUEST><CONTENT><VERSIONCLIENT>OCS-NG_unified_unix_agent_v2.10.0</VERSIONCLIENT>
		<HARDWARE><NAME>%s</NAME><UUID>4C4C4544-0042-3510-8052-B4C04F4D3331</UUID></HARDWARE><BIOS><SMANUFACTURER>Lenovo</SMANUFACTURER><SSN>%s</SSN></BIOS>
		<SOFTWARES><NAME>Editor</NAME></SOFTWARES></CONTENT><DEVICEID>%s-2026</DEVICEID><QUERY>INVENTORY</QUERY></REQUEST>`, name, serial, name)
}

// TestSplitPage offers to split a computer with two agents, says what that does, and does it.
func TestSplitPage(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	s.AddUser("tech@example.com", inventory.Technician, false)
	s.AddUser("reader@example.com", inventory.Technician, true)
	admin, tech, reader := s.SignIn(server.Administrator), s.SignIn("tech@example.com"), s.SignIn("reader@example.com")
	made := admin.Post("/app/agents/tokens", url.Values{"name": {"lyon"}})
	address, err := url.Parse(between(t, made.Body, `id="secret-0">`, "<"))
	if err != nil {
		t.Fatal(err)
	}
	secret, _ := address.User.Password()
	report := func(body string) {
		t.Helper()
		if got := s.Anonymous().Do(http.MethodPost, "/ocsinventory/t/"+secret, body); got.Status != http.StatusOK {
			t.Fatalf("report: got %d %s", got.Status, got.Body)
		}
	}
	report(twinReport("one", "PF0ABCDE"))
	const link = `href="/app/computers/1/split"`
	expect(t, "one agent", tech.Get("/app/computers/1"), http.StatusOK, "!"+link)
	expect(t, "nothing to split", tech.Get("/app/computers/1/split"), http.StatusOK, "nothing to split", "!<fieldset")
	report(twinReport("two", "None"))

	expect(t, "two agents", tech.Get("/app/computers/1"), http.StatusOK, link)
	expect(t, "of who reads", reader.Get("/app/computers/1"), http.StatusOK, "!"+link)
	expect(t, "the page", tech.Get("/app/computers/1/split"), http.StatusOK, "one-2026", "two-2026", "Name: one",
		"Serial number: PF0ABCDE", "1 program", `name="agent" value="2"`, "Tickets, owner, notes")
	wants(t, "who reads", reader.Post("/app/computers/1/split", url.Values{"agent": {"2"}}), http.StatusForbidden)
	wants(t, "an unknown agent", tech.Post("/app/computers/1/split", url.Values{"agent": {"9"}}), http.StatusConflict,
		"has no agent with the id 9")
	wants(t, "no agent", tech.Post("/app/computers/1/split", url.Values{}), http.StatusConflict)
	goes(t, "split", tech.Post("/app/computers/1/split", url.Values{"agent": {"2"}}), "/computers/2")
	expect(t, "the new one", tech.Get("/app/computers/2"), http.StatusOK, "two is a computer of its own now", "!"+link)
	expect(t, "the old one", tech.Get("/app/computers/1?tab=history"), http.StatusOK,
		"Agent OCS 2.10.0 (two-2026) split off as computer 2 (two)", "!"+link)
	if got := admin.Get("/app/computers/1").Body; !strings.Contains(got, "<h1>one</h1>") {
		t.Error("the old computer is not called as before")
	}
}
