package intake_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"muster/internal/mustertest"
	"muster/internal/server"
)

// TestAgents lets each agent speak as it does: what it asks, how it packs, what it calls it, and what it wants to read.
func TestAgents(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		agent, path, sample string
		pack                func(string) []byte
		header              []string
		name                string // of the computer
	}{
		{"OCS Unix", "/ocsinventory", "ocs-2.10.0-debian12.xml", deflated,
			[]string{"Content-Type", "application/x-compress", "User-Agent", "OCS-NG_unified_unix_agent_v2.10.0"},
			"vm"},
		{"OCS Windows", "/ocsinventory", "synthetic-win11-laptop-ocs.xml", deflated,
			[]string{"Content-Type", "application/x-compressed", "User-Agent", "OCS-NG_WINDOWS_AGENT_v2.10.1.0"},
			"LIS-LT-0044"},
		{"Fusion", "/ocsinventory", "fusion-2.6-debian12.xml", gzipped,
			[]string{"Content-Type", "application/x-compress-gzip", "User-Agent", "FusionInventory-Agent_v2.6"}, "vm"},
		{"Fusion without compression", "/ocsinventory", "fusion-2.6-debian12.xml", plain,
			[]string{"Content-Type", "application/xml", "User-Agent", "FusionInventory-Agent_v2.6"}, "vm"},
		{"GLPI", "/front/inventory.php", "glpi-1.12dev-debian12.xml", deflated,
			[]string{"Content-Type", "application/x-compress-zlib", "User-Agent", "GLPI-Agent_v1.12", "GLPI-Agent-ID",
				"0b1c5b4a-0000-4000-8000-000000000001"}, "vm"},
		{"one that lies about its form", "/inventory", "glpi-1.12dev-debian12.xml", gzipped, []string{
			"Content-Type", "application/json",
		}, "vm"},
	} {
		t.Run(test.agent, func(t *testing.T) {
			mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
				s := start(t, db, nil)
				a := newAgent(t, s)
				a.url, a.header = s.Base+test.path, test.header
				got := a.post(test.pack(ask("vm-2026-01-02-03-04-05")))
				got.expect(t, "PROLOG", http.StatusOK, send)
				if got := got.header.Get("Content-Type"); got != "application/x-compress-zlib" {
					t.Errorf("PROLOG: got the type %q, want the one that all agents read", got)
				}
				body := test.pack(sample(t, test.sample))
				a.post(body).expect(t, "INVENTORY", http.StatusOK, taken)
				first := s.Admin().Get("/hardwares/1.xml").Body
				if !strings.Contains(first, "<name>"+test.name+"</name>") || computers(t, s) != "1" {
					t.Errorf("got %s computers and the first\n%s\nwant one with the name %s", computers(t, s), first,
						test.name)
				}
				s.Clock.Advance(24 * time.Hour)
				a.post(body).expect(t, "INVENTORY again", http.StatusOK, taken)
				detected := s.Clock.Now().Format("<detected-at>2006-01-02T15:04:05Z</detected-at>")
				if again := s.Admin().Get("/hardwares/1.xml").Body; !strings.Contains(again, detected) ||
					computers(t, s) != "1" {
					t.Errorf("after the same report a day later: got %s computers and\n%s\nwant one with %s",
						computers(t, s), again, detected)
				}
				if diff := cmp.Diff(map[string]float64{"new": 1, "unchanged": 1}, reports(s)); diff != "" {
					t.Errorf("metrics (-want +got):\n%s", diff)
				}
			})
		})
	}
}

