package web

import (
	"cmp"
	"regexp"
	"slices"
)

// A phrase is a form of English sentences that others of the product make. Those
// of %s in it are words of ours, such as the name of a field, those of %v are
// people's own, which stay as they are.
type phrase struct {
	text  string
	parts *regexp.Regexp // what stands in its places
	verbs []string       // of these places
}

var phrasePlace = regexp.MustCompile("%[sv]")

// phrases returns the forms with some texts, those that say more first.
func phrases(texts []string) (all []phrase) {
	for _, text := range texts {
		pattern := phrasePlace.ReplaceAllString(regexp.QuoteMeta(text), "(.+?)")
		all = append(all, phrase{text, regexp.MustCompile("(?s)^" + pattern + "$"), phrasePlace.FindAllString(text, -1)})
	}
	slices.SortStableFunc(all, func(a, b phrase) int { return cmp.Compare(len(b.text), len(a.text)) })
	return all
}

// phrased tells a text in the language that has one of some forms. One that has none
// of them stays as it is.
func (t *tongue) phrased(forms []phrase, text string) string {
	if t.name == english {
		return text
	}
	for _, form := range forms {
		found := form.parts.FindStringSubmatch(text)
		if found == nil {
			continue
		}
		args := make([]any, len(found)-1)
		for i, part := range found[1:] {
			args[i] = part
			if form.verbs[i] == "%s" {
				args[i] = t.word(part)
			}
		}
		return t.t(form.text, args...)
	}
	return text
}
