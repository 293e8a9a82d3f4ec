package web

import (
	"bytes"
	"context"
	"errors"
	"html/template"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"muster/internal/desk"
	"muster/internal/door"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/message"
)

// A call is a request that has come to its route.
type call struct {
	*http.Request
	web *Web
	w   http.ResponseWriter
	ctx context.Context
	*tongue

	user    *inventory.User // nil when nobody is signed in
	session *desk.Session   // of the user
	form    url.Values      // that was posted
	file    *upload         // that the form brought, nil for none
	toast   *toast          // of what was done before, nil for none
	zoned   *time.Location  // see zone

	codeDue   bool // the session has no user before the code of the second factor is given
	enrolling bool // the user can do nothing before they have a second factor
	choosing  bool // nor before they have chosen a password of their own
}

// An answer is what a handler returns: a page, an address to go to, or a body of
// its own.
type answer struct {
	status   int
	template string // of a page
	page     page
	location string // to go to
	kind     string // content type of a body
	body     []byte
	zipped   func() []byte // the same compressed, nil when it is to be made
	cache    string        // how long it may be kept, "" for not at all
	// stream writes a body of any length, once the gate is passed; its header is
	// set by the handler.
	stream func(w io.Writer) error
}

// newCall begins to answer a request.
func (w *Web) newCall(out http.ResponseWriter, r *http.Request) *call {
	return &call{Request: r, web: w, w: out, ctx: r.Context(), tongue: w.tongueOf(r)}
}

// Context returns the context of the call, which ends before that of the request
// once it is worked on.
func (c *call) Context() context.Context { return c.ctx }

// now returns the time, in the zone of the person.
func (c *call) now() time.Time { return c.web.Now().In(c.zone()) }

// maxForm is the longest form.
const maxForm = 1 << 20

// receive reads the form that is posted, at the pace of its sender.
func (c *call) receive() error {
	if c.Method != http.MethodPost {
		return nil
	}
	media, _, err := mime.ParseMediaType(c.Header.Get("Content-Type"))
	if receive := c.web.receivers[c.URL.Path]; receive != nil && err == nil && media == "multipart/form-data" {
		return receive(c)
	}
	if c.ContentLength == 0 {
		return nil
	}
	if err != nil || media != "application/x-www-form-urlencoded" {
		door.Discard(c.w, c.Request)
		return door.Fault(http.StatusUnsupportedMediaType, "a form is sent as application/x-www-form-urlencoded")
	}
	paced := door.BodyOf(c.w, c.Request)
	body, err := io.ReadAll(http.MaxBytesReader(c.w, io.NopCloser(paced), maxForm))
	paced.Done(err)
	if slow, ok := errors.AsType[*door.Error](err); ok {
		return slow
	}
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		door.Drain(c.w, c.Request)
		return door.Fault(http.StatusRequestEntityTooLarge, "the form is larger than %d bytes", maxForm)
	}
	if err != nil {
		return door.Fault(http.StatusBadRequest, "the form did not arrive whole: %v", err)
	}
	if c.form, err = url.ParseQuery(string(body)); err != nil {
		return door.Fault(http.StatusBadRequest, "the form does not parse: %v", err)
	}
	return nil
}

// id returns the id of the record in the path.
func (c *call) id(k *kind.Schema) (int64, error) {
	id, err := strconv.ParseInt(c.PathValue("id"), 10, 64)
	if err != nil || id < 1 {
		return 0, door.Fault(http.StatusNotFound, "there is no %s with the id %q", message.Word(k.Noun), c.PathValue("id"))
	}
	return id, nil
}

// show answers with a page.
func (c *call) show(template string, p page) (*answer, error) {
	return &answer{status: http.StatusOK, template: template, page: p}, nil
}

// goTo answers with an address to go to.
func (c *call) goTo(path string) (*answer, error) {
	return &answer{status: http.StatusSeeOther, location: c.web.at(path)}, nil
}

// render makes the body of a page.
func (c *call) render(a *answer) error {
	if a.template == "" {
		return nil
	}
	body, err := c.execute(a.template, &a.page)
	a.kind, a.body = "text/html; charset=utf-8", body
	return err
}

// policy is what a page may load: nothing but what the server sends by itself.
const policy = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; manifest-src 'self'; " +
	"form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

// secure sets the headers that keep a page to itself.
func secure(h http.Header) {
	h.Set("Content-Security-Policy", policy)
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
}

// send sends an answer.
func (c *call) send(a *answer) error {
	h := c.w.Header()
	secure(h)
	c.keepToast(a)
	if a.cache != "" {
		h.Set("Cache-Control", a.cache)
	}
	switch {
	case a.location != "":
		h.Set("Location", a.location)
		c.w.WriteHeader(a.status)
	case a.stream != nil:
		c.w.WriteHeader(a.status)
		_ = a.stream(c.w) // the client may be gone
	default:
		return c.write(a)
	}
	return nil
}

// write sends a body, compressed if the client likes that and it is worth it.
func (c *call) write(a *answer) error {
	h, body := c.w.Header(), a.body
	h.Set("Content-Type", a.kind)
	h.Set("Vary", "Accept-Encoding, Cookie")
	if len(body) >= door.MinGzip && door.AcceptsGzip(c.Header) {
		h.Set("Content-Encoding", "gzip")
		if a.zipped != nil {
			body = a.zipped()
		} else {
			zip := door.NewCompressor()
			defer zip.Release()
			smaller, err := zip.Compress(func(w io.Writer) error {
				_, err := w.Write(a.body)
				return err
			})
			if err != nil {
				return err
			}
			body = smaller
		}
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	c.w.WriteHeader(a.status)
	_, _ = c.w.Write(body) // the client may be gone
	return nil
}

// templates returns the templates in the person's language.
func (c *call) templates() *template.Template { return c.web.templatesOf(c.tongue) }

// execute writes a page into the shell.
func (c *call) execute(name string, p *page) ([]byte, error) {
	var content bytes.Buffer
	if err := c.templates().ExecuteTemplate(&content, name, p.Data); err != nil {
		return nil, err
	}
	around, err := c.shell(p, content.String())
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = c.templates().ExecuteTemplate(&out, "shell", around)
	return out.Bytes(), err
}
