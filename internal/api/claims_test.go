package api_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"muster/internal/desk/agents"
	"muster/internal/mustertest"
	"muster/internal/server"
)

// agentToken makes an agent token and returns its secret.
func agentToken(t *testing.T, s *mustertest.Server, name string) string {
	t.Helper()
	res, err := s.AgentToken(context.Background(),
		server.AgentTokenCommand{Do: "add", New: agents.NewToken{Name: name}})
	if err != nil {
		t.Fatal(err)
	}
	return res.Secret
}

// postReport reports a computer as an agent does.
func postReport(t *testing.T, s *mustertest.Server, secret, device, serial, system string) {
	t.Helper()
	const document = `<REQUEST><CONTENT><HARDWARE><NAME>PC %[2]s</NAME><OSNAME>%[3]s</OSNAME></HARDWARE>
		<BIOS><SMANUFACTURER>Dell Inc.</SMANUFACTURER><SSN>%[2]s</SSN></BIOS></CONTENT><DEVICEID>%[1]s</DEVICEID><QUERY>INVENTORY</QUERY></REQUEST>`
	req, err := http.NewRequest(http.MethodPost, s.Base+"/ocsinventory",
		strings.NewReader(fmt.Sprintf(document, device, serial, system)))
	if err != nil {
		t.Fatal(err)
	}
	req.SetBasicAuth("agent", secret)
	resp, err := (&http.Client{Transport: s.Transport()}).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		t.Fatalf("the report of %s: got %s, want 200", device, resp.Status)
	}
}

// claim lets one agent report a new computer and another one claim it, with tokens and a
// serial number that end with a name, and returns the id of the claim.
func claim(t *testing.T, s *mustertest.Server, name string) string {
	t.Helper()
	postReport(t, s, agentToken(t, s, "first "+name), "a-"+name, "SER1000"+name, "Debian 12")
	postReport(t, s, agentToken(t, s, "second "+name), "b-"+name, "SER1000"+name, "Debian 13")
	return ids(t, s.Admin().Get("/agent_claims?agent_token=second+"+name).Body)
}

// TestClaims accepts one claim and refuses another.
func TestClaims(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		admin := s.Admin()
		one, other := claim(t, s, "x"), claim(t, s, "y")
		doc := admin.Get("/agent_claims/" + one + ".xml")
		for name, want := range map[string]string{
			"status": "Waiting", "hardware-id": "1", "remote-address": "127.0.0.1",
			"reason": "the computer reports with another agent token", "reports": "1",
		} {
			equal(t, name, value(t, doc.Body, name), want)
		}
		if !strings.Contains(doc.Body, "<from>Debian 12</from>") || !strings.Contains(doc.Body, "<to>Debian 13</to>") {
			t.Errorf("the claim: got %s, want the change of the system in it", doc.Body)
		}
		waiting := func(when string, want ...string) {
			t.Helper()
			equal(t, "computers whose reports wait "+when,
				ids(t, admin.Get("/hardwares.xml?claimed_at_from=2000-01-01").Body), strings.Join(want, " "))
		}
		waiting("at first", "1", "2")
		path := "/agent_claims/" + one
		stale := admin.Do("POST", path+"/accept.xml", "", "If-Match", `"1-99"`)
		equal(t, "accept in another version", stale.Status, http.StatusPreconditionFailed)
		accepted := admin.Do("POST", path+"/accept.xml", "", "If-Match", doc.Header.Get("ETag"))
		equal(t, "accept", accepted.Status, http.StatusOK)
		equal(t, "the status of the accepted claim", value(t, accepted.Body, "status"), "Accepted")
		equal(t, "the system", value(t, admin.Get("/hardwares/1.xml").Body, "operating-system"), "Debian 13")
		equal(t, "accept again", admin.Do("POST", path+"/accept.xml", "").Status, http.StatusNotFound)

		waiting("after one was accepted", "2")
		refused := admin.Do("POST", "/agent_claims/"+other+"/refuse.xml", "")
		equal(t, "the status of the refused claim", value(t, refused.Body, "status"), "Refused")
		waiting("after the other was refused")
		equal(t, "the system of the other", value(t, admin.Get("/hardwares/2.xml").Body, "operating-system"),
			"Debian 12")
		trail := admin.Get("/audits.xml?per_page=100").Body
		for _, want := range []string{
			"with the agent token second x accepted</message>", "with the agent token second y refused</message>",
			"<agent-token>second x</agent-token>",
		} {
			if !strings.Contains(trail, want) {
				t.Errorf("the audit trail: got %s, want %q in it", trail, want)
			}
		}
	})
}

// TestOldClaims: a claim that nobody has answered for 30 days is gone, wherever it was.
func TestOldClaims(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		id := claim(t, s, "x")
		counted := func(when, want string) {
			t.Helper()
			equal(t, "claims "+when, s.Admin().Get("/agent_claims.xml").Header.Get("X-Total-Count"), want)
			page := s.SignIn(server.Administrator).Get("/app/agents").Body
			equal(t, "computers that wait "+when,
				s.Admin().Get("/hardwares.xml?claimed_at_from=2000-01-01").Header.Get("X-Total-Count"), want)
			equal(t, "the badge "+when, strings.Contains(page, "waiting for an answer:"), want != "0")
			equal(t, "the page "+when, strings.Contains(page, "claimed by another agent"), want != "0")
		}
		equal(t, "the claim", s.Admin().Get("/agent_claims/"+id+".xml").Status, http.StatusOK)
		counted("at first", "1")
		s.Clock.Advance(30*24*time.Hour + time.Minute)
		equal(t, "the old claim", s.Admin().Get("/agent_claims/"+id+".xml").Status, http.StatusNotFound)
		for _, answer := range []string{"accept", "refuse"} {
			equal(t, answer+" the old claim", s.Admin().Do("POST", "/agent_claims/"+id+"/"+answer, "").Status,
				http.StatusNotFound)
		}
		counted("later", "0")
	})
}
