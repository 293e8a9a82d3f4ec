package api_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"muster/internal/mustertest"
	"muster/internal/server"
)

// TestSessionList lists the sessions of all people with last use and address, and ends
// one of them.
func TestSessionList(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db, func(cfg *server.Config) { cfg.Proxies = []string{"127.0.0.1"} })
		s.AddUser("anna@example.com", "technician", false)
		admin, anna, boss := s.Admin(), s.SignIn("anna@example.com"), s.SignIn(server.Administrator)
		equal(t, "all", ids(t, admin.Get("/sessions.xml").Body), "1 2")
		equal(t, "of one", ids(t, admin.Get("/sessions?user=ANNA@example.com").Body), "1")
		equal(t, "of one by a wildcard", ids(t, admin.Get("/sessions?user=*anna*").Body), "1")
		equal(t, "of nobody", ids(t, admin.Get("/sessions?user=nobody").Body), "")
		equal(t, "after an id", ids(t, admin.Get("/sessions?after=1").Body), "2")
		equal(t, "the second page", ids(t, admin.Get("/sessions?page=2&per_page=1").Body), "2")
		if link := admin.Get("/sessions?after=0&per_page=1").Header.Get("Link"); !strings.Contains(link,
			`/sessions.xml?after=1&per_page=1>; rel="next"`) {
			t.Errorf("the next page: got %s", link)
		}
		for query, fault := range map[string]string{
			"q=anna": "q", "sort_by=last_used": "sort_by", "updated_since=2026-01-01": "updated_since", "due=0": "due",
		} {
			got := admin.Get("/sessions?" + query)
			equal(t, query, got.Status, http.StatusBadRequest)
			equal(t, query, value(t, got.Body, "error"), "unknown parameter "+fault)
		}

		s.Clock.Advance(time.Hour)
		anna.Address = "192.0.2.7"
		equal(t, "a page", anna.Get("/app/").Status, http.StatusOK)
		doc := admin.Get("/sessions/1.xml")
		for name, want := range map[string]string{
			"user/email": "anna@example.com", "remote-address": "192.0.2.7", "signed-in-from": "127.0.0.1",
			"stay": "false", "user-agent": "Go-http-client/1.1",
			"last-used": "2026-01-31T10:30:00Z", "created-at": "2026-01-31T09:30:00Z",
			"updated-at": "2026-01-31T09:30:00Z", "expires-at": "2026-02-01T09:30:00Z",
		} {
			equal(t, name, value(t, doc.Body, strings.Split(name, "/")...), want)
		}
		var inJSON struct {
			Address string `json:"remote_address"`
		}
		if err := json.Unmarshal([]byte(admin.Get("/sessions/1.json").Body), &inJSON); err != nil ||
			inJSON.Address != "192.0.2.7" {
			t.Errorf("JSON: got %+v, %v", inJSON, err)
		}

		equal(t, "end in another version", admin.Do("DELETE", "/sessions/1", "", "If-Match", `"1-99"`).Status,
			http.StatusPreconditionFailed)
		equal(t, "end", admin.Do("DELETE", "/sessions/1", "", "If-Match", doc.Header.Get("ETag")).Status, http.StatusOK)
		equal(t, "a page afterwards", anna.Get("/app/").Status, http.StatusSeeOther)
		equal(t, "end again", admin.Do("DELETE", "/sessions/1", "").Status, http.StatusNotFound)
		equal(t, "a page of another", boss.Get("/app/").Status, http.StatusOK)
		trail := messages(t, admin, "/audits.xml?record_type=user&user="+server.Administrator)
		if !slices.Contains(trail, "Session from 192.0.2.7 ended") {
			t.Errorf("the trail: got %q", trail)
		}

		s.Clock.Advance(13 * time.Hour)
		equal(t, "those that have ended", ids(t, admin.Get("/sessions").Body), "")
		equal(t, "one that has ended", admin.Get("/sessions/2").Status, http.StatusNotFound)
	})
}

// TestTokenList lists the tokens of all users with last use and address, and revokes
// one of them.
func TestTokenList(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		s.AddUser("anna@example.com", "technician", false)
		admin, script := s.Admin(),
			s.Bearer(server.TokenCommand{
				Email: "anna@example.com", Name: "script", ReadOnly: true, Expires: "2026-12-31",
			})
		s.Bearer(server.TokenCommand{Email: server.Administrator, Name: "other"})
		equal(t, "all", ids(t, admin.Get("/tokens.xml").Body), "1 2")
		equal(t, "of one", ids(t, admin.Get("/tokens?user=anna@example.com").Body), "1")
		if doc := admin.Get("/tokens/1").Body; !strings.Contains(doc, `<last-used nil="true"/>`) ||
			!strings.Contains(doc, `<remote-address nil="true"/>`) {
			t.Errorf("before its use: got %s", doc)
		}
		equal(t, "a request", script.Get("/hardwares").Status, http.StatusOK)
		list := admin.Get("/tokens.xml?user=anna@example.com").Body
		for name, want := range map[string]string{
			"name": "script", "email": "anna@example.com", "read-only": "true", "remote-address": "127.0.0.1",
			"last-used": "2026-01-31T09:30:00Z", "expires-at": "2027-01-01T00:00:00Z",
		} {
			if element := "<" + name + ">" + want + "</" + name + ">"; !strings.Contains(list, element) {
				t.Errorf("the list: got %s, want %s", list, element)
			}
		}
		if strings.Contains(list, script.Token) || strings.Contains(list, "hash") {
			t.Errorf("the list has a secret: %s", list)
		}
		equal(t, "revoke", admin.Do("DELETE", "/tokens/1.xml", "").Status, http.StatusOK)
		equal(t, "a request afterwards", script.Get("/hardwares").Status, http.StatusUnauthorized)
		equal(t, "revoke again", admin.Do("DELETE", "/tokens/1.xml", "").Status, http.StatusNotFound)
		trail := messages(t, admin, "/audits.xml?record_type=user&user="+server.Administrator)
		if !slices.Contains(trail, "Token script revoked") {
			t.Errorf("the trail: got %q", trail)
		}
	})
}

// TestAccessRights: sessions and tokens of others are the administrators' alone, and
// those of them who may only read end none.
func TestAccessRights(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		s.Bearer(server.TokenCommand{Email: server.Administrator, Name: "script"})
		s.SignIn(server.Administrator)
		for _, c := range []struct {
			role           string
			reader         bool
			list, one, end int
		}{
			{"administrator", true, 200, 200, 403}, {"technician", false, 403, 404, 404},
			{"requester", false, 403, 404, 404},
		} {
			client := s.AddUser(c.role+"@example.com", c.role, c.reader)
			for _, path := range []string{"/sessions", "/tokens"} {
				equal(t, c.role+" "+path, client.Get(path).Status, c.list)
				equal(t, c.role+" "+path+"/1", client.Get(path+"/1").Status, c.one)
				equal(t, c.role+" DELETE "+path+"/1", client.Do("DELETE", path+"/1", "").Status, c.end)
			}
		}
		equal(t, "what is left", ids(t, s.Admin().Get("/sessions").Body)+" "+ids(t, s.Admin().Get("/tokens").Body),
			"1 1")
	})
}
