package web

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"muster/internal/kind"
)

// faultTexts are the sentences in which the desk and the kinds refuse what a
// person wants. They come in English, as the API tells them; catalogues have
// them with %s for what stands in their places.
var faultTexts = []string{
	// Of a field, whose name comes first.
	"%s can't be blank",
	"%s is too long (maximum is %s bytes)",
	"%s is too long (maximum is %s characters)",
	"%s is too short (minimum is %s characters)",
	"%s must be one of %s",
	"%s must be %s",
	"%s must be greater than or equal to 0",
	"%s must be less than or equal to %s",
	"%s must be text in UTF-8",
	"%s must be text of one line in UTF-8",
	"%s must not be a number, which would be taken for an id",
	"%s is not a number: %s",
	"%s is not a date such as 2026-01-31: %s",
	"%s is not a timestamp such as 2026-01-31T09:30:00Z: %s",
	"%s is in the past",
	"%s is accepted over HTTPS alone",
	"%s has more than %s places: %s",
	"%s has more than %s items",
	"%s has an id that is not a number: %s",
	"%s holds characters that are no text",
	"%s must be named by kind and id, not %s",
	"%s names a %s that does not exist: %s",
	"%s is not clear: several users have the name %s",
	"%s does not exist: no user has the id %s",
	"%s does not exist: no user is called %s",
	"%s has already been taken: %s %s has %s",
	"%s has already been taken: %s %s has the same %s",
	"%s can't be changed without the password, which is bound to it: send the password too",
	"%s item %s: %s",

	// Of records.
	"there is no %s with the id %s",
	"there is no %s with the id %s that belongs to the %s %s",
	"%s: it was merged into computer %s",
	"the %s %s is still referred to, %s",
	"the software %s is still installed on %s",
	"%s is already installed on computer %s",
	"%s cannot lose %s, which is the status of %s: give them another first",
	"the %s %s is not in the version that the request expects: read it again",
	"the %s that was made with this idempotency key is gone",
	"the first request with this idempotency key is still running",

	// Of computers that are one.
	"%s and %s are one computer already",
	"a computer is the same as itself",
	"%s computers are called %s, those with the ids %s: give the id of the one that you mean",
	"%s is the id of one computer, which has the asset id %s, and the asset id of another, which has the id %s: give that of the one that you mean",
	"there is no computer with the id, asset id or name %s: GET /hardwares.xml?q=… finds ids by other words",

	// Of what is undone, and of changes of many records.
	"a change of %s cannot be undone: change the record instead",
	"only a change of a record can be undone",
	"only who made a change can undo it",
	"the %s %s was changed since, so that nothing was undone",
	"this change cannot be undone",
	"this change cannot be undone: change the record instead",
	"this was changed too long ago to be undone: change the record instead",
	"another change of many records of yours is under way: wait until it is done",
	"nothing is known of this change any more",
	"somebody else was changing it",
	"somebody has changed it since",
	"it could not be stored",

	// Of saved views.
	"the view %s is somebody else's",
	"there is no saved view with the id %s",
	"you have saved %s views of this list: remove one first",
	"Query is too long: use fewer filters",

	// Of rights.
	"a %s may not %s",
	"a %s may not see %s",
	"a %s may not see this",
	"a %s may not import records",
	"a %s may not verify the audit trail",
	"a %s may not ask what refers to a %s",
	"a %s may not set %s of a %s",
	"a %s may not set %s of a %s to %s",
	"the user %s may only read",
	"the user %s may only read, and so shares no views",
	"%s may deal with tokens of their own alone",
	"%s is the last enabled administrator who can sign in and change records",

	// Of users, how they sign in, and tokens.
	"there is no user %s",
	"the user %s does not exist any more",
	"the user %s is disabled",
	"the e-mail address or the password is not right",
	"the password is not right",
	"the session has ended: sign in again",
	"there is no session with the id %s: it may have ended",
	"an API password is made over HTTPS alone",
	"a second factor is set up over HTTPS alone",
	"the second factor is on already: turn it off first",
	"the setup of the second factor was not begun: begin it first",
	"the code is not right, or it was used before",
	"the code was given before",
	"there were too many wrong codes: wait for %s minutes, or use a recovery code",
	"%s has no second factor",
	"%s has no second factor now",
	"%s has a token %s already, with the id %s: revoke it first, or choose another name",
	"there is an agent token %s already, with the id %s: revoke it first, or choose another name",

	// Of imports.
	"%s is the same as in row %s",
	"%s is that of no %s: %s",
	"%s is that of %s %s: recognise them by something else",
	"no column is %s, by which records are to be recognised",
	"no column is matched with a field: none is called like one of %s records",
	"the columns %s and %s are both %s: leave one out",
	"all or nothing is possible for at most %s rows: split the file, or import the good rows only",
	"records of this kind cannot be imported by a %s",
	"nothing was checked yet",
	"this import is no longer held: a file is kept for an hour, once written until others need the room, and never over a restart; the activity tells what was written",
	"the file did not arrive whole: %s",
	"the file is larger than %s MiB: split it",

	// Of requests.
	"there is nothing at %s",
	"the %s %s has no such list",
	"the form did not arrive whole: %s",
	"the form is larger than %s bytes",
	"a page of another site may not change records",
	"internal error; the log has more about the request %s",
}

// inner tells the place of a sentence that has another one in it.
var inner = map[string]int{"%s item %s: %s": 2, "%s: it was merged into computer %s": 0}

// A faultForm recognises one of these sentences.
type faultForm struct {
	text  string
	parts *regexp.Regexp // what stands in its places
}

// faultForms are those of all sentences: those that have another in them first,
// then those that say more.
var faultForms = sync.OnceValue(func() (all []faultForm) {
	for _, text := range faultTexts {
		pattern := strings.ReplaceAll(regexp.QuoteMeta(text), "%s", "(.+?)")
		all = append(all, faultForm{text, regexp.MustCompile("(?s)^" + pattern + "$")})
	}
	rank := func(f faultForm) int {
		if _, ok := inner[f.text]; ok {
			return math.MaxInt
		}
		return len(f.text)
	}
	slices.SortStableFunc(all, func(a, b faultForm) int { return cmp.Compare(rank(b), rank(a)) })
	return all
})

// fault tells in the language what was refused in English. A sentence that is not
// known stays as it is.
func (t *tongue) fault(text string) string {
	if t.name == english {
		return text
	}
	for _, form := range faultForms() {
		found := form.parts.FindStringSubmatch(text)
		if found == nil {
			continue
		}
		args := make([]any, len(found)-1)
		for i, part := range found[1:] {
			args[i] = t.part(part)
		}
		if i, ok := inner[form.text]; ok {
			args[i] = t.fault(found[i+1])
		}
		return t.t(form.text, args...)
	}
	return text
}

// part returns what stands in a place of a fault: the name of a field or a kind,
// a value, or what a person wrote.
func (t *tongue) part(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	for _, key := range []string{text, keyOf("value", text), string(unicode.ToUpper(first)) + text[size:]} {
		if forms := t.texts[key]; forms != nil {
			return forms[0]
		}
	}
	return text
}

// eachFault tells all that is wrong.
func (t *tongue) eachFault(faults []string) []string {
	all := make([]string, len(faults))
	for i, text := range faults {
		all[i] = t.fault(text)
	}
	return all
}

// faults tells what is wrong with a record as one text.
func (t *tongue) faults(e *kind.Invalid) string { return strings.Join(t.eachFault(e.Faults), ". ") }
