package web

import (
	"cmp"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"

	"muster/internal/inventory"
	"muster/internal/kind"
)

// inner tells the place of a sentence that has another one in it.
var inner = map[string]int{"%s item %s: %s": 2, "%s: it was merged into computer %s": 0, "the workbook is damaged: %v: %s": 1}

var faultPlace = regexp.MustCompile("%[sv]")

// A faultForm recognises one of these sentences.
type faultForm struct {
	text  string
	parts *regexp.Regexp // what stands in its places
	verbs []string       // of these places: %v where the words are a person's
}

// faultForms are those of all sentences: those that have another in them first,
// then those that say more.
var faultForms = sync.OnceValue(func() (all []faultForm) {
	for _, text := range faultTexts {
		pattern := faultPlace.ReplaceAllString(regexp.QuoteMeta(text), "(.+?)")
		all = append(all, faultForm{text, regexp.MustCompile("(?s)^" + pattern + "$"), faultPlace.FindAllString(text, -1)})
	}
	rank := func(f faultForm) int {
		if _, ok := inner[f.text]; ok {
			return math.MaxInt
		}
		return len(f.text)
	}
	slices.SortStableFunc(all, func(a, b faultForm) int { return cmp.Compare(rank(b), rank(a)) })
	return all
})

// fault tells in the language what was refused in English. A sentence that is not
// known stays as it is.
func (t *tongue) fault(text string) string {
	if t.name == english {
		return text
	}
	for _, form := range faultForms() {
		found := form.parts.FindStringSubmatch(text)
		if found == nil {
			continue
		}
		args := make([]any, len(found)-1)
		for i, part := range found[1:] {
			args[i] = part
			if form.verbs[i] == "%s" {
				args[i] = t.part(part)
			}
		}
		if i, ok := inner[form.text]; ok {
			args[i] = t.fault(found[i+1])
		}
		return t.t(form.text, args...)
	}
	return text
}

// part returns a word of ours that stands in a fault: the name of a field, a
// filter or a setting, of a kind or its records, or a value.
func (t *tongue) part(text string) string {
	noun := strings.TrimSuffix(text, " records")
	for _, key := range []string{text, keyOf("value", text), kind.Words(text), faultTitles()[text], faultTitles()[kind.Words(text)], noun, noun + " record"} {
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
func (t *tongue) eachFault(faults []string) []string {
	all := make([]string, len(faults))
	for i, text := range faults {
		all[i] = t.fault(text)
	}
	return all
}

// faults tells what is wrong with a record as one text.
func (t *tongue) faults(e *kind.Invalid) string { return strings.Join(t.eachFault(e.Faults), ". ") }
