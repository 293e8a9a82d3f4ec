//go:build full

package main_test

import (
	"encoding/xml"
	"fmt"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"muster/internal/mustertest"
)

// A judge collects documents for xmllint, the second parser.
type judge struct {
	t   *testing.T
	dir string
	n   int
}

// add takes a document.
func (j *judge) add(name, document string) string {
	j.n++
	file := filepath.Join(j.dir, fmt.Sprintf("%03d-%s.xml", j.n, strings.Map(plain, name)))
	write(j.t, file, document)
	return file
}

// plain makes a name fit for a file.
func plain(r rune) rune {
	if r < '0' || r > 'z' {
		return '-'
	}
	return r
}

// decide has xmllint read all documents.
func (j *judge) decide() {
	j.t.Helper()
	files, err := filepath.Glob(filepath.Join(j.dir, "*.xml"))
	if err != nil || len(files) == 0 || len(files) != j.n {
		j.t.Fatalf("got %d documents, want %d: %v", len(files), j.n, err)
	}
	if out, err := exec.CommandContext(j.t.Context(), "xmllint",
		append([]string{"--noout", "--nonet"}, files...)...).CombinedOutput(); err != nil || len(out) > 0 {
		j.t.Errorf("xmllint: %v\n%s", err, out)
	}
}

func newJudge(t *testing.T) *judge { return &judge{t: t, dir: t.TempDir()} }

// TestXmllintRejects makes sure that the judge would say so.
func TestXmllintRejects(t *testing.T) {
	t.Parallel()
	for _, document := range []string{
		"<a>\x01</a>", "<a><b></a>", "<a>&nbsp;</a>", "<a/><b/>", "<a>\xff</a>", "<a>]]></a>",
	} {
		file := newJudge(t).add("bad", document)
		if exec.CommandContext(t.Context(), "xmllint", "--noout", file).Run() == nil {
			t.Errorf("xmllint takes %q for well-formed", document)
		}
	}
}

func TestXmllintDocuments(t *testing.T) {
	t.Parallel()
	s := newFolder(t).serve("--demo", "--rate-limit", "0")
	j, c := newJudge(t), s.admin()
	paths := []string{"/api.xml", "/api", "/hardwares.xml", "/hardwares.xml?per_page=1000", "/hardwares?page=99",
		"/hardwares.xml?after=200", "/hardwares?site=none"}
	for id := 1; id <= 250; id += 5 {
		paths = append(paths, fmt.Sprintf("/hardwares/%d.xml", id))
	}
	for _, path := range paths {
		got := c.Get(path)
		if got.Status != http.StatusOK {
			t.Errorf("%s: got %d, want 200", path, got.Status)
		}
		j.add(path, got.Body)
	}
	j.decide()
}

// hostile are texts that XML allows and programs get wrong.
func hostile() []string {
	controls := "tab\tline\nreturn\rboth\r\nend"
	for r := rune(0x7f); r <= 0x9f; r++ {
		controls += string(r)
	}
	return []string{
		controls,
		"\u2028\u2029\u00a0\u3000\u200b\ufeff blanks \u2003",
		"👩🏽‍💻 🏳️‍🌈 e\u0301 n\u0303 Z\u0351\u036b\u0343 \u202eright to left\u202c שלום",
		`]]> <![CDATA[ --> <!-- ?> <?xml "double" 'single' & &amp; &lt; < > `,
		"\ufffd \ue000 \uf8ff \U000f0000 \U0010fffd \ufdd0 \U0001fffe \ud7ff",
		`</name><id>1</id> ' OR 1=1 -- %s %00 \x00 {{.}} ${HOME}`,
	}
}

