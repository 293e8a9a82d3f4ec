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

// agentReport is what an agent that was copied with its disk posts of a machine.
func agentReport(serial, uuid string) string {
	return fmt.Sprintf(`<?xml version="1.0" encoding="UTF-8"?><REQUEST><CONTENT><VERSIONCLIENT>OCS-NG_unified_unix_agent_v2.10.0</VERSIONCLIENT>
		<HARDWARE><NAME>lap</NAME><UUID>%s</UUID></HARDWARE><BIOS><SMANUFACTURER>Lenovo</SMANUFACTURER><SSN>%s</SSN></BIOS>
		</CONTENT><DEVICEID>lap-2026-01-01-00-00-00</DEVICEID><QUERY>INVENTORY</QUERY></REQUEST>`, uuid, serial)
}

// TestAgents connects an agent with a new token, sees its reports and what is
// refused, and settles what may be duplicates.
func TestAgents(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := mustertest.Start(t, mustertest.Options{On: db})
		s.AddUser("tech@example.com", inventory.Technician, false)
		admin, tech := s.SignIn(server.Administrator), s.SignIn("tech@example.com")
		wants(t, "nothing yet", admin.Get("/app/agents"), http.StatusOK, "No computer has reported yet",
			"Connect agents")
		made := admin.Post("/app/agents/tokens", url.Values{"name": {"lyon"}, "site": {"Lyon"}})
		wants(t, "token", made, http.StatusOK, "Agent token lyon", "shown only once",
			"/etc/ocsinventory/ocsinventory-agent.cfg", "GLPI-Agent-x64.msi", "fusioninventory",
			"MUSTER_SERVER=https://agent:muster_agent_", "muster agent run")
		wants(t, "the same name", admin.Post("/app/agents/tokens", url.Values{"name": {"lyon"}}),
			http.StatusUnprocessableEntity, "already")
		address, err := url.Parse(between(t, made.Body, `id="secret-0">`, "<"))
		if err != nil {
			t.Fatal(err)
		}
		secret, _ := address.User.Password()
		post := func(secret, body string) int {
			return s.Anonymous().Do(http.MethodPost, "/ocsinventory/t/"+secret, body, "User-Agent",
				"OCS-NG_unified_unix_agent_v2.10.0").Status
		}
		for _, body := range []string{
			agentReport("PF0ABCDE", "4C4C4544-0042-3510-8052-B4C04F4D3331"),
			agentReport("PF0FFFFF", "4C4C4544-0042-3510-8052-B4C04F4D3332"),
		} {
			if got := post(secret, body); got != http.StatusOK {
				t.Fatalf("report: got %d", got)
			}
		}
		wants(t, "reports", tech.Get("/app/agents"), http.StatusOK, "lap", "2.10.0", "just now")

		if got := post("muster_agent_WRONG", "x"); got != http.StatusUnauthorized {
			t.Errorf("wrong token: got %d", got)
		}
		if got := post(secret, "no report"); got != http.StatusBadRequest {
			t.Errorf("no report: got %d", got)
		}
		refused := tech.Get("/app/agents/refused")
		wants(t, "refused", refused, http.StatusOK, "lyon", "wrong or was revoked", "127.0.0.1", "OCS-NG")
		if strings.Contains(refused.Body, secret) || strings.Contains(refused.Body, "muster_agent_WRONG") {
			t.Error("refused: got a secret")
		}
		settleDuplicates(t, admin, tech)

		wants(t, "revoke?", admin.Get("/app/agents/tokens/1/revoke"), http.StatusOK, "Revoke the agent token lyon?")
		goes(t, "revoke", admin.Post("/app/agents/tokens/1/revoke", url.Values{}), "/agents/tokens")
		wants(t, "not theirs", tech.Get("/app/agents/tokens"), http.StatusForbidden)
	})
}

