// Package lang translates texts, and formats dates and numbers as a person's country
// writes them. It knows no request: callers pass the time and the zone. The English
// texts of a page belong where the page is made.
package lang

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// Layouts of times of day.
const (
	clock24 = "15:04"
	clock12 = "3:04 PM"
)

// Spaces within numbers, at which no line breaks.
const (
	space  = "\u00a0"
	narrow = "\u202f"
)

// Base returns the language of a tag.
func Base(tag string) string {
	name, _, _ := strings.Cut(strings.ToLower(tag), "-")
	return name
}

// maxTags is how many languages of a request are looked at.
const maxTags = 16

// Accepted returns the language tags that a browser accepts, the best first.
func Accepted(header string) (tags []string) {
	type wish struct {
		tag    string
		weight float64
	}
	var wishes []wish
	for part := range strings.SplitSeq(header, ",") {
		tag, parameter, _ := strings.Cut(strings.TrimSpace(part), ";")
		one := wish{strings.TrimSpace(tag), 1}
		if q, ok := strings.CutPrefix(strings.ReplaceAll(parameter, " ", ""), "q="); ok {
			one.weight, _ = strconv.ParseFloat(q, 64) // what is not a number has weight 0
		}
		if one.tag != "" && one.weight > 0 && len(wishes) < maxTags {
			wishes = append(wishes, one)
		}
	}
	slices.SortStableFunc(wishes, func(a, b wish) int { return cmp.Compare(b.weight, a.weight) })
	for _, one := range wishes {
		tags = append(tags, one.tag)
	}
	return tags
}

// A Locale is how a person reads pages: their texts in a language, and dates and
// numbers as a locale writes them.
type Locale struct {
	*Language
	Conventions *Conventions
}
