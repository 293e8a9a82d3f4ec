package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"muster/internal/markup"
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

// A capped reader gives so many bytes, and then an error instead of more.
type capped struct {
	r      io.Reader
	limit  int
	what   string // how the limit is told
	read   int
	failed error   // of r, other than its end
	packed *capped // what is unpacked, nil for what is not
}

// A bomb unpacks to so many times its size, and to so much that it matters. Reports reach 30 times at most. What many send
// at once must not take others' time, so the ratio also bounds what a body costs that is small as sent.
const (
	bombRatio = 100
	bombSize  = 4 << 20
)

func (c *capped) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	if err != nil && err != io.EOF {
		c.failed = err
	}
	c.read += n
	switch {
	case c.read > c.limit:
		return 0, fmt.Errorf("%w: more than %s", ErrTooLarge, c.what)
	case c.packed != nil && c.read > bombSize && c.read/bombRatio > c.packed.read:
		return 0, fmt.Errorf("%w: it unpacks to more than %d times its size", ErrTooLarge, bombRatio)
	}
	return n, err
}

// refine makes errors that the bytes of a message cause ErrMalformed, and leaves those of reading them.
func (d *decoder) refine(err error) error {
	var syntax *markup.SyntaxError
	var charset *markup.CharsetError
	var jsonSyntax *json.SyntaxError
	switch {
	case errors.Is(err, ErrTooLarge) || errors.Is(err, ErrMalformed):
		return err
	case d.wire.failed != nil:
		return d.wire.failed
	case err == io.EOF || err == io.ErrUnexpectedEOF:
		return fmt.Errorf("%w: it ends too early", ErrMalformed)
	case errors.As(err, &syntax) || errors.As(err, &charset) || errors.As(err, &jsonSyntax):
		return fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	return fmt.Errorf("%w: its compressed data is damaged", ErrMalformed)
}
