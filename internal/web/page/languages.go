package page

import (
	"net/http"
	"sync"

	"muster/internal/web/lang"
)

// LanguageCookie keeps which language a person has chosen, that of the browser
// for none.
const LanguageCookie = "lang"

// localeCache are those in which pages were read, by their names: most are never.
type localeCache struct {
	all    sync.Map // *lang.Locale by its language and conventions
	parsed sync.Map // *template.Template by the locale
	shared sync.Map // func() *template.Template by what makes a difference
}

// localeOf returns the locale of a request: the language that the person has
// chosen, else the first that the browser accepts and a catalogue has, and the
// dates and numbers of the first that it accepts and we know.
func (w *App) localeOf(r *http.Request) *lang.Locale {
	tags := lang.Accepted(r.Header.Get("Accept-Language"))
	if kept, err := r.Cookie(LanguageCookie); err == nil {
		if l := lang.LanguageNamed(kept.Value); l != nil {
			for _, tag := range tags {
				if lang.Base(tag) == l.Name {
					return w.locale(l, lang.LocaleOf(tag))
				}
			}
			return w.locale(l, lang.LocaleOf(l.Name))
		}
	}
	var l *lang.Language
	var at *lang.Conventions
	for _, tag := range tags {
		if l == nil {
			l = lang.LanguageNamed(lang.Base(tag))
		}
		if at == nil {
			at = lang.LocaleOf(tag)
		}
	}
	return w.locale(l, at)
}

// locale returns the locale of a language and its conventions, English for none.
func (w *App) locale(l *lang.Language, at *lang.Conventions) *lang.Locale {
	if l == nil {
		l = lang.Languages()[0]
	}
	if at == nil {
		at = lang.Locales[lang.English]
	}
	if known, ok := w.locales.all.Load(l.Name + " " + at.Name); ok {
		return known.(*lang.Locale)
	}
	known, _ := w.locales.all.LoadOrStore(l.Name+" "+at.Name, &lang.Locale{Language: l, Conventions: at})
	return known.(*lang.Locale)
}
