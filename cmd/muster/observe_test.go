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
	var entry struct{ Observe string }
	if err := json.Unmarshal([]byte(s.await(s.log, `"msg":"serving"`)), &entry); err != nil {
		t.Fatal(err)
	}
	resp, err := http.Get("http://" + entry.Observe + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if want := `version="v0.0.0-test"`; err != nil || !strings.Contains(string(text), want) {
		t.Errorf("got %s, %v, want %s in it", text, err, want)
	}
	s.admin().Get("/hardwares")
	eventually(t, "a slow request is logged", func() bool { return strings.Contains(s.log.String(), `"msg":"slow request"`) })
	f.refused([]string{"serve", "--data", "other", "--listen", "localhost:0", "--observe", entry.Observe}, entry.Observe, "--observe")
	if status := s.stop(); status != 0 {
		t.Errorf("got status %d at the end, want 0", status)
	}
}
