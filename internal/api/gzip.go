package api

import (
	"bytes"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
)

// minGzip is the shortest body that is worth compressing: less fits into one
// packet anyway.
const minGzip = 1400

// acceptsGzip reports whether the client takes gzip (RFC 9110): by name, or by a
// wildcard.
func acceptsGzip(h http.Header) bool {
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

// A compressor makes one body smaller after the other.
type compressor struct {
	out    bytes.Buffer
	writer *gzip.Writer
}

// compressors are used again and again, at the level that costs least.
var compressors = sync.Pool{New: func() any {
	w, err := gzip.NewWriterLevel(nil, gzip.BestSpeed)
	if err != nil {
		panic(err) // the level is one
	}
	return &compressor{writer: w}
}}

// compress returns what write writes as gzip, which is valid until the next
// call.
func (c *compressor) compress(write func(io.Writer) error) ([]byte, error) {
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

// release makes the compressor ready for others, without a very long buffer.
func (c *compressor) release() {
	if c.out.Cap() > maxBuffer {
		c.out = bytes.Buffer{}
	}
	compressors.Put(c)
}
