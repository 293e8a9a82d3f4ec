package api

import (
	"io"
	"net/http"
	"strconv"
)

// A header is the list of headers of a document, made before it is known whether the
// document is sent at all. Names are in the canonical form of http.Header.
type header []struct{ name, value string }

// maxFields is how many fields nearly every header has at most.
const maxFields = 8

func (h *header) add(name, value string) {
	*h = append(*h, struct{ name, value string }{name, value})
}

// copyTo sets the fields in the header of a response.
func (h header) copyTo(to http.Header) {
	values := make([]string, len(h))
	for i, field := range h {
		values[i] = field.value
		to[field.name] = values[i : i+1 : i+1]
	}
}

// send sends an answer.
func (c *call) send(form form, out *answer) {
	out.header.copyTo(c.w.Header())
	if out.status == http.StatusNotModified {
		writeHeader(c.w.Header())
		c.w.WriteHeader(out.status)
		return
	}
	begin(c.w, form, out.status, out.size)
	_ = c.writeBody(c.w, out) // the client may be gone
}

// writeBody writes the document of an answer, of records in pieces.
func (c *call) writeBody(w io.Writer, out *answer) (err error) {
	if out.records == nil {
		_, err = w.Write(out.body)
		return err
	}
	*c.buf, err = out.records.Write(w, *c.buf, c.base)
	return err
}

// begin sends what comes before a document of so many bytes.
func begin(w http.ResponseWriter, form form, status, size int) {
	h := w.Header()
	writeHeader(h)
	h.Set("Content-Type", form.contentType())
	h.Set("Content-Length", strconv.Itoa(size))
	w.WriteHeader(status)
}

// Headers of all documents: caches must revalidate a copy, and keep one for each
// Accept header.
var (
	cacheControl = []string{"private, no-cache"}
	vary         = []string{"Accept, Accept-Encoding"}
)

// writeHeader sets the headers of all documents.
func writeHeader(h http.Header) { h["Cache-Control"], h["Vary"] = cacheControl, vary }
