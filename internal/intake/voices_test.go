package intake_test

import (
	"net/http"
	"strings"
	"testing"

	"muster/internal/mustertest"
)

// TestVoicesAfterMerge: when two computers were merged, each of their agents is heard on what the other never tells, whichever
// reports first.
func TestVoicesAfterMerge(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		for _, first := range []string{"ocs", "own"} {
			s := start(t, db, nil)
			a := newAgent(t, s)
			report := func(device, client, mark, more string) {
				t.Helper()
				content := "<VERSIONCLIENT>" + client + "</VERSIONCLIENT><HARDWARE><NAME>pc</NAME><WORKGROUP>" + mark + "</WORKGROUP></HARDWARE>" + more
				a.post(deflated(inventory(device, content))).expect(t, device, http.StatusOK, taken)
			}
			ocs := func(screen string) {
				report("ocs", ocsClient, "by ocs", "<MONITORS><CAPTION>"+screen+"</CAPTION></MONITORS>")
			}
			own := func(mark string) { report("own", musterClient, mark, "<SOFTWARES><NAME>Editor</NAME></SOFTWARES>") }
			ocs("Screen 1")
			own("one")
			if got := s.Admin().Do("POST", "/hardwares/1/merge", "<hardware><id>2</id></hardware>"); got.Status != http.StatusOK {
				t.Fatalf("merge: got %d %s", got.Status, got.Body)
			}
			if first == "own" {
				own("one")
			}
			ocs("Screen 2")
			own("two")
			ocs("Screen 3")
			body := s.Admin().Get("/hardwares/1.xml").Body
			if got := element(body, "domain"); got != "two" || !strings.Contains(body, "Screen 3") || strings.Contains(body, "Screen 2") {
				t.Errorf("%s first: got %s, want the domain of one and the screen of the other", first, body)
			}
		}
	})
}
