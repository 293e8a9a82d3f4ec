package mustertest

import (
	"io"
	"net/http"
	"strconv"
	"strings"
)

// Metrics returns what Prometheus reads of the server: the value of each
// series by its name and labels, such as muster_records{kind="users"}.
func (s *Server) Metrics() map[string]float64 {
	s.t.Helper()
	series := map[string]float64{}
	for line := range strings.Lines(s.Observed("/metrics")) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		end := strings.LastIndexByte(line, ' ')
		value, err := strconv.ParseFloat(strings.TrimSpace(line[end+1:]), 64)
		if err != nil {
			s.t.Fatalf("metrics: the line %q: %v", line, err)
		}
		series[line[:end]] = value
	}
	return series
}

// Observed returns a page of the listener for those on this machine.
func (s *Server) Observed(path string) string {
	s.t.Helper()
	resp, err := http.Get("http://" + s.ObserveAddress() + path)
	if err != nil {
		s.t.Fatalf("observe %s: %v", path, err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		s.t.Fatalf("observe %s: got %d and %v, want 200", path, resp.StatusCode, err)
	}
	return string(body)
}
