//go:build full

package intake_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"muster/internal/mustertest"
	"muster/internal/server"
)

// TestPerhapsTwo: what an administrator says that many computers share is removed from what is known of
// computers, also from those that it has joined. These stay one, and are listed, until somebody says that
// they are.
func TestPerhapsTwo(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db, nil)
		a := newAgent(t, s)
		one := whole.but(func(b *box) { b.serial, b.uuid = "LAB-7", "" })
		two := one.but(func(b *box) { b.device, b.name, b.mac = "new#", "two#", otherMAC })
		sure := whole.but(func(b *box) { b.device, b.serial, b.uuid = "sure#", "LAB-7", otherUUID })
		joined := whose{"joined", []box{one, two}, []int{1, 1}, nil, 0}
		id := joined.post(t, a, s, 1)[0]
		set(s, "not-serials", "LAB-7")
		mustertest.Eventually(t, "a computer that is perhaps two",
			func() bool { return strings.Contains(sayings(s, id), "Perhaps two computers") })
		const want = "Perhaps two computers: its agents pc01, new01 had nothing in common but the serial number lab7, which many computers have"
		if got := sayings(s, id); !strings.Contains(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
		again := whose{"joined still", []box{two, two, sure}, []int{1, 1, 2}, nil, 0}
		again.post(t, a, s, 1)

		admin := s.SignIn(server.Administrator)
		page := admin.Get("/app/agents/duplicates")
		if page.Status != http.StatusOK || !strings.Contains(page.Body, "Perhaps two") ||
			!strings.Contains(page.Body, want) {
			t.Errorf("got %d, want the page to list the computer", page.Status)
		}
		admin.Post(fmt.Sprintf("/app/agents/joined/%d", id), nil)
		if page := admin.Get("/app/agents/duplicates"); strings.Contains(page.Body, "Perhaps two") {
			t.Error("got the computer listed though it was said to be one")
		}
	})
}

// sayings returns what the audit trail says of a computer.
func sayings(s *mustertest.Server, id int64) string {
	var all []string
	for _, a := range s.Audits() {
		if a.RecordType == "hardware" && a.RecordID.V == id {
			all = append(all, a.Message)
		}
	}
	return strings.Join(all, "\n")
}
