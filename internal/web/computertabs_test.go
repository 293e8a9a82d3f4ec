package web_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"muster/internal/mustertest"
	"muster/internal/server"
)

// TestLongTabs leads through the pages of a tab.
func TestLongTabs(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	add(t, s, "/hardwares", "<hardware><name>lej-1</name></hardware>")
	for i := range 30 {
		if got := s.Admin().Do("PUT", "/hardwares/1.xml", fmt.Sprintf("<hardware><notes>change %d</notes></hardware>",
			i)); got.Status != http.StatusOK {
			t.Fatalf("got %d: %s", got.Status, got.Body)
		}
		add(t, s, "/tickets", fmt.Sprintf("<ticket><name>ticket %d</name><hardwares><hardware><id>1</id></hardware></hardwares></ticket>", i))
	}
	v := s.SignIn(server.Administrator)
	for _, test := range []struct {
		tab, list, row string
		want           [2]int
	}{{"history", `class="timeline"`, "<time datetime", [2]int{25, 25}}, {
		"tickets", "<tbody>", `href="/app/tickets/`, [2]int{25, 5},
	}} {
		for n, want := range test.want {
			got := v.Get(fmt.Sprintf("/app/computers/1?tab=%s&per_page=25&page=%d", test.tab, n+1))
			wants(t, test.tab, got, http.StatusOK, test.list, "table-foot")
			rows := strings.Count(between(t, got.Body, test.list, "table-foot"), test.row)
			if rows != want {
				t.Errorf("page %d of %s: got %d rows, want %d", n+1, test.tab, rows, want)
			}
		}
	}
}

// TestTicketsOfComputer shows the tickets of a computer beside it by number and
// subject, and in their tab without the column that would be the same in each row.
func TestTicketsOfComputer(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	add(t, s, "/hardwares", "<hardware><name>lej-1</name></hardware>")
	add(t, s, "/tickets", "<ticket><name>The fan hums</name><hardwares><hardware><id>1</id></hardware></hardwares></ticket>")
	v := s.SignIn(server.Administrator)
	contains(t, "beside", v.Get("/app/computers/1"),
		`href="/app/tickets/1">#1 The fan hums</a></span><span class="dot info ring">New</span>`)
	tab := v.Get("/app/computers/1?tab=tickets")
	contains(t, "tab", tab, ">Subject</th>", `href="/app/tickets/1">The fan hums</a>`)
	lacks(t, "tab", tab, ">Computer</th>")
}
