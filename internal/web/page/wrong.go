package page

import (
	"errors"
	"math"
	"net/http"
	"strconv"
	"strings"

	"muster/internal/desk"
	"muster/internal/front"
	"muster/internal/inventory"
	"muster/internal/message"
	"muster/internal/store"
)

// A wrongPage is what the page of an error shows: what failed, what to do, and
// the number to quote.
type wrongPage struct {
	Status   int
	Title    string
	Faults   []string
	Help     []string
	Request  string // its number in the log
	SignedIn bool   // or may be: who reads the page of a busy server is not asked
	Staff    bool
	List     *NavLink // of the section that the address is in, nil for none
	Again    string   // the address to try again, "" for none
	Merged   string   // the address of the computer that the one sought was merged into, "" for none
}

// WriteError writes the page of an error.
func (w *App) WriteError(out http.ResponseWriter, r *http.Request, e *front.Error) {
	if rest, ok := strings.CutPrefix(w.Front.Inner(r.URL.Path), Root+"/"); ok { // it has not come to its route
		r = bare(r, "/"+rest)
	}
	c := w.newCall(out, r)
	if !busy(e) {
		if err := c.recognise(); err != nil {
			c.User = nil // the page needs none
		}
	}
	p := newWrongPage(c, e)
	body, err := c.execute("wrong", &Page{Title: p.Title, Data: p, wrong: true})
	if err != nil {
		body = []byte(message.Join(e.Faults, "\n")) // the page itself is what is wrong
	}
	secure(out.Header())
	_ = c.write(&Answer{Status: e.Status, Kind: "text/html; charset=utf-8", Body: body}) // only compressing could fail
}

// busy reports whether a request was refused because there is too much to do, or
// the database is away. The page of that asks the database for nothing, not even
// for who reads it.
func busy(e *front.Error) bool {
	return e.Status == http.StatusTooManyRequests || e.Status == http.StatusServiceUnavailable
}

// newWrongPage returns what the page of an error shows.
func newWrongPage(c *Call, e *front.Error) *wrongPage {
	p := &wrongPage{
		Status: e.Status, Title: wrong(c, e), Faults: c.EachFault(e.Faults), Help: wayOut(c, e),
		Request:  front.Of(c.Request).ID,
		SignedIn: c.User != nil || busy(e), Staff: c.User != nil && Staff.Allows(c.User),
	}
	if p.SignedIn && c.Method == http.MethodGet && (busy(e) || e.Status >= http.StatusInternalServerError) {
		p.Again = c.URL.RequestURI()
	}
	if into := mergedInto(e); into != 0 {
		p.Merged = "/computers/" + strconv.FormatInt(into, 10)
	}
	if errors.Is(e, errRole) {
		p.Title, p.Faults = c.T("This page is not for your role"), nil
	}
	if c.User == nil {
		return p
	}
	for _, s := range c.App.Places {
		if strings.HasPrefix(c.URL.Path+"/", "/"+s.Path+"/") && s.Access.Allows(c.User) {
			link := newLink(c, NavEntry{Path: "/" + s.Path, Icon: s.Icon, Title: s.Title}, "")
			p.List = &link
		}
	}
	return p
}

// mergedInto returns the computer that the one sought was merged into, 0 for none.
func mergedInto(e *front.Error) int64 {
	if refused, ok := errors.AsType[*desk.Error](e); ok {
		return refused.MergedInto
	}
	return 0
}

// wrong returns the heading of an error.
func wrong(c *Call, e *front.Error) string {
	if errors.Is(e, store.ErrTooLong) {
		return c.T("That took too long")
	}
	switch e.Status {
	case http.StatusNotFound:
		return c.T("There is nothing here")
	case http.StatusForbidden:
		return c.T("Not allowed")
	case http.StatusConflict:
		return c.T("Someone else was faster")
	case http.StatusUnprocessableEntity, http.StatusBadRequest, http.StatusMethodNotAllowed:
		return c.T("That did not work")
	case http.StatusRequestEntityTooLarge:
		return c.T("That is too large")
	case http.StatusTooManyRequests:
		return c.T("Too much at once")
	case http.StatusServiceUnavailable:
		return c.T("Not available at the moment")
	case http.StatusInsufficientStorage:
		return c.T("The disk is full")
	}
	return c.T("Something went wrong")
}

// wayOut says what can be done about an error.
func wayOut(c *Call, e *front.Error) (help []string) {
	switch e.Status {
	case http.StatusNotFound:
		if mergedInto(e) == 0 {
			help = append(help, c.T("The record may have been deleted, or the address is incomplete. Search for it, or go to the list."))
		}
	case http.StatusForbidden:
		help = append(help, whoMay(c, errors.Is(e, errRole)))
	case http.StatusConflict:
		help = append(help, c.T("Go back, load the page again and look at what it says now."))
	case http.StatusRequestEntityTooLarge:
		help = append(help, c.T("Nothing was saved. Go back and send less at once."))
	case http.StatusServiceUnavailable:
		help = append(help, c.T("Nothing is lost. What you wrote is still there when you go back."))
	case http.StatusInternalServerError:
		help = append(help, c.T("This is an error in the program. Give your administrator the request number: the log says more about it."))
	}
	if wait := int(math.Ceil(e.RetryAfter.Seconds())); wait > 0 {
		help = append(help, c.TN(wait, "Try again in %s second.", "Try again in %s seconds."))
	}
	return help
}

// whoMay says who could let the person do what they may not, for their role or
// for something else.
func whoMay(c *Call, role bool) string {
	switch {
	case c.User == nil:
		return c.T("Sign in, and try again.")
	case c.User.ReadOnly.V && !role:
		return c.T("Your account is read-only. An administrator can change that.")
	case c.User.Role == inventory.Technician:
		return c.T("Only administrators can do this. Ask one of them, or go back.")
	}
	return c.T("Only the help desk can see this. Your own tickets are on the start page.")
}
