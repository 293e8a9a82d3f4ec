package records

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"muster/internal/kind"
	"muster/internal/web/page"
)

// How many records of each kind a search shows, on its page and below the
// input, and how long it looks for those of one kind.
const (
	foundRows   = 6
	instantRows = 3
	searchTime  = time.Second
)

// A searchPage is what a search has found.
type searchPage struct {
	Text   string
	Exact  []Hit
	Groups []foundGroup
	Total  int
	Many   bool // there are more of some kind, which were not counted
}

// A foundGroup is what was found of one kind.
type foundGroup struct {
	Title, Icon, Href string
	Total             int
	Many              bool // there are very many more, which were not counted
	Late              bool // looking took too long, so that these are not all
	Hits              []Hit
}

// A Hit is a record that was found.
type Hit struct {
	Name, Icon, Kind, Href string
	State                  page.Cell
}

// Search shows what was found of all kinds. The number of a ticket opens it.
func Search(c *page.Call) (*page.Answer, error) {
	p, err := find(c, foundRows)
	if err != nil {
		return nil, err
	}
	if len(p.Exact) == 1 && strings.HasPrefix(p.Text, "#") {
		return c.GoTo(p.Exact[0].Href)
	}
	return c.Show("search", page.Page{Title: c.T("Search"), Here: "/search", Data: p})
}

// Instant answers with what was found as options of a list, for a script.
func Instant(c *page.Call) (*page.Answer, error) {
	p, err := find(c, instantRows)
	if err != nil {
		return nil, err
	}
	var out strings.Builder
	err = c.Templates().ExecuteTemplate(&out, "instant", p)
	return &page.Answer{Status: http.StatusOK, Kind: "text/html; charset=utf-8", Body: []byte(out.String())}, err
}

// find looks for a text in all kinds that the person may see.
func find(c *page.Call, rows int) (p *searchPage, err error) {
	p = &searchPage{Text: strings.TrimSpace(c.URL.Query().Get("q"))}
	if p.Text == "" {
		return p, nil
	}
	if p.Exact, err = exactly(c, p.Text); err != nil {
		return nil, err
	}
	for _, s := range SectionsOf(c.App) {
		if s.Kind.Chained || !s.Access.Allows(c.User) {
			continue
		}
		group, err := findIn(s, c, p.Text, rows)
		if err != nil {
			return nil, err
		}
		if group.Total > 0 || group.Many || group.Late {
			p.Groups = append(p.Groups, group)
			p.Total += group.Total
			p.Many = p.Many || group.Many || group.Late
		}
	}
	return p, nil
}

// findIn returns the first records of a section that a search finds. If that takes too
// long, it returns only those whose names begin with the text.
func findIn(s *Section, c *page.Call, text string, rows int) (g foundGroup, err error) {
	values := url.Values{"q": {text}}
	g = foundGroup{Title: c.T(s.Title), Icon: s.Icon, Href: page.Address("/"+s.Path, values)}
	ctx, cancel := context.WithTimeout(c.Context(), searchTime)
	defer cancel()
	found, err := bestMatches(s, ctx, c, text, nil, rows)
	if err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded) && c.Context().Err() == nil {
		g.Late = true
		found, err = namedLike(s, c.Context(), c, text, nil, rows)
	}
	g.Total, g.Many, g.Hits = found.Total, found.Many, s.Hits(c, found.Records)
	return g, err
}

// bestMatches returns the first records in which the words of a text are found, among
// those of a query, and how many there are unless they are very many: those whose names
// begin with it come before the others, the newest first. An order by anything but the id
// would take long where very many are found.
func bestMatches(s *Section, ctx context.Context, c *page.Call, text string, among url.Values,
	rows int) (kind.Page, error) {
	values := page.With(page.With(among, "q", text), "per_page", strconv.Itoa(rows))
	q, err := s.Query(c, page.With(page.With(values, "sort_by", "id"), "sort_order", "DESC"))
	if err != nil {
		return kind.Page{}, err
	}
	found, err := c.App.Desk.Glance(ctx, c.Who(), s.Kind, q)
	if err != nil || found.Total < 2 && !found.Many {
		return found, err
	}
	named, err := namedLike(s, ctx, c, text, among, rows)
	if err != nil {
		return found, err
	}
	id := func(rec any) int64 { return s.Kind.Meta(rec).ID }
	all := named.Records
	for _, rec := range found.Records {
		if !slices.ContainsFunc(named.Records, func(other any) bool { return id(other) == id(rec) }) {
			all = append(all, rec)
		}
	}
	found.Records = all[:min(rows, len(all))]
	return found, nil
}

// namedLike returns the first records whose names begin with a text, among those of a
// query: by name where lists are sorted by it, and otherwise the newest, since there may be
// very many.
func namedLike(s *Section, ctx context.Context, c *page.Call, text string, among url.Values,
	rows int) (found kind.Page, err error) {
	name := filterOf(s, s.Kind.Field(s.Lead).Column())
	if name == nil || name.Field.Type != kind.Text || !utf8.ValidString(text) || strings.Contains(text, "\x00") {
		return found, nil
	}
	q, err := s.Query(c, page.With(among, "per_page", strconv.Itoa(rows)))
	if err != nil {
		return found, err
	}
	if q.Sort != name.Field {
		q.Sort, q.Desc = nil, true
	}
	// where a star is a star
	q.Conds = append(q.Conds, kind.Cond{Field: name.Field, Any: []kind.Test{{Text: []string{text, ""}}}})
	return c.App.Desk.List(ctx, c.Who(), s.Kind, q)
}

// First returns the first records of a list.
func (s *Section) First(ctx context.Context, c *page.Call, values url.Values, rows int) (kind.Page, error) {
	q, err := s.Kind.ParseQuery(page.With(values, "per_page", strconv.Itoa(rows)).Encode(), c.App.Now())
	if err != nil {
		return kind.Page{}, err
	}
	return c.App.Desk.List(ctx, c.Who(), s.Kind, q)
}

// Hits returns records as a search shows them.
func (s *Section) Hits(c *page.Call, records []any) (hits []Hit) {
	for _, rec := range records {
		one := Hit{Name: s.Name(rec), Icon: s.Icon, Kind: c.T(s.Kind.Noun), Href: s.RecordPath(s.Kind.Meta(rec).ID)}
		if f := s.Kind.Field("number"); f != nil {
			one.Name = "#" + s.Kind.Values(rec).Format(f) + " " + one.Name
		}
		if s.State != "" {
			one.State = c.Cell(s.Kind.Values(rec), s.Kind.Field(s.State))
		}
		hits = append(hits, one)
	}
	return hits
}

// exactly returns the records that a text names: by a number, an asset id or a
// serial number.
func exactly(c *page.Call, text string) (hits []Hit, err error) {
	for _, s := range SectionsOf(c.App) {
		for _, param := range s.Identities {
			value, ok := identity(param, text)
			if !ok || !s.Access.Allows(c.User) {
				continue
			}
			found, err := s.First(c.Context(), c, url.Values{param: {value}}, instantRows)
			if err != nil {
				return nil, err
			}
			hits = append(hits, s.Hits(c, found.Records)...)
		}
	}
	return hits, nil
}

// identity returns the value of a filter for a text that is searched for, and whether
// it can be one. A number may have a hash in front, all else may not.
func identity(param, text string) (value string, ok bool) {
	number := strings.TrimPrefix(text, "#")
	if param == "number" {
		_, err := strconv.ParseInt(number, 10, 63)
		return number, err == nil
	}
	return page.Literal(text), number == text
}
