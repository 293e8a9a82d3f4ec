package activity

import (
	"strconv"
	"strings"

	"muster/internal/kind"
	"muster/internal/web/lang"
	"muster/internal/web/page"
)

// A translation is a change, as a message writes it and in the words of the person.
type translation struct{ written, own string }

// TranslateChanges returns a message about changes in the person's language. It returns
// the message as it is if it says anything else than the changes.
func TranslateChanges(c *page.Call, k *kind.Schema, changes []kind.Change, message string) string {
	listed, writtenRest, ownRest := changes, "", ""
	if n := len(changes) - kind.MaxSentences; n > 0 {
		listed = changes[:kind.MaxSentences]
		writtenRest = "; and " + strconv.Itoa(n) + " more changes"
		ownRest = "; " + c.TN(n, "and %s more change", "and %s more changes")
	}
	var written, own []string
	for _, change := range listed {
		one, ok := translationOf(c, k.Field(change.Field), change)
		if !ok {
			return message
		}
		written, own = append(written, one.written), append(own, one.own)
	}
	if len(own) == 0 || strings.Join(written, "; ")+writtenRest != message {
		return message
	}
	return strings.Join(own, "; ") + ownRest
}

// translationOf translates the change of a field or of one of its items. It returns
// false if the field is not known or the change cannot be read.
func translationOf(c *page.Call, f *kind.Field, change kind.Change) (translation, bool) {
	switch {
	case f == nil:
		return translation{}, false
	case f.Type == kind.List:
		return translateItem(c, f, change)
	case f.Secret && change.From == "" && change.To == "":
		return translation{f.Label + " changed", c.T("%s changed", c.Label(f))}, true
	}
	return translateValue(c, f, f.Label, c.Label(f), change.From, change.To), true
}

// translateValue translates the change of a value. Label is the field's name in stored
// messages, own its name in the person's language.
func translateValue(c *page.Call, f *kind.Field, label, own, from, to string) translation {
	switch {
	case from == "":
		return translation{label + " set to " + f.Shown(to), c.T("%s set to %s", own, ShownValue(c, f, to))}
	case to == "":
		return translation{
			label + " cleared, was " + f.Shown(from), c.T("%s cleared, was %s", own, ShownValue(c, f, from)),
		}
	}
	return translation{label + " changed from " + f.Shown(from) + " to " + f.Shown(to), c.T("%s changed from %s to %s",
		own, ShownValue(c, f, from), ShownValue(c, f, to))}
}

// ShownValue returns a value within a sentence, cut when it is long.
func ShownValue(c *page.Call, f *kind.Field, text string) string { return clip(c.EventValue(f, text)) }

// shownValues returns ShownValue as a function of field and text.
func shownValues(c *page.Call) func(*kind.Field, string) string {
	return func(f *kind.Field, text string) string { return ShownValue(c, f, text) }
}

// translateItem translates the change of an item of a collection. It returns false if
// the descriptions cannot be read. A description of several items means that the
// collection was put in another order.
func translateItem(c *page.Call, f *kind.Field, change kind.Change) (translation, bool) {
	from, fromOne := described(change.From)
	to, toOne := described(change.To)
	if from == nil || to == nil {
		return translation{}, false
	}
	if !fromOne || !toOne {
		return translation{f.Label + " put in another order", c.T("%s put in another order", c.Label(f))}, true
	}
	noun, own := kind.Words(f.Items.Noun), lang.Capital(c.T(f.Items.Noun))
	written, name := itemCalled(f, from, (*kind.Field).Shown), itemCalled(f, from, shownValues(c))
	switch {
	case change.To == "":
		return translation{noun + " removed: " + written, c.T("%s removed: %s", own, name)}, true
	case change.From == "":
		return translation{noun + " added: " + itemCalled(f, to, (*kind.Field).Shown), c.T("%s added: %s", own,
			itemCalled(f, to, shownValues(c)))}, true
	}
	var all, allOwn []string
	for _, of := range f.Items.Fields {
		if from[of.Name] == to[of.Name] {
			continue
		}
		one := translateValue(c, of, lang.Inside(of.Label), c.Inside(c.Label(of)), from[of.Name], to[of.Name])
		all, allOwn = append(all, one.written), append(allOwn, one.own)
	}
	return translation{noun + " " + written + " changed: " + strings.Join(all, ", "), c.T("%s %s changed: %s", own,
		name, strings.Join(allOwn, ", "))}, true
}

// described reads the description of an item in an audit record, such as
// name: "Draughtsman", version: "7": its values by the names of their fields. It
// returns nil for another text, and the first of several items with false.
func described(text string) (values map[string]string, one bool) {
	values = map[string]string{}
	for more := text != ""; more; {
		name, rest, ok := strings.Cut(text, ": ")
		quoted, err := strconv.QuotedPrefix(rest)
		if !ok || err != nil {
			return nil, false
		}
		if values[name], err = strconv.Unquote(quoted); err != nil {
			return nil, false
		}
		text, more = strings.CutPrefix(rest[len(quoted):], ", ")
	}
	return values, text == ""
}

// itemCalled returns what people call an item with such values.
func itemCalled(f *kind.Field, values map[string]string, show func(*kind.Field, string) string) string {
	return f.ItemName(func(of *kind.Field) string {
		if values[of.Name] == "" {
			return ""
		}
		return show(of, values[of.Name])
	})
}
