//go:build full && browser

package web_test

import (
	"strings"
	"testing"

	"muster/internal/mustertest"
	"muster/internal/server"
)

// segments are the parts of the dashboard that lead to lists: of each chart the
// first that counts something.
var segments = []struct{ chart, selector string }{
	{"numbers", `.strip a:nth-child(1 of a:not([data-total="0"]))`},
	{"weeks", `.plot a:nth-child(1 of a:not([data-total="0"]))`},
	{"age", `[aria-labelledby=c-age] li:nth-child(1 of :has(a:not([data-total="0"]))) a`},
	{"state", `[aria-labelledby=c-state] .stacked a:nth-child(1 of [data-total])`},
	{"state in words", `[aria-labelledby=c-state] .legend li:last-child a`},
	{"priority", `[aria-labelledby=c-priority] .stacked a:nth-child(1 of [data-total])`},
	{"status", `[aria-labelledby=c-status] .stacked a:nth-child(1 of [data-total])`},
	{"not reporting", `[aria-labelledby=c-status] .bars li:nth-child(1 of :has(a:not([data-total="0"]))) a`},
	{"systems", `[aria-labelledby=c-systems] li:first-child a`},
	{"sites", `[aria-labelledby=c-sites] li:first-child a`},
	{"risks", `[aria-labelledby=c-risks] .stacked a:nth-child(1 of [data-total])`},
	{"over-used licences", `[aria-labelledby=c-licences] a[data-total]:not(.push)`},
	{"licences", `[aria-labelledby=c-licences] a.push`},
	{"contracts", `[aria-labelledby=c-ending] a[data-total]`},
}

// TestBrowserDashboard clicks a part of each chart, of all sites and of one: the
// list that it opens has as many records as it said.
func TestBrowserDashboard(t *testing.T) {
	t.Parallel()
	s := start(t, mustertest.SQLite)
	eachLook(t, looks, func(t *testing.T, l look) {
		b := l.visit(t, s, server.Administrator)
		all := follow(t, b, segments...)
		b.Open("/app/")
		b.Select("Site", "Hamburg")
		b.Wait(`html:has(#site option[value="Hamburg"][selected])`)
		if got := b.URL(); !strings.Contains(got, "site=Hamburg") {
			t.Errorf("a site: got %s", got)
		}
		b.Axe(t)
		for chart, total := range follow(t, b, segments[3], segments[6]) {
			if total == all[chart] {
				t.Errorf("%s of one site: got %s as of all", chart, total)
			}
		}
	})
}

// follow clicks parts of charts of the dashboard that is shown, and comes back to
// it after each. It returns what their lists have.
func follow(t *testing.T, b *mustertest.Browser, some ...struct{ chart, selector string }) map[string]string {
	t.Helper()
	_, query, _ := strings.Cut(b.URL(), "/app/")
	totals := map[string]string{}
	for _, one := range some {
		b.Open("/app/" + query)
		var said string
		b.Eval("document.querySelector(`"+one.selector+"`).dataset.total", &said)
		b.ClickOn(one.selector)
		b.Wait("h1 .n")
		b.WaitGone(".board")
		if got := strings.ReplaceAll(total(b), ",", ""); got != said {
			t.Errorf("%s: the list at %s has %s records, and the chart said %s", one.chart, b.URL(), got, said)
		}
		totals[one.chart] = said
	}
	b.Axe(t)
	return totals
}