// settleDuplicates says of two computers that they are different, which nothing
// forbids to merge later.
func settleDuplicates(t *testing.T, admin, tech *mustertest.Visitor) {
	t.Helper()
	seen := tech.Get("/app/agents/duplicates")
	wants(t, "duplicates", seen, http.StatusOK, "PF0ABCDE", "PF0FFFFF")
	if strings.Contains(seen.Body, "Merge …") {
		t.Error("duplicates: a technician is offered to merge them")
	}
	wants(t, "duplicates of an administrator", admin.Get("/app/agents/duplicates"), http.StatusOK, "Merge …",
		"Not a duplicate")
	wants(t, "not theirs to settle", tech.Post("/app/agents/duplicates/1/2", url.Values{"do": {"different"}}),
		http.StatusForbidden)
	goes(t, "different", admin.Post("/app/agents/duplicates/1/2", url.Values{"do": {"different"}}),
		"/agents/duplicates")
	const undo = "/app/undo/duplicates/1/2"
	wants(t, "settled", admin.Get("/app/agents/duplicates"), http.StatusOK, "No possible duplicates",
		"are kept as different computers", `action="`+undo+`"`)
	wants(t, "not theirs to undo", tech.Post(undo, url.Values{"to": {"/agents/duplicates"}}), http.StatusForbidden)
	goes(t, "undo", admin.Post(undo, url.Values{"to": {"/agents/duplicates"}}), "/agents/duplicates")
	wants(t, "undone", admin.Get("/app/agents/duplicates"), http.StatusOK, "may be one computer", "PF0ABCDE",
		"PF0FFFFF")
	wants(t, "history", admin.Get("/app/computers/2?tab=history"), http.StatusOK,
		"Not a duplicate of computer 1 (lap)", "May be a duplicate of computer 1 (lap) after all")
	goes(t, "different again", admin.Post("/app/agents/duplicates/1/2", url.Values{"do": {"different"}}),
		"/agents/duplicates")
	wants(t, "settled again", admin.Get("/app/agents/duplicates"), http.StatusOK, "No possible duplicates")
	wants(t, "merge?", admin.Get("/app/agents/duplicates/1/2"), http.StatusOK, "(#1) is kept, with the tickets")
	goes(t, "merge", admin.Post("/app/agents/duplicates/1/2", url.Values{"do": {"merge"}}), "/computers/1")
	wants(t, "the other", admin.Get("/app/computers/2"), http.StatusNotFound)
}

// TestManyDuplicates shows all pairs that are open, some a page, however much was
// said of others since.
func TestManyDuplicates(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{Change: func(cfg *server.Config) { cfg.RateLimit = 0 }})
	admin := s.SignIn(server.Administrator)
	made := admin.Post("/app/agents/tokens", url.Values{"name": {"lyon"}})
	address, err := url.Parse(between(t, made.Body, `id="secret-0">`, "<"))
	if err != nil {
		t.Fatal(err)
	}
	secret, _ := address.User.Password()
	const pairs = 30
	for n := range 2 * pairs {
		report := agentReport(fmt.Sprintf("PF0%05d", n), fmt.Sprintf("4C4C4544-0042-3510-8052-B4C0%08d", n))
		report = strings.ReplaceAll(report, ">lap", fmt.Sprintf(">pc%02d", n/2))
		if got := s.Anonymous().Do(http.MethodPost, "/ocsinventory/t/"+secret, report); got.Status != http.StatusOK {
			t.Fatalf("report %d: got %d: %s", n, got.Status, got.Body)
		}
	}
	first := admin.Get("/app/agents/duplicates")
	wants(t, "the latest", first, http.StatusOK, "pc29", "pc05", "Show older ones", "Not all are shown here")
	if got := strings.Count(first.Body, "Not a duplicate</button>"); got != 25 || strings.Contains(first.Body, "pc04") {
		t.Errorf("the latest: got %d pairs, want 25 without pc04: %s", got, first.Body)
	}
	older := admin.Get("/app/agents/duplicates?" + between(t, first.Body, `href="/app/agents/duplicates?`, `"`))
	wants(t, "older ones", older, http.StatusOK, "pc04", "pc00", "Show the latest")
	if got := strings.Count(older.Body, "Not a duplicate</button>"); got != 5 ||
		strings.Contains(older.Body, "Show older ones") {
		t.Errorf("older ones: got %d pairs, want 5 and no more: %s", got, older.Body)
	}
	at := "/agents/duplicates?" + between(t, first.Body, `href="/app/agents/duplicates?`, `"`)
	form := formOn(t, older, "/app/agents/duplicates/9/10")
	goes(t, "an older one", admin.Post("/app/agents/duplicates/9/10", form), at)
	wants(t, "merge an older one?", admin.Get("/app/agents/duplicates/7/8?before="+form.Get("before")), http.StatusOK,
		`href="/app`+at+`"`)
	for range 101 { // more than one would look at
		goes(t, "different", admin.Post("/app/agents/duplicates/59/60", url.Values{"do": {"different"}}),
			"/agents/duplicates")
		goes(t, "not so", admin.Post("/app/undo/duplicates/59/60", url.Values{"to": {"/agents/duplicates"}}),
			"/agents/duplicates")
	}
	wants(t, "after much was said", admin.Get("/app/agents/duplicates"), http.StatusOK, "pc29", "pc05")
}
