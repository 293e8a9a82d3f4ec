// Package page has what all pages share: the call that a handler gets, the answer that
// it returns, the frame around a page with its menus, cells, pagers and toasts, and the
// processing of a request from its route to the response. Pages themselves belong in
// the packages beside it.
package page

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
	"muster/internal/front"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/message"
	"muster/internal/web/lang"
)

// A Call is a request that has come to its route.
type Call struct {
	*http.Request
	App    *App
	Writer http.ResponseWriter
	ctx    context.Context
	*lang.Locale

	User    *inventory.User // nil when nobody is signed in
	Session *desk.Session   // of the user
	Form    url.Values      // that was posted
	File    *Upload         // that the form brought, nil for none
	Toast   *Toast          // of what was done before, nil for none
	zoned   *time.Location  // see zone

	CodeDue   bool // the session has no user before the code of the second factor is given
	Enrolling bool // the user can do nothing before they have a second factor
	Choosing  bool // nor before they have chosen a password of their own
}

// An Answer is what a handler returns: a page, an address to go to, or a body of
// its own.
type Answer struct {
	Status   int
	Template string // of a page
	Page     Page
	location string // to go to
	Kind     string // content type of a body
	Body     []byte
	zipped   func() []byte // the same compressed, nil when it is to be made
	cache    string        // how long it may be kept, "" for not at all
	// stream writes a body of any length, once the gate is passed; its header is
	// set by the handler.
	Stream func(w io.Writer) error
}

// newCall begins to answer a request.
func (w *App) newCall(out http.ResponseWriter, r *http.Request) *Call {
	return &Call{Request: r, App: w, Writer: out, ctx: r.Context(), Locale: w.localeOf(r)}
}

// Context returns the context of the call, which ends before that of the request
// once it is worked on.
func (c *Call) Context() context.Context { return c.ctx }

// Now returns the time, in the zone of the person.
func (c *Call) Now() time.Time { return c.App.Now().In(c.Zone()) }

// MaxForm is the longest form.
const MaxForm = 1 << 20

// receive reads the form that is posted, at the pace of its sender.
func (c *Call) receive() error {
	if c.Method != http.MethodPost {
		return nil
	}
	media, _, err := mime.ParseMediaType(c.Header.Get("Content-Type"))
	if receive := c.App.Receivers[c.URL.Path]; receive != nil && err == nil && media == "multipart/form-data" {
		return receive(c)
	}
	if c.ContentLength == 0 {
		return nil
	}
	if err != nil || media != "application/x-www-form-urlencoded" {
		front.Discard(c.Writer, c.Request)
		return front.Fault(http.StatusUnsupportedMediaType, "a form is sent as application/x-www-form-urlencoded")
	}
	paced := front.BodyOf(c.Writer, c.Request)
	body, err := io.ReadAll(http.MaxBytesReader(c.Writer, io.NopCloser(paced), MaxForm))
	paced.Done(err)
	if slow, ok := errors.AsType[*front.Error](err); ok {
		return slow
	}
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		front.Drain(c.Writer, c.Request)
		return front.Fault(http.StatusRequestEntityTooLarge, "the form is larger than %d bytes", MaxForm)
	}
	if err != nil {
		return front.Fault(http.StatusBadRequest, "the form did not arrive whole: %v", err)
	}
	if c.Form, err = url.ParseQuery(string(body)); err != nil {
		return front.Fault(http.StatusBadRequest, "the form does not parse: %v", err)
	}
	return nil
}

// ID returns the id of the record in the path.
func (c *Call) ID(k *kind.Schema) (int64, error) {
	id, err := strconv.ParseInt(c.PathValue("id"), 10, 64)
	if err != nil || id < 1 {
		return 0, front.Fault(http.StatusNotFound, "there is no %s with the id %q",
			message.Word(k.Noun), c.PathValue("id"))
	}
	return id, nil
}

// Show answers with a page.
func (c *Call) Show(template string, p Page) (*Answer, error) {
	return &Answer{Status: http.StatusOK, Template: template, Page: p}, nil
}

// GoTo answers with an address to go to.
func (c *Call) GoTo(path string) (*Answer, error) {
	return &Answer{Status: http.StatusSeeOther, location: c.App.At(path)}, nil
}

// render makes the body of a page.
func (c *Call) render(a *Answer) error {
	if a.Template == "" {
		return nil
	}
	body, err := c.execute(a.Template, &a.Page)
	a.Kind, a.Body = "text/html; charset=utf-8", body
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
func (c *Call) send(a *Answer) error {
	h := c.Writer.Header()
	secure(h)
	keepToast(c, a)
	if a.cache != "" {
		h.Set("Cache-Control", a.cache)
	}
	switch {
	case a.location != "":
		h.Set("Location", a.location)
		c.Writer.WriteHeader(a.Status)
	case a.Stream != nil:
		c.Writer.WriteHeader(a.Status)
		_ = a.Stream(c.Writer) // the client may be gone
	default:
		return c.write(a)
	}
	return nil
}

// write sends a body, compressed if the client likes that and it is worth it.
func (c *Call) write(a *Answer) error {
	h, body := c.Writer.Header(), a.Body
	h.Set("Content-Type", a.Kind)
	h.Set("Vary", "Accept-Encoding, Cookie")
	if len(body) >= front.MinGzip && front.AcceptsGzip(c.Header) {
		h.Set("Content-Encoding", "gzip")
		if a.zipped != nil {
			body = a.zipped()
		} else {
			zip := front.NewCompressor()
			defer zip.Release()
			smaller, err := zip.Compress(func(w io.Writer) error {
				_, err := w.Write(a.Body)
				return err
			})
			if err != nil {
				return err
			}
			body = smaller
		}
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	c.Writer.WriteHeader(a.Status)
	_, _ = c.Writer.Write(body) // the client may be gone
	return nil
}

// Templates returns the templates in the person's language.
func (c *Call) Templates() *template.Template { return c.App.templatesOf(c.Locale) }

// execute writes a page into the shell.
func (c *Call) execute(name string, p *Page) ([]byte, error) {
	var content bytes.Buffer
	if err := c.Templates().ExecuteTemplate(&content, name, p.Data); err != nil {
		return nil, err
	}
	around, err := frameOf(c, p, content.String())
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = c.Templates().ExecuteTemplate(&out, "shell", around)
	return out.Bytes(), err
}
