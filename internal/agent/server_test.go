package agent_test

import (
	"context"
	"encoding/pem"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"muster/internal/agent"
	"muster/internal/collect"
	"muster/internal/disk"
	"muster/internal/report"
)

const token = "hush-hush"

// A desk is a server that reads what agents send as the real one does.
type desk struct {
	*httptest.Server
	ca string // file of its certificate

	mu       sync.Mutex
	messages []report.Message
	prolog   report.Answer
	taken    report.Answer
}

// newDesk starts a server that wants reports.
func newDesk(t *testing.T) *desk {
	t.Helper()
	d := &desk{prolog: report.Send(24), taken: report.Taken(report.XML)}
	d.Server = httptest.NewTLSServer(d)
	d.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	t.Cleanup(d.Close)
	d.ca = authority(t, d.Server)
	return d
}

// authority writes a server's certificate and returns the file.
func authority(t *testing.T, s *httptest.Server) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "ca.pem")
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// ServeHTTP takes a message of an agent who knows the token, sent as OCS agents send.
func (d *desk) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	user, password, _ := r.BasicAuth()
	known := user == "agent" && password == token && r.URL.Path == "/ocsinventory" ||
		r.URL.Path == "/ocsinventory/t/"+token
	if !known || r.Method != http.MethodPost || r.Header.Get("Content-Type") != "application/x-compress" {
		w.Header().Set("WWW-Authenticate", `Basic realm="muster"`)
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	raw, err := io.ReadAll(r.Body)
	if err != nil || len(raw) == 0 || raw[0] != 0x78 { // zlib
		http.Error(w, "not compressed", http.StatusBadRequest)
		return
	}
	m, err := report.Read(raw, report.Source{})
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.messages = append(d.messages, m)
	a := d.prolog
	if m.Action == report.Inventory {
		a = d.taken
	}
	w.Header().Set("Content-Type", a.ContentType)
	_, _ = w.Write(a.Body) // an agent that is gone needs no answer
}

// got returns the messages that came.
func (d *desk) got() []report.Message {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.messages
}

// address returns where agents report, with the token.
func (d *desk) address() string {
	return "https://agent:" + token + "@" + d.Listener.Addr().String() + "/ocsinventory"
}

// reporter returns an agent of a small computer.
func reporter(t *testing.T, address, ca string) *agent.Reporter {
	t.Helper()
	server, err := agent.NewServer(address, ca)
	if err != nil {
		t.Fatal(err)
	}
	return &agent.Reporter{
		Server: server, State: filepath.Join(t.TempDir(), "state"), Client: "Muster-Agent_v1.2.3",
		Log: slog.New(slog.DiscardHandler),
		Machine: &collect.Machine{
			Root: t.TempDir(), Name: "front-desk.muster.example", Addresses: func(string) []netip.Prefix { return nil },
			Space: func(string) (disk.Space, error) { return disk.Space{}, errors.New("no disk") },
		},
		Now:    func() time.Time { return time.Date(2026, 11, 15, 13, 50, 7, 0, time.UTC) },
		Wait:   agent.Wait,
		Random: func() float64 { return 0.5 },
	}
}

// TestReport: the server gets a question and an inventory, under the same device id each time.
func TestReport(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	r := reporter(t, d.address(), d.ca)
	for range 2 {
		if err := r.Report(context.Background()); err != nil {
			t.Fatal(err)
		}
		r.Now = func() time.Time { return time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC) }
		r.Machine.Name = "renamed"
	}
	actions := []report.Action{}
	for _, m := range d.got() {
		actions = append(actions, m.Action)
		if want := "front-desk-2026-11-15-13-50-07"; m.DeviceID != want {
			t.Errorf("got the device id %q, want %q", m.DeviceID, want)
		}
	}
	if len(actions) != 4 || actions[0] != report.Prolog || actions[1] != report.Inventory ||
		actions[2] != report.Prolog || actions[3] != report.Inventory {
		t.Fatalf("got the messages %v, want a prolog and an inventory, twice", actions)
	}
	if c := d.got()[1].Report; c.Computer.Name != "front-desk" || c.Identity.Program != report.Own ||
		c.Identity.ProgramVersion != "1.2.3" {
		t.Errorf("got %+v, want front-desk, reported by Muster 1.2.3", c.Identity)
	}
}

// TestAddress: the token may stand in the path, and the path may be left out.
func TestAddress(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	for _, address := range []string{
		d.URL + "/ocsinventory/t/" + token, strings.TrimSuffix(d.address(), "/ocsinventory"),
		strings.TrimSuffix(d.address(), "ocsinventory"),
	} {
		if err := reporter(t, address, d.ca).Report(context.Background()); err != nil {
			t.Errorf("%s: %v", address, err)
		}
	}
}

// TestPlainHTTP: without TLS, on this machine alone.
func TestPlainHTTP(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	plain := httptest.NewServer(d)
	defer plain.Close()
	if err := reporter(t, plain.URL+"/ocsinventory/t/"+token, "").Report(context.Background()); err != nil {
		t.Errorf("on this machine: %v", err)
	}
	for address, want := range map[string]string{
		"http://agent:" + token + "@assets.example.com/ocsinventory": "https://",
		"assets.example.com/" + token:                                "https://",
		"https://agent:" + token + "@host:port/":                     "is not valid",
		"https:///" + token:                                          "name",
	} {
		_, err := agent.NewServer(address, "")
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), token) {
			t.Errorf("%s: got %v, want a text with %q and without the token", address, err, want)
		}
	}
}

// TestPlainAnswer: an answer need not be compressed.
func TestPlainAnswer(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.prolog.Body = []byte("<REPLY><OPTION><NAME>x</NAME></OPTION><RESPONSE>SEND</RESPONSE></REPLY>")
	if err := reporter(t, d.address(), d.ca).Report(context.Background()); err != nil {
		t.Error(err)
	}
}

// TestNotWanted: a server that wants no report gets none.
func TestNotWanted(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.prolog = report.Stop(24)
	if err := reporter(t, d.address(), d.ca).Report(context.Background()); !errors.Is(err, agent.ErrNotWanted) ||
		len(d.got()) != 1 {
		t.Errorf("got %v and %d messages, want that none is wanted, after one", err, len(d.got()))
	}
}
