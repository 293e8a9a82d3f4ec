//go:build full

package main

import (
	"context"
	"math"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

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

func TestMiddle(t *testing.T) {
	for _, test := range []struct {
		values []float64
		want   float64
	}{
		{nil, 0},
		{[]float64{3}, 3},
		{[]float64{3, 1}, 2},
		{[]float64{9, 1, 2}, 2},
		{[]float64{100, 1, 3, 2, 4}, 3},
	} {
		if got := middle(test.values); got != test.want {
			t.Errorf("middle of %v: got %v, want %v", test.values, got, test.want)
		}
	}
}

func TestMedianIsOfEachFigure(t *testing.T) {
	got := median([]sample{{CPU: 1, P99: 9}, {CPU: 5, P99: 7}, {CPU: 3, P99: 8}})
	if want := (sample{CPU: 3, P99: 8}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestQuantile(t *testing.T) {
	values := make([]float64, 100)
	for i := range values {
		values[i] = float64(i + 1)
	}
	for part, want := range map[float64]float64{0: 1, 0.5: 51, 0.99: 100, 1: 100} {
		if got := quantile(values, part); got != want {
			t.Errorf("quantile %v: got %v, want %v", part, got, want)
		}
	}
	if got := quantile(nil, 0.5); got != 0 {
		t.Errorf("quantile of nothing: got %v, want 0", got)
	}
}

func TestComparison(t *testing.T) {
	for _, test := range []struct {
		name          string
		ours, theirs  []float64 // CPU of each round
		goal          float64
		ratio         float64
		text, inWords string
	}{
		{"cheaper", []float64{10, 20, 10}, []float64{100, 200, 90}, 8, 0.1, "10.0x cheaper", ">= 8x ok"},
		{"not cheap enough", []float64{10}, []float64{50}, 8, 0.2, "5.0x cheaper", ">= 8x MISSED"},
		{"dearer", []float64{30, 90, 60}, []float64{10, 10, 20}, 0, 3, "3.0x dearer", ""},
		{"dearer than allowed", []float64{30}, []float64{10}, 2, 3, "3.0x dearer", ">= 2x MISSED"},
		{"nothing", nil, nil, 8, 0, "", ""},
	} {
		c := &comparison{goals: goals{Goal: test.goal}}
		for i := range test.ours {
			c.Ours, c.Theirs = append(c.Ours, sample{CPU: test.ours[i]}), append(c.Theirs, sample{CPU: test.theirs[i]})
		}
		if got := c.ratio(); math.Abs(got-test.ratio) > 1e-9 {
			t.Errorf("%s: got ratio %v, want %v", test.name, got, test.ratio)
		}
		if got := ratioText(c.ratio()); got != test.text {
			t.Errorf("%s: got ratio %q, want %q", test.name, got, test.text)
		}
		if got := c.goalText(); got != test.inWords {
			t.Errorf("%s: got goal %q, want %q", test.name, got, test.inWords)
		}
	}
}

func TestGoals(t *testing.T) {
	for _, test := range []struct {
		goals
		inWords string
	}{
		{goals{Within: 2.5}, "<= 2.5x ok"},
		{goals{Within: 1.9}, "<= 1.9x MISSED"},
		{goals{MaxCPU: 200}, "<= 200 µs ok"},
		{goals{MaxCPU: 199}, "<= 199 µs MISSED"},
		{goals{MaxExtra: 100}, "<= 100 µs more ok"},
		{goals{MaxExtra: 99}, "<= 99 µs more MISSED"},
		{goals{MaxTime: 5, MaxResident: 59}, "<= 5 ms ok, <= 59 MB in memory MISSED"},
		{goals{MaxSlower: 3}, "<= 3x p99 ok"},
		{goals{MaxSlower: 2.9}, "<= 2.9x p99 MISSED"},
		{goals{WithPostgres: 2.5}, "<= 2.5x with PostgreSQL's CPU ok"},
		{goals{WithPostgres: 2.4}, "<= 2.4x with PostgreSQL's CPU MISSED"},
		{goals{MaxSize: 2}, "<= 2 MB ok"},
		{goals{MaxSize: 1.5}, "<= 1.5 MB MISSED"},
		{goals{}, ""},
	} {
		c := &comparison{goals: test.goals}
		c.Ours = []sample{{CPU: 200, P50: 5, P99: 6, Resident: 60, Bytes: 2 << 20, DatabaseCPU: 100}}
		c.Theirs = []sample{{CPU: 100, P99: 2, DatabaseCPU: 20}}
		if got := c.goalText(); got != test.inWords {
			t.Errorf("got %q, want %q", got, test.inWords)
		}
	}
}

// TestPace makes sure that times are judged at the machine's pace, whether it is slow or fast, but not beyond the
// bounds, that the verdict as measured stands beside, and that nothing else is judged so.
func TestPace(t *testing.T) {
	for _, test := range []struct {
		goals
		pace          float64
		inWords       string
		met, measured string // in the table of goals
	}{
		{goals{MaxCPU: 200}, 2, "<= 200 µs ok at pace 2.0 and as measured", "1 of 1", "1 of 1"},
		{goals{MaxCPU: 100}, 2, "<= 100 µs ok at pace 2.0, MISSED as measured", "1 of 1", "0 of 1 MISSED"},
		{goals{MaxCPU: 99}, 2, "<= 99 µs MISSED at pace 2.0 and as measured", "0 of 1 MISSED", "0 of 1 MISSED"},
		{goals{MaxCPU: 99}, 5, "<= 99 µs MISSED at pace 2.0 and as measured", "0 of 1 MISSED", "0 of 1 MISSED"},
		{goals{MaxCPU: 399}, 0.5, "<= 399 µs MISSED at pace 0.5, ok as measured", "0 of 1 MISSED", "1 of 1"},
		{goals{MaxCPU: 400}, 0.1, "<= 400 µs ok at pace 0.5 and as measured", "1 of 1", "1 of 1"},
		{goals{MaxCPU: 199}, 0, "<= 199 µs MISSED", "0 of 1 MISSED", ""},
		{goals{MaxExtra: 50}, 2, "<= 50 µs more ok at pace 2.0, MISSED as measured", "1 of 1", "0 of 1 MISSED"},
		{goals{MaxTime: 2.5}, 2, "<= 2.5 ms ok at pace 2.0, MISSED as measured", "1 of 1", "0 of 1 MISSED"},
		{goals{Within: 1.9}, 2, "<= 1.9x MISSED", "0 of 1 MISSED", ""},
		{goals{MaxResident: 59}, 2, "<= 59 MB in memory MISSED", "0 of 1 MISSED", ""},
	} {
		r := &report{Comparisons: []*comparison{{goals: test.goals, Theirs: []sample{{CPU: 100}}}}}
		r.Comparisons[0].Ours = []sample{{CPU: 200, P50: 5, Resident: 60, Pace: test.pace}}
		if got := r.Comparisons[0].goalText(); got != test.inWords {
			t.Errorf("pace %g: got %q, want %q", test.pace, got, test.inWords)
		}
		if row := r.goalRows()[1]; row[4] != test.met || row[5] != test.measured {
			t.Errorf("%s: got %q and %q in the table of goals, want %q and %q", test.inWords, row[4], row[5], test.met,
				test.measured)
		}
	}
	c := &comparison{goals: goals{MaxCPU: 1}}
	c.add(sample{CPU: 1}, sample{})
	if got := c.Ours[0].Pace; got < 0.1 || got > 100 {
		t.Errorf("got a pace of %g, want one of this machine", got)
	}
}

// TestFoundAtPace makes sure that both figures of a time are shown, that at the machine's pace and the measured one.
func TestFoundAtPace(t *testing.T) {
	c := &comparison{goals: goals{MaxCPU: 100}, Ours: []sample{{CPU: 150, Pace: 2}}}
	if got, want := c.verdicts()[0].found, "75.0 µs at pace 2.0 (150 measured)"; got != want {
		t.Errorf("got %q, want %q", got, want)
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
	r := &report{Rounds: s.rounds, Sizes: s.sizes}
	if err := measure(context.Background(), s, r); err != nil {
		t.Fatal(err)
	}
	if len(r.Comparisons) != 21 { // an unchanged report is beside two others
		t.Fatalf("got %d comparisons, want 21", len(r.Comparisons))
	}
	for _, c := range r.Comparisons {
		if c.Name == "sqlite 30 memory" {
			if got := median(c.Ours).Resident; got <= 0 {
				t.Errorf("got %v MB of memory, want some", got)
			}
			continue
		}
		if c.ratio() <= 0 || median(c.Ours).CPU <= 0 {
			t.Errorf("%s: got %+v beside %+v, want figures", c.Name, c.Ours, c.Theirs)
		}
	}
	if text := r.text(); !strings.Contains(text, "sqlite 30 single record") ||
		!strings.Contains(text, "PostgreSQL was not measured") {
		t.Errorf("got table\n%swant one with the server and a note", text)
	}
}
