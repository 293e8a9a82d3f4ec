package web

import (
	"strings"

	"muster/internal/message"
)

// advice returns in the language what people should know before they point agents at the server, in one line each: the
// command that adds a token prints it in several.
func (t *tongue) advice(notes []message.Text) (told []string) {
	for _, note := range notes {
		note.Format = strings.ReplaceAll(note.Format, "\n", " ")
		told = append(told, t.fault(note))
	}
	return told
}
