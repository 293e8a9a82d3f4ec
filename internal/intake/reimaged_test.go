//go:build full

package intake_test

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"muster/internal/desk/agents"
	"muster/internal/mustertest"
	"muster/internal/server"
)

// manyImages is how many computers are reinstalled.
const manyImages = 300

// reportAll lets all computers of a fleet report, eight at a time; those of an image after the first have
// another device id.
func reportAll(t *testing.T, a *agent, image, fleet int) {
	t.Helper()
	var all sync.WaitGroup
	for n := range 8 {
		all.Go(func() {
			for i := n; i < fleet; i += 8 {
				one := strings.Replace(small(i), "-2026-01-", fmt.Sprintf("-2026-%02d-", image), 1)
				one = strings.Replace(one, "</HARDWARE>", fmt.Sprintf("<OSNAME>Image %d</OSNAME></HARDWARE>", image), 1)
				if got := a.report(deflated(one)); got.status != http.StatusOK || got.text != taken {
					t.Errorf("computer %d of image %d: got %d %s", i, image, got.status, got.text)
				}
			}
		})
	}
	all.Wait()
}

// fleetIs checks how many computers there are, with which system, and how many of them wait or do not report.
func fleetIs(t *testing.T, s *mustertest.Server, image, fleet, waiting, silent int) {
	t.Helper()
	for target, want := range map[string]int{
		"/hardwares.xml": fleet, fmt.Sprintf("/hardwares.xml?operating_system=Image+%d", image): fleet,
		"/hardwares.xml?not_reporting=10": silent, "/hardwares.xml?not_reporting=10&claimed_at=": silent - waiting,
		"/hardwares.xml?claimed_at_from=2000-01-01": waiting, "/agent_claims.xml?status=Waiting": waiting,
	} {
		join := "?"
		if strings.Contains(target, "?") {
			join = "&"
		}
		if got := s.Admin().Get(target + join + "per_page=1").Header.Get("X-Total-Count"); got != fmt.Sprint(want) {
			t.Errorf("%s: got %s, want %d", target, got, want)
		}
	}
}

// TestManyImages: computers that were reinstalled with another token are as many claims, which one click
// accepts. None is there twice, and none is missing afterwards.
func TestManyImages(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db, nil)
		old, images := newAgent(t, s), newAgent(t, s)
		reportAll(t, old, 1, manyImages)
		s.Clock.Advance(11 * 24 * time.Hour)
		reportAll(t, images, 2, manyImages)
		reportAll(t, images, 2, 20) // once more
		fleetIs(t, s, 1, manyImages, manyImages, manyImages)
		v := s.SignIn(server.Administrator)
		if got := v.Get("/app/agents").Body; !strings.Contains(got,
			fmt.Sprintf("%d computers are claimed by other agents", manyImages)) {
			t.Errorf("got %s, want the claims", got)
		}
		for path, text := range map[string]string{
			"/app/agents": "%d computers wait to be accepted", "/app/": "%d wait to be accepted",
		} {
			if got := v.Get(path).Body; !strings.Contains(got, fmt.Sprintf(text, manyImages)) {
				t.Errorf("%s: got no word of those that wait", path)
			}
		}
		if got := v.Get("/app/computers?not_reporting=10&claimed_at=").Body; !strings.Contains(got,
			fmt.Sprintf("0 of %d<", manyImages)) {
			t.Errorf("the view of computers that do not report: got %s, want none", got)
		}
		form := url.Values{"token": {"2"}, "do": {"accept"}}
		for left := manyImages; left > 0; { // a slow machine needs several clicks
			if got := v.Post("/app/agents/claims", form); got.Status != http.StatusSeeOther {
				t.Fatalf("accept all: got %d %s", got.Status, got.Body)
			}
			before := left
			if _, err := fmt.Sscan(s.Admin().Get("/agent_claims.xml?per_page=1").Header.Get("X-Total-Count"),
				&left); err != nil || left >= before {
				t.Fatalf("got %d claims of %d left, %v", left, before, err)
			}
		}
		fleetIs(t, s, 2, manyImages, 0, 0)
		reportAll(t, images, 2, 20)
		fleetIs(t, s, 2, manyImages, 0, 0)
	})
}

// TestTokenOfFleet: a fleet that gets another token makes no claims when the old one was revoked, or is said
// to be replaced.
func TestTokenOfFleet(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db, nil)
		const fleet = 40
		first, second, third := newAgent(t, s), newAgent(t, s), newAgent(t, s)
		command := func(cmd server.AgentTokenCommand) {
			t.Helper()
			if _, err := s.AgentToken(context.Background(), cmd); err != nil {
				t.Fatal(err)
			}
		}
		reportAll(t, first, 1, fleet)
		command(server.AgentTokenCommand{Do: "revoke", Which: []string{"1"}})
		reportAll(t, second, 1, fleet)
		fleetIs(t, s, 1, fleet, 0, 0)
		command(server.AgentTokenCommand{
			Do: "change", Which: []string{"3"}, Marks: agents.TokenMarks{Replaces: []string{"2"}},
		})
		reportAll(t, third, 2, fleet)
		fleetIs(t, s, 2, fleet, 0, 0)
	})
}
