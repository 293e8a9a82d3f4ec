package web

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/kind"
)

// suggestRoutes are the paths that help to fill in forms.
func (w *Web) suggestRoutes() {
	for _, s := range sections {
		w.route("/suggest/"+s.path+"/{field}", s.access, verbs{"GET": s.suggest})
	}
	w.route("/preview", staff, verbs{"POST": (*call).preview})
}

// A suggestion is a value of a field, as scripts read it.
type suggestion struct {
	Value string `json:"value"`
	Label string `json:"label"`
}

// suggest answers with values of a field that begin like what was typed.
func (s *section) suggest(c *call) (*answer, error) {
	f, text := s.kind.Field(c.PathValue("field")), strings.TrimSpace(c.URL.Query().Get("q"))
	if f == nil || !editable(f) {
		return nil, c.web.missing(c.Request)
	}
	var found []option
	var err error
	switch {
	case text == "":
	case f.Targets != nil:
		found, err = c.suggestLinks(f, text)
	case f.Type == kind.PersonRef:
		found, err = c.suggestRecords(inventory.Users.Schema, text, s.among[f.Name], func(rec any) string { p := rec.(*inventory.User).Person(); return p.Title() })
	case f.Type == kind.RecordRef:
		found, err = c.suggestRecords(f.Target, text, nil, sectionOf(f.Target).name)
	case f.Name == s.lead && f.Rare:
		found, err = c.suggestRecords(s.kind, text, nil, s.name)
	case f.Countable() && !f.Rare && f.Type == kind.Text:
		found, err = s.suggestValues(c, f, text)
	}
	if err != nil {
		return nil, err
	}
	return suggested(found)
}

// suggested answers with what was found.
func suggested(found []option) (*answer, error) {
	all := make([]suggestion, 0, len(found))
	for _, o := range found {
		all = append(all, suggestion{o.Value, o.Label})
	}
	body, err := json.Marshal(all)
	return &answer{status: http.StatusOK, kind: "application/json", body: body}, err
}

// matching returns the first records in which words of a text are found, among
// those of a query: those first whose names begin with it.
func (c *call) matching(k *kind.Schema, text string, among url.Values) ([]any, error) {
	found, err := sectionOf(k).best(c.Context(), c, text, among, foundLinks)
	return found.Records, err
}

// suggestRecords returns records of a query as they are named in a field.
func (c *call) suggestRecords(k *kind.Schema, text string, among url.Values, name func(any) string) (all []option, err error) {
	recs, err := c.matching(k, text, among)
	for _, rec := range recs {
		all = append(all, option{Value: name(rec), Label: name(rec)})
	}
	return all, err
}

// suggestLinks returns records that could be linked: those in which the text is
// found, and the one whose number it is.
func (c *call) suggestLinks(f *kind.Field, text string) (all []option, err error) {
	for _, target := range f.Targets {
		recs, err := c.matching(target, text, nil)
		if err != nil {
			return nil, err
		}
		if id, err := strconv.ParseInt(text, 10, 64); err == nil && id > 0 {
			rec, err := c.web.Desk.Get(c.Context(), c.who(), target, id)
			if err == nil {
				recs = append(recs, rec)
			} else if !isRefusal(err, desk.NotFound) {
				return nil, err
			}
		}
		for _, rec := range recs {
			o := option{Value: f.LinkInput(target.Item, target.Meta(rec).ID), Label: sectionOf(target).name(rec)}
			if !slices.Contains(all, o) {
				all = append(all, o)
			}
		}
	}
	return all, nil
}

// suggestValues returns values that other records have, in which a text is found.
func (s *section) suggestValues(c *call, f *kind.Field, text string) (all []option, err error) {
	q, err := s.kind.ParseQuery("per_page="+strconv.Itoa(foundLinks+1), c.web.Now()) // no value may be one of them
	if err != nil {
		return nil, err
	}
	q.Conds = append(q.Conds, c.like(f, text))
	counts, err := c.web.Desk.Counts(c.Context(), c.who(), s.kind, q, f)
	for _, n := range counts {
		if n.Value != "" && len(all) < foundLinks {
			all = append(all, option{Value: n.Label, Label: n.Label})
		}
	}
	return all, err
}

// preview answers with a text as pages will show it.
func (c *call) preview() (*answer, error) {
	return &answer{status: http.StatusOK, kind: "text/html; charset=utf-8", body: []byte(c.markdown(c.form.Get("text")))}, nil
}
