package desk

import (
	"slices"
	"strings"

	"muster/internal/message"
)

// ChoiceSetting returns the setting of one of some words; the first is usual.
func ChoiceSetting(words []string, name, about string) Setting {
	return Setting{
		Name: name, Default: words[0], About: about, Choices: words,
		parse: func(text string) (any, string, error) {
			word := strings.ToLower(strings.TrimSpace(text))
			if !slices.Contains(words, word) {
				return nil, "", message.Says("must be %s or %s, not %q",
					message.Word(strings.Join(words[:len(words)-1], ", ")), message.Word(words[len(words)-1]), text)
			}
			return word, word, nil
		},
	}
}
