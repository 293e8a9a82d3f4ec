package api_test

import (
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"muster/internal/mustertest"
)

// TestGzip compresses what is long enough for those who ask for it.
func TestGzip(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		fleet(s, 30)
		c := s.Admin()
		plain := c.Get("/hardwares.xml", "Accept-Encoding", "identity")
		for accept, want := range map[string]string{
			"gzip": "gzip", "GZIP": "gzip", "x-gzip": "gzip", "deflate, gzip;q=0.5": "gzip", "*": "gzip",
			"br, *;q=0.1": "gzip", "gzip;q=1.0": "gzip",
			"identity": "", "deflate": "", "gzip;q=0": "", "*;q=0": "", "gzip;q=0, *": "", "gzip;q=high": "", ";": "",
			"br": "",
		} {
			r := c.Get("/hardwares.xml", "Accept-Encoding", accept)
			equal(t, accept+": Content-Encoding", r.Header.Get("Content-Encoding"), want)
			equal(t, accept+": Vary", r.Header.Get("Vary"), "Accept, Accept-Encoding")
			equal(t, accept+": Content-Length", r.Header.Get("Content-Length"), fmt.Sprint(len(r.Body)))
			if want == "" {
				equal(t, accept, r.Body, plain.Body)
				continue
			}
			equal(t, accept, inflate(t, r.Body), plain.Body)
			if len(r.Body) > len(plain.Body)/3 {
				t.Errorf("%s: got %d of %d bytes, want far less", accept, len(r.Body), len(plain.Body))
			}
			equal(t, accept+": ETag", r.Header.Get("ETag"), strings.TrimSuffix(plain.Header.Get("ETag"), `"`)+`-gzip"`)
			again := c.Get("/hardwares.xml", "Accept-Encoding", accept, "If-None-Match", r.Header.Get("ETag"))
			equal(t, accept+" again", []any{again.Status, again.Body}, []any{http.StatusNotModified, ""})
			head := c.Do("HEAD", "/hardwares.xml", "", "Accept-Encoding", accept)
			equal(t, "HEAD", head.Header.Get("Content-Length"), r.Header.Get("Content-Length"))
		}
		short := c.Get("/hardwares.xml?site=nowhere", "Accept-Encoding", "gzip")
		equal(t, "a short document", short.Header.Get("Content-Encoding"), "")
		one := c.Get("/hardwares/1.xml", "Accept-Encoding", "gzip")
		equal(t, "a record", one.Header.Get("Content-Encoding"), "gzip")
		put := c.Do("PUT", "/hardwares/1", hardware("<site>a</site>"), "If-Match", one.Header.Get("ETag"),
			"Accept-Encoding", "gzip")
		equal(t, "a change under the compressed record's tag", put.Status, http.StatusOK)
	})
}

// inflate returns what was compressed.
func inflate(t *testing.T, body string) string {
	t.Helper()
	r, err := gzip.NewReader(strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
