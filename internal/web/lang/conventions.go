package lang

import "strings"

// A Conventions is how dates and numbers are written in a language or a country. It
// may be another than that of the texts: who reads English in Germany expects
// the dates of Germany.
type Conventions struct {
	Name    string // such as "en" or "en-US"
	day     string // layout of a date with the name of the month
	digits  string // the same without words, for texts in another language
	clock   string // layout of a time of day
	group   string // between thousands
	Decimal string // before what is less than one
	percent string // between a number and its sign
}

// Locales are the supported locales, by name. A country that is not among them gets the
// conventions of its language.
var Locales = indexLocales([]Conventions{
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

func indexLocales(all []Conventions) map[string]*Conventions {
	index := map[string]*Conventions{}
	for i := range all {
		index[strings.ToLower(all[i].Name)] = &all[i]
	}
	return index
}

// LocaleOf returns that of a language tag, that of its language if the country
// has none of its own, nil if neither has.
func LocaleOf(tag string) *Conventions {
	if own := Locales[strings.ToLower(tag)]; own != nil {
		return own
	}
	return Locales[Base(tag)]
}
