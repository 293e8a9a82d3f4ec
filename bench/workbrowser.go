package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"strings"
)

// origin returns what the addresses of the server begin with.
func (a *arena) origin() string { return "https://" + a.muster.address }

// transport returns connections to the server as browsers and agents have them.
func (a *arena) transport() *http.Transport {
	return &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: a.muster.roots, ServerName: "localhost"}, ForceAttemptHTTP2: true,
	}
}

// get opens a page.
func (t *technician) get(ctx context.Context, target string) (*answered, error) {
	return t.send(ctx, http.MethodGet, target, "", nil)
}

// post sends a form and opens the page that follows.
func (t *technician) post(ctx context.Context, target string, form url.Values) (*answered, error) {
	return t.send(ctx, http.MethodPost, target, "application/x-www-form-urlencoded", strings.NewReader(form.Encode()))
}

// upload sends a form with a file and opens the page that follows.
func (t *technician) upload(ctx context.Context, target, kind, file string) (*answered, error) {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, err := form.CreateFormFile("file", "computers.csv")
	if err != nil {
		return nil, err
	}
	_, err = io.WriteString(part, file)
	if err := errors.Join(err, form.WriteField("kind", kind), form.Close()); err != nil {
		return nil, err
	}
	return t.send(ctx, http.MethodPost, target, form.FormDataContentType(), &body)
}

// send sends a request, and follows the answer to the page that it leads to.
func (t *technician) send(ctx context.Context, method, target, content string, body io.Reader) (*answered, error) {
	ctx, cancel := context.WithTimeout(ctx, clientTime)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, method, t.origin+target, body)
	if err != nil {
		return nil, err
	}
	if content != "" {
		r.Header.Set("Content-Type", content)
	}
	found, err := answer(t.client, r)
	if err == nil && found.path == "/app/signin" {
		return nil, fmt.Errorf("%s %s: the session has ended", method, target)
	}
	return found, err
}

// An answered is an answer, and the path that it is from.
type answered struct{ path, body string }

// answer sends a request and reads the answer, which must have status 200.
func answer(client *http.Client, r *http.Request) (*answered, error) {
	resp, err := client.Do(r)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, fmt.Errorf("%s %s: read the answer: %w", r.Method, r.URL.Path, err)
	}
	switch resp.StatusCode {
	case http.StatusOK:
		return &answered{resp.Request.URL.Path, string(body)}, nil
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		return nil, fmt.Errorf("%s %s: %w: %s", r.Method, r.URL.Path, errLimit, body)
	}
	return nil, fmt.Errorf("%s %s: got status %d: %s", r.Method, r.URL.Path, resp.StatusCode, body)
}
