//go:build full

package main

import (
	"context"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"muster/bench/result"
	"muster/internal/digest"
	reports "muster/internal/report"
)

// TestMain lets the test's own binary be the child processes.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == childArgument {
		exit(runChild(os.Stdin, os.Stdout))
	}
	os.Exit(m.Run())
}

// TestPace makes sure that the pace is measured where a goal is a time.
func TestPace(t *testing.T) {
	c := &result.Comparison{Goals: result.Goals{MaxCPU: 1}}
	add(c, result.Sample{CPU: 1}, result.Sample{})
	if got := c.Ours[0].Pace; got < 0.1 || got > 100 {
		t.Errorf("got a pace of %g, want one of this machine", got)
	}
}

// TestReported makes sure that the reports are what their measurements are called after.
func TestReported(t *testing.T) {
	read := func(r reported) (scan reports.Scan, computer *reports.Report, size int) {
		body, err := reports.Open([]byte(r.packed()))
		if err != nil {
			t.Fatal(err)
		}
		defer body.Close()
		if scan, _, err = body.Scan(); err != nil {
			t.Fatal(err)
		}
		m, err := body.Read(reports.Source{})
		if err != nil {
			t.Fatal(err)
		}
		return scan, m.Report, body.Size()
	}
	for computer := range 20 {
		scan, first, size := read(reported{computer, 7, 0})
		c := &first.Computer
		parts := len(c.USBs) + len(c.Drives) + len(c.Memories) + len(c.Networks) + len(c.Printers) + len(c.Storages)
		if size < 48_500 || size > 49_500 || parts != 60 || len(first.Programs.Sums) != 150 {
			t.Errorf("computer %d: got %d bytes, %d parts and %d programs, want about 49 KB, 60 and 150", computer,
				size, parts, len(first.Programs.Sums))
		}
		if again, _, _ := read(reported{computer, 7, 1}); again.Sum != scan.Sum || slices.Equal(again.Free, scan.Free) {
			t.Errorf("computer %d: got sum %x and free space %v a minute later, want %x and another", computer,
				again.Sum, again.Free, scan.Sum)
		}
		_, typical, _ := read(reported{computer, 8, 0})
		changed := 0
		for i, sum := range typical.Programs.Sums {
			if sum != first.Programs.Sums[i] {
				changed++
			}
		}
		if changed != 2 {
			t.Errorf("computer %d: got %d changed programs in the next revision, want 2", computer, changed)
		}
	}
}

func TestSameValues(t *testing.T) {
	for _, test := range []struct {
		name, a, b string
		same       bool
	}{
		{"same", "<a><b>1</b></a>", "<a>\n <b>1</b>\n <c nil='true'/></a>", true},
		{"another value", "<a><b>1</b></a>", "<a><b>2</b></a>", false},
		{"another place", "<a><b>1</b></a>", "<a><c>1</c></a>", false},
		{"one more", "<a><b>1</b></a>", "<a><b>1</b><b>1</b></a>", false},
		{"nothing", "<a/>", "<a/>", false},
		{"not well-formed", "<a>", "<a/>", false},
	} {
		if err := sameValues([]byte(test.a), []byte(test.b)); (err == nil) != test.same {
			t.Errorf("%s: got %v, want the same: %v", test.name, err, test.same)
		}
	}
}

func TestSignerIsUnderstood(t *testing.T) {
	s := digest.New(digestConfig())
	for _, hash := range []digestHash{sha256Hash, md5Hash} {
		nonce, err := challengeNonce(s)
		if err != nil {
			t.Fatal(err)
		}
		signer := newSigner(hash, nonce)
		for i := range 20 {
			r := &http.Request{Method: http.MethodPut, RequestURI: "/hardwares/1.xml", Header: http.Header{}}
			r.Header.Set("Authorization", string(signer.append(nil, r.Method, r.RequestURI)))
			if got := s.Authenticate(r); got.Outcome != digest.Verified {
				t.Fatalf("%s, request %d: got outcome %d (%s), want verified", hash.name, i+1, got.Outcome, got.Reason)
			}
		}
	}
}

// TestRun measures a little of everything, the server as a process of its own.
func TestRun(t *testing.T) {
	t.Setenv(postgresVariable, "")
	s := &settings{
		rounds: 1, sizes: []int{30}, beside: []int{30}, reports: 1, data: t.TempDir(), window: 10 * time.Millisecond,
		only: regexp.MustCompile("^(decode full record|digest MD5|sqlite 30 (single record|software of a computer|list of 100 with software|list of 25, three filters, last page|list of 25, mac_address|first use of .*|entry point|change feed of 250|audited update of a ticket|ingest of an unchanged report|memory|page, a computer(, beside 40 writes a second)?|(typical report of an agent|audited update of a ticket), beside 40 writes a second|walk .*))$"),
	}
	r := &result.Run{Rounds: s.rounds, Sizes: s.sizes}
	if err := measure(context.Background(), s, r); err != nil {
		t.Fatal(err)
	}
	if len(r.Comparisons) != 21 { // an unchanged report is beside two others
		t.Fatalf("got %d comparisons, want 21", len(r.Comparisons))
	}
	for _, c := range r.Comparisons {
		if c.Name == "sqlite 30 memory" {
			if got := result.Median(c.Ours).Resident; got <= 0 {
				t.Errorf("got %v MB of memory, want some", got)
			}
			continue
		}
		if c.Times() <= 0 || result.Median(c.Ours).CPU <= 0 {
			t.Errorf("%s: got %+v beside %+v, want figures", c.Name, c.Ours, c.Theirs)
		}
	}
	if text := r.Text(); !strings.Contains(text, "sqlite 30 single record") ||
		!strings.Contains(text, "PostgreSQL was not measured") {
		t.Errorf("got table\n%swant one with the server and a note", text)
	}
}
