package web_test

import (
	"net/http"
	"strings"
	"testing"

	"muster/internal/mustertest"
	"muster/internal/server"
)

// TestTimeRange filters by days and times of the person's zone: addresses have them as
// the API understands them, pages as the person does.
func TestTimeRange(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	add(t, s, "/tickets", "<ticket><name>Help</name><due-at>2026-01-30T13:00:00Z</due-at></ticket>")
	v := s.SignIn(server.Administrator)
	const first, last = `type="date" name="due_at_from.local" value=`, `type="date" name="due_at_to.local" value=`
	for _, c := range []struct{ zone, form, address, texts string }{
		{"Australia/Sydney", "tickets?state=New&due_at_from.local=2026-01-31&due_at_to.local=2026-01-31&sort_by=name",
			"tickets?state=New&due_at_from=2026-01-30T13%3A00%3A00Z&due_at_to=2026-01-31T12%3A59%3A59Z&sort_by=name",
			`Due <b>31 Jan 2026</b>|>Help</a>|` + first + `"2026-01-31"|` + last + `"2026-01-31"`},
		{"Australia/Sydney", "tickets?due_at_from.local=&due_at_to.local=2026-01-30",
			"tickets?due_at_to=2026-01-30T12%3A59%3A59Z", "Due <b>to 30 Jan 2026</b>|Nothing matches|" + first + `""`},
		{"Australia/Sydney", "tickets?due_at_from.local=2026-01-31T00:00:01&due_at_to.local=",
			"tickets?due_at_from=2026-01-30T13%3A00%3A01Z",
			`Due <b>from 31 Jan 2026, 00:00</b>|Nothing matches|type="datetime-local" step="1" name="due_at_from.local" value="2026-01-31T00:00:01"`},
		{"Australia/Sydney", "", "tickets?due_at=2026-01-30",
			"Due <b>30 Jan 2026, 11:00 to 31 Jan 2026, 10:59</b>|>Help</a>"},
		{"Australia/Sydney", "", "tickets?due_at_from=2026-01-30", "Due <b>from 30 Jan 2026, 11:00</b>|>Help</a>"},
		{"", "tickets?due_at_from.local=2026-01-30&due_at_to.local=2026-01-31",
			"tickets?due_at_from=2026-01-30&due_at_to=2026-01-31", "Due <b>30 Jan 2026 to 31 Jan 2026</b>|>Help</a>"},
		{"Etc/UTC", "tickets?due_at_from.local=2026-01-30", "tickets?due_at_from=2026-01-30",
			"Due <b>from 30 Jan 2026</b>|>Help</a>"},
		{"Europe/London", "tickets?due_at_from.local=2026-03-29&due_at_to.local=2026-03-29",
			"tickets?due_at_from=2026-03-29&due_at_to=2026-03-29T22%3A59%3A59Z",
			"Due <b>29 Mar 2026</b>|Nothing matches"},
		{"America/Santiago", "tickets?due_at_from.local=2026-09-06&due_at_to.local=2026-09-06",
			"tickets?due_at_from=2026-09-06T04%3A00%3A00Z&due_at_to=2026-09-07T02%3A59%3A59Z", "Due <b>6 Sep 2026</b>"},
		{"America/Santiago", "tickets?due_at_to.local=2026-09-05", "tickets?due_at_to=2026-09-06T03%3A59%3A59Z",
			"Due <b>to 5 Sep 2026</b>"},
		{"America/Havana", "tickets?due_at_from.local=2026-11-01&due_at_to.local=2026-11-01",
			"tickets?due_at_from=2026-11-01T04%3A00%3A00Z&due_at_to=2026-11-02T04%3A59%3A59Z", "Due <b>1 Nov 2026</b>"},
		{"Africa/Cairo", "tickets?due_at_to.local=2026-04-24", "tickets?due_at_to=2026-04-24T20%3A59%3A59Z",
			"Due <b>to 24 Apr 2026</b>"},
		{"America/New_York", "tickets?due_at_to.local=9999-12-31", "tickets?due_at_to=9999-12-31", ">Help</a>"},
		{"", "", "tickets?due_at=2026-01-30", "Due <b>30 Jan 2026</b>|>Help</a>"},
		{"", "tickets?due_at_to.local=now&due_at_from.local=", "tickets?due_at_to=now",
			`Due <b>to now</b>|>Help</a>|type="text" name="due_at_to.local" value="now"`},
		{"Australia/Sydney", "tickets?updated_since.local=2026-01-31",
			"tickets?updated_since=2026-01-30T13%3A00%3A00Z", `<b>31 Jan 2026</b>|>Help</a>`},
		{"Australia/Sydney", "", "contracts?end_date_to=2026-01-31",
			`End date <b>to 31 Jan 2026</b>|type="date" name="end_date_to" value="2026-01-31"`},
	} {
		v.SetCookie("zone", c.zone)
		if c.form != "" {
			if got := v.Get("/app/" + c.form); got.Status != http.StatusSeeOther ||
				got.Header.Get("Location") != "/app/"+c.address {
				t.Errorf("%s: got %d to %s, want 303 to %s", c.form, got.Status, got.Header.Get("Location"), c.address)
			}
		}
		contains(t, c.address, v.Get("/app/"+c.address), strings.Split(c.texts, "|")...)
	}
	got := v.Get("/app/tickets?due_at_from.local=someday")
	if got = v.Get(got.Header.Get("Location")); got.Status != http.StatusBadRequest ||
		!strings.Contains(got.Body, "due_at_from must be a timestamp") {
		t.Errorf("no time: got %d %s, want 400 that tells so", got.Status, got.Body)
	}
}
