package intake_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"muster/internal/mustertest"
)

// TestVoicesAfterMerge: when two computers were merged, each of their agents sets what the other never
// reports, whichever reports first.
func TestVoicesAfterMerge(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		for _, first := range []string{"ocs", "own"} {
			s := start(t, db, nil)
			a := newAgent(t, s)
			report := func(device, client, mark, more string) {
				t.Helper()
				content := "<VERSIONCLIENT>" + client + "</VERSIONCLIENT><HARDWARE><NAME>pc</NAME><WORKGROUP>" + mark +
					"</WORKGROUP></HARDWARE>" + more
				a.post(deflated(inventory(device, content))).expect(t, device, http.StatusOK, taken)
			}
			ocs := func(screen string) {
				report("ocs", ocsClient, "by ocs", "<MONITORS><CAPTION>"+screen+"</CAPTION></MONITORS>")
			}
			own := func(mark string) { report("own", musterClient, mark, "<SOFTWARES><NAME>Editor</NAME></SOFTWARES>") }
			ocs("Screen 1")
			own("one")
			if got := s.Admin().Do("POST", "/hardwares/1/merge",
				"<hardware><id>2</id></hardware>"); got.Status != http.StatusOK {
				t.Fatalf("merge: got %d %s", got.Status, got.Body)
			}
			if first == "own" {
				own("one")
			}
			ocs("Screen 2")
			own("two")
			ocs("Screen 3")
			body := s.Admin().Get("/hardwares/1.xml").Body
			if got := element(body, "domain"); got != "two" || !strings.Contains(body, "Screen 3") ||
				strings.Contains(body, "Screen 2") {
				t.Errorf("%s first: got %s, want the domain of one and the screen of the other", first, body)
			}
		}
	})
}

// TestLedAway: whatever somebody with another token reports as theirs, the reports of a computer stay with
// it, also when it was reinstalled.
func TestLedAway(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db, nil)
		own, other := newAgent(t, s), newAgent(t, s)
		shown := func(what string, id int, mark string) {
			t.Helper()
			if got := element(s.Admin().Get(fmt.Sprintf("/hardwares/%d.xml", id)).Body, "domain"); got != mark {
				t.Errorf("%s: got the mark %q, want %q", what, got, mark)
			}
		}
		report := func(a *agent, b box, mark, more string) {
			t.Helper()
			document := strings.Replace(b.document(0, mark), "</CONTENT>", more+"</CONTENT>", 1)
			a.post(deflated(document)).expect(t, mark, http.StatusOK, taken)
		}
		victim := guest
		double := guest.but(func(b *box) { b.name, b.mac = "double", otherMAC })
		report(own, victim, "own", "")
		report(other, double, "double", "")
		report(other, double, "with its adapter",
			"<NETWORKS><DESCRIPTION>Intel(R) Ethernet Connection</DESCRIPTION><MACADDR>A4:C3:F0:22:00:00</MACADDR><STATUS>Up</STATUS></NETWORKS>")
		shown("its double", 2, "with its adapter")
		for i := range 3 {
			mark := fmt.Sprint("own", i)
			report(own, victim, mark, "")
			shown("its own", 1, mark)
		}
		report(own, victim.but(func(b *box) { b.device = "vm-again" }), "set up anew", "")
		shown("set up anew", 1, "set up anew")

		report(own, whole, "serial", "")
		thief := box{device: "thief", name: "thief"}
		report(other, thief, "none", "")
		report(other, thief.but(func(b *box) { b.maker, b.serial = whole.maker, whole.serial }), "its serial number",
			"")
		report(own, whole.but(func(b *box) { b.device, b.uuid = "pc-again", "" }), "serial set up anew", "")
		shown("set up anew, known by its serial number", 3, "serial set up anew")
		if got := computers(t, s); got != "4" {
			t.Errorf("got %s computers, want two of each token", got)
		}
	})
}
