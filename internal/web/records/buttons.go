package records

import (
	"net/http"
	"net/url"
	"time"

	"muster/internal/desk"
	"muster/internal/web/lang"
	"muster/internal/web/page"
)

// An Action is a button on a record's page that sets one of its fields.
type Action struct {
	Title   string
	Field   string
	Value   string
	Until   string // the field of a day to be given with it, "" for none
	Primary bool
}

// Set changes what a button on a record's page says.
func (s *Section) Set(c *page.Call) (*page.Answer, error) {
	id, err := c.ID(s.Kind)
	if err != nil {
		return nil, err
	}
	values := url.Values{}
	for _, name := range s.Buttons {
		if given, ok := c.Form[name]; ok {
			values[name] = given
		}
	}
	if day, err := time.ParseInLocation(time.DateOnly, values.Get("ignored-until"), c.Zone()); err == nil {
		values.Set("ignored-until", day.Format(lang.LocalTime))
	}
	rec, err := c.App.Desk.Update(c.Context(), c.Who(), s.Target(c, id), DocumentOf(c, s.Kind, values))
	if page.IsRefusal(err, desk.Changed) {
		c.Warn(c.T("Someone changed it in the meantime, so nothing was done. Check it again."))
		return c.GoTo(s.RecordPath(id))
	}
	if faults := FaultsOf(err); faults != nil {
		return changeAgain(s, c, formState{status: http.StatusUnprocessableEntity, faults: faults}, nil)
	}
	if err != nil {
		return nil, err
	}
	text := c.T("%s is %s now", s.Name(rec), c.Cell(s.Kind.Values(rec), s.Kind.Field(s.State)).Text)
	if err := c.NotifyUndo(text, s.Kind, id); err != nil {
		return nil, err
	}
	return c.GoTo(s.RecordPath(id))
}
