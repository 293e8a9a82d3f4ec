// Package message keeps the sentences that people read as an English format and its arguments. Errors and audit
// records contain them; the API writes them in English, and pages translate the format and those arguments that
// are words of the product. The translations belong to package web, and the sentences to the packages that make
// them.
package message

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// A Text is a sentence in English. The zero Text says nothing.
type Text struct {
	Format string // for fmt
	Args   []any  // Word, Count and Text are translated, anything else is people's own
}

// A Word is a word of the product that stands in a sentence, such as the name of a field, a kind, a role or a setting.
type Word string

// A Count is a number of records, by the noun of one of them.
type Count struct {
	N    int64
	Noun string
}

// String returns the count in English.
func (c Count) String() string {
	if c.N == 1 {
		return "1 " + c.Noun
	}
	return strconv.FormatInt(c.N, 10) + " " + c.Noun + "s"
}

// New returns the text with a format and arguments.
func New(format string, args ...any) Text {
	if false {
		_ = fmt.Sprintf(format, args...) // go vet checks the arguments of New, too
	}
	return Text{format, args}
}

// Plain returns a text of words that are not the product's and stay as they are.
func Plain(words string) Text { return New("%s", words) }

// IsPlain reports whether the text has nothing to translate, as Plain makes it.
func (t Text) IsPlain() bool { return t.Format == "%s" }

// String returns the text in English.
func (t Text) String() string {
	if len(t.Args) == 0 {
		return t.Format
	}
	return fmt.Sprintf(t.Format, t.Args...)
}

// IsZero reports whether the text says nothing.
func (t Text) IsZero() bool { return t.Format == "" }

// Subject returns the word that the text begins with, such as the name of a field, "" for none.
func (t Text) Subject() Word {
	if len(t.Args) == 0 || !strings.HasPrefix(t.Format, "%s ") {
		return ""
	}
	word, _ := t.Args[0].(Word)
	return word
}

// WithSubject returns the text with another subject: a Word, or a string that stays as it is.
func (t Text) WithSubject(subject any) Text {
	if t.Subject() == "" {
		return t
	}
	return Text{t.Format, append([]any{subject}, t.Args[1:]...)}
}

// A Predicate is what a Text says of its subject, such as "can't be blank". The zero Predicate says nothing.
type Predicate Text

// Says returns the predicate with a format and arguments.
func Says(format string, args ...any) Predicate {
	if false {
		_ = fmt.Sprintf(format, args...) // go vet checks the arguments of Says, too
	}
	return Predicate{format, args}
}

// IsZero reports whether the predicate says nothing.
func (p Predicate) IsZero() bool { return p.Format == "" }

// Of returns the text that says the predicate of a subject.
func (p Predicate) Of(subject Word) Text {
	return Text{"%s " + p.Format, append([]any{subject}, p.Args...)}
}

// Error returns the predicate in English, for a setting whose value is not allowed.
func (p Predicate) Error() string { return Text(p).String() }

// Strings returns texts in English.
func Strings(texts []Text) []string {
	if texts == nil {
		return nil
	}
	all := make([]string, len(texts))
	for i, t := range texts {
		all[i] = t.String()
	}
	return all
}

// Join returns texts in English as one.
func Join(texts []Text, separator string) string { return strings.Join(Strings(texts), separator) }

// Joined returns some texts as one, with a separator between them.
func Joined(texts []Text, separator string) Text {
	args := make([]any, len(texts))
	for i, t := range texts {
		args[i] = t
	}
	return Text{strings.TrimSuffix(strings.Repeat("%s"+separator, len(texts)), separator), args}
}

// An Error is an error whose text people read.
type Error struct {
	Text  Text
	Cause error // nil for none
}

// Error returns the text in English.
func (e *Error) Error() string { return e.Text.String() }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

// Message returns the text.
func (e *Error) Message() Text { return e.Text }

// Errorf returns an error with a text.
func Errorf(format string, args ...any) error { return &Error{Text: New(format, args...)} }

// Of returns the text of an error, or its words as they are if it has none.
func Of(err error) Text {
	if e, ok := errors.AsType[interface {
		error
		Message() Text
	}](err); ok {
		return e.Message()
	}
	return Plain(err.Error())
}
