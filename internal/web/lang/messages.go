package lang

import (
	"strings"

	"muster/internal/kind"
	"muster/internal/message"
)

// Advice returns in the language what people should know before they point agents at the server, in one line each: the
// command that adds a token prints it in several.
func (t *Locale) Advice(notes []message.Text) (all []string) {
	for _, note := range notes {
		note.Format = strings.ReplaceAll(note.Format, "\n", " ")
		all = append(all, t.Fault(note))
	}
	return all
}

// Fault returns a sentence of the program in the language: its format, and those arguments that are words of the
// program. People's own words stay as they are. The format and the words in the code are the English ones: en.po has no
// part in it.
func (t *Locale) Fault(text message.Text) string {
	args := make([]any, len(text.Args))
	for i, arg := range text.Args {
		args[i] = t.argument(arg)
	}
	if t.Name == English {
		return message.Text{Format: text.Format, Args: args}.String()
	}
	return t.T(text.Format, args...)
}

// argument returns what stands in a sentence in the language.
func (t *Locale) argument(arg any) any {
	switch arg := arg.(type) {
	case message.Text:
		return t.Fault(arg)
	case message.Count:
		return t.count(arg)
	case message.Word:
		if t.Name != English {
			return t.word(string(arg))
		}
	}
	return arg
}

// count returns a number of records.
func (t *Locale) count(c message.Count) string {
	return t.TN(int(c.N), "%s "+c.Noun, "%s "+c.Noun+"s")
}

// word translates a word of the product within a sentence: the name of a field, filter, setting, kind or its records,
// or a value.
func (t *Locale) word(text string) string {
	noun := strings.TrimSuffix(text, " records")
	for _, key := range []string{
		text, keyOf("value", text), kind.Words(text), faultTitles()[text], faultTitles()[kind.Words(text)], noun,
		noun + " record",
	} {
		if forms := t.Texts[key]; forms != nil {
			return forms[0]
		}
	}
	return text
}

// EachFault returns each fault as a text.
func (t *Locale) EachFault(faults []message.Text) []string {
	all := make([]string, len(faults))
	for i, text := range faults {
		all[i] = t.Fault(text)
	}
	return all
}

// Faults returns all faults of a record as one text.
func (t *Locale) Faults(e *kind.Invalid) string { return strings.Join(t.EachFault(e.Faults), ". ") }
