package page

import (
	"fmt"
	"html/template"
	"net/url"
	"sync"

	"muster/internal/web/lang"
)

// templatesOf returns the templates in a locale. Those that write numbers alike
// share them: dates reach templates as texts.
func (w *App) templatesOf(t *lang.Locale) *template.Template {
	if known, ok := w.locales.parsed.Load(t); ok {
		return known.(*template.Template)
	}
	key := t.Name + " " + t.Number(-1000) + t.Percent(1) + t.Conventions.Decimal
	parse := sync.OnceValue(func() *template.Template {
		return template.Must(template.New("").Funcs(w.functions(t)).ParseFS(w.Assets, "templates/*.html"))
	})
	same, _ := w.locales.shared.LoadOrStore(key, parse)
	all := same.(func() *template.Template)()
	w.locales.parsed.Store(t, all)
	return all
}

// functions are what templates may call.
func (w *App) functions(t *lang.Locale) template.FuncMap {
	return template.FuncMap{
		"t": t.T, "tn": t.TN, "in": t.In, "value": t.Value, "num": t.Number, "percent": t.Percent,
		"at":      w.At,
		"version": func() string { return w.Version },
		"file":    w.files.address,
		"icon":    w.icon,
		"cell":    w.cellHTML,
		"list":    func(items ...any) []any { return items },
		"dict":    dict,
		"next":    func(n int) int { return n + 1 },
		"query":   url.QueryEscape,
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

// icon returns a picture from the sheet of icons. Screen readers skip it.
func (w *App) icon(name string) template.HTML {
	return template.HTML(`<svg class="i" aria-hidden="true"><use href="` +
		template.HTMLEscapeString(w.files.address("icons.svg")+"#"+name) + `"/></svg>`)
}
