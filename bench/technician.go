package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"time"

	"muster/internal/demo"
	"muster/internal/inventory"
	"muster/internal/server"
)

// A technician is somebody who has signed in, with a browser of their own.
type technician struct {
	client    *http.Client
	origin    string        // of all addresses
	computers int           // that there are, and as many tickets
	pause     time.Duration // between clicks, on average
}

// staff adds the technicians and lets them sign in.
func (a *arena) staff(ctx context.Context, w *work) (all []*technician, err error) {
	for i := range w.Technicians {
		email := fmt.Sprintf("technician-%02d@localhost", i+1)
		add := server.UserCommand{Do: "add", Email: email, Role: inventory.Technician, Password: password}
		if _, err := a.db.place().Do(ctx, add); err != nil {
			return nil, fmt.Errorf("add a technician: %w", err)
		}
		t, err := a.signIn(ctx, email)
		if err != nil {
			return nil, err
		}
		t.pause = w.pause
		all = append(all, t)
	}
	return all, nil
}

// signIn opens a browser in which a user has signed in.
func (a *arena) signIn(ctx context.Context, email string) (*technician, error) {
	jar, err := cookiejar.New(nil)
	if err != nil {
		return nil, err
	}
	t := &technician{
		client: &http.Client{Transport: a.transport(), Jar: jar}, origin: a.origin(), computers: a.settings.size,
	}
	if _, err := t.post(ctx, "/app/signin", url.Values{"email": {email}, "password": {password}}); err != nil {
		return nil, fmt.Errorf("sign in: %w", err)
	}
	return t, nil
}

// habits are what technicians do at a click, each so often among a hundred. The dice say with which record, and are
// thrown when it is planned.
var habits = []struct {
	share int
	plan  func(t *technician, dice *rand.Rand) []step
}{
	{5, (*technician).openDashboard},
	{15, (*technician).listComputers},
	{22, (*technician).listTickets},
	{24, (*technician).openTicket},
	{12, (*technician).openComputer},
	{10, (*technician).search},
	{7, (*technician).saveTicket},
	{5, (*technician).comment},
}

// plan returns what a technician does in a while: a click every few seconds, and a queue of tickets that stays open.
func (t *technician) plan(dice *rand.Rand, length time.Duration) []step {
	at := time.Duration(dice.Int64N(int64(t.pause)))
	plan := []step{{at: at, name: "queue stays open", lasting: true, do: func(ctx context.Context) error {
		return t.follow(ctx, length-at)
	}}}
	for ; at < length; at += t.pause/3 + time.Duration(dice.Int64N(int64(4*t.pause/3))) {
		for _, one := range habit(dice.IntN(100))(t, dice) {
			one.at += at
			plan = append(plan, one)
		}
	}
	return plan
}

// habit returns the habit of a number below 100.
func habit(n int) func(*technician, *rand.Rand) []step {
	for _, h := range habits {
		if n -= h.share; n < 0 {
			return h.plan
		}
	}
	panic("unreachable: the shares of habits sum up to 100")
}

// opens returns the step of opening a page.
func (t *technician) opens(name, target string) []step {
	return []step{{name: name, do: func(ctx context.Context) error {
		_, err := t.get(ctx, "/app"+target)
		return err
	}}}
}

func (t *technician) openDashboard(*rand.Rand) []step { return t.opens("dashboard", "/") }

func (t *technician) listComputers(dice *rand.Rand) []step {
	return t.opens("list of computers", oneOf(dice, []string{
		"/computers", "/computers?status=Operational&site=Hamburg", "/computers?not_reporting=10",
		"/computers?sort_by=detected_at&sort_order=DESC",
		fmt.Sprintf("/computers?page=%d", 1+dice.IntN(max(1, t.computers/50))),
	}))
}

func (t *technician) listTickets(dice *rand.Rand) []step {
	return t.opens("list of tickets", oneOf(dice, []string{
		"/tickets?" + openTickets, "/tickets?priority=High&site=Hamburg",
		"/tickets?assignee=" + url.QueryEscape(demo.Users()[0].Email) + "&" + openTickets,
	}))
}

func (t *technician) openTicket(dice *rand.Rand) []step { return t.opens("ticket", t.ticket(dice)) }

func (t *technician) openComputer(dice *rand.Rand) []step {
	return t.opens("computer", fmt.Sprintf("/computers/%d", 1+dice.IntN(t.computers)))
}

// ticket returns the path of a ticket.
func (t *technician) ticket(dice *rand.Rand) string {
	return fmt.Sprintf("/tickets/%d", 1+dice.IntN(t.computers))
}

// keyStroke is the time between two, of which each from the second on is a search.
const keyStroke = 200 * time.Millisecond

// search types the beginning of a word, and then asks for all results.
func (t *technician) search(dice *rand.Rand) (plan []step) {
	word := oneOf(dice, []string{
		"laptop", "microsoft", "hamburg", "virtualisation", "printer", "ana",
		fmt.Sprintf("MUS-%06d", 1+dice.IntN(t.computers)),
	})
	at := time.Duration(0)
	for n := 2; n <= min(6, len(word)); n++ {
		at += keyStroke
		stroke := t.opens("search, a key stroke", "/search/instant?q="+word[:n])[0]
		stroke.at = at
		plan = append(plan, stroke)
	}
	results := t.opens("search, its results", "/search?q="+word)[0]
	results.at = at + 2*keyStroke
	return append(plan, results)
}

// saveTicket changes a field of a ticket, and sees its page again.
func (t *technician) saveTicket(dice *rand.Rand) []step {
	path, form := t.ticket(dice)+"/set", url.Values{"tag": {fmt.Sprintf("work %d", dice.IntN(1_000_000))}}
	return []step{{name: "save a ticket", do: func(ctx context.Context) error {
		_, err := t.post(ctx, "/app"+path, form)
		return err
	}}}
}

// comment writes a note into a ticket, and sees its page again.
func (t *technician) comment(dice *rand.Rand) []step {
	path, key := t.ticket(dice)+"/reply", fmt.Sprintf("work-%d", dice.Int64())
	form := url.Values{"kind": {"note"}, "key": {key}, "body": {"Called back: it works again since the last update."}}
	return []step{{name: "comment on a ticket", do: func(ctx context.Context) error {
		_, err := t.post(ctx, "/app"+path, form)
		return err
	}}}
}

// oneOf returns one of several texts.
func oneOf(dice *rand.Rand, all []string) string { return all[dice.IntN(len(all))] }

// follow keeps a queue open, and reads the events that notify it of changes.
func (t *technician) follow(ctx context.Context, length time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, length)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet,
		t.origin+"/app/tickets/events?list="+url.QueryEscape(openTickets), nil)
	if err != nil {
		return err
	}
	_, err = answer(t.client, r)
	if ctx.Err() != nil {
		return nil // the technician has closed it
	}
	return errors.Join(err, errors.New("the events of a queue have ended"))
}
