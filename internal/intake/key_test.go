package intake_test

import (
	"fmt"
	"net/http"
	"testing"

	"muster/internal/mustertest"
)

// TestKeys: an agent of ours is given a key, and from its first use on others wait to be
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
