package web

import (
	"regexp"
	"slices"
	"strings"
)

// Markdown is what pages show of a text that people have written.
func Markdown(written string) string { return string((*call)(nil).markdown(written)) }

// SafeAddress is where a link that people have written may lead.
var SafeAddress = safeAddress

// LicenceOf is the licence of included software.
var LicenceOf = licenceOf

// Pseudo is the name of a language for tests, in which every text is marked.
const Pseudo = "qps"

// AddPseudo adds it to those that there are, until what it returns is called.
func AddPseudo() (remove func()) {
	all := languages()
	pseudo := &language{name: Pseudo, texts: map[string][]string{}, plural: all[0].plural}
	for key, forms := range all[0].texts {
		for _, form := range forms {
			pseudo.texts[key] = append(pseudo.texts[key], mark(form))
		}
	}
	old := languages
	languages = func() []*language { return append(slices.Clone(all), pseudo) }
	return func() { languages = old }
}

var formatPlace = regexp.MustCompile(`%(?:\[\d+\])?[a-z]`)

// mark puts brackets around the words of a text, and accents on its letters; what
// is put into its places stays outside.
func mark(text string) string {
	accents := strings.NewReplacer("a", "á", "e", "é", "i", "í", "o", "ó", "u", "ú", "A", "Á", "E", "É", "I", "Í", "O", "Ó", "U", "Ú")
	var b strings.Builder
	for {
		at := formatPlace.FindStringIndex(text)
		if at == nil {
			at = []int{len(text), len(text)}
		}
		if at[0] > 0 {
			b.WriteString("⟦" + accents.Replace(text[:at[0]]) + "⟧")
		}
		b.WriteString(text[at[0]:at[1]])
		if text = text[at[1]:]; text == "" {
			return b.String()
		}
	}
}
