package web

import (
	"fmt"
	"html/template"
	"net/http"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// A tongue is how a person reads pages: their texts in a language, and dates and
// numbers as a locale writes them.
type tongue struct {
	*language
	locale *locale
}

// tongues are those in which pages were read, by their names: most are never.
type tongues struct {
	all    sync.Map // *tongue by its language and locale
	parsed sync.Map // *template.Template by the tongue
	shared sync.Map // func() *template.Template by what makes a difference
}

// tongueOf returns the tongue of a request: the language that the person has
// chosen, else the first that the browser accepts and a catalogue has, and the
// dates and numbers of the first that it accepts and we know.
func (w *Web) tongueOf(r *http.Request) *tongue {
	tags := accepted(r.Header.Get("Accept-Language"))
	if kept, err := r.Cookie(languageCookie); err == nil {
		if l := languageNamed(kept.Value); l != nil {
			for _, tag := range tags {
				if base(tag) == l.name {
					return w.tongue(l, localeOf(tag))
				}
			}
			return w.tongue(l, localeOf(l.name))
		}
	}
	var l *language
	var at *locale
	for _, tag := range tags {
		if l == nil {
			l = languageNamed(base(tag))
		}
		if at == nil {
			at = localeOf(tag)
		}
	}
	return w.tongue(l, at)
}

// languageNamed returns a language that has a catalogue, nil for none.
func languageNamed(name string) *language {
	for _, l := range languages() {
		if l.name == name {
			return l
		}
	}
	return nil
}

// tongue returns the tongue of a language and a locale, English for none.
func (w *Web) tongue(l *language, at *locale) *tongue {
	if l == nil {
		l = languages()[0]
	}
	if at == nil {
		at = locales[english]
	}
	if known, ok := w.tongues.all.Load(l.name + " " + at.name); ok {
		return known.(*tongue)
	}
	known, _ := w.tongues.all.LoadOrStore(l.name+" "+at.name, &tongue{language: l, locale: at})
	return known.(*tongue)
}

// templatesOf returns the templates in a tongue. Locales that write numbers alike
// share them: dates reach templates as texts.
func (w *Web) templatesOf(t *tongue) *template.Template {
	if known, ok := w.tongues.parsed.Load(t); ok {
		return known.(*template.Template)
	}
	key := t.name + " " + t.number(-1000) + t.percent(1) + t.locale.decimal
	parse := sync.OnceValue(func() *template.Template {
		return template.Must(template.New("").Funcs(w.functions(t)).ParseFS(w.assets, "templates/*.html"))
	})
	same, _ := w.tongues.shared.LoadOrStore(key, parse)
	all := same.(func() *template.Template)()
	w.tongues.parsed.Store(t, all)
	return all
}

// t returns a text in the language, with its arguments in place.
func (t *tongue) t(text string, args ...any) string { return t.in("", text, args...) }

// in returns a text that means something else in other contexts.
func (t *tongue) in(context, text string, args ...any) string {
	if forms := t.texts[keyOf(context, text)]; forms != nil {
		text = forms[0]
	}
	if len(args) == 0 {
		return text
	}
	return fmt.Sprintf(text, args...)
}

// tn returns one text for one thing and another for several, with the number in
// place of its %s, if it has one.
func (t *tongue) tn(n int, one, several string) string {
	text := one
	if forms := t.texts[one]; forms != nil {
		text = forms[min(t.plural(max(n, -n)), len(forms)-1)]
	} else if n != 1 {
		text = several
	}
	if !strings.Contains(text, "%") {
		return text
	}
	return fmt.Sprintf(text, t.number(n))
}

// value returns how people read a value of a field that has a few: a state, a
// role. What administrators have added is in no catalogue and stays as it is.
func (t *tongue) value(value string) string { return t.in("value", value) }

// inside returns the name of a field as it stands inside a sentence: in small
// letters, except in German, where nouns have a large one everywhere.
func (t *tongue) inside(label string) string {
	if t.name == "de" {
		return label
	}
	return inside(label)
}

// inside returns the name of a field as it stands inside an English sentence: in
// small letters, except for abbreviations.
func inside(label string) string {
	if len(label) > 1 && label[1] >= 'A' && label[1] <= 'Z' {
		return label
	}
	return strings.ToLower(label)
}

// capital returns a text with its first letter raised.
func capital(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}

// msg marks a text that is translated elsewhere than where it stands, so that it
// is found for the catalogues.
func msg(text string) string { return text }

// functions are what templates may call.
func (w *Web) functions(t *tongue) template.FuncMap {
	return template.FuncMap{
		"t": t.t, "tn": t.tn, "in": t.in, "value": t.value, "num": t.number, "percent": t.percent,
		"at":      w.at,
		"version": func() string { return w.Version },
		"file":    w.files.address,
		"icon":    w.icon,
		"cell":    w.cellHTML,
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
