package api

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"path"
	"strings"
	"sync"

	"muster/internal/desk"
	"muster/internal/front"
	"muster/internal/kind"
	"muster/internal/store"
)

// A handler answers a request with a document or an error.
type handler func(*call) (*answer, error)

// verbs are what a path can do. OPTIONS is everywhere.
type verbs = front.Verbs[handler]

// A call is a request that has passed the doors.
type call struct {
	*http.Request
	w      http.ResponseWriter
	ctx    context.Context
	who    desk.Caller
	base   string      // that addresses in the answer begin with
	format kind.Format // of the answer
	buf    *[]byte     // for texts of the answer

	body    []byte // the document that was sent
	bodyErr error  // why it was not received

	zip *front.Compressor // has the answer's body, nil if it is not compressed
}

// Context returns the context of the call, which ends before that of the request
// once it is worked on.
func (c *call) Context() context.Context { return c.ctx }

// buffers are used again and again: a long list is written into many.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// maxBuffer is the longest body whose buffer is kept.
const maxBuffer = 4 << 20

// write writes a text into the call's buffer. The next one overwrites it.
func (c *call) write(text func(b []byte) []byte) []byte {
	*c.buf = text((*c.buf)[:0])
	return *c.buf
}

// An answer is a document: of records, or a body as it is.
type answer struct {
	status  int
	header  header
	records *kind.Document // nil for others
	body    []byte         // of these
	size    int            // of what is sent, in bytes
	record  string         // the beginning of its tag, if it is one record's
}

// measure returns the length of the document and its hash.
func (a *answer) measure(base string) (size int, sum kind.Sum) {
	if a.records == nil {
		return len(a.body), kind.SumOf(a.body)
	}
	return a.records.Len(base), a.records.Sum(base)
}

// serve strips the extension of the path and hands the request to its route.
func (a *API) serve(w http.ResponseWriter, r *http.Request) {
	bare, ok := bareTarget(r.URL)
	bare, below := strings.CutPrefix(bare, a.Front.Below())
	if !ok || !below || !strings.HasPrefix(bare, "/") {
		a.fail(w, r, notFound(r))
		return
	}
	inner := new(http.Request)
	*inner = *r
	inner.URL = &url.URL{Path: bare, RawQuery: r.URL.RawQuery}
	a.router.ServeHTTP(w, inner)
}

// bareTarget returns the path without its extension; ok is false for a path
// that is not clean, also without it, or has an extension that is not served.
func bareTarget(u *url.URL) (bare string, ok bool) {
	ext := path.Ext(u.Path)
	bare = strings.TrimSuffix(u.Path, ext)
	clean := strings.HasPrefix(u.Path, "/") && path.Clean(u.Path) == u.Path && path.Clean(bare) == bare &&
		!strings.Contains(strings.ToLower(u.RawPath), "%2f")
	return bare, clean && (ext == "" || ext == kind.XML.Extension() || ext == kind.JSON.Extension())
}

// Routes returns all paths that the API serves to those who sign in.
func (a *API) Routes() []front.Route { return a.router.Routes() }

// newRouter returns what leads requests to their handlers.
func (a *API) newRouter() *front.Router[handler] {
	return &front.Router[handler]{Options: true, Refuse: a.fail, Narrow: narrow}
}

// narrow says what a request may do of what its path can: JSON is for reading.
func narrow(r *http.Request, can verbs) (verbs, string) {
	if !visitOf(r).readOnly {
		return can, ""
	}
	reads, hint := verbs{}, ""
	if get := can[http.MethodGet]; get != nil {
		reads[http.MethodGet] = get
	}
	if can[r.Method] != nil {
		hint = "; JSON is for reading: send XML to the address with .xml"
	}
	return reads, hint
}

// route serves a path.
func (a *API) route(pattern string, can verbs) { a.router.Handle(pattern, nil, can, a.answer) }

// answer receives a document, runs a handler and sends what it returns.
// Receiving and sending take as long as the client takes, so they are outside of
// the gate.
func (a *API) answer(w http.ResponseWriter, r *http.Request, handle handler) {
	v := visitOf(r)
	if v.unacceptable != nil {
		a.fail(w, r, v.unacceptable)
		return
	}
	c := &call{Request: r, w: w, ctx: r.Context(), base: a.Hosts.Base(r), format: v.form.format, who: v.caller(),
		buf: buffers.Get().(*[]byte)}
	defer c.release()
	v.Begin(front.Receiving)
	err := c.receive()
	var out *answer
	if err == nil {
		out, err = a.work(c, handle)
	}
	v.Begin(front.Writing)
	if err != nil {
		a.fail(w, r, err)
		return
	}
	c.send(v.form, out)
}

// work passes the gate, runs a handler and makes the answer ready to be sent.
func (a *API) work(c *call, handle handler) (*answer, error) {
	ctx, cancel := context.WithTimeout(c.Context(), requestTime)
	defer cancel()
	v := visitOf(c.Request)
	v.Begin(front.Waiting)
	if err := a.gate.Enter(ctx); err != nil {
		return nil, err
	}
	defer a.gate.Leave()
	v.Begin(front.Answering)
	c.ctx = store.WithUsage(ctx, &v.Database)
	out, err := handle(c)
	if err != nil {
		return nil, err
	}
	return out, c.finish(out)
}

// finish makes an answer what is sent: no document when the client has it
// already, and a compressed one when the client likes that and it is worth it.
func (c *call) finish(out *answer) error {
	size, sum := out.measure(c.base)
	zip := size >= front.MinGzip && front.AcceptsGzip(c.Header)
	if c.Method != http.MethodDelete { // what is gone has no tag
		tag := entityTag(out.record, sum, zip)
		out.header.add("Etag", tag)
		if unchanged(c.Request, tag) {
			out.status = http.StatusNotModified
			return nil
		}
	}
	if out.size = size; !zip {
		return nil
	}
	out.header.add("Content-Encoding", "gzip")
	c.zip = front.NewCompressor()
	body, err := c.zip.Compress(func(w io.Writer) error { return c.writeBody(w, out) })
	out.records, out.body, out.size = nil, body, len(body)
	return err
}

// release lets others use the call's buffers.
func (c *call) release() {
	if cap(*c.buf) <= maxBuffer {
		buffers.Put(c.buf)
	}
	if c.zip != nil {
		c.zip.Release()
	}
}
