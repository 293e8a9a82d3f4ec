package records

import (
	"net/http"
	"net/url"
	"strings"

	"muster/internal/kind"
	"muster/internal/web/page"
)

// conflict shows the form of a record that somebody else has changed meanwhile. Fields
// that only the other person changed are taken over; where both have changed a field,
// the person chooses.
func (s *Section) conflict(c *page.Call) (*page.Answer, error) {
	rec, err := s.Get(c)
	if err != nil {
		return nil, err
	}
	now, names := s.FormValues(c, rec)
	shown, mine := remember(c.Form.Get("was")), overlay(s.Kind, now, c.Form)
	clashes, theirs := map[*kind.Field]*clash{}, map[*kind.Field]bool{}
	for _, f := range s.Kind.Fields {
		switch {
		case !Editable(f) || fieldText(f, mine) == fieldText(f, now):
		case !shown.changed(f, c.Form): // they alone have
			take(f, mine, now)
			theirs[f] = true
		case shown.changed(f, now):
			clashes[f] = &clash{clashText(c, f, now, names), clashText(c, f, mine, names)}
		}
	}
	notice := c.T("Someone changed this record in the meantime, so nothing was saved yet. Their changes are in the form; check it and save again.")
	if len(clashes) > 0 {
		notice = c.T("Someone changed this record in the meantime, so nothing was saved. For each marked field, choose whose value to keep.")
	}
	a, err := showForm(s, c, formState{status: http.StatusConflict, rec: rec, sent: mine, notice: notice})
	if err != nil {
		return nil, err
	}
	first := ""
	p := a.Page.Data.(*FormPage)
	p.Each(func(in *Input) bool {
		if theirs[in.field] {
			in.Hint = c.T("Changed by someone else in the meantime")
		}
		if in.Clash = clashes[in.field]; in.Clash != nil && first == "" {
			first = in.ID
		}
		return true
	})
	p.focus(first)
	return a, nil
}

// clashText returns the value of a field in a form as a text.
func clashText(c *page.Call, f *kind.Field, values url.Values, names map[string]string) string {
	var parts []string
	switch {
	case f.Secret:
		return "••••••••"
	case f.Targets != nil:
		for _, o := range linkOptions(values[f.Name], names) {
			parts = append(parts, o.Label)
		}
	case f.Type == kind.List:
		for line := range strings.SplitSeq(fieldText(f, values), "\n") {
			parts = append(parts, strings.Join(strings.FieldsFunc(line, func(r rune) bool { return r == '\t' }), " · "))
		}
	default:
		parts = append(parts, fieldText(f, values))
	}
	if text := strings.Join(parts, "; "); text != "" {
		return text
	}
	return c.T("nothing")
}
