package web

import (
	"errors"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"

	"muster/internal/desk"
	"muster/internal/kind"
)

// undoPath is what all paths that take changes back are below. The way back is in a
// cookie, which is nothing to rely on: a page offers none that leads elsewhere.
const undoPath = "/undo"

// undoRoutes are the paths that take changes back.
func (w *Web) undoRoutes() {
	w.route(undoPath+"/{changes}", staff, verbs{"POST": (*call).undo})
	w.route(undoPath+"/tickets/{id}/link", staff, verbs{"POST": (*call).undoLink})
	w.route(undoPath+"/tickets/{id}/article", staff, verbs{"POST": (*call).undoArticle})
	w.route(undoPath+"/duplicates/{older}/{newer}", admins, verbs{"POST": (*call).undoPair})
}

// isUndo reports whether an address is one that takes changes back, however a
// browser reads it.
func isUndo(address string) bool {
	u, err := url.Parse(address)
	return err == nil && ownPath(address) == address && path.Clean(u.Path) == u.Path && strings.HasPrefix(u.Path, undoPath+"/")
}

// spans writes rising numbers as a path names them: 3-7,9.
func spans(numbers []int64) string {
	var parts []string
	for i := 0; i < len(numbers); {
		last := i
		for last+1 < len(numbers) && numbers[last+1] == numbers[last]+1 {
			last++
		}
		part := strconv.FormatInt(numbers[i], 10)
		if last > i {
			part += "-" + strconv.FormatInt(numbers[last], 10)
		}
		parts, i = append(parts, part), last+1
	}
	return strings.Join(parts, ",")
}

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

// undo takes changes back, the last one first, and tells how many could not be.
func (c *call) undo() (*answer, error) {
	changes := numbers(c.PathValue("changes"))
	if changes == nil {
		return nil, c.web.missing(c.Request)
	}
	slices.Reverse(changes)
	var refusal error
	refused, name := 0, ""
	for _, audit := range changes {
		k, rec, err := c.web.Desk.Undo(c.Context(), c.who(), audit)
		if isMistake(err) {
			refused, refusal = refused+1, err
			continue
		}
		if err != nil {
			return nil, err
		}
		if p := c.web.place(k); p != nil {
			name = p.name(rec)
		}
	}
	if refused == len(changes) && refused == 1 {
		return c.notUndone(refusal)
	}
	c.sayUndone(len(changes), refused, name)
	return c.goTo(ownPath(c.form.Get("to")))
}

// notUndone tells why a change could not be taken back: on the page where the
// person wanted that, if it is known.
func (c *call) notUndone(refusal error) (*answer, error) {
	text, told := c.refusal(refusal)
	if !told || !c.form.Has("to") {
		return nil, refusal
	}
	c.warn(text)
	return c.goTo(ownPath(c.form.Get("to")))
}

// isMistake reports whether the desk refuses what the person wants.
func isMistake(err error) bool {
	_, refused := errors.AsType[*desk.Error](err)
	_, invalid := errors.AsType[*kind.Invalid](err)
	return refused || invalid
}

// sayUndone tells what became of changes that were to be taken back.
func (c *call) sayUndone(all, refused int, name string) {
	switch {
	case all == 1:
		c.say(c.t("%s is as it was", name))
	case refused == 0:
		c.say(c.tn(all, "%s change was undone", "%s changes were undone"))
	default:
		c.warn(c.tn(all-refused, "%s change was undone", "%s changes were undone") + ", " +
			c.tn(refused, "%s record was changed since and stays", "%s records were changed since and stay"))
	}
}