// TestXmllintHostileText: what was sent comes back to both parsers as it was.
func TestXmllintHostileText(t *testing.T) {
	t.Parallel()
	s := newFolder(t).serve()
	j, c := newJudge(t), s.admin()
	for _, text := range hostile() {
		var escaped strings.Builder
		if err := xml.EscapeText(&escaped, []byte(text)); err != nil {
			t.Fatal(err)
		}
		e := escaped.String()
		made := c.Do("POST", "/hardwares.xml",
			"<hardware><name>"+e+"</name><description>"+e+"</description><tag>"+e+"</tag>"+
				"<videos type=\"array\"><video><name>"+e+"</name></video></videos></hardware>")
		if made.Status != http.StatusCreated {
			t.Errorf("%q: got %d %s, want 201", text, made.Status, made.Body)
			continue
		}
		got := c.Get(strings.TrimPrefix(made.Header.Get("Location"), s.base))
		for _, document := range []string{made.Body, got.Body} {
			checkText(t, j.add("hostile", document), document, text)
		}
	}
	j.add("list", c.Get("/hardwares.xml").Body)
	j.decide()
}

// checkText compares a text in a document as both parsers read it.
func checkText(t *testing.T, file, document, want string) {
	t.Helper()
	var rec struct {
		Name        string   `xml:"name"`
		Description string   `xml:"description"`
		Videos      []string `xml:"videos>video>name"`
	}
	if err := xml.Unmarshal([]byte(document), &rec); err != nil {
		t.Errorf("encoding/xml: %v\n%s", err, document)
	}
	if rec.Name != want || rec.Description != want || len(rec.Videos) != 1 || rec.Videos[0] != want {
		t.Errorf("encoding/xml: got %q, want %q each", rec, want)
	}
	for _, path := range []string{"/hardware/name", "/hardware/tag", "/hardware/videos/video/name"} {
		got, err := exec.CommandContext(t.Context(), "xmllint", "--xpath", "string("+path+")", file).CombinedOutput()
		if text := strings.TrimSuffix(string(got), "\n"); err != nil || text != want {
			t.Errorf("xmllint: %s: got %q, %v, want %q", path, text, err, want)
		}
	}
}

// A refusedCall is a request that must fail.
type refusedCall struct {
	status               int
	method, target, body string
	header               []string
}

func deep(n int) string { return strings.Repeat("<a>", n) + strings.Repeat("</a>", n) }

// refusedCalls are of every sort that needs no fault of the database.
var refusedCalls = []refusedCall{
	{400, "POST", "/hardwares", "<hardware><name>", nil},
	{400, "POST", "/hardwares", "<!DOCTYPE hardware><hardware/>", nil},
	{400, "POST", "/hardwares", "<hardware>\x01</hardware>", nil},
	{400, "POST", "/hardwares", "<hardware>\xff\xfe\xfd</hardware>", nil},
	{400, "POST", "/hardwares", "<x:hardware/>", nil},
	{400, "POST", "/hardwares", "<hardware/><hardware/>", nil},
	{400, "POST", "/hardwares", deep(100), nil},
	{400, "GET", "/hardwares?page=0", "", nil},
	{400, "GET", "/hardwares?per_page=%3Cb%3E", "", nil},
	{400, "GET", "/hardwares?site=%zz", "", nil},
	{400, "GET", "/hardwares?%01%3C%26=1", "", nil},
	{400, "GET", "/hardwares?%ff%fe=1", "", nil},
	{400, "GET", "/hardwares?sort_by=%00%5D%5D%3E", "", nil},
	{400, "GET", "/hardwares?updated_since=%0b", "", nil},
	{400, "GET", "/hardwares/1?view=%ef%bf%bf", "", nil},
	{404, "GET", "/none/%3Cscript%3E&%00%01%ff%ef%bf%bf%ed%a0%80", "", nil},
	{404, "GET", "/hardwares/%01.xml", "", nil},
	{404, "GET", "/hardwares/999.xml", "", nil},
	{404, "GET", "/hardwares.%3C", "", nil},
	{404, "GET", "/hardwares.XML", "", nil},
	{404, "GET", "/hardwares/", "", nil},
	{405, "PATCH", "/hardwares/1.xml", "<hardware/>", nil},
	{405, "POST", "/api.xml", "<hardware/>", nil},
	{406, "GET", "/hardwares.xml", "", []string{"Accept", "application/vnd.service.v9+xml"}},
	{406, "GET", "/hardwares.xml", "", []string{"Accept", "image/png"}},
	{409, "POST", "/hardwares", "<hardware><name>x</name><asset-id>A&lt;1</asset-id></hardware>", nil},
	{413, "POST", "/hardwares", "<hardware><notes>" + strings.Repeat("x", 1<<20) + "</notes></hardware>", nil},
	{414, "GET", "/hardwares?site=" + strings.Repeat("x", 9000), "", nil},
	{415, "POST", "/hardwares", "{}", []string{"Content-Type", "application/json"}},
	{415, "POST", "/hardwares", "<hardware/>", []string{"Content-Type", "text/<\"&"}},
	{415, "POST", "/hardwares", "<hardware/>", []string{"Content-Type", "text/xml; charset=klingon"}},
	{415, "POST", "/hardwares", `<?xml version="1.0" encoding="EBCDIC"?><hardware/>`, nil},
	{415, "POST", "/hardwares", "<hardware/>", []string{"Content-Encoding", "gzip"}},
	{422, "POST", "/hardwares", "<software/>", nil},
	{422, "POST", "/hardwares", "<hardware/>", nil},
	{422, "POST", "/hardwares", "<hardware><ünknöwn/><name>a</name><name>b</name></hardware>", nil},
	{422, "POST", "/hardwares", "<hardware><name>x</name><status>&lt;&#9;&amp;]]&gt;\U0001f4a5</status></hardware>",
		nil},
	{422, "POST", "/hardwares",
		"<hardware><name>x</name><owner>nobody &lt;&amp;&gt;</owner><memory>-1</memory></hardware>", nil},
	{422, "POST", "/hardwares", "<hardware><name>" + strings.Repeat("ß", 256) + "</name></hardware>", nil},
}

