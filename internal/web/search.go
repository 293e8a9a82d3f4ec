package web

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
)

// How many records of each kind a search shows, on its page and below the
// input, and how long it looks for those of one kind.
const (
	foundRows   = 6
	instantRows = 3
	searchTime  = time.Second
)

// searchRoutes are the paths of the search over all kinds.
func (w *Web) searchRoutes() {
	w.route("/search", staff, verbs{"GET": (*call).search})
	w.route("/search/instant", staff, verbs{"GET": (*call).instant})
}

// A searchPage is what a search has found.
type searchPage struct {
	Text   string
	Exact  []hit
	Groups []foundGroup
	Total  int
	Late   bool // looking for those of some kind took too long
}

// A foundGroup is what was found of one kind.
type foundGroup struct {
	Title, Icon, Href string
	Total             int
	Late              bool // looking took too long, so that these are not all
	Hits              []hit
}

// A hit is a record that was found.
type hit struct {
	Name, Icon, Kind, Href string
	State                  cell
}

// search shows what was found of all kinds. The number of a ticket opens it.
func (c *call) search() (*answer, error) {
	p, err := c.find(foundRows)
	if err != nil {
		return nil, err
	}
	if len(p.Exact) == 1 && strings.HasPrefix(p.Text, "#") {
		return c.goTo(p.Exact[0].Href)
	}
	return c.show("search", page{Title: c.t("Search"), Here: "/search", Data: p})
}

// instant answers with what was found as options of a list, for a script.
func (c *call) instant() (*answer, error) {
	p, err := c.find(instantRows)
	if err != nil {
		return nil, err
	}
	var out strings.Builder
	err = c.templates().ExecuteTemplate(&out, "instant", p)
	return &answer{status: http.StatusOK, kind: "text/html; charset=utf-8", body: []byte(out.String())}, err
}

// find looks for a text in all kinds that the person may see.
func (c *call) find(rows int) (p *searchPage, err error) {
	p = &searchPage{Text: strings.TrimSpace(c.URL.Query().Get("q"))}
	if p.Text == "" {
		return p, nil
	}
	if p.Exact, err = c.exactly(p.Text); err != nil {
		return nil, err
	}
	for _, s := range sections {
		if s.kind.Chained || !s.access.admits(c.user) {
			continue
		}
		group, err := s.found(c, p.Text, rows)
		if err != nil {
			return nil, err
		}
		if group.Total > 0 || group.Late {
			p.Groups = append(p.Groups, group)
			p.Total += group.Total
			p.Late = p.Late || group.Late
		}
	}
	return p, nil
}

// found returns the beginning of what a search finds in a section. It gives up
// after a while, as others wait: then those alone whose names begin with it.
func (s *section) found(c *call, text string, rows int) (g foundGroup, err error) {
	values := url.Values{"q": {text}}
	g = foundGroup{Title: c.t(s.title), Icon: s.icon, Href: address("/"+s.path, values)}
	ctx, cancel := context.WithTimeout(c.Context(), searchTime)
	defer cancel()
	found, err := s.best(ctx, c, text, nil, rows)
	if err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded) && c.Context().Err() == nil {
		g.Late = true
		found, err = s.named(c.Context(), c, text, nil, rows)
	}
	g.Total, g.Hits = found.Total, s.hits(c, found.Records)
	return g, err
}

// best returns the first records in which the words of a text are found, among
// those of a query, and how many there are: those whose names begin with it, in
// the usual order of the section, come before the others, the newest first. An
// order by anything but the id would take long where very many are found.
func (s *section) best(ctx context.Context, c *call, text string, among url.Values, rows int) (kind.Page, error) {
	values := with(with(among, "q", text), "per_page", strconv.Itoa(rows))
	q, err := s.query(c, with(with(values, "sort_by", "id"), "sort_order", "DESC"))
	if err != nil {
		return kind.Page{}, err
	}
	found, err := c.web.Desk.List(ctx, c.who(), s.kind, q)
	if err != nil || found.Total < 2 {
		return found, err
	}
	named, err := s.named(ctx, c, text, among, rows)
	if err != nil {
		return found, err
	}
	id := func(rec any) int64 { return s.kind.Meta(rec).ID }
	all := named.Records
	for _, rec := range found.Records {
		if !slices.ContainsFunc(named.Records, func(other any) bool { return id(other) == id(rec) }) {
			all = append(all, rec)
		}
	}
	found.Records = all[:min(rows, len(all))]
	return found, nil
}

// named returns the first records whose names begin with a text, among those of a
// query.
func (s *section) named(ctx context.Context, c *call, text string, among url.Values, rows int) (found kind.Page, err error) {
	name := s.filter("name")
	if name == nil || !utf8.ValidString(text) || strings.Contains(text, "\x00") {
		return found, nil
	}
	q, err := s.query(c, with(among, "per_page", strconv.Itoa(rows)))
	if err != nil {
		return found, err
	}
	q.Conds = append(q.Conds, kind.Cond{Field: name.Field, Any: []kind.Test{{Text: []string{text, ""}}}}) // where a star is a star
	return c.web.Desk.List(ctx, c.who(), s.kind, q)
}

// first returns the first records of a list.
func (s *section) first(ctx context.Context, c *call, values url.Values, rows int) (kind.Page, error) {
	q, err := s.kind.ParseQuery(with(values, "per_page", strconv.Itoa(rows)).Encode(), c.web.Now())
	if err != nil {
		return kind.Page{}, err
	}
	return c.web.Desk.List(ctx, c.who(), s.kind, q)
}

// hits returns records as a search shows them.
func (s *section) hits(c *call, records []any) (hits []hit) {
	for _, rec := range records {
		one := hit{Name: s.name(rec), Icon: s.icon, Kind: c.t(s.kind.Noun), Href: s.recordPath(s.kind.Meta(rec).ID)}
		if f := s.kind.Field("number"); f != nil {
			one.Name = "#" + s.kind.Values(rec).Format(f) + " " + one.Name
		}
		if s.state != "" {
			one.State = c.cell(s.kind.Values(rec), s.kind.Field(s.state))
		}
		hits = append(hits, one)
	}
	return hits
}

// identities are the filters by which a text names a record exactly, by the
// paths of sections.
var identities = []struct{ path, param string }{
	{"tickets", "number"}, {"computers", "asset_id"}, {"computers", "serial_number"}, {"assets", "asset_id"},
}

// exactly returns the records that a text names: by a number, an asset id or a
// serial number.
func (c *call) exactly(text string) (hits []hit, err error) {
	number := strings.TrimPrefix(text, "#")
	_, notNumber := strconv.ParseInt(number, 10, 63)
	for _, by := range identities {
		value := literal(text)
		if by.param == "number" {
			value = number
		}
		if by.param == "number" && notNumber != nil || by.param != "number" && number != text {
			continue
		}
		s := sectionAt(by.path)
		found, err := s.first(c.Context(), c, url.Values{by.param: {value}}, instantRows)
		if err != nil {
			return nil, err
		}
		hits = append(hits, s.hits(c, found.Records)...)
	}
	return hits, nil
}

// sectionAt returns the section with a path that the program names.
func sectionAt(path string) *section {
	for _, s := range sections {
		if s.path == path {
			return s
		}
	}
	panic("there is no section " + path)
}
