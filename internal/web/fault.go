package web

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"muster/internal/inventory"
	"muster/internal/kind"
)

// faultForms are those of all faults: those that have another in them first.
var faultForms = sync.OnceValue(func() []phrase {
	all := phrases(faultTexts)
	has := func(f phrase) int {
		if _, ok := inner[f.text]; ok {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(all, func(a, b phrase) int { return has(b) - has(a) })
	return all
})

// fault tells in the language what was refused in English.
func (t *tongue) fault(text string) string { return t.phrased(faultForms(), text) }

// counted are numbers of records in words, with the noun of one of them.
var counted = regexp.MustCompile(`^(\d+) (.+?)s?$`)

// part returns a word of ours that stands in a sentence: the name of a field, a
// filter or a setting, of a kind or its records, a number of these, or a value.
func (t *tongue) part(text string) string {
	if one, other, both := strings.Cut(text, " and "); both && counted.MatchString(one) && counted.MatchString(other) {
		return t.t("%s and %s", t.part(one), t.part(other))
	}
	if found := counted.FindStringSubmatch(text); found != nil && t.texts["%s "+found[2]] != nil {
		if n, err := strconv.Atoi(found[1]); err == nil {
			return t.tn(n, "%s "+found[2], "")
		}
	}
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
