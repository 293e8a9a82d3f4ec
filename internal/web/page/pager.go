package page

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"muster/internal/kind"
)

// A Pager leads through the pages of a list.
type Pager struct {
	From, To, Total         int
	Page, Pages             int
	First, Prev, Next, Last string // addresses, "" where there is none
	Rows                    []rowChoice
	Path                    string
	Rest                    []Pair // of the query, for the form that asks for a page
}

// A rowChoice is a number of rows that a page may have.
type rowChoice struct {
	Number  int
	Current bool
}

// rowChoices are the numbers of rows that a page offers. Lists of records take any other
// number in their address too, up to kind.MaxPerPage, and have records.DefaultRows where
// it has none.
var rowChoices = []int{25, 50, 100, 250}

// Place returns which page of a list is asked for, and how many rows it has: what the
// address says if that is one of rowChoices, else the usual number.
func (c *Call) Place(usual int) (page, rows int) {
	page, rows = 1, usual
	if n, err := strconv.Atoi(c.URL.Query().Get("page")); err == nil && n > 0 {
		page = min(n, kind.MaxPage)
	}
	if n, err := strconv.Atoi(c.URL.Query().Get("per_page")); err == nil && slices.Contains(rowChoices, n) {
		rows = n
	}
	return page, rows
}

// NewPager returns the pager of a page at a position.
func (c *Call) NewPager(at kind.Position, path string, values url.Values) Pager {
	p := Pager{Total: at.Total, Page: at.Number, Pages: max(1, (at.Total+at.PerPage-1)/at.PerPage), Path: path,
		Rest: PairsAs(c.URL.RawQuery, Without(values, "per_page"))}
	p.From = min((at.Number-1)*at.PerPage+1, at.Total)
	p.To = min(at.Number*at.PerPage, at.Total)
	to := func(n int) string { return c.Address(path, With(values, "page", strconv.Itoa(n))) }
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

// LastPage leads to the last page of a list that has records, but none where the
// address asks for them: they may have been changed or deleted since it was made.
// It returns nil for any other list.
func (c *Call) LastPage(at kind.Position, shown int) *Answer {
	pages, query := (at.Total+at.PerPage-1)/at.PerPage, c.URL.Query()
	if shown > 0 || at.Total == 0 || at.Number <= pages && !query.Has("after") {
		return nil
	}
	last := With(Without(query, "after"), "page", strconv.Itoa(pages))
	return &Answer{Status: http.StatusSeeOther, location: c.App.At(c.Address(c.URL.Path, last))}
}
