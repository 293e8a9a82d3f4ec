package intake_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"muster/internal/mustertest"
)

// keyReport posts a report of one computer by a program, which keeps a key if it is given one; key is what it has.
func keyReport(a *agent, key, device, client, content string) answer {
	a.t.Helper()
	a.header = nil
	if key != "" {
		a.header = []string{"Muster-Key", key}
	}
	got := a.report(deflated(inventory(device, fmt.Sprintf(`<VERSIONCLIENT>%s</VERSIONCLIENT><HARDWARE><NAME>pc</NAME></HARDWARE>
		<BIOS><SMANUFACTURER>Dell Inc.</SMANUFACTURER><SSN>ABC1234</SSN></BIOS>%s`, client, content))))
	if got.status != http.StatusOK {
		a.t.Fatalf("a report: got %d %s, want 200", got.status, got.text)
	}
	return got
}

// What agents call themselves.
const (
	musterClient = "Muster-Agent_v1.0"
	ocsClient    = "OCS-NG_unified_unix_agent_v2.10.0"
)

// TestKeyUnheard: an agent of Muster beside another that speaks for the computer gets no key, so that the other
// does not have to wait; it gets one once it is heard.
func TestKeyUnheard(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db, nil)
		a := newAgent(t, s)
		ocs := func(mark string) {
			t.Helper()
			keyReport(a, "", "ocs", ocsClient, "<HARDWARE><OSNAME>"+mark+"</OSNAME></HARDWARE>")
			if got := element(s.Admin().Get("/hardwares/1.xml").Body, "operating-system"); got != mark {
				t.Errorf("got the system %q, want %q of the agent that speaks", got, mark)
			}
		}
		own := func(key string) string {
			t.Helper()
			return keyReport(a, key, "own", musterClient,
				"<HARDWARE><OSNAME>other</OSNAME></HARDWARE><MONITORS><CAPTION>Screen</CAPTION></MONITORS>").header.Get("Muster-Key")
		}
		ocs("one")
		for range 2 {
			if key := own("wanted"); key != "" {
				t.Fatalf("got the key %s, want none beside another agent", key)
			}
		}
		ocs("two")
		s.Clock.Advance(73 * time.Hour)
		key := own("wanted")
		if key == "" {
			t.Fatal("got no key after the other one fell silent")
		}
		own(key)
		keyReport(a, "", "ocs", ocsClient, "")
		if got := s.Admin().Get("/agent_claims").Header.Get("X-Total-Count"); got != "1" {
			t.Errorf("got %s claims, want that of the other agent", got)
		}
	})
}

// TestKeys: an agent of Muster is given a key, and from its first use on others wait to be
// accepted. A key that the server does not know is as good as none.
func TestKeys(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db, nil)
		own, other := newAgent(t, s), newAgent(t, s)
		document := func(device, client, system string) []byte {
			return deflated(fmt.Sprintf(`<REQUEST><CONTENT><VERSIONCLIENT>%s</VERSIONCLIENT><HARDWARE><NAME>pc</NAME><OSNAME>%s</OSNAME></HARDWARE>
				<BIOS><SMANUFACTURER>Dell Inc.</SMANUFACTURER><SSN>ABC1234</SSN></BIOS></CONTENT><DEVICEID>%s</DEVICEID><QUERY>INVENTORY</QUERY></REQUEST>`, client, system, device))
		}
		const muster, ocs = "Muster-Agent_v1.0", "OCS-NG_unified_unix_agent_v2.10.0"
		report := func(a *agent, key string, body []byte) answer {
			t.Helper()
			a.header = nil
			if key != "" {
				a.header = []string{"Muster-Key", key}
			}
			got := a.report(body)
			if got.status != http.StatusOK {
				t.Fatalf("a report: got %d %s, want 200", got.status, got.text)
			}
			return got
		}
		waiting := func(want string) {
			t.Helper()
			if got := s.Admin().Get("/agent_claims?status=Waiting").Header.Get("X-Total-Count"); got != want {
				t.Errorf("got %s claims, want %s", got, want)
			}
		}
		if got := report(other, "wanted", document("x", ocs, "Debian 11")); got.header.Get("Muster-Key") != "" {
			t.Error("another agent was given a key")
		}
		s.Admin().Do("DELETE", "/hardwares/1", "")
		key := report(own, "wanted", document("d1", muster, "Debian 12")).header.Get("Muster-Key")
		if key == "" {
			t.Fatal("our agent was given no key")
		}
		if got := report(own, key, document("d1", muster, "Debian 12")).header.Get("Muster-Key"); got != "" {
			t.Errorf("our agent was given another key, %s", got)
		}
		report(own, key, document("d1", muster, "Debian 12")) // the same again
		waiting("0")
		report(own, "", document("d1", muster, "Debian 12"))
		waiting("1")
		report(own, key[:len(key)-1]+"A", document("d1", muster, "Debian 13"))
		waiting("1")
		report(own, key, document("d1", muster, "Debian 13"))

		own.secret = "" // a key is good without a token
		report(own, key, document("d1", muster, "Debian 14"))
		if got := own.post(document("d9", muster, "Debian 14")); got.status != http.StatusForbidden {
			t.Errorf("a key that is not the agent's: got %d, want 403", got.status)
		}
	})
}
