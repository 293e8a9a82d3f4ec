//go:build full && browser

package mustertest_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"muster/internal/mustertest"
)

// site serves small pages, each at a path, under a strict content security policy.
func site(t *testing.T, pages map[string]string) *httptest.Server {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", "default-src 'self'; connect-src *; img-src *")
		body, ok := pages[r.URL.Path]
		if !ok {
			w.WriteHeader(http.StatusNotFound)
		}
		if strings.HasSuffix(r.URL.Path, ".js") {
			w.Header().Set("Content-Type", "text/javascript")
			_, _ = io.WriteString(w, body)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><link rel="icon" href="/icon.svg">
			<link rel="stylesheet" href="/site.css"><title>Site</title><main><h1>Site</h1>%s</main></html>`, body)
	})
	mux.HandleFunc("GET /site.css", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/css")
		w.Header().Set("Cache-Control", "max-age=31536000, immutable")
		_, _ = io.WriteString(w, `.pale { color: #bbb } :root { color-scheme: light dark; background: Canvas }
			.lid { position: fixed; inset: 0 } .away { position: absolute; opacity: 0; pointer-events: none }`)
	})
	mux.HandleFunc("GET /icon.svg", picture)
	mux.HandleFunc("GET /broken", func(w http.ResponseWriter, r *http.Request) {
		http.Error(w, "broken", http.StatusInternalServerError)
	})
	mux.HandleFunc("GET /file", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Disposition", `attachment; filename="list.csv"`)
		_, _ = io.WriteString(w, "a,b\n")
	})
	mux.HandleFunc("POST /send", func(w http.ResponseWriter, r *http.Request) {
		if err := r.ParseMultipartForm(1 << 20); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		http.SetCookie(w, &http.Cookie{Name: "__Host-sent", Value: "yes", Path: "/", Secure: true, HttpOnly: true})
		files := ""
		for _, f := range r.MultipartForm.File["file"] {
			files = fmt.Sprintf("%s %d bytes", f.Filename, f.Size)
		}
		fmt.Fprintf(w, `<!doctype html><html lang="en"><link rel="icon" href="/icon.svg"><title>Sent</title><p id="sent">%s</p>`, strings.Join([]string{
			r.FormValue("name"), r.FormValue("day"), r.FormValue("site"), r.FormValue("tick"), files}, "|"))
	})
	s := httptest.NewTLSServer(mux)
	t.Cleanup(s.Close)
	return s
}

func picture(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "image/svg+xml")
	_, _ = io.WriteString(w, `<svg xmlns="http://www.w3.org/2000/svg"/>`)
}

// A trial is a test within a test: it notes failures and does not pass them on.
type trial struct {
	testing.TB
	failures []string
	cleanups []func()
}

func (r *trial) Helper()           {}
func (r *trial) Failed() bool      { return len(r.failures) > 0 }
func (r *trial) Cleanup(do func()) { r.cleanups = append(r.cleanups, do) }
func (r *trial) Errorf(format string, args ...any) {
	r.failures = append(r.failures, fmt.Sprintf(format, args...))
}
func (r *trial) Fatalf(format string, args ...any) {
	r.Errorf(format, args...)
	runtime.Goexit()
}

// try returns how a test fails.
func try(t *testing.T, test func(testing.TB)) string {
	r := &trial{TB: t}
	run := func(do func()) {
		done := make(chan struct{})
		go func() {
			defer close(done)
			do()
		}()
		<-done
	}
	run(func() { test(r) })
	for _, do := range slices.Backward(r.cleanups) {
		run(do)
	}
	return strings.Join(r.failures, "\n")
}

const form = `<form method="post" action="/send" enctype="multipart/form-data">
	<p><label for="name">Name</label> <input id="name" name="name" value="old"></p>
	<p><label>Day <input type="date" name="day"></label></p>
	<p><label>Site <select name="site"><option value="1">Leipzig</option><option value="2">München</option></select></label></p>
	<p><label><input type="checkbox" class="away" name="tick" value="ticked"> <span>Tick</span></label></p>
	<p><label>File <input type="file" name="file"></label></p>
	<button>Send</button></form><p><a href="/file">Download  <b>all</b></a> <a href="/next">Next</a></p>
	<nav><a href="/other">Next</a></nav>`

// TestBrowserActs fills in a form, follows links and downloads a file, with and without scripts, on each screen.
func TestBrowserActs(t *testing.T) {
	t.Parallel()
	s := site(t, map[string]string{"/": form, "/next": `<p id="here">Here</p>`})
	file := filepath.Join(t.TempDir(), "up.txt")
	if err := os.WriteFile(file, []byte("12345"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, o := range map[string]mustertest.BrowserOptions{
		"desktop": {Dark: true}, "phone": {Screen: mustertest.Phone}, "no script": {NoScript: true},
		"phone, no script": {Screen: mustertest.Phone, NoScript: true},
	} {
		t.Run(name, func(t *testing.T) {
			o.Base = s.URL
			b := mustertest.NewBrowser(t, o)
			b.Open("/")
			b.Axe(t)
			b.Type("Name", "Jürgen")
			b.Type("Day", "2026-01-31")
			b.Select("Site", "München")
			b.Check("Tick", true)
			b.Upload("File", file)
			b.Shot("form " + name)
			b.Click("Send")
			if got, want := b.Text("#sent"), "Jürgen|2026-01-31|2|ticked|up.txt 5 bytes"; got != want {
				t.Errorf("sent: got %q, want %q", got, want)
			}
			if c := b.Cookies(); len(c) != 1 || c[0].Name != "__Host-sent" || !c[0].HTTPOnly {
				t.Errorf("cookies: got %v, want __Host-sent", c)
			}
			b.Open("/")
			if n := b.Transferred(); n == 0 || n > 4000 {
				t.Errorf("transferred: got %d bytes, want the page's", n)
			}
			got, content := b.Download(func() { b.Click("Download all") })
			if got != "list.csv" || string(content) != "a,b\n" {
				t.Errorf("download: got %s with %q, want list.csv with a line", got, content)
			}
			b.In("form + p").Click("Next")
			b.Wait("#here")
			if got, want := b.URL(), s.URL+"/next"; got != want {
				t.Errorf("address: got %s, want %s", got, want)
			}
			if got := b.LayoutShift(); got != 0 {
				t.Errorf("shift: got %v, want none", got)
			}
		})
	}
}

// TestBrowserScreen checks that pages see the screen, colours, language and time that the options say.
func TestBrowserScreen(t *testing.T) {
	t.Parallel()
	s := site(t, map[string]string{"/": ""})
	const see = `[innerWidth, devicePixelRatio, matchMedia('(prefers-color-scheme: dark)').matches, matchMedia('(prefers-reduced-motion: reduce)').matches,
		matchMedia('(pointer: coarse)').matches, navigator.language, (1234.5).toLocaleString(), new Date(0).getHours()].join(' ')`
	phone := mustertest.Phone
	phone.Scale = 2
	for want, o := range map[string]mustertest.BrowserOptions{
		"1440 1 false false false en-US 1,234.5 0": {},
		"390 2 true true true de-DE 1.234,5 1": {
			Screen: phone, Dark: true, ReducedMotion: true, Locale: "de-DE", Timezone: "Europe/Berlin",
		},
		"1440 1 false false false en-US 1,234.5 16": {NoScript: true, Timezone: "America/Los_Angeles"},
	} {
		o.Base = s.URL
		b := mustertest.NewBrowser(t, o)
		b.Open("/")
		var got string
		b.Eval(see, &got)
		if got != want {
			t.Errorf("%+v: got %s, want %s", o, got, want)
		}
	}
}

// TestBrowserKeys checks that keys reach the page.
func TestBrowserKeys(t *testing.T) {
	t.Parallel()
	s := site(t, map[string]string{
		"/":        `<output></output><script src="/keys.js"></script>`,
		"/keys.js": `addEventListener('keydown', e => document.querySelector('output').append((e.ctrlKey ? 'Control+' : '') + e.key + ' '))`,
	})
	b := mustertest.NewBrowser(t, mustertest.BrowserOptions{Base: s.URL})
	b.Open("/")
	b.Press("g", "?", "Control+Enter", "Escape", "ArrowDown")
	if got, want := b.Text("output"), "g ? Control+Enter Escape ArrowDown"; strings.TrimSpace(got) != want {
		t.Errorf("keys: got %q, want %q", got, want)
	}
}

// TestBrowserFaults checks that each thing that a page should not do fails the test.
func TestBrowserFaults(t *testing.T) {
	t.Parallel()
	foreign := httptest.NewServer(http.HandlerFunc(picture))
	defer foreign.Close()
	other := strings.Replace(foreign.URL, "127.0.0.1", "localhost", 1)
	script := func(code string) map[string]string {
		return map[string]string{"/": `<p>Text</p><script src="/page.js"></script>`, "/page.js": code}
	}
	for name, test := range map[string]struct {
		pages map[string]string
		do    func(testing.TB, *mustertest.Browser)
		vain  bool // it waits for what does not come
		want  string
	}{
		"none":            {pages: script(`console.log('fine')`)},
		"console error":   {pages: script(`console.error('it broke', 7)`), want: "console error: it broke 7"},
		"console warning": {pages: script(`console.warn('careful')`), want: "console warning: careful"},
		"exception": {
			pages: script(`nothing.at.all()`),
			want:  "uncaught exception: Uncaught ReferenceError: nothing is not defined",
		},
		"rejection": {pages: script(`Promise.reject(new Error('late'))`), want: "Error: late"},
		"inline style": {
			pages: map[string]string{"/": `<p style="color: red">Text</p>`}, want: "Content Security Policy",
		},
		"inline script": {pages: map[string]string{"/": `<script>1</script>`}, want: "Content Security Policy"},
		"foreign request": {pages: map[string]string{"/": `<img alt="" src="` + other + `/x.svg">`},
			want: "request to another host: " + other},
		"foreign fetch": {
			pages: script(`fetch('https://example.com/').catch(() => {})`),
			want:  "request to another host: https://example.com/",
		},
		"missing script": {pages: map[string]string{"/": `<script src="/missing.js"></script>`}, want: "status 404: "},
		"status 500": {pages: map[string]string{"/": `<a href="/broken">Go</a>`}, want: "status 500: ",
			do: func(_ testing.TB, b *mustertest.Browser) { b.Click("Go") }},
		"missing page": {pages: map[string]string{"/": `<a href="/missing">Go</a>`},
			do: func(_ testing.TB, b *mustertest.Browser) { b.Click("Go") }},
		"dialog": {pages: script(`alert('stop')`), want: "dialog (alert): stop"},
		"window": {pages: map[string]string{"/": `<a href="/" target="_blank">Go</a>`}, want: "opened a window",
			do: func(_ testing.TB, b *mustertest.Browser) { b.Click("Go") }},
		"expected": {pages: script(`console.error('it broke')`),
			do: func(_ testing.TB, b *mustertest.Browser) { b.Expect("it broke") }},
		"expected, and not there": {pages: script(``), want: `expected a fault with "it broke"`,
			do: func(_ testing.TB, b *mustertest.Browser) { b.Expect("it broke") }},
		"no alternative": {pages: map[string]string{"/": `<img src="/icon.svg" width="20" height="20">`},
			want: "image-alt: ",
			do:   func(t testing.TB, b *mustertest.Browser) { b.Axe(t) }},
		"low contrast": {pages: map[string]string{"/": `<p class="pale">Pale</p>`}, want: "color-contrast: ",
			do: func(t testing.TB, b *mustertest.Browser) { b.Axe(t) }},
		"no field": {vain: true, pages: map[string]string{"/": form}, want: "there is no field “Nam”",
			do: func(_ testing.TB, b *mustertest.Browser) { b.Type("Nam", "x") }},
		"two links": {vain: true, pages: map[string]string{"/": form}, want: "there are 2 of “Next”",
			do: func(_ testing.TB, b *mustertest.Browser) { b.Click("Next") }},
		"covered": {vain: true, pages: map[string]string{"/": `<button>Go</button><div class="lid"></div>`},
			want: "<button> is covered by <div class=lid>",
			do:   func(_ testing.TB, b *mustertest.Browser) { b.Click("Go") }},
		"disabled": {vain: true, pages: map[string]string{"/": `<button disabled>Go</button>`},
			want: "<button> is disabled", do: func(_ testing.TB, b *mustertest.Browser) { b.Click("Go") }},
		"no text": {vain: true, pages: map[string]string{"/": form}, want: "wait for “Absent”",
			do: func(_ testing.TB, b *mustertest.Browser) { b.WaitText("Absent") }},
		"there yet": {vain: true, pages: map[string]string{"/": form}, want: "it is there",
			do: func(_ testing.TB, b *mustertest.Browser) { b.WaitGone("form") }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // they wait
			s := site(t, test.pages)
			got := try(t, func(tb testing.TB) {
				b := mustertest.NewBrowser(tb, mustertest.BrowserOptions{Base: s.URL})
				b.Open("/")
				if test.do != nil {
					if test.vain {
						b.Patience = 2 * time.Second
					}
					test.do(tb, b)
				}
			})
			if (got == "") != (test.want == "") || !strings.Contains(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// TestBrowserClickMoved clicks on what moves away when the mouse comes: the click does nothing to what is
// there now, and is tried again.
func TestBrowserClickMoved(t *testing.T) {
	t.Parallel()
	s := site(t, map[string]string{
		"/": `<p id="top"></p><p id="wrong"><button>Delete</button></p><p><button id="right">Keep</button></p><p id="said"></p><script src="/move.js"></script>`,
		"/move.js": `const say = what => { document.getElementById('said').textContent += what }
			document.getElementById('right').addEventListener('click', () => say('kept '))
			document.getElementById('wrong').addEventListener('click', () => say('deleted '))
			addEventListener('mousemove', () => { document.getElementById('top').before(document.getElementById('right').parentNode) }, { once: true })`,
	})
	b := mustertest.NewBrowser(t, mustertest.BrowserOptions{Base: s.URL})
	b.Open("/")
	b.Click("Keep")
	b.Click("Keep")
	if got := b.Text("#said"); got != "kept kept" {
		t.Errorf("got %q, want both clicks on what they are for", got)
	}
}

// TestBrowserShift checks that what moves by itself is measured.
func TestBrowserShift(t *testing.T) {
	t.Parallel()
	s := site(t, map[string]string{
		"/": `<div id="top"></div><p>A line that is pushed down.</p><script src="/push.js"></script>`,
		"/push.js": `requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => {
			document.getElementById('top').append(document.createElement('hr'), ...Array.from('x'.repeat(20), () => document.createElement('hr')))
			document.documentElement.dataset.pushed = ''
		})))`,
	})
	b := mustertest.NewBrowser(t, mustertest.BrowserOptions{Base: s.URL})
	b.Open("/")
	b.Wait("[data-pushed]")
	mustertest.Eventually(t, "the shift is measured", func() bool { return b.LayoutShift() > 0 })
}
