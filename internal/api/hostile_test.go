//go:build full

package api_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"muster/internal/inventory"
	"muster/internal/mustertest"
	"muster/internal/server"
)

// A hostile is a request that nobody sends who means well, and its answer.
type hostile struct {
	what    string
	request string   // method and target, and the version if it is not 1.1
	header  []string // whole lines beside Host and Authorization; one of these names replaces it
	body    string
	status  int
	text    string // part of the answer's messages, or of its document
	who     login  // the administrator unless set
	bare    bool   // refused by net/http itself, before there is a request: no document, no number
	audits  int    // audit records that it leaves; a creation always leaves one
}

// hostiles are all classes of the table: about records, documents and requests,
// in the files of these names.
var hostiles = []struct {
	class string
	cases func() []hostile
}{
	{"SQL injection", injections},
	{"wildcards", wildcards},
	{"markup", markups},
	{"rights on the record", foreigners},
	{"mass assignment", assignments},
	{"hosts and proxies", hosts},
	{"traversal", traversals},
	{"entities and bombs", bombs},
	{"what encoding/xml lets pass", laxities},
	{"compressed documents", compressed},
	{"charsets", charsets},
	{"Unicode", unicodes},
	{"numbers", numbers},
	{"many parameters", parameters},
	{"request smuggling", smugglings},
	{"odd methods and versions", methods},
	{"control characters", controls},
	{"headers", headers},
	{"conditions and keys", conditions},
	{"credentials", credentials},
}

// Who else makes hostile requests: a requester who owns computer 2, and a
// technician who may only read.
var (
	anna   = login{"anna@example.com", mustertest.AdminPassword, "SHA-256"}
	reader = login{"reader@example.com", mustertest.AdminPassword, "MD5"}
	nobody = login{user: "nobody"} // sends no Authorization
)

// slow is the longest that an answer may take, on a machine that has other work.
const slow = time.Minute

// TestHostile sends all of the table to one server: each case has a clear
// answer, soon, and in the end the server serves what it should.
func TestHostile(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		s.AddUser(anna.user, inventory.Requester, false)
		s.AddUser(reader.user, inventory.Technician, true)
		fleet(s, 3)
		boss := s.Admin()
		boss.Do("PUT", "/hardwares/2", hardware("<owner>"+anna.user+"</owner>"))
		boss.Do("PUT", "/hardwares/3",
			hardware("<name>"+strings.Repeat("a", 255)+"</name><asset-id>ÅNGSTRÖM-I</asset-id>"))
		computers, audits := 3, len(s.Audits())
		end := use(t, s.Client(reader.user, reader.password))
		for _, h := range hostiles {
			attack := &attack{t: t, s: s, class: h.class, nonce: nonce(t, s)}
			for _, c := range h.cases() {
				attack.try(c)
				if c.status == http.StatusCreated && strings.HasPrefix(c.request, "POST ") {
					computers++
					audits++
				}
				audits += c.audits
			}
		}
		end()
		equal(t, "computers after all", boss.Get("/hardwares").Header.Get("X-Total-Count"), strconv.Itoa(computers))
		equal(t, "audit records after all", len(s.Audits()), audits)
		equal(t, "users after all", len(s.User(server.UserCommand{Do: "list"}).Users), 3)
		equal(t, "what the owner sees after all", ids(t, s.Client(anna.user, anna.password).Get("/hardwares").Body),
			"2")
		equal(t, "the server after all", s.Anonymous().Get("/readyz").Status, http.StatusOK)
		for line := range strings.Lines(s.Log.String()) {
			if strings.Contains(line, `"level":"ERROR"`) || strings.Contains(line, "panic") ||
				strings.Contains(line, "internal error") {
				t.Errorf("got in the log: %s", line)
			}
		}
	})
}

