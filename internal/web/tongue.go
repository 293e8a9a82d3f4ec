package web

import (
	"embed"
	"fmt"
	"html/template"
	"net/http"
	"path"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A tongue is a language in which pages are written. Texts are in English where
// they are used; a catalogue has them in another language, by the English one.
type tongue struct {
	name      string            // such as "en"
	messages  map[string]string // by the English text, nil for English
	plural    func(n int) bool  // whether n things are named in the plural
	group     string            // between thousands
	day       string            // layout of a date
	templates *template.Template
	web       *Web
}

// newTongues returns all languages, English first.
func (w *Web) newTongues() []*tongue {
	all := []*tongue{{name: "en", plural: func(n int) bool { return n != 1 }, group: ",", day: "2 Jan 2006", web: w}}
	for _, t := range all {
		t.templates = template.Must(template.New("").Funcs(t.functions()).ParseFS(templates, "templates/*.html"))
	}
	return all
}

// tongueOf returns the language of a request.
func (w *Web) tongueOf(r *http.Request) *tongue {
	for accepted := range strings.SplitSeq(r.Header.Get("Accept-Language"), ",") {
		name, _, _ := strings.Cut(strings.TrimSpace(accepted), ";")
		name, _, _ = strings.Cut(name, "-")
		for _, t := range w.tongues {
			if strings.EqualFold(t.name, name) {
				return t
			}
		}
	}
	return w.tongues[0]
}

// t returns a text in the language, with its arguments in place.
func (t *tongue) t(text string, args ...any) string {
	if own, ok := t.messages[text]; ok {
		text = own
	}
	if len(args) == 0 {
		return text
	}
	return fmt.Sprintf(text, args...)
}

// tn returns one text for one thing and another for several, with the number in
// place of its %s.
func (t *tongue) tn(n int, one, several string) string {
	if t.plural(n) {
		one = several
	}
	return t.t(one, t.number(n))
}

// number writes a number with its thousands apart.
func (t *tongue) number(n int) string {
	digits := strconv.Itoa(n)
	if n < 0 {
		return "−" + t.number(-n)
	}
	var out []string
	for len(digits) > 3 {
		out = append([]string{digits[len(digits)-3:]}, out...)
		digits = digits[:len(digits)-3]
	}
	return strings.Join(append([]string{digits}, out...), t.group)
}

// A moment is a time as people read it.
type moment struct {
	ISO   string // for machines
	Full  string
	Short string // relative up to ten days, then the date
}

// moment returns a time as it is read now, nil for no time.
func (c *call) moment(at time.Time) *moment {
	if at.IsZero() {
		return nil
	}
	now, at := c.now(), at.In(c.zone())
	return &moment{ISO: at.UTC().Format(time.RFC3339), Full: at.Format(c.day + ", 15:04 MST"), Short: c.relative(now, at)}
}

// relativeDays is up to how many days times are told by how long ago they are.
const relativeDays = 10

// relative tells a time by how long ago it is, or until when.
func (c *call) relative(now, at time.Time) string {
	ago, ahead := now.Sub(at), false
	if ago < 0 {
		ago, ahead = -ago, true
	}
	tell := func(n int, one, several, oneAhead, severalAhead string) string {
		if ahead {
			return c.tn(n, oneAhead, severalAhead)
		}
		return c.tn(n, one, several)
	}
	switch {
	case ago < time.Minute && !ahead:
		return c.t("just now")
	case ago < time.Hour:
		return tell(max(1, int(ago.Minutes())), "%s min ago", "%s min ago", "in %s min", "in %s min")
	case ago < 24*time.Hour:
		return tell(int(ago.Hours()), "%s h ago", "%s h ago", "in %s h", "in %s h")
	case ago < relativeDays*24*time.Hour:
		return tell(int(ago.Hours()/24), "%s day ago", "%s days ago", "in %s day", "in %s days")
	}
	return at.Format(c.day)
}

// zone returns the time zone of the person, which their browser tells.
func (c *call) zone() *time.Location {
	if c.zoned == nil {
		c.zoned = zoneNamed(c.cookieValue("zone"))
	}
	return c.zoned
}

// zones are those that were asked for, by their names: to find one takes a look
// at a file.
var zones sync.Map

// zoneNamed returns a time zone, that of the world when there is none such.
func zoneNamed(name string) *time.Location {
	if known, ok := zones.Load(name); ok {
		return known.(*time.Location)
	}
	if name != path.Clean(name) {
		return time.UTC // another spelling of one that may be known
	}
	zone, err := time.LoadLocation(name)
	if err != nil || zone == time.Local {
		return time.UTC
	}
	zones.Store(name, zone) // there are a few hundred
	return zone
}

//go:embed templates
var templates embed.FS

// functions are what templates may call.
func (t *tongue) functions() template.FuncMap {
	return template.FuncMap{
		"t": t.t, "tn": t.tn, "num": t.number,
		"at":      t.web.at,
		"version": func() string { return t.web.Version },
		"file":    t.web.files.address,
		"icon":    t.web.icon,
		"cell":    t.web.cellHTML,
		"join":    strings.Join,
		"list":    func(items ...any) []any { return items },
		"dict":    dict,
		"next":    func(n int) int { return n + 1 },
	}
}

// dict makes a template's argument of names and values.
func dict(pairs ...any) (map[string]any, error) {
	out := map[string]any{}
	for i := 0; i+1 < len(pairs); i += 2 {
		name, ok := pairs[i].(string)
		if !ok {
			return nil, fmt.Errorf("dict: %v is no name", pairs[i])
		}
		out[name] = pairs[i+1]
	}
	return out, nil
}

// icon returns a picture of the sheet of icons, which says nothing to those who
// do not see it.
func (w *Web) icon(name string) template.HTML {
	return template.HTML(`<svg class="i" aria-hidden="true"><use href="` + template.HTMLEscapeString(w.files.address("icons.svg")+"#"+name) + `"/></svg>`)
}
