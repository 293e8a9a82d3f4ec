package activity

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"muster/internal/desk"
	"muster/internal/desk/trail"
	"muster/internal/kind"
	"muster/internal/web/page"
)

// maxUndone is how many changes one request takes back.
const maxUndone = 500

// numbers reads what spans writes, nil when it is something else or too much.
func numbers(text string) (all []int64) {
	for part := range strings.SplitSeq(text, ",") {
		from, to, _ := strings.Cut(part, "-")
		if to == "" {
			to = from
		}
		first, err := strconv.ParseInt(from, 10, 64)
		last, err2 := strconv.ParseInt(to, 10, 64)
		if err != nil || err2 != nil || first < 1 || last < first || last-first >= int64(maxUndone-len(all)) {
			return nil
		}
		for n := range last - first + 1 {
			all = append(all, first+n)
		}
	}
	return all
}

// Undo takes changes back, the last one first, and reports how many could not be.
func Undo(c *page.Call) (*page.Answer, error) {
	changes := numbers(c.PathValue("changes"))
	if changes == nil {
		return nil, c.App.Missing(c.Request)
	}
	slices.Reverse(changes)
	var refusal error
	refused, name := 0, ""
	for _, audit := range changes {
		k, rec, err := trail.Undo(c.Context(), c.App.Desk, c.Who(), audit)
		if isMistake(err) {
			refused, refusal = refused+1, err
			continue
		}
		if err != nil {
			return nil, err
		}
		if p := c.App.Place(k); p != nil {
			name = p.Name(rec)
		}
	}
	if refused == len(changes) && refused == 1 {
		return notUndone(c, refusal)
	}
	notifyUndone(c, len(changes), refused, name)
	return c.GoTo(page.OwnPath(c.Form.Get("to")))
}

// notUndone shows why a change could not be undone, on the page where the person asked
// for it. It returns the error itself if that page is not known.
func notUndone(c *page.Call, refusal error) (*page.Answer, error) {
	text, refused := c.Refusal(refusal)
	if !refused || !c.Form.Has("to") {
		return nil, refusal
	}
	c.Warn(text)
	return c.GoTo(page.OwnPath(c.Form.Get("to")))
}

// isMistake reports whether the desk refuses what the person wants.
func isMistake(err error) bool {
	_, refused := errors.AsType[*desk.Error](err)
	_, invalid := errors.AsType[*kind.Invalid](err)
	return refused || invalid
}

// notifyUndone reports how many changes were undone and how many were not.
func notifyUndone(c *page.Call, all, refused int, name string) {
	switch {
	case all == 1:
		c.Notify(c.T("%s was changed back", name))
	case refused == 0:
		c.Notify(c.TN(all, "%s change was undone", "%s changes were undone"))
	default:
		c.Warn(c.TN(all-refused, "%s change was undone", "%s changes were undone") + ", " +
			c.TN(refused, "%s record has changed since and was left alone", "%s records have changed since and were left alone"))
	}
}
