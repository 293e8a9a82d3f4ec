package web

import (
	"maps"
	"strings"
	"sync"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/message"
)

// fault returns a sentence of the program in the language: its format, and those arguments that are words of the
// program. People's own words stay as they are.
func (t *tongue) fault(text message.Text) string {
	if t.name == english {
		return text.String()
	}
	args := make([]any, len(text.Args))
	for i, arg := range text.Args {
		args[i] = t.argument(arg)
	}
	return t.t(text.Format, args...)
}

// argument returns what stands in a sentence in the language.
func (t *tongue) argument(arg any) any {
	switch arg := arg.(type) {
	case message.Text:
		return t.fault(arg)
	case message.Count:
		return t.count(arg)
	case message.Word:
		return t.word(string(arg))
	}
	return arg
}

// count returns a number of records.
func (t *tongue) count(c message.Count) string {
	if t.texts["%s "+c.Noun] == nil {
		return c.String()
	}
	return t.tn(int(c.N), "%s "+c.Noun, "")
}

// word returns a word of ours that stands in a sentence: the name of a field, a filter or a setting, of a kind or its
// records, or a value.
func (t *tongue) word(text string) string {
	noun := strings.TrimSuffix(text, " records")
	for _, key := range []string{
		text, keyOf("value", text), kind.Words(text), faultTitles()[text], faultTitles()[kind.Words(text)], noun, noun + " record",
	} {
		if forms := t.texts[key]; forms != nil {
			return forms[0]
		}
	}
	return text
}

// faultTitles are what people call the fields, filters and settings that faults
// name, where it is something else than the name.
var faultTitles = sync.OnceValue(func() map[string]string {
	titles := map[string]string{}
	for _, k := range inventory.All() {
		for _, f := range k.Filters {
			titles[f.Param] = f.Field.Label
		}
		for _, f := range k.Fields {
			titles[f.Words()] = f.Label
		}
	}
	maps.Copy(titles, filterWords)
	for param, words := range dayWords {
		titles[param] = words[1]
	}
	for _, g := range settingTitles {
		for _, one := range g.titles {
			titles[one[0]] = one[1]
		}
	}
	return titles
})

// eachFault tells all that is wrong.
func (t *tongue) eachFault(faults []message.Text) []string {
	all := make([]string, len(faults))
	for i, text := range faults {
		all[i] = t.fault(text)
	}
	return all
}

// faults tells what is wrong with a record as one text.
func (t *tongue) faults(e *kind.Invalid) string { return strings.Join(t.eachFault(e.Faults), ". ") }
