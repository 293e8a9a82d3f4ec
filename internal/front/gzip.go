package front

import (
	"bytes"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
)

// MinGzip is the shortest body that is worth compressing: less fits into one
// packet anyway.
const MinGzip = 1400

// AcceptsGzip reports whether the client takes gzip (RFC 9110): by name, or by a
// wildcard.
func AcceptsGzip(h http.Header) bool {
	given := h["Accept-Encoding"]
	if len(given) == 0 {
		return false
	}
	accepted := map[string]float64{}
	for member := range strings.SplitSeq(strings.Join(given, ","), ",") {
		name, weight, weighted := strings.Cut(member, ";")
		q := 1.0
		if weighted {
			text, ok := strings.CutPrefix(strings.ToLower(strings.TrimSpace(weight)), "q=")
			parsed, err := strconv.ParseFloat(text, 64)
			if !ok || err != nil {
				continue
			}
			q = parsed
		}
		name = strings.ToLower(strings.TrimSpace(name))
		accepted[name] = max(q, accepted[name])
	}
	for _, name := range []string{"gzip", "x-gzip", "*"} {
		if q, named := accepted[name]; named {
			return q > 0
		}
	}
	return false
}

// A Compressor makes one body smaller after the other.
type Compressor struct {
	out    bytes.Buffer
	writer *gzip.Writer
}

// compressors are used again and again, at the level that costs least.
var compressors = sync.Pool{New: func() any {
	w, err := gzip.NewWriterLevel(nil, gzip.BestSpeed)
	if err != nil {
		panic(err) // the level is one
	}
	return &Compressor{writer: w}
}}

// NewCompressor returns a compressor, which must be released.
func NewCompressor() *Compressor { return compressors.Get().(*Compressor) }

// Compress returns what write writes as gzip, which is valid until the next
// call.
func (c *Compressor) Compress(write func(io.Writer) error) ([]byte, error) {
	c.out.Reset()
	c.writer.Reset(&c.out)
	if err := write(c.writer); err != nil {
		return nil, err
	}
	if err := c.writer.Close(); err != nil {
		return nil, err
	}
	return c.out.Bytes(), nil
}

// maxKept is the longest buffer that is kept.
const maxKept = 4 << 20

// Release makes the compressor ready for others, without a very long buffer.
func (c *Compressor) Release() {
	if c.out.Cap() > maxKept {
		c.out = bytes.Buffer{}
	}
	compressors.Put(c)
}
