package computers

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"muster/internal/desk"
	"muster/internal/desk/merge"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/message"
	"muster/internal/web/page"
	"muster/internal/web/records"
)

// A mergePage is what the page shows that asks with which computer another one is
// the same.
type mergePage struct {
	Name, Path, Other, Fault string
}

// AskMerge asks which computer is the same as this one, and then, with both side
// by side, whether they shall be one.
func AskMerge(c *page.Call) (*page.Answer, error) {
	this, err := thisComputer(c)
	if err != nil {
		return nil, err
	}
	called := c.URL.Query().Get("other")
	if called == "" {
		return mergeForm(c, http.StatusOK, this, "")
	}
	other, err := computerCalled(c, called)
	if err == nil && other.ID == this.ID {
		err = merge.ErrSame
	}
	switch e, refused := errors.AsType[*desk.Error](err); {
	case refused && e.Code == desk.NotFound:
		return mergeForm(c, http.StatusUnprocessableEntity, this,
			c.T("No computer has this number, asset id or name: %s", called))
	case refused && e.Code != desk.Forbidden:
		return mergeForm(c, http.StatusUnprocessableEntity, this, c.Fault(e.Text))
	case err != nil:
		return nil, err
	}
	return sureOfMerge(c, this, other, "")
}

// SuggestOther answers with computers that may be the same as another, each by
// its name and its number.
func SuggestOther(c *page.Call) (*page.Answer, error) {
	text := strings.TrimSpace(c.URL.Query().Get("q"))
	if text == "" {
		return records.Suggested(nil)
	}
	found, err := records.SuggestLinks(c, inventory.Tickets.Field("hardwares"), text)
	if err != nil {
		return nil, err
	}
	for i, o := range found {
		found[i].Value = numbered(o.Label, o.Value)
	}
	return records.Suggested(found)
}

// numbered returns an unambiguous title of a computer: its id alone may be the asset id
// of another, and several may have its name.
func numbered(name, id string) string { return name + " (#" + id + ")" }

// computerCalled returns the computer that is suggested by a text, or else the
// one that people call so.
func computerCalled(c *page.Call, text string) (*inventory.Computer, error) {
	text = strings.TrimSpace(text)
	if at := strings.LastIndex(text, "(#"); at >= 0 {
		id, _ := strconv.ParseInt(strings.TrimSuffix(text[at+2:], ")"), 10, 64) // 0 is nobody's
		rec, err := c.App.Desk.Get(c.Context(), c.Who(), inventory.Computers.Schema, id)
		if err != nil && !page.IsRefusal(err, desk.NotFound) {
			return nil, err
		}
		if one, ok := rec.(*inventory.Computer); ok &&
			text == numbered(records.SectionOf(c.App, inventory.Computers.Schema).Name(one),
				strconv.FormatInt(id, 10)) {
			return one, nil
		}
	}
	return c.App.Agents.FindComputer(c.Context(), c.Who(), text)
}

// thisComputer returns the computer of the path.
func thisComputer(c *page.Call) (*inventory.Computer, error) {
	rec, err := records.SectionOf(c.App, inventory.Computers.Schema).Get(c)
	if err != nil {
		return nil, err
	}
	return rec.(*inventory.Computer), nil
}

// mergeForm asks with which computer this one is the same.
func mergeForm(c *page.Call, status int, this *inventory.Computer, fault string) (*page.Answer, error) {
	p := mergePage{Name: this.Name, Path: c.RecordPath(inventory.Computers.Schema, this.ID),
		Other: c.URL.Query().Get("other"), Fault: fault}
	return &page.Answer{Status: status, Template: "merge", Page: page.Page{
		Title: c.T("Merge %s with another", p.Name), Here: "/computers", Scripts: []string{"form.js"}, Data: p,
	}}, nil
}

// sureOfMerge asks before this computer becomes one with another.
func sureOfMerge(c *page.Call, this, other *inventory.Computer, fault string) (*page.Answer, error) {
	both := merge.Pair{Older: this, Newer: other}
	if other.ID < this.ID {
		both = merge.Pair{Older: other, Newer: this}
	}
	path := c.RecordPath(inventory.Computers.Schema, this.ID)
	return askPair(c, "/computers", both,
		page.ConfirmPage{Action: path + "/merge", Fields: []page.Pair{
			{Name: "with", Value: strconv.FormatInt(other.ID, 10)},
		}, Keep: c.T("Keep both"), Back: path, Fault: fault})
}

// Merge makes this computer one with the other that the person was shown.
func Merge(c *page.Call) (*page.Answer, error) {
	this, err := thisComputer(c)
	if err != nil {
		return nil, err
	}
	rec, err := c.App.Desk.Get(c.Context(), c.Who(), inventory.Computers.Schema, page.Number(c.Form, "with"))
	if page.IsRefusal(err, desk.NotFound) {
		return mergeForm(c, http.StatusUnprocessableEntity, this, c.Fault(message.Of(err)))
	}
	if err != nil {
		return nil, err
	}
	other := rec.(*inventory.Computer)
	return mergePair(c, this, other,
		func(fault string) (*page.Answer, error) { return sureOfMerge(c, this, other, fault) })
}

// mergePair merges two computers, which it finds by id only, since the id of one may be
// the asset id of a third. It asks again when the merge is refused.
func mergePair(c *page.Call, this, other *inventory.Computer,
	again func(fault string) (*page.Answer, error)) (*page.Answer, error) {
	kept, _, err := c.App.Merges.Merge(c.Context(), c.Who(), merge.Merging{
		Target: desk.Target{Kind: inventory.Computers.Schema, ID: this.ID},
		Document: func() (*kind.Patch, error) {
			return inventory.Mergings.Decode(fmt.Appendf(nil, "<hardware><id>%d</id></hardware>", other.ID))
		},
	})
	if text, refused := c.Refusal(err); refused && !page.IsRefusal(err, desk.Forbidden) {
		return again(text)
	}
	if err != nil {
		return nil, err
	}
	c.Notify(c.T("%s and %s are one computer now", this.Name, other.Name))
	return c.GoTo(c.RecordPath(inventory.Computers.Schema, inventory.Computers.Meta(kept).ID))
}

// Release lets reports change a field again that a person has set. Other changes to
// the computer since the page was shown, such as by a report, do not prevent it.
func Release(c *page.Call) (*page.Answer, error) {
	s := records.SectionOf(c.App, inventory.Computers.Schema)
	id, err := c.ID(s.Kind)
	if err != nil {
		return nil, err
	}
	f := s.Kind.Field(c.Form.Get("field"))
	if f == nil || !desk.IsReported(f) {
		return nil, c.App.Missing(c.Request)
	}
	back := records.ListAddress(s.RecordPath(id), c.Form.Get("rest"))
	_, err = c.App.Desk.Release(c.Context(), c.Who(), id, f)
	if text, refused := c.Refusal(err); refused && !page.IsRefusal(err, desk.Forbidden) {
		c.Warn(text)
		return c.GoTo(back)
	}
	if err != nil {
		return nil, err
	}
	done := c.T("%s follows the agent's reports again", c.Label(f))
	if f.Type == kind.List {
		done = c.T("%s follow the agent's reports again", c.Label(f))
	}
	if err := c.NotifyUndo(done, s.Kind, id); err != nil {
		return nil, err
	}
	return c.GoTo(back)
}
