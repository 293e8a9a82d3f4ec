//go:build full

package main_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/icholy/digest"

	"muster/internal/mustertest"
)

// TestStop: a request under way is answered, nobody new is let in, and the
// status is 0.
func TestStop(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		for _, sig := range []os.Signal{syscall.SIGTERM, os.Interrupt} {
			t.Run(sig.String(), func(t *testing.T) {
				f := newFolder(t)
				f.env = []string{"MUSTER_DATABASE=" + db.New(t)}
				s := f.serve()
				r := halfSent(t, s)
				s.signal(sig)
				eventually(t, "no new connection", func() bool { return !accepts(s) })
				select {
				case got := <-r.answer:
					t.Fatalf("answered before the document was sent: %s", got)
				default:
				}
				r.finish(t)
				if got := <-r.answer; got != "201 Created" {
					t.Errorf("the request under way: got %s, want 201 Created", got)
				}
				if status := s.wait(); status != 0 {
					t.Errorf("exit status: got %d, want 0\n%s", status, s.log)
				}
				again := f.serve()
				if got := again.client(admin, s.password).Get("/hardwares.xml"); !strings.Contains(got.Body,
					"<name>under way</name>") {
					t.Errorf("after the next start: got %d %s, want the computer", got.Status, got.Body)
				}
			})
		}
	})
}

// TestDrain: a server that is told to stop first says so to balancers, while it answers everybody as before, also on
// new connections. Then it ends, and so do live pages.
func TestDrain(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		f := newFolder(t)
		f.env = []string{"MUSTER_DATABASE=" + db.New(t), "MUSTER_DRAIN=10s"}
		s := f.serve()
		if got := s.client("", "").Get("/readyz"); got.Status != http.StatusOK {
			t.Errorf("/readyz before: got %d %q, want 200", got.Status, got.Body)
		}
		s.signal(syscall.SIGTERM)
		draining := func() bool {
			got := s.client("", "").Get("/readyz")
			return got.Status == http.StatusServiceUnavailable && strings.HasPrefix(got.Body, "draining")
		}
		eventually(t, "/readyz says that it drains", draining)
		f.refused([]string{"health", "--listen", strings.TrimPrefix(s.address, "https://")}, "not ready: draining")
		got := s.client(admin, s.password).Do("POST", "/hardwares.xml", "<hardware><name>late</name></hardware>")
		if got.Status != http.StatusCreated || got.Header.Get("Connection") == "close" {
			t.Errorf("a change while it drains: got %d %v, want it made and the connection kept", got.Status, got.Header)
		}
		if !draining() {
			t.Fatal("the server was not draining all the time: the machine is too slow for this test")
		}
		if status := s.wait(); status != 0 || accepts(s) {
			t.Errorf("the end: got exit status %d, want 0 and nobody who listens\n%s", status, s.log)
		}
	})
}

// accepts reports whether the server takes connections.
func accepts(s *service) bool {
	_, address, _ := strings.Cut(s.address, "://")
	conn, err := net.Dial("tcp", address)
	if err == nil {
		_ = conn.Close()
	}
	return err == nil
}

// A pending is a request whose document is sent in part.
type pending struct {
	body   *io.PipeWriter
	rest   string
	answer chan string // gets the status, or the error
}

// halfSent sends half a document and returns once the server waits for the
// rest of it: it asks for the document after the rights were checked.
func halfSent(t *testing.T, s *service) *pending {
	t.Helper()
	const document = "<hardware><name>under way</name></hardware>"
	const half = len(document) / 2
	anyone := s.client("", "")
	reader, writer := io.Pipe()
	req, err := http.NewRequest("POST", s.address+"/hardwares.xml", reader)
	if err != nil {
		t.Fatal(err)
	}
	req.ContentLength = int64(len(document))
	req.Header.Set("Expect", "100-continue")
	req.Header.Set("Authorization", authorization(t, s, anyone.Get("/hardwares.xml"), "POST", "/hardwares.xml"))
	asked := make(chan struct{})
	req = req.WithContext(httptrace.WithClientTrace(t.Context(),
		&httptrace.ClientTrace{Got100Continue: func() { close(asked) }}))
	transport := anyone.HTTP.Transport.(*http.Transport)
	transport.ExpectContinueTimeout = patience
	p := &pending{body: writer, rest: document[half:], answer: make(chan string, 1)}
	go func() {
		resp, err := transport.RoundTrip(req)
		if err != nil {
			p.answer <- err.Error()
			return
		}
		_ = resp.Body.Close()
		p.answer <- resp.Status
	}()
	select {
	case <-asked:
	case got := <-p.answer:
		t.Fatalf("before any of the document was sent: got %s", got)
	}
	if _, err := io.WriteString(writer, document[:half]); err != nil {
		t.Fatal(err)
	}
	return p
}

