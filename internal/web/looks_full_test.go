//go:build full && browser

package web_test

import (
	"hash/fnv"
	"strings"
	"testing"

	"muster/internal/draws"
	"muster/internal/mustertest"
)

// A look is a screen and a theme in which pages are looked at.
type look struct {
	name       string
	screen     mustertest.Screen
	dark       bool
	scriptless bool
	calm       bool // nothing moves
}

var (
	wide      = look{name: "wide", screen: mustertest.Desktop}
	wideDark  = look{name: "wide-dark", screen: mustertest.Desktop, dark: true}
	phone     = look{name: "phone", screen: mustertest.Phone}
	phoneDark = look{name: "phone-dark", screen: mustertest.Phone, dark: true}

	scriptless      = look{name: "wide-scriptless", screen: mustertest.Desktop, scriptless: true}
	scriptlessPhone = look{name: "phone-scriptless", screen: mustertest.Phone, scriptless: true}
)

var (
	allLooks = []look{wide, wideDark, phone, phoneDark}
	looks    = []look{wide, phoneDark} // of flows: both screens and both themes are met
	keyLooks = []look{wide, wideDark}  // of what is done by keys, which phones lack
)

// eachLook runs a test in one of several looks, not the same for all tests, and without
// motion, which takes half of the time; or in all of them when all cases are tried.
func eachLook(t *testing.T, in []look, test func(t *testing.T, l look)) {
	if !draws.All {
		h := fnv.New32a()
		h.Write([]byte(t.Name()))
		one := in[int(h.Sum32()%uint32(len(in)))]
		one.calm = true
		in = []look{one}
	}
	everyLook(t, in, test)
}

// everyLook runs a test in several looks, at the same time.
func everyLook(t *testing.T, in []look, test func(t *testing.T, l look)) {
	for _, l := range in {
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			test(t, l)
		})
	}
}

// browser opens a browser of this look. Who prefers dark prefers no motion too, so
// that both ways between pages are met.
func (l look) browser(t *testing.T, s *mustertest.Server) *mustertest.Browser {
	t.Helper()
	return mustertest.NewBrowser(t, mustertest.BrowserOptions{
		Base: s.Base, Screen: l.screen, Dark: l.dark, ReducedMotion: l.dark || l.calm, NoScript: l.scriptless,
	})
}

// visit opens a browser of this look in which somebody has signed in by typing.
func (l look) visit(t *testing.T, s *mustertest.Server, email string) *mustertest.Browser {
	t.Helper()
	b := l.browser(t, s)
	signIn(b, email)
	return b
}

// signIn signs somebody in whose password is that of the tests.
func signIn(b *mustertest.Browser, email string) {
	b.Open("/app/signin")
	b.Type("Email address", email)
	b.Type("Password", mustertest.AdminPassword)
	b.Click("Sign in")
	b.Wait("#main")
}

// lookOf returns the look of a browser.
func lookOf(b *mustertest.Browser) look {
	for _, l := range allLooks {
		if l.screen == b.Screen && l.dark == b.Dark {
			return l
		}
	}
	panic("a browser has a look of its own")
}

// inspect takes a picture of a page as it is now, and finds nothing wrong with it:
// not for those who cannot see it; nothing is wider than the screen, and no cells
// lie over one another.
func inspect(t *testing.T, b *mustertest.Browser, name string) {
	t.Helper()
	b.Axe(t)
	fits(t, b, name)
}

// fits takes a picture of a page as it is now, and finds that nothing is wider than the
// screen, and no cells lie over one another.
func fits(t *testing.T, b *mustertest.Browser, name string) {
	t.Helper()
	b.Shot(name + "-" + lookOf(b).name)
	var over int
	if b.Eval("document.documentElement.scrollWidth - document.documentElement.clientWidth", &over); over > 0 {
		t.Errorf("%s: it is %d pixels wider than the screen", name, over)
	}
	var pair string
	if b.Eval(overlapping, &pair); pair != "" {
		t.Errorf("%s: these cells lie over one another: %s", name, pair)
	}
}

// overlapping is two cells of a row that lie over one another, as those of cards
// could, or nothing.
const overlapping = `[...document.querySelectorAll('table tbody tr')].flatMap(row => [...row.cells]
	.filter(cell => cell.innerText.trim() && cell.checkVisibility())
	.map(cell => ({ text: cell.innerText, ...cell.getBoundingClientRect().toJSON() }))
	.flatMap((a, i, all) => all.slice(i + 1)
		.filter(b => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1)
		.map(b => a.text + ' | ' + b.text)))[0] ?? ''`

// goTo opens a part of the application by the navigation. A phone has it behind
// More.
func goTo(b *mustertest.Browser, path string) {
	if b.Screen.Touch {
		b.In(".tabbar").Click("More")
	}
	b.ClickOn(`.nav li a[href="` + path + `"]`)
}

// openTool opens a tool of a list. A phone has them behind a button of its own.
func openTool(b *mustertest.Browser, name string) {
	if b.Screen.Touch {
		b.In(".head").Click("More")
		b.In("#list-more").Click(name)
		return
	}
	b.Click(name)
}

// sortBy sorts a list by the head of a column. A phone, whose cards have none, has
// a tool for that.
func sortBy(b *mustertest.Browser, column string) {
	heads := "thead"
	if b.Screen.Touch {
		openTool(b, "Sort")
		heads = "#sort"
	}
	b.ClickOn(heads + ` a[href*="sort_by=` + column + `&"]`)
}

// tickAll ticks all records of a list, also those of its other pages. A phone has
// no head with a tick for the page.
func tickAll(b *mustertest.Browser, total string) {
	first := "thead .tick"
	if b.Screen.Touch {
		first = "tbody tr:first-child .tick"
	}
	b.ClickOn(first)
	b.Check("All "+total, true)
}

// pathOf returns where a browser is, without the server and the query.
func pathOf(s *mustertest.Server, b *mustertest.Browser) string {
	path, _, _ := strings.Cut(strings.TrimPrefix(b.URL(), s.Base), "?")
	return path
}

// begins opens the form of a new record from the list of a section.
func begins(b *mustertest.Browser, section string) {
	b.Open("/app/" + section)
	b.ClickOn(".head .btn.primary")
	b.Wait("form.form .bottom")
}

// saves sends the form of a record.
func saves(b *mustertest.Browser) { b.In(".bottom").ClickOn(".btn.primary") }

// deletes deletes the record whose page is shown, through the page that asks to confirm
// it.
func deletes(t *testing.T, b *mustertest.Browser, name string) {
	t.Helper()
	b.In(".record").Click("More")
	b.In("#more").Click("Delete …")
	b.WaitText("This cannot be undone")
	b.Axe(t)
	b.ClickOn(".ask .btn.danger")
	b.WaitText(name + " was deleted")
}
