package lang

import (
	"fmt"
	"strconv"
	"strings"
)

// A poEntry is a text in a catalogue, with its translation.
type poEntry struct {
	context string
	id      string   // the text in English, for one thing if it counts
	several string   // the same for several things, "" if it does not count
	forms   []string // the translation, for each plural form of the language
}

func (e *poEntry) key() string { return keyOf(e.context, e.id) }

// readPO reads the entries of a catalogue in gettext's format, of which we need
// msgctxt, msgid, msgid_plural, msgstr and lines that go on.
func readPO(text string) (all []*poEntry, err error) {
	var e *poEntry
	var into *string
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		word, quoted, _ := strings.Cut(line, " ")
		if line[0] == '"' {
			word, quoted = "", line
		}
		value, err := strconv.Unquote(quoted)
		if err != nil {
			return nil, fmt.Errorf("line %d: %s is no text in quotes", number, quoted)
		}
		if word == "msgctxt" || word == "msgid" && (e == nil || len(e.forms) > 0) {
			e = &poEntry{}
			all = append(all, e)
		}
		if into = e.place(word, into); into == nil {
			return nil, fmt.Errorf("line %d: %s stands at no place of its own", number, line)
		}
		*into += value
	}
	return all, nil
}

// place returns where the value of a line goes: that of a line without a word
// goes where the last one went.
func (e *poEntry) place(word string, last *string) *string {
	switch {
	case word == "":
		return last
	case e == nil:
		return nil
	case word == "msgctxt":
		return &e.context
	case word == "msgid":
		return &e.id
	case word == "msgid_plural":
		return &e.several
	case word == "msgstr", word == fmt.Sprintf("msgstr[%d]", len(e.forms)):
		e.forms = append(e.forms, "")
		return &e.forms[len(e.forms)-1]
	}
	return nil
}