// use reads a record again and again, as one who means well, until end is
// called: what others send must not concern them.
func use(t *testing.T, c *mustertest.Client) (end func()) {
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case <-done:
				return
			default:
				equal(t, "a read meanwhile", c.Get("/hardwares/2").Status, http.StatusOK)
			}
		}
	}()
	return func() { close(done); <-ended }
}

// An attack sends the cases of one class.
type attack struct {
	t     *testing.T
	s     *mustertest.Server
	class string
	nonce string
	count int
}

// try sends one case on a connection of its own and checks the answer.
func (a *attack) try(c hostile) {
	t, what := a.t, a.class+": "+c.what
	t.Helper()
	w := dial(t, a.s)
	defer w.Close()
	if err := w.SetDeadline(time.Now().Add(slow)); err != nil {
		t.Fatal(err)
	}
	text := []byte(a.text(c))
	go func() { _, _ = w.Write(text) }() // a server that refuses early does not read all
	resp, err := http.ReadResponse(bufio.NewReader(w), &http.Request{Method: strings.Split(c.request, " ")[0]})
	if err != nil {
		t.Errorf("%s: got no answer within %v: %v", what, slow, err)
		return
	}
	r, err := readAll(resp)
	if err != nil {
		t.Errorf("%s: got no whole answer within %v: %v", what, slow, err)
		return
	}
	if r.Status != c.status || r.Status >= 500 && !c.bare {
		t.Errorf("%s: got %d %.300q, want %d", what, r.Status, r.Body, c.status)
		return
	}
	for name, want := range map[string]bool{
		"X-Request-Id": !c.bare, "X-Content-Type-Options": !c.bare, "Set-Cookie": false, "X-Evil": false,
		"Access-Control-Allow-Origin": false,
	} {
		if got := r.Header.Get(name); (got != "") != want {
			t.Errorf("%s: got %s %q, want one: %t", what, name, got, want)
		}
	}
	if got := a.message(what, c, r); !strings.Contains(got, c.text) {
		t.Errorf("%s: got %.600q, want it with %q", what, got, c.text)
	}
}

// text returns the whole text of a request.
func (a *attack) text(c hostile) string {
	a.count++
	line, version, _ := strings.Cut(c.request, " HTTP/")
	method, target, _ := strings.Cut(line, " ")
	if version == "" {
		version = "1.1"
	}
	lines := slices.Clone(c.header)
	add := func(name, value string) {
		if !slices.ContainsFunc(lines,
			func(l string) bool { return strings.HasPrefix(strings.ToLower(l), strings.ToLower(name)+":") }) {
			lines = append(lines, name+": "+value)
		}
	}
	who := c.who
	if who.user == "" {
		who = admin
	}
	add("Host", "localhost")
	if who != nobody {
		add("Authorization", who.header(method, target, a.nonce, a.count))
	}
	if !slices.ContainsFunc(lines, func(l string) bool { return strings.HasPrefix(l, "Transfer-Encoding") }) &&
		c.body != "" {
		add("Content-Length", strconv.Itoa(len(c.body)))
	}
	return line + " HTTP/" + version + "\r\n" + strings.Join(lines, "\r\n") + "\r\n\r\n" + c.body
}

// message returns what an answer says: of an error in either format its
// messages, else its document.
func (a *attack) message(what string, c hostile, r *mustertest.Response) string {
	a.t.Helper()
	if r.Status < 400 || c.bare || strings.HasPrefix(c.request, "HEAD ") {
		return r.Body
	}
	if strings.Contains(r.Header.Get("Content-Type"), "json") {
		var document struct{ Errors []string }
		if err := json.Unmarshal([]byte(r.Body), &document); err != nil || len(document.Errors) == 0 {
			a.t.Errorf("%s: got %s, want errors in JSON", what, r.Body)
		}
		return strings.Join(document.Errors, "\n")
	}
	return strings.Join(faults(a.t, r), "\n")
}

// list repeats a text with its number in place of %d.
func list(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}
