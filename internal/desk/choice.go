package desk

import (
	"slices"
	"strings"

	"muster/internal/message"
)

// A choice is what a setting that is one of some words may be; the first is
// usual.
type choice []string

// setting returns the setting of a choice.
func (c choice) setting(name, about string) Setting {
	return Setting{
		Name: name, Default: c[0], About: about, Choices: c,
		parse: func(text string) (any, string, error) {
			word := strings.ToLower(strings.TrimSpace(text))
			if !slices.Contains(c, word) {
				return nil, "", message.Says("must be %s or %s, not %q",
					message.Word(strings.Join(c[:len(c)-1], ", ")), message.Word(c[len(c)-1]), text)
			}
			return word, word, nil
		},
	}
}
