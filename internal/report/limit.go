package report

import (
	"encoding/json"
	"errors"
	"io"

	"muster/internal/markup"
	"muster/internal/message"
)

// Limits of a message.
const (
	MaxWire      = 8 << 20 // bytes as sent
	maxInflated  = 64 << 20
	maxDepth     = 12
	maxElements  = 400_000
	maxSoftwares = 20_000
	maxRows      = 2_000 // of another section
)

// Why a message is refused.
var (
	ErrTooLarge  = errors.New("the report is too large")
	ErrMalformed = errors.New("the report cannot be read")
)

// tooLarge returns an error that is ErrTooLarge and says what is.
func tooLarge(format string, args ...any) error {
	return &message.Error{Text: message.New("the report is too large: %s",
		message.New(format, args...)), Cause: ErrTooLarge}
}

// malformed returns an error that is ErrMalformed and says why.
func malformed(format string, args ...any) error {
	return &message.Error{Text: message.New("the report cannot be read: %s",
		message.New(format, args...)), Cause: ErrMalformed}
}

// A bomb unpacks to so many times its size, and to so much that it matters. Reports reach 30 times at most.
// What many send at once must not take others' time, so the ratio also bounds what a body costs that is small
// as sent.
const (
	bombRatio = 100
	bombSize  = 4 << 20
)

// unpacked bounds what a body unpacks to.
var unpacked = limits{size: maxInflated, from: bombSize, ratio: bombRatio}

// refine makes errors of unpacking and reading a message those that callers know.
func refine(err error) error {
	var syntax *markup.SyntaxError
	var charset *markup.CharsetError
	var jsonSyntax *json.SyntaxError
	switch {
	case errors.Is(err, ErrTooLarge) || errors.Is(err, ErrMalformed):
		return err
	case err == io.EOF || err == io.ErrUnexpectedEOF:
		return malformed("it ends too early")
	case errors.As(err, &syntax) || errors.As(err, &charset) || errors.As(err, &jsonSyntax):
		return wrongSyntax(err, syntax)
	}
	return malformed("its compressed data is damaged")
}

// wrongSyntax returns the error for a message that is no XML or JSON. The position of a fault in XML is passed
// separately.
func wrongSyntax(err error, at *markup.SyntaxError) error {
	text := message.Plain(err.Error())
	if at != nil {
		text = message.New("line %d, column %d: %s", at.Line, at.Column, at.Message)
	}
	return &message.Error{Text: message.New("the report cannot be read: %s",
		text), Cause: errors.Join(ErrMalformed, err)}
}