func TestXmllintErrors(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	s := f.serve()
	j, c := newJudge(t), s.admin()
	if got := c.Do("POST", "/hardwares",
		"<hardware><name>first</name><asset-id>A&lt;1</asset-id></hardware>"); got.Status != http.StatusCreated {
		t.Fatalf("the first computer: got %d %s", got.Status, got.Body)
	}
	check := func(want int, name string, got *mustertest.Response) {
		t.Helper()
		if len(name) > 80 {
			name = name[:80]
		}
		if got.Status != want || !strings.HasPrefix(got.Header.Get("Content-Type"), "application/xml") {
			t.Errorf("%s: got %d, %s, want %d in XML", name, got.Status, got.Header.Get("Content-Type"), want)
		}
		var errs struct {
			XMLName xml.Name `xml:"errors"`
			Errors  []string `xml:"error"`
		}
		if err := xml.Unmarshal([]byte(got.Body), &errs); err != nil || len(errs.Errors) == 0 || errs.Errors[0] == "" {
			t.Errorf("%s: got %s, want errors: %v", name, got.Body, err)
		}
		j.add(name, got.Body)
	}
	for _, r := range refusedCalls {
		check(r.status, r.method+" "+r.target+" "+r.body, c.Do(r.method, r.target, r.body, r.header...))
	}
	check(401, "nobody", s.client("", "").Get("/hardwares"))
	check(401, "stranger", s.client("<&\"]]>@example.com", "x").Get("/hardwares"))
	reader := s.client("reader@example.com",
		strings.TrimSpace(f.must("user", "add", "reader@example.com", "--role", "technician", "--read-only")))
	check(403, "reader", reader.Do("POST", "/hardwares", "<hardware><name>x</name></hardware>"))
	requester := s.client("own@example.com",
		strings.TrimSpace(f.must("user", "add", "own@example.com", "--role", "requester")))
	check(403, "requester", requester.Do("POST", "/hardwares", "<hardware><name>x</name></hardware>"))
	check(404, "foreign computer", requester.Get("/hardwares/1"))
	c.Host = "evil.example.com:99<&>"
	check(421, "host", c.Get("/hardwares"))
	s.stop()

	s = f.serve("--login-limit", "1", "--rate-limit", "1")
	limited := s.client("own@example.com", "not the password")
	eventually(t, "too many logins", func() bool { return limited.Get("/api").Status == http.StatusTooManyRequests })
	check(429, "logins", limited.Get("/api"))
	j.decide()
}
