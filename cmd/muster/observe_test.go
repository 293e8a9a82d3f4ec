//go:build full

package main_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
)

// TestObserve: metrics are where the log says, of this program; and what takes
// longer than it may is logged.
func TestObserve(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	f.env = []string{"MUSTER_OBSERVE=127.0.0.1:0", "MUSTER_SLOW_REQUEST=1ns"}
	s := f.serve()
	if text, want := s.observed("/metrics"), `version="v0.0.0-test"`; !strings.Contains(text, want) {
		t.Errorf("got %s, want %s in it", text, want)
	}
	s.admin().Get("/hardwares")
	eventually(t, "a slow request is logged",
		func() bool { return strings.Contains(s.log.String(), `"msg":"slow request"`) })
	f.refused([]string{"serve", "--data", "other", "--listen", "localhost:0", "--observe", s.observer()}, s.observer(),
		"--observe")
	if status := s.stop(); status != 0 {
		t.Errorf("got status %d at the end, want 0", status)
	}
}

// observer returns the address at which the server shows metrics and profiles.
func (s *service) observer() string {
	s.f.t.Helper()
	var entry struct{ Observe string }
	if err := json.Unmarshal([]byte(s.await(s.log, `"msg":"serving"`)), &entry); err != nil {
		s.f.t.Fatal(err)
	}
	return entry.Observe
}

// observed returns what the server shows there at a path.
func (s *service) observed(path string) string {
	s.f.t.Helper()
	resp, err := http.Get("http://" + s.observer() + path)
	if err != nil {
		s.f.t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		s.f.t.Fatalf("GET %s: got %d %s, %v", path, resp.StatusCode, text, err)
	}
	return string(text)
}
