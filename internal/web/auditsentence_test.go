package web_test

import (
	"net/http"
	"net/url"
	"testing"

	"muster/internal/mustertest"
	"muster/internal/server"
)

// TestAuditSentences translates audit messages that are not about fields of a record: those of
// settings, tokens, access and merged computers.
func TestAuditSentences(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	v := s.SignIn(server.Administrator)
	expect(t, "a setting", v.Post("/app/settings", url.Values{"name": {"statuses"}, "value": {"Lent"}}),
		http.StatusSeeOther)
	expect(t, "a token", v.Post("/app/tokens",
		url.Values{"user": {server.Administrator}, "name": {"export"}, "days": {"0"}}), http.StatusOK)
	expect(t, "no token", v.Post("/app/tokens/1/revoke", url.Values{}), http.StatusSeeOther)
	expect(t, "a token with our words",
		v.Post("/app/tokens", url.Values{"user": {server.Administrator}, "name": {"x added, until 2099"}, "days": {
			"0",
		}}), http.StatusOK)
	expect(t, "no such token", v.Post("/app/tokens/2/revoke", url.Values{}), http.StatusSeeOther)
	expect(t, "an agent token", v.Post("/app/agents/tokens", url.Values{"name": {"north"}, "site": {"Leipzig"}}),
		http.StatusOK)
	add(t, s, "/hardwares", `<hardware><name>lej-1</name></hardware>`)
	add(t, s, "/hardwares", `<hardware><name>lej-2</name><asset-id>A7</asset-id></hardware>`)
	if got := s.Admin().Do("POST", "/hardwares/1/merge",
		`<hardware><id>2</id></hardware>`); got.Status != http.StatusOK {
		t.Fatalf("merge: got %d: %s", got.Status, got.Body)
	}
	add(t, s, "/hardwares", `<hardware><name>lej (id 5) merged</name></hardware>`)
	if got := s.Admin().Do("POST", "/hardwares/1/merge",
		`<hardware><id>3</id></hardware>`); got.Status != http.StatusOK {
		t.Fatalf("merge one with our words: got %d: %s", got.Status, got.Body)
	}
	v.Language = "de"
	expect(t, "activity", v.Get("/app/activity"), http.StatusOK,
		"Einstellung Weitere Status auf Lent gesetzt", "!Setting ", "Token export hinzugefügt",
		"Token export widerrufen", "!export revoked", "Token x added, until 2099 widerrufen",
		"Agententoken north hinzugefügt, Standort Leipzig",
		"Computer lej-2 (Nr. 2, Inventarnummer A7) in diesen überführt", "!lej-2 merged",
		"Computer lej (id 5) merged (Nr. 3, Inventarnummer ")
	expect(t, "dashboard", v.Get("/app/"), http.StatusOK, "Computer lej-2 in Computer 1 (lej-1) überführt",
		"!lej-2 merged",
		"Computer lej (id 5) merged in Computer 1 (lej-1) überführt")
}
