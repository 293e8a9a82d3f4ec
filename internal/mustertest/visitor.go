package mustertest

import (
	"io"
	"mime/multipart"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"
)

// A Visitor uses the web application as a browser without scripts would: with
// cookies, links and forms. It does not follow redirects.
type Visitor struct {
	Language string // that the browser accepts, as in its header; "" for any
	Address  string // from which a trusted proxy says that they come; "" for none

	t      testing.TB
	base   string
	client *http.Client
}

// Visitor returns somebody who is not signed in.
func (s *Server) Visitor() *Visitor {
	jar, err := cookiejar.New(nil)
	if err != nil {
		s.t.Fatal(err)
	}
	client := &http.Client{
		Transport: s.Transport(), Jar: jar,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return &Visitor{t: s.t, base: s.Base, client: client}
}

// SignIn returns somebody who has signed in with AdminPassword.
func (s *Server) SignIn(email string) *Visitor {
	v := s.Visitor()
	if got := v.Post("/app/signin",
		url.Values{"email": {email}, "password": {AdminPassword}}); got.Status != http.StatusSeeOther {
		s.t.Fatalf("sign-in of %s: got %d, want 303: %s", email, got.Status, got.Body)
	}
	return v
}

// Get asks for a page.
func (v *Visitor) Get(target string) *Response {
	v.t.Helper()
	return v.do(http.MethodGet, target, nil)
}

// Post sends a form.
func (v *Visitor) Post(target string, form url.Values) *Response {
	v.t.Helper()
	return v.do(http.MethodPost, target, form)
}

// Upload sends a form with a file, in the input called file.
func (v *Visitor) Upload(target string, form url.Values, name, file string) *Response {
	v.t.Helper()
	var body strings.Builder
	w := multipart.NewWriter(&body)
	for field, values := range form {
		for _, value := range values {
			_ = w.WriteField(field, value) // into memory
		}
	}
	part, err := w.CreateFormFile("file", name)
	if err != nil {
		v.t.Fatal(err)
	}
	_, _ = io.WriteString(part, file)
	_ = w.Close()
	return v.send(http.MethodPost, target, w.FormDataContentType(), body.String())
}

func (v *Visitor) do(method, target string, form url.Values) *Response {
	v.t.Helper()
	kind := ""
	if form != nil {
		kind = "application/x-www-form-urlencoded"
	}
	return v.send(method, target, kind, form.Encode())
}

// send sends a request with a body of a type, "" for none.
func (v *Visitor) send(method, target, kind, text string) *Response {
	v.t.Helper()
	req, err := http.NewRequestWithContext(v.t.Context(), method, v.base+target, strings.NewReader(text))
	if err != nil {
		v.t.Fatal(err)
	}
	if kind != "" {
		req.Header.Set("Content-Type", kind)
	}
	if v.Address != "" {
		req.Header.Set("X-Forwarded-For", v.Address)
	}
	if v.Language != "" {
		req.Header.Set("Accept-Language", v.Language)
	}
	res, err := v.client.Do(req)
	if err != nil {
		v.t.Fatalf("%s %s: %v", method, target, err)
	}
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		v.t.Fatalf("%s %s: %v", method, target, err)
	}
	return &Response{Status: res.StatusCode, Header: res.Header, Body: string(body)}
}

// SetCookie keeps a cookie that a script would set.
func (v *Visitor) SetCookie(name, value string) {
	v.t.Helper()
	base, err := url.Parse(v.base)
	if err != nil {
		v.t.Fatal(err)
	}
	v.client.Jar.SetCookies(base, []*http.Cookie{{Name: name, Value: value, Path: "/"}})
}
