package api_test

import (
	"bufio"
	"crypto/md5"
	"crypto/sha256"
	"crypto/tls"
	"encoding/xml"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/mustertest"
	"muster/internal/server"
)

// start starts a server on a new database.
func start(t *testing.T, db mustertest.Database, change ...func(*server.Config)) *mustertest.Server {
	t.Helper()
	return mustertest.Start(t, mustertest.Options{On: db, Change: func(cfg *server.Config) {
		for _, f := range change {
			f(cfg)
		}
	}})
}

// hardware puts fields into the document of a computer.
func hardware(fields string) string { return "<hardware>" + fields + "</hardware>" }

// create makes a computer and returns its address without an extension.
func create(t *testing.T, c *mustertest.Client, fields string) string {
	t.Helper()
	r := c.Do("POST", "/hardwares.xml", hardware(fields))
	if r.Status != http.StatusCreated {
		t.Fatalf("POST %s: got %d %s, want 201", fields, r.Status, r.Body)
	}
	return "/hardwares/" + value(t, r.Body, "id")
}

// people makes two users that nobody signs in as.
func people(s *mustertest.Server) (anna, bert *inventory.User) {
	anna = &inventory.User{
		Email: "anna@example.com", FirstName: "Anna", LastName: "Berg", Phone: "+49 30 1", Role: inventory.Requester,
	}
	bert = &inventory.User{Email: "bert@example.com", FirstName: "Bert", LastName: "Öhm", Role: inventory.Technician}
	mustertest.Insert(s, inventory.Users, anna, bert)
	return anna, bert
}

// A node is an element of a document.
type node struct {
	XMLName xml.Name
	Attrs   []xml.Attr `xml:",any,attr"`
	Text    string     `xml:",chardata"`
	Nodes   []node     `xml:",any"`
}

// parse reads a document with the standard library, as a client would.
func parse(t *testing.T, body string) *node {
	t.Helper()
	n := new(node)
	d := xml.NewDecoder(strings.NewReader(body))
	if err := d.Decode(n); err != nil {
		t.Fatalf("got a document that does not parse: %v\n%s", err, body)
	}
	if rest, err := d.Token(); err == nil {
		if text, ok := rest.(xml.CharData); !ok || strings.TrimSpace(string(text)) != "" {
			t.Fatalf("got more than a document: %v\n%s", rest, body)
		}
	}
	return n
}

// child returns the first child of the given name, or nil.
func (n *node) child(name string) *node {
	for i := range n.Nodes {
		if n.Nodes[i].XMLName.Local == name {
			return &n.Nodes[i]
		}
	}
	return nil
}

// names returns the names of the children in order.
func (n *node) names() (names []string) {
	for _, child := range n.Nodes {
		names = append(names, child.XMLName.Local)
	}
	return names
}

// canon returns an element as one text: its attributes, and its text or its
// children. Blanks between children are left out.
func (n *node) canon() string {
	if n == nil {
		return "absent"
	}
	var b strings.Builder
	for _, a := range n.Attrs {
		fmt.Fprintf(&b, "[%s=%s]", a.Name.Local, a.Value)
	}
	if len(n.Nodes) == 0 && b.Len() == 0 {
		b.WriteString(strconv.Quote(n.Text))
	}
	for _, child := range n.Nodes {
		fmt.Fprintf(&b, "<%s %s>", child.XMLName.Local, child.canon())
	}
	return b.String()
}

// value returns the text at a path of element names below the root, "nil" for
// null.
func value(t *testing.T, body string, path ...string) string {
	t.Helper()
	n := parse(t, body)
	for _, name := range path {
		if n = n.child(name); n == nil {
			t.Fatalf("got no %s in\n%s", strings.Join(path, "/"), body)
		}
	}
	for _, a := range n.Attrs {
		if a.Name.Local == "nil" {
			return "nil"
		}
	}
	return n.Text
}

// ids returns the ids of a list's items in order, joined by blanks.
func ids(t *testing.T, body string) string {
	t.Helper()
	var out []string
	for _, n := range parse(t, body).Nodes {
		if id := n.child("id"); id != nil {
			out = append(out, id.Text)
		}
	}
	return strings.Join(out, " ")
}

// faults returns the messages of an error, once its form is checked.
func faults(t *testing.T, r *mustertest.Response) []string {
	t.Helper()
	if got := r.Header.Get("Content-Type"); got != "application/xml; charset=utf-8" &&
		got != "application/vnd.service.v1+xml; charset=utf-8" {
		t.Errorf("an error's Content-Type: got %q, want that of a document", got)
	}
	if got := r.Header.Get("X-Request-Id"); got == "" {
		t.Errorf("an error: got no X-Request-Id, want one")
	}
	root := parse(t, r.Body)
	var out []string
	for _, n := range root.Nodes {
		if n.XMLName.Local != "error" || len(n.Nodes) > 0 || n.Text == "" {
			t.Errorf("an error: got\n%s\nwant error elements with a text each", r.Body)
		}
		out = append(out, n.Text)
	}
	if root.XMLName.Local != "errors" || len(out) == 0 {
		t.Errorf("an error: got\n%s\nwant <errors> with an <error>", r.Body)
	}
	return out
}

