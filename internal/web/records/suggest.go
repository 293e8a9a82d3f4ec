package records

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"muster/internal/desk"
	"muster/internal/kind"
	"muster/internal/web/page"
)

// A suggestion is a value of a field, as scripts read it.
type suggestion struct {
	Value string `json:"value"`
	Label string `json:"label"`
}

// Suggest answers with values of a field that begin like what was typed.
func (s *Section) Suggest(c *page.Call) (*page.Answer, error) {
	f, text := s.Kind.Field(c.PathValue("field")), strings.TrimSpace(c.URL.Query().Get("q"))
	if f == nil || !Editable(f) {
		return nil, c.App.Missing(c.Request)
	}
	var found []Option
	var err error
	switch {
	case text == "":
	case f.Targets != nil:
		found, err = SuggestLinks(c, f, text)
	case f.Type == kind.PersonRef:
		people := SectionsOf(c.App).people()
		found, err = suggestRecords(c, people.Kind, text, s.Among[f.Name], people.inputName)
	case f.Type == kind.RecordRef:
		found, err = suggestRecords(c, f.Target, text, nil, SectionOf(c.App, f.Target).inputName)
	case f.Name == s.Lead && f.Rare:
		found, err = suggestRecords(c, s.Kind, text, nil, s.inputName)
	case f.Countable() && !f.Rare && f.Type == kind.Text:
		found, err = s.suggestValues(c, f, text)
	}
	if err != nil {
		return nil, err
	}
	return Suggested(found)
}

// inputName returns by what forms name a record.
func (s *Section) inputName(rec any) string {
	if s.InputName != nil {
		return s.InputName(rec)
	}
	return s.Name(rec)
}

// Suggested answers with what was found.
func Suggested(found []Option) (*page.Answer, error) {
	all := make([]suggestion, 0, len(found))
	for _, o := range found {
		all = append(all, suggestion{o.Value, o.Label})
	}
	body, err := json.Marshal(all)
	return &page.Answer{Status: http.StatusOK, Kind: "application/json", Body: body}, err
}

// MatchingOf returns the first records in which words of a text are found, among
// those of a query: those first whose names begin with it.
func MatchingOf(c *page.Call, k *kind.Schema, text string, among url.Values) ([]any, error) {
	found, err := bestMatches(SectionOf(c.App, k), c.Context(), c, text, among, foundLinks)
	return found.Records, err
}

// suggestRecords returns records of a query as they are named in a field.
func suggestRecords(c *page.Call, k *kind.Schema, text string, among url.Values,
	name func(any) string) (all []Option, err error) {
	recs, err := MatchingOf(c, k, text, among)
	for _, rec := range recs {
		all = append(all, Option{Value: name(rec), Label: name(rec)})
	}
	return all, err
}

// SuggestLinks returns records that could be linked: those in which the text is
// found, and the one whose number it is.
func SuggestLinks(c *page.Call, f *kind.Field, text string) (all []Option, err error) {
	for _, target := range f.Targets {
		recs, err := MatchingOf(c, target, text, nil)
		if err != nil {
			return nil, err
		}
		if id, err := strconv.ParseInt(text, 10, 64); err == nil && id > 0 {
			rec, err := c.App.Desk.Get(c.Context(), c.Who(), target, id)
			if err == nil {
				recs = append(recs, rec)
			} else if !page.IsRefusal(err, desk.NotFound) {
				return nil, err
			}
		}
		for _, rec := range recs {
			o := Option{Value: f.LinkInput(target.Item, target.Meta(rec).ID), Label: SectionOf(c.App, target).Name(rec)}
			if !slices.Contains(all, o) {
				all = append(all, o)
			}
		}
	}
	return all, nil
}

// suggestValues returns values that other records have, in which a text is found.
func (s *Section) suggestValues(c *page.Call, f *kind.Field, text string) (all []Option, err error) {
	q, err := s.Kind.ParseQuery("per_page="+strconv.Itoa(foundLinks+1), c.App.Now()) // no value may be one of them
	if err != nil {
		return nil, err
	}
	q.Conds = append(q.Conds, like(c, f, text))
	counts, err := c.App.Desk.Counts(c.Context(), c.Who(), s.Kind, q, f)
	for _, n := range counts {
		if n.Value != "" && len(all) < foundLinks {
			all = append(all, Option{Value: n.Label, Label: n.Label})
		}
	}
	return all, err
}

// Preview answers with a text as pages will show it.
func Preview(c *page.Call) (*page.Answer, error) {
	return &page.Answer{
		Status: http.StatusOK, Kind: "text/html; charset=utf-8", Body: []byte(c.Markdown(c.Form.Get("text"))),
	}, nil
}
