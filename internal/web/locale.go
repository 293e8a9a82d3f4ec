package web

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// A locale is how dates and numbers are written in a language or a country. It
// may be another than that of the texts: who reads English in Germany expects
// the dates of Germany.
type locale struct {
	name    string // such as "en" or "en-US"
	day     string // layout of a date with the name of the month
	digits  string // the same without words, for texts in another language
	clock   string // layout of a time of day
	group   string // between thousands
	decimal string // before what is less than one
	percent string // between a number and its sign
}

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

// locales are those that we know, by their names. A country that is not here is
// written as its language, which stands for most of those who speak it.
var locales = indexLocales([]locale{
	{"en", "2 Jan 2006", "02/01/2006", clock24, ",", ".", ""},
	{"en-US", "Jan 2, 2006", "01/02/2006", clock12, ",", ".", ""},
	{"en-CA", "Jan 2, 2006", "2006-01-02", clock12, ",", ".", ""},
	{"en-AU", "2 Jan 2006", "02/01/2006", clock12, ",", ".", ""},
	{"en-NZ", "2 Jan 2006", "02/01/2006", clock12, ",", ".", ""},
	{"en-ZA", "2 Jan 2006", "2006/01/02", clock24, space, ",", ""},
	{"cs", "2. Jan 2006", "02.01.2006", clock24, space, ",", space},
	{"da", "2. Jan 2006", "02.01.2006", "15.04", ".", ",", space},
	{"de", "2. Jan 2006", "02.01.2006", clock24, ".", ",", space},
	{"de-AT", "2. Jan 2006", "02.01.2006", clock24, space, ",", space},
	{"de-CH", "2. Jan 2006", "02.01.2006", clock24, "’", ".", ""},
	{"el", "2 Jan 2006", "02/01/2006", clock24, ".", ",", ""},
	{"es", "2 Jan 2006", "02/01/2006", clock24, ".", ",", space},
	{"es-MX", "2 Jan 2006", "02/01/2006", clock24, ",", ".", ""},
	{"es-US", "2 Jan 2006", "02/01/2006", clock12, ",", ".", ""},
	{"fi", "2. Jan 2006", "2.1.2006", "15.04", space, ",", space},
	{"fr", "2 Jan 2006", "02/01/2006", clock24, narrow, ",", narrow},
	{"fr-CA", "2 Jan 2006", "2006-01-02", clock24, space, ",", space},
	{"fr-CH", "2 Jan 2006", "02.01.2006", clock24, narrow, ",", ""},
	{"hu", "2006. Jan 2.", "2006. 01. 02.", clock24, space, ",", ""},
	{"it", "2 Jan 2006", "02/01/2006", clock24, ".", ",", ""},
	{"it-CH", "2 Jan 2006", "02.01.2006", clock24, "’", ".", ""},
	{"ja", "2006年Jan2日", "2006/01/02", clock24, ",", ".", ""},
	{"ko", "2006년 Jan 2일", "2006. 1. 2.", clock24, ",", ".", ""},
	{"nb", "2. Jan 2006", "02.01.2006", clock24, space, ",", space},
	{"no", "2. Jan 2006", "02.01.2006", clock24, space, ",", space},
	{"nl", "2 Jan 2006", "02-01-2006", clock24, ".", ",", ""},
	{"pl", "2 Jan 2006", "02.01.2006", clock24, space, ",", ""},
	{"pt", "2 de Jan de 2006", "02/01/2006", clock24, space, ",", ""},
	{"pt-BR", "2 de Jan de 2006", "02/01/2006", clock24, ".", ",", ""},
	{"ro", "2 Jan 2006", "02.01.2006", clock24, ".", ",", space},
	{"ru", "2 Jan 2006", "02.01.2006", clock24, space, ",", space},
	{"sk", "2. Jan 2006", "02.01.2006", clock24, space, ",", space},
	{"sv", "2 Jan 2006", "2006-01-02", clock24, space, ",", space},
	{"tr", "2 Jan 2006", "02.01.2006", clock24, ".", ",", ""},
	{"uk", "2 Jan 2006", "02.01.2006", clock24, space, ",", ""},
	{"zh", "2006年Jan2日", "2006/01/02", clock24, ",", ".", ""},
})

func indexLocales(all []locale) map[string]*locale {
	index := map[string]*locale{}
	for i := range all {
		index[strings.ToLower(all[i].name)] = &all[i]
	}
	return index
}

// localeOf returns that of a language tag, that of its language if the country
// has none of its own, nil if neither has.
func localeOf(tag string) *locale {
	if own := locales[strings.ToLower(tag)]; own != nil {
		return own
	}
	return locales[base(tag)]
}

// base returns the language of a tag.
func base(tag string) string {
	name, _, _ := strings.Cut(strings.ToLower(tag), "-")
	return name
}

// maxTags is how many languages of a request are looked at.
const maxTags = 16

// accepted returns the language tags that a browser accepts, the best first.
func accepted(header string) (tags []string) {
	type wish struct {
		tag    string
		weight float64
	}
	var wishes []wish
	for part := range strings.SplitSeq(header, ",") {
		tag, parameter, _ := strings.Cut(strings.TrimSpace(part), ";")
		one := wish{strings.TrimSpace(tag), 1}
		if q, ok := strings.CutPrefix(strings.ReplaceAll(parameter, " ", ""), "q="); ok {
			one.weight, _ = strconv.ParseFloat(q, 64) // what is no number is not wished for
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
