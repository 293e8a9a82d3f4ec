package activity

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/message"
	"muster/internal/web/lang"
)

// Audit records written by former versions have nothing but an English message. Messages that are not about changes of
// fields are recognised here by the fixed parts of their formats. Newer records store formats and arguments.

// formerTexts are the formats of such messages. They are complete: no newer message needs to be among them.
var formerTexts = []string{
	lang.Msg("Agent token %s changed"), lang.Msg("Agent token %s revoked"),
	lang.Msg("Reported by a new agent, %s (%s)"),
	lang.Msg("Report by %s (%s) with the agent token %s accepted"),
	lang.Msg("Report by %s (%s) with the agent token %s refused"),
	lang.Msg("%s (%s) speaks for this computer from now on"),
	lang.Msg("Token %s added"), lang.Msg("Token %s added, for reading only"), lang.Msg("Token %s added, until %s"),
	lang.Msg("Token %s added, for reading only, until %s"),
	lang.Msg("Token %s revoked"), lang.Msg("Token %s removed, since it had ended"),
	lang.Msg("Sign-in password changed"), lang.Msg("API password made"), lang.Msg("Signed out on all devices"),
	lang.Msg("Session from %s ended"),
	lang.Msg("Second factor turned on; the API needs a generated password from now on"),
	lang.Msg("Second factor turned off"), lang.Msg("Second factor reset"),
	lang.Msg("Recovery code used, %d left"), lang.Msg("Recovery codes made anew"),
	lang.Msg("Computer %s merged into computer %d (%s)"),
	lang.Msg("Computer %s (id %d) merged into this one"),
	lang.Msg("Computer %s (id %d, asset id %s) merged into this one"),
	lang.Msg("Computer %s split off computer %d (%s), with the agent %s (%s)"),
	lang.Msg("Agent %s (%s) split off as computer %d (%s)"),
	lang.Msg("Comment added to ticket %s"), lang.Msg("Private comment added to ticket %s"),
	lang.Msg("Perhaps two computers: its agents %s had nothing in common but the serial number %s, which many computers have"),
	lang.Msg("Perhaps two computers: its agents %s had nothing in common but the UUID %s, which many computers have"),
	lang.Msg("Perhaps two computers: its agents %s had nothing in common but the adapter %s, which many computers have"),
	lang.Msg("Is one computer after all"),
	lang.Msg("Not a duplicate of computer %d (%s)"), lang.Msg("May be a duplicate of computer %d (%s) after all"),
	lang.Msg("Computer %s created by its first report; possible duplicate of computer %s"),
	lang.Msg("Computer %s created by its first report; possible duplicate of computers %s"),
}

// A formerText is a format, cut at its places.
type formerText struct {
	format string
	fixed  []string // before, between and after the places
	verbs  []byte   // of the places
}

// formerForms are the patterns of formerTexts. Names that people give may contain words of a format, so formats that
// end with fixed words come first, then longer ones.
var formerForms = sync.OnceValue(func() (all []formerText) {
	for _, format := range formerTexts {
		f := formerText{format: format}
		rest := format
		for at := strings.IndexByte(rest, '%'); at >= 0; at = strings.IndexByte(rest, '%') {
			f.fixed, f.verbs, rest = append(f.fixed, rest[:at]), append(f.verbs, rest[at+1]), rest[at+2:]
		}
		f.fixed = append(f.fixed, rest)
		all = append(all, f)
	}
	open := func(f formerText) int { return lang.Pick(f.fixed[len(f.fixed)-1] == "", 1, 0) }
	slices.SortStableFunc(all, func(a, b formerText) int {
		return cmp.Or(open(a)-open(b), len(b.format)-len(a.format))
	})
	return all
})

// formerlySaid returns what a message of a former version is made of, nothing for one that says something else.
func formerlySaid(text string) message.Text {
	for _, f := range formerForms() {
		if args, ok := f.read(text); ok {
			return message.Text{Format: f.format, Args: args}
		}
	}
	return message.Text{}
}

// read returns what stands in the places of the format in a text, if the text has its fixed parts.
func (f *formerText) read(text string) (args []any, ok bool) {
	last := len(f.verbs)
	rest, begins := strings.CutPrefix(text, f.fixed[0])
	if last == 0 {
		return nil, begins && rest == ""
	}
	rest, ends := strings.CutSuffix(rest, f.fixed[last])
	if !begins || !ends {
		return nil, false
	}
	for i, verb := range f.verbs {
		own, found := rest, true
		if i < last-1 {
			own, rest, found = strings.Cut(rest, f.fixed[i+1])
		}
		arg, fits := formerArgument(verb, own)
		if !found || !fits {
			return nil, false
		}
		args = append(args, arg)
	}
	return args, true
}

// formerArgument returns the argument of a place that has a text, if it fits there.
func formerArgument(verb byte, text string) (arg any, ok bool) {
	if verb != 'd' {
		return text, text != ""
	}
	n, err := strconv.ParseInt(text, 10, 64)
	return n, err == nil
}

// formerTallies reads what the message of a report says of each field, such as "drives 2 added, 1 removed; name".
func formerTallies(k *kind.Schema, summary string) (all []*kind.Tally) {
	for part := range strings.SplitSeq(summary, "; ") {
		t := &kind.Tally{}
		counts := map[string]*int{"added": &t.Added, "removed": &t.Removed, "changed": &t.Changed}
		words := strings.Fields(strings.ReplaceAll(part, ",", ""))
		for len(words) > 2 {
			n, err := strconv.Atoi(words[len(words)-2])
			count := counts[words[len(words)-1]]
			if err != nil || count == nil {
				break
			}
			*count, words = n, words[:len(words)-2]
		}
		t.Field = inventory.FieldCalled(k, strings.Join(words, " "))
		all = append(all, t)
	}
	return all
}
