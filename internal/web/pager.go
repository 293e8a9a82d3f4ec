package web

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"muster/internal/kind"
)

// A pager leads through the pages of a list.
type pager struct {
	From, To, Total         int
	Page, Pages             int
	First, Prev, Next, Last string // addresses, "" where there is none
	Rows                    []rowChoice
	Path                    string
	Rest                    []pair // of the query, for the form that asks for a page
}

// A rowChoice is a number of rows that a page may have.
type rowChoice struct {
	Number  int
	Current bool
}

// place returns which page of a list is asked for, and how many rows it has, unless
// the person says so as many as usual.
func (c *call) place(usual int) (page, rows int) {
	page, rows = 1, usual
	if n, err := strconv.Atoi(c.URL.Query().Get("page")); err == nil && n > 0 {
		page = min(n, kind.MaxPage)
	}
	if n, err := strconv.Atoi(c.URL.Query().Get("per_page")); err == nil && slices.Contains(rowChoices, n) {
		rows = n
	}
	return page, rows
}

// newPager returns the pager of a page at a position.
func (c *call) newPager(at kind.Position, path string, values url.Values) pager {
	p := pager{Total: at.Total, Page: at.Number, Pages: max(1, (at.Total+at.PerPage-1)/at.PerPage), Path: path, Rest: pairsAs(c.URL.RawQuery, without(values, "per_page"))}
	p.From = min((at.Number-1)*at.PerPage+1, at.Total)
	p.To = min(at.Number*at.PerPage, at.Total)
	to := func(n int) string { return c.address(path, with(values, "page", strconv.Itoa(n))) }
	if p.Page > 1 {
		p.First, p.Prev = to(1), to(min(p.Page-1, p.Pages))
	}
	if p.Page < p.Pages {
		p.Next, p.Last = to(p.Page+1), to(p.Pages)
	}
	for _, n := range rowChoices {
		p.Rows = append(p.Rows, rowChoice{n, n == at.PerPage})
	}
	return p
}

// lastPage leads to the last page of a list that has records, but none where the
// address asks for them: they may have been changed or deleted since it was made.
// It returns nil for any other list.
func (c *call) lastPage(at kind.Position, shown int) *answer {
	pages, query := (at.Total+at.PerPage-1)/at.PerPage, c.URL.Query()
	if shown > 0 || at.Total == 0 || at.Number <= pages && !query.Has("after") {
		return nil
	}
	last := with(without(query, "after"), "page", strconv.Itoa(pages))
	return &answer{status: http.StatusSeeOther, location: c.web.at(c.address(c.URL.Path, last))}
}