// TestJSON speaks as GLPI agents do in JSON: a contact brings them back to XML, whole and partial reports are
// taken all the same, and what is no computer's is answered and forgotten.
func TestJSON(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db, nil)
		a := newAgent(t, s)
		a.header = []string{
			"Content-Type", "application/json", "GLPI-Agent-ID", "0b1c5b4a-0000-4000-8000-000000000001",
			"GLPI-Request-ID", "0000ABCD",
		}
		const ok = `{"status":"ok"}`
		got := a.post(plain(`{"action":"contact","deviceid":"a-2026-01-02-03-04-05","name":"GLPI-Agent","version":"1.12"}`))
		got.expect(t, "CONTACT", http.StatusOK,
			`{"status":"error","message":"this server takes inventories in XML; they follow at the next run"}`)
		if got := got.header.Get("Content-Type"); got != "application/json" {
			t.Errorf("CONTACT: got the type %q, want JSON", got)
		}
		a.post(deflated(sample(t, "laptop.json"))).expect(t, "a whole report", http.StatusOK, ok)
		a.post(plain(sample(t, "laptop-partial-memories.json"))).expect(t, "a partial report", http.StatusOK, ok)
		a.post(plain(sample(t, "printer.json"))).expect(t, "a printer", http.StatusOK, ok)
		a.post(plain(`{"action":"get_params"}`)).expect(t, "another action", http.StatusOK, ok)
		a.post(deflated("<REQUEST><QUERY>SNMP</QUERY></REQUEST>")).expect(t, "another query", http.StatusOK, taken)
		a.post(plain(`{"action":inventory}`)).refuses(t, "what is no JSON", http.StatusBadRequest, "cannot be read")
		if got := computers(t, s); got != "1" {
			t.Errorf("got %s computers, want one", got)
		}
		if diff := cmp.Diff(map[string]float64{"new": 1, "changed": 1, "other": 3, "malformed": 1},
			reports(s)); diff != "" {
			t.Errorf("metrics (-want +got):\n%s", diff)
		}
	})
}

// TestRest: agents that have reported are asked to send nothing for some time, if an administrator wants so.
func TestRest(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db, nil)
		a := newAgent(t, s)
		asked := func(what, want string) {
			t.Helper()
			a.post(deflated(ask("pc1-2026-01-02-03-04-05"))).expect(t, what, http.StatusOK, want)
		}
		a.post(deflated(small(1)))
		asked("usually", send)
		s.Settings(server.SettingCommand{Do: "set", Name: "agent-rest-hours", Value: "20"})
		asked("after a report", stop)
		a.post(deflated(ask("pc2-2026-01-02-03-04-05"))).expect(t, "a stranger", http.StatusOK, send)
		s.Clock.Advance(20*time.Hour - time.Second)
		asked("before its rest is over", stop)
		s.Clock.Advance(time.Second)
		asked("after its rest", send)
		s.Settings(server.SettingCommand{Do: "set", Name: "agent-hours", Value: "6"})
		asked("with another time", strings.Replace(send, "24", "6", 1))
		s.Clock.Advance(time.Hour)
		a.post(deflated(small(1))) // unchanged, and a report all the same
		asked("after an unchanged report", strings.Replace(stop, "24", "6", 1))
	})
}

// TestOtherMethods: people who open the address get an explanation of what it is for.
func TestOtherMethods(t *testing.T) {
	t.Parallel()
	s := start(t, mustertest.SQLite, nil)
	c := s.Anonymous()
	for _, method := range []string{"GET", "HEAD", "PUT", "DELETE", "OPTIONS", "BREW"} {
		for _, path := range []string{"/ocsinventory", "/inventory/", "/front/inventory.php", "/inventory/t/x"} {
			got := c.Do(method, path, "")
			if got.Status != http.StatusMethodNotAllowed || got.Header.Get("Allow") != "POST" || method != "HEAD" &&
				!strings.Contains(got.Body, "Inventory agents post") {
				t.Errorf("%s %s: got %d, Allow %q, %q, want 405 with POST and a hint", method, path, got.Status,
					got.Header.Get("Allow"), got.Body)
			}
		}
	}
	for _, path := range []string{
		"/ocsinventory/t", "/ocsinventory/t/a/b", "/ocsinventory/x", "/front/inventory.php/1.xml", "/inventory//t/x",
	} {
		if got := c.Do("POST", path, "<REQUEST/>"); got.Status != http.StatusNotFound {
			t.Errorf("POST %s: got %d, want 404", path, got.Status)
		}
	}
	for _, path := range []string{"/ocsinventoryx", "/front", "/front/inventory", "/inventory.xml"} {
		if got := c.Do("POST", path, "<REQUEST/>"); got.Status != http.StatusUnauthorized ||
			!strings.Contains(fmt.Sprint(got.Header["Www-Authenticate"]), "Digest") {
			t.Errorf("POST %s: got %d %v, want the API's digest", path, got.Status, got.Header["Www-Authenticate"])
		}
	}
}