// refused checks that an answer is an error with a message that contains a text.
func refused(t *testing.T, what string, r *mustertest.Response, status int, text string) {
	t.Helper()
	if r.Status != status {
		t.Errorf("%s: got %d %s, want %d", what, r.Status, r.Body, status)
		return
	}
	if got := strings.Join(faults(t, r), "\n"); !strings.Contains(got, text) {
		t.Errorf("%s: got %q, want a message with %q", what, got, text)
	}
}

// equal checks a value.
func equal(t *testing.T, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// A login computes digest responses by itself, for requests that no client
// library makes.
type login struct{ user, password, algorithm string }

var admin = login{server.Administrator, mustertest.AdminPassword, "SHA-256"}

func (l login) hash(text string) string {
	if l.algorithm == "MD5" {
		return fmt.Sprintf("%x", md5.Sum([]byte(text)))
	}
	return fmt.Sprintf("%x", sha256.Sum256([]byte(text)))
}

// response is RFC 7616, section 3.4.1; with an empty method it is rspauth.
func (l login) response(method, target, nonce, nc, cnonce string) string {
	return l.hash(strings.Join([]string{
		l.hash(l.user + ":Muster:" + l.password), nonce, nc, cnonce, "auth", l.hash(method + ":" + target),
	}, ":"))
}

// quoted makes a text fit for a quoted string.
var quoted = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

// header returns the Authorization header of a request.
func (l login) header(method, target, nonce string, count int) string {
	nc := fmt.Sprintf("%08x", count)
	return fmt.Sprintf(`Digest username="%s", realm="Muster", nonce="%s", uri="%s", algorithm=%s, response="%s", qop=auth, nc=%s, cnonce="c"`,
		quoted.Replace(l.user), nonce, quoted.Replace(target), l.algorithm, l.response(method, target, nonce, nc, "c"),
		nc)
}

var noncePattern = regexp.MustCompile(` nonce="([^"]+)"`)

// nonce returns a new nonce of the server.
func nonce(t *testing.T, s *mustertest.Server) string {
	t.Helper()
	r := s.Anonymous().Get("/api.xml")
	found := noncePattern.FindStringSubmatch(r.Header.Get("WWW-Authenticate"))
	if found == nil {
		t.Fatalf("GET /api.xml: got the challenge %q, want a nonce", r.Header.Values("WWW-Authenticate"))
	}
	return found[1]
}

// A wire is a TLS connection to a server, for requests as they are written.
type wire struct {
	*tls.Conn
	reader *bufio.Reader
	t      *testing.T
}

func dial(t *testing.T, s *mustertest.Server) *wire {
	t.Helper()
	conn, err := tls.Dial("tcp", s.Address(), &tls.Config{RootCAs: s.Roots, ServerName: "localhost"})
	if err != nil {
		t.Fatalf("connect: %v", err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return &wire{conn, bufio.NewReader(conn), t}
}

// send writes lines, each with a line end behind it, and an empty one.
func (w *wire) send(lines ...string) {
	w.t.Helper()
	w.write(strings.Join(lines, "\r\n") + "\r\n\r\n")
}

func (w *wire) write(text string) {
	w.t.Helper()
	if _, err := io.WriteString(w, text); err != nil {
		w.t.Fatalf("write: %v", err)
	}
}

// answer reads an answer.
func (w *wire) answer() *mustertest.Response {
	w.t.Helper()
	resp, err := http.ReadResponse(w.reader, nil)
	if err != nil {
		w.t.Fatalf("read an answer: %v", err)
	}
	r, err := readAll(resp)
	if err != nil {
		w.t.Fatalf("read an answer: %v", err)
	}
	return r
}

// readAll reads an answer to its end.
func readAll(resp *http.Response) (*mustertest.Response, error) {
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return &mustertest.Response{Status: resp.StatusCode, Header: resp.Header, Body: string(body)}, err
}

// fleet stores so many computers, named c1 and so on.
func fleet(s *mustertest.Server, n int) {
	var all []*inventory.Computer
	for i := range n {
		c := inventory.Computers.New()
		c.Name = "c" + strconv.Itoa(i+1)
		c.Memory = kind.Some(int64(i))
		all = append(all, c)
	}
	mustertest.Insert(s, inventory.Computers, all...)
}
