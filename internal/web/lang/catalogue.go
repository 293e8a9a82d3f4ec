package lang

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
)

// catalogues have the texts of each language, in the format of gettext, so that
// translators work with the programs that they know.
//
//go:embed catalogues/*.po
var catalogues embed.FS

// English is the language in which texts are written where they are used.
const English = "en"

// A Language has the texts of a catalogue.
type Language struct {
	Name   string              // such as "en"
	Texts  map[string][]string // the forms of a text, by its key
	Plural func(n int) int     // which of its forms a text has that counts n things
}

// keyOf returns the key of a text, as gettext makes it: a context distinguishes texts
// that are the same in English and differ in other languages.
func keyOf(context, text string) string {
	if context == "" {
		return text
	}
	return context + "\x04" + text
}

// Languages returns those of all catalogues, English first. What another one does
// not have yet is read in English.
var Languages = sync.OnceValue(func() (all []*Language) {
	files, err := fs.Glob(catalogues, "catalogues/*.po")
	if err != nil {
		panic(err)
	}
	for _, file := range files {
		text, err := catalogues.ReadFile(file)
		if err != nil {
			panic(err)
		}
		l, err := readCatalogue(strings.TrimSuffix(path.Base(file), ".po"), string(text))
		if err != nil {
			panic(fmt.Errorf("%s: %w", file, err))
		}
		if l.Name == English {
			all = append([]*Language{l}, all...)
			continue
		}
		all = append(all, l)
	}
	for _, l := range all[1:] {
		l.complete(all[0])
	}
	return all
})

// complete takes the texts that the language lacks from another.
func (l *Language) complete(from *Language) {
	for key, forms := range from.Texts {
		if l.Texts[key] == nil {
			l.Texts[key] = forms
		}
	}
}

// readCatalogue reads a catalogue.
func readCatalogue(name, text string) (*Language, error) {
	entries, err := readPO(text)
	if err != nil {
		return nil, err
	}
	l := &Language{Name: name, Texts: map[string][]string{}}
	for _, e := range entries {
		if e.key() == "" {
			if l.Plural, err = pluralOf(e.forms[0]); err != nil {
				return nil, err
			}
			continue
		}
		if l.Texts[e.key()] != nil {
			return nil, fmt.Errorf("%q is there twice", e.id)
		}
		if slices.Index(e.forms, "") < 0 { // it is translated
			l.Texts[e.key()] = e.forms
		}
	}
	if l.Plural == nil {
		return nil, fmt.Errorf("there is no Plural-Forms in its head")
	}
	return l, nil
}

// plurals are the rules of plurals, by the words in which gettext writes them. A
// new language finds its own here, or brings it.
var plurals = map[string]func(n int) int{
	"nplurals=1; plural=0;":        func(int) int { return 0 },
	"nplurals=2; plural=(n != 1);": func(n int) int { return Pick(n != 1, 1, 0) },
	"nplurals=2; plural=(n > 1);":  func(n int) int { return Pick(n > 1, 1, 0) },
	"nplurals=3; plural=(n==1) ? 0 : (n>=2 && n<=4) ? 1 : 2;": func(n int) int {
		return Pick(n == 1, 0, Pick(n >= 2 && n <= 4, 1, 2))
	},
	"nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);": func(n int) int {
		return Pick(n == 1, 0, Pick(few(n), 1, 2))
	},
	"nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);": func(n int) int {
		return Pick(n%10 == 1 && n%100 != 11, 0, Pick(few(n), 1, 2))
	},
}

// few reports whether Slavic languages name n things as a few.
func few(n int) bool { return n%10 >= 2 && n%10 <= 4 && (n%100 < 10 || n%100 >= 20) }

func Pick(first bool, a, b int) int {
	if first {
		return a
	}
	return b
}

// pluralOf returns the rule that the head of a catalogue names.
func pluralOf(head string) (func(int) int, error) {
	for line := range strings.Lines(head) {
		if rule, ok := strings.CutPrefix(line, "Plural-Forms: "); ok {
			if known := plurals[strings.TrimSpace(rule)]; known != nil {
				return known, nil
			}
			return nil, fmt.Errorf("the rule of plurals %q is not known: add it to plurals", strings.TrimSpace(rule))
		}
	}
	return nil, fmt.Errorf("its head has no Plural-Forms")
}
