package lang

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// LanguageNamed returns a language that has a catalogue, nil for none.
func LanguageNamed(name string) *Language {
	for _, l := range Languages() {
		if l.Name == name {
			return l
		}
	}
	return nil
}

// T returns a text in the language, with its arguments in place.
func (t *Locale) T(text string, args ...any) string { return t.In("", text, args...) }

// In returns a text that means something else in other contexts.
func (t *Locale) In(context, text string, args ...any) string {
	if forms := t.Texts[keyOf(context, text)]; forms != nil {
		text = forms[0]
	}
	if len(args) == 0 {
		return text
	}
	return fmt.Sprintf(text, args...)
}

// TN returns one text for one thing and another for several, with the number in
// place of its %s, if it has one.
func (t *Locale) TN(n int, one, several string) string {
	text := one
	if forms := t.Texts[one]; forms != nil {
		text = forms[min(t.Plural(max(n, -n)), len(forms)-1)]
	} else if n != 1 {
		text = several
	}
	if !strings.Contains(text, "%") {
		return text
	}
	return fmt.Sprintf(text, t.Number(n))
}

// Value returns how people read a value of a field that has a few: a state, a
// role. What administrators have added is in no catalogue and stays as it is.
func (t *Locale) Value(value string) string { return t.In("value", value) }

// Inside returns the name of a field as it stands inside a sentence: in small
// letters, except in German, where nouns have a large one everywhere.
func (t *Locale) Inside(label string) string {
	if t.Name == "de" {
		return label
	}
	return Inside(label)
}

// Inside returns the name of a field as it stands inside an English sentence: in
// small letters, except for abbreviations.
func Inside(label string) string {
	if len(label) > 1 && label[1] >= 'A' && label[1] <= 'Z' {
		return label
	}
	return strings.ToLower(label)
}

// Capital returns a text with its first letter raised.
func Capital(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}

// Msg marks a text that is translated elsewhere than where it stands, so that it
// is found for the catalogues.
func Msg(text string) string { return text }
