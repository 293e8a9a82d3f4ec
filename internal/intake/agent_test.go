// Package intake_test posts to a running server what inventory agents post, and what they never should. What package
// report parses is tested there.
package intake_test

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"muster/internal/desk/agents"
	"muster/internal/mustertest"
	"muster/internal/server"
)

// start starts a server; change says how it differs from the usual one.
func start(t *testing.T, db mustertest.Database, change func(*server.Config)) *mustertest.Server {
	t.Helper()
	return mustertest.Start(t, mustertest.Options{On: db, Change: change})
}

// token makes an agent token and returns its secret.
func token(t testing.TB, s *mustertest.Server) string {
	t.Helper()
	res, err := s.AgentToken(context.Background(), server.AgentTokenCommand{Do: "add", New: agents.NewToken{}})
	if err != nil {
		t.Fatalf("add an agent token: %v", err)
	}
	return res.Secret
}

// An agent posts messages.
type agent struct {
	t      testing.TB
	http   *http.Client
	url    string
	secret string   // of basic authentication, "" for none
	header []string // pairs of a name and a value
}

// newAgent returns an agent with a token of its own, which posts to the first of the paths.
func newAgent(t testing.TB, s *mustertest.Server) *agent {
	t.Helper()
	return &agent{
		t: t, http: &http.Client{Transport: s.Transport()}, url: s.Base + "/ocsinventory", secret: token(t, s),
	}
}

// An answer is what an agent got, its body unpacked.
type answer struct {
	status int
	header http.Header
	text   string
}

// post posts a body.
func (a *agent) post(body []byte) answer {
	a.t.Helper()
	got, err := a.try(http.MethodPost, bytes.NewReader(body))
	if err != nil {
		a.t.Errorf("POST %s: %v", a.url, err) // not Fatal: agents post at the same time
	}
	return got
}

// report posts a report, again when the server has no time for it, as agents do: on a machine with other work
// it may have none within its limits.
func (a *agent) report(body []byte) (got answer) {
	a.t.Helper()
	var err error
	for range 10 {
		got, err = a.try(http.MethodPost, bytes.NewReader(body))
		if err == nil && got.status != http.StatusServiceUnavailable {
			return got
		}
	}
	a.t.Errorf("POST %s: got no answer but %d %q, %v", a.url, got.status, got.text, err)
	return got
}

// try makes a request.
func (a *agent) try(method string, body io.Reader) (answer, error) {
	req, err := http.NewRequest(method, a.url, body)
	if err != nil {
		return answer{}, err
	}
	for i := 0; i+1 < len(a.header); i += 2 {
		req.Header.Set(a.header[i], a.header[i+1])
	}
	if a.secret != "" {
		req.SetBasicAuth("agent", a.secret)
	}
	resp, err := a.http.Do(req)
	if err != nil {
		return answer{}, err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err == nil && resp.Header.Get("Content-Type") == "application/x-compress-zlib" {
		text, err = inflate(text)
	}
	return answer{resp.StatusCode, resp.Header, string(text)}, err
}

func inflate(packed []byte) ([]byte, error) {
	z, err := zlib.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}

func deflated(text string) []byte {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	io.WriteString(w, text)
	w.Close()
	return b.Bytes()
}

func gzipped(text string) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	io.WriteString(w, text)
	w.Close()
	return b.Bytes()
}

func plain(text string) []byte { return []byte(text) }

// sample returns a report of a real agent.
func sample(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "report", "testdata", "samples", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Messages in XML.
func ask(device string) string {
	return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<REQUEST><DEVICEID>" + device +
		"</DEVICEID><QUERY>PROLOG</QUERY></REQUEST>\n"
}

func inventory(device, content string) string {
	return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<REQUEST><CONTENT>" + content + "</CONTENT><DEVICEID>" +
		device + "</DEVICEID><QUERY>INVENTORY</QUERY></REQUEST>\n"
}

// small returns the report of a computer that has but a name and a serial number.
func small(i int) string {
	return inventory(fmt.Sprintf("pc%d-2026-01-02-03-04-05", i),
		fmt.Sprintf("<HARDWARE><NAME>pc%d</NAME></HARDWARE><BIOS><SMANUFACTURER>Acme</SMANUFACTURER><SSN>SN-%06d</SSN></BIOS>", i, i))
}

// Replies in XML.
const (
	head    = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	send    = head + "<REPLY><PROLOG_FREQ>24</PROLOG_FREQ><RESPONSE>SEND</RESPONSE></REPLY>\n"
	stop    = head + "<REPLY><PROLOG_FREQ>24</PROLOG_FREQ><RESPONSE>STOP</RESPONSE></REPLY>\n"
	taken   = head + "<REPLY><RESPONSE>NO_ACCOUNT_UPDATE</RESPONSE></REPLY>\n"
	refused = head + "<REPLY><RESPONSE>ERROR</RESPONSE><MESSAGE>"
)

// expect compares an answer.
func (got answer) expect(t testing.TB, what string, status int, text string) {
	t.Helper()
	if got.status != status || got.text != text {
		t.Errorf("%s: got %d %q, want %d %q", what, got.status, got.text, status, text)
	}
}

// refuses compares an answer with a status and a part of the reason, in a format that agents read.
func (got answer) refuses(t testing.TB, what string, status int, reason string) {
	t.Helper()
	if got.status != status || !strings.Contains(got.text, reason) || !strings.HasPrefix(got.text, refused) &&
		!strings.HasPrefix(got.text, `{"status":"error","message":"`) {
		t.Errorf("%s: got %d %q, want %d with %q for the agent", what, got.status, got.text, status, reason)
	}
}

// computers returns how many computers there are.
func computers(t testing.TB, s *mustertest.Server) string {
	t.Helper()
	return s.Admin().Get("/hardwares.xml?per_page=1").Header.Get("X-Total-Count")
}

// reports returns the outcomes of reports as metrics count them, without those that never happened.
func reports(s *mustertest.Server) map[string]float64 {
	found := map[string]float64{}
	for series, n := range s.Metrics() {
		if outcome, ok := strings.CutPrefix(series, `muster_agent_reports_total{outcome="`); ok && n > 0 {
			found[strings.TrimSuffix(outcome, `"}`)] = n
		}
	}
	return found
}

// element returns the text of the first element of a name.
func element(body, name string) string {
	if m := regexp.MustCompile("<" + name + ">([^<]*)</" + name + ">").FindStringSubmatch(body); m != nil {
		return m[1]
	}
	return ""
}