// finish sends the rest of the document.
func (p *pending) finish(t *testing.T) {
	t.Helper()
	if _, err := io.WriteString(p.body, p.rest); err != nil {
		t.Fatal(err)
	}
	_ = p.body.Close()
}

// authorization answers the challenge of a response for the administrator.
func authorization(t *testing.T, s *service, challenged *mustertest.Response, method, target string) string {
	t.Helper()
	challenge, err := digest.FindChallenge(challenged.Header)
	if err != nil {
		t.Fatalf("the challenge: %v", err)
	}
	c, err := digest.Digest(challenge,
		digest.Options{Username: admin, Password: s.password, Method: method, URI: target})
	if err != nil {
		t.Fatalf("the challenge: %v", err)
	}
	return c.String()
}

// TestLog: JSON on a pipe, one line a request, and no secrets.
func TestLog(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	s := f.serve("--log-level", "debug")
	generated := strings.TrimSpace(f.must("user", "add", "anna@example.com", "--role", "technician"))
	spy := &spy{next: s.client("", "").HTTP.Transport, statuses: map[string]int{}, secrets: map[string]string{}}
	for user, password := range map[string]string{
		admin: s.password, "anna@example.com": generated, "ben@example.com": "wrong password",
	} {
		c := s.client(user, password)
		c.HTTP.Transport.(*digest.Transport).Transport = spy
		c.Get("/hardwares.xml?name=x")
		c.Do("POST", "/hardwares", "<hardware><name>logged</name></hardware>")
		c.Get("/none")
		c.Get("/healthz")
	}
	s.stop()

	text := s.log.String()
	checkRequests(t, text, spy.statuses)
	spy.secrets["administrator's password"], spy.secrets["technician's password"] = s.password, generated
	spy.secrets["server's key"] = strings.TrimSpace(read(t, f.data("server.key")))
	for name, secret := range spy.secrets {
		if strings.Contains(text, secret) {
			t.Errorf("the log has the %s, %q", name, secret)
		}
	}
}

// A spy notes the requests and answers that pass, and what is secret in them.
type spy struct {
	next     http.RoundTripper
	statuses map[string]int // by the request's number
	secrets  map[string]string
}

// RoundTrip passes a request on.
func (s *spy) RoundTrip(r *http.Request) (*http.Response, error) {
	for _, name := range []string{"response", "nonce", "cnonce"} {
		if _, rest, ok := strings.Cut(r.Header.Get("Authorization"), " "+name+`="`); ok {
			s.secrets[fmt.Sprintf("%s of %s", name, r.URL.Path)], _, _ = strings.Cut(rest, `"`)
		}
	}
	resp, err := s.next.RoundTrip(r)
	if err == nil {
		s.statuses[resp.Header.Get("X-Request-Id")] = resp.StatusCode
	}
	return resp, err
}

// checkRequests checks that each request has its line.
func checkRequests(t *testing.T, log string, statuses map[string]int) {
	t.Helper()
	for line := range strings.Lines(log) {
		var entry struct {
			Time, Level, Msg, ID, Method, Path, From string
			Status                                   int
		}
		if err := json.Unmarshal([]byte(line), &entry); err != nil || entry.Time == "" || entry.Level == "" ||
			entry.Msg == "" {
			t.Errorf("got the line %q, want JSON with a message: %v", line, err)
		}
		if entry.Msg != "request" {
			continue
		}
		if want := statuses[entry.ID]; entry.Status != want || entry.Method == "" || entry.Path == "" ||
			entry.From == "" {
			t.Errorf("got the line %s, want status %d, a method, a path and an address", line, want)
		}
		delete(statuses, entry.ID)
	}
	if len(statuses) > 0 {
		t.Errorf("no line about the requests %v", statuses)
	}
}

func TestHealth(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	c := f.serve().client("", "")
	c.Host = "whatever.example.com" // those who watch use any address
	for _, path := range []string{"/healthz", "/readyz"} {
		for method, want := range map[string]string{
			"GET": "200 ok\n", "HEAD": "200 ", "POST": "405 only GET and HEAD\n",
		} {
			got := c.Do(method, path, "")
			if text := fmt.Sprintf("%d %s", got.Status, got.Body); text != want {
				t.Errorf("%s %s: got %q, want %q", method, path, text, want)
			}
		}
	}
}
