//go:build full

package web_test

import (
	"fmt"
	"net/http"
	"net/url"
	"testing"

	"muster/internal/mustertest"
	"muster/internal/server"
)

// TestMine counts in the filter of a person's own tickets what the list has.
func TestMine(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		d := openDesk(t, db)
		for _, one := range [][2]string{{"Second", "tech@example.com"}, {"Third", "tech@example.com"}, {
			"Fourth", server.Administrator,
		}} {
			d.admin.Post("/app/tickets/new",
				url.Values{"name": {one[0]}, "requester": {"ask@example.com"}, "assignee": {one[1]}})
		}
		const chosen = `value="me" data-n="2" checked><span>Me</span><span class="n">2</span>`
		expect(t, "mine", d.tech.Get("/app/tickets?assignee=me"), http.StatusOK, "2 of 4", "Assignee <b>Me</b>",
			chosen, ">Show 2</button>", `!value="tech@example.com"`)
		expect(t, "mine and another's", d.tech.Get("/app/tickets?assignee=me&assignee=admin@localhost"), http.StatusOK,
			"3 of 4", chosen, ">Show 3</button>")
		expect(t, "mine twice", d.tech.Get("/app/tickets?assignee=me&assignee=Tech@example.com"), http.StatusOK,
			"2 of 4", chosen, ">Show 2</button>", `!data-n="0"`)
		expect(t, "by the address", d.tech.Get("/app/tickets?assignee=tech@example.com"), http.StatusOK,
			`value="tech@example.com" data-n="2" checked`, "!<span>Me</span>")
		expect(t, "nothing is mine", d.tech.Get("/app/tickets?requester=me"), http.StatusOK,
			`value="me" data-n="0" checked><span>Me</span>`, ">Show 0</button>")
	})
}

// TestRareChoice counts a chosen value that is not among the many that a filter
// offers.
func TestRareChoice(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	v := s.SignIn(server.Administrator)
	for i := range 100 {
		for range 2 {
			add(t, s, "/hardwares", fmt.Sprintf("<hardware><name>pc</name><site>Site %d</site></hardware>", i))
		}
	}
	add(t, s, "/hardwares", "<hardware><name>alone</name><site>Zwickau</site></hardware>")
	contains(t, "the rare one", v.Get("/app/computers?site=zwickau"), "1 of 201", `value="Zwickau" data-n="1" checked`,
		">Show 1</button>")
}
