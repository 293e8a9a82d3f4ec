//go:build full

package main_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"muster/internal/mustertest"
)

// TestJobCommands lists jobs, starts what happens by itself, and stops and retries it, with the server and without.
func TestJobCommands(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	s := f.serve()
	if got := f.must("job", "list"); !regexp.MustCompile(`(?m)^[123] +tidy +waiting +0 +0 +\(none\) +20\d\d-.* Remove old jobs$`).MatchString(got) {
		t.Errorf("job list: got\n%s\nwant those that wait for their time", got)
	}
	if got := f.must("job", "run", "tidy"); !strings.HasPrefix(got, "Job 4 (Remove old jobs) is begun") {
		t.Errorf("job run: got %q", got)
	}
	states := func(args ...string) (states string) {
		t.Helper()
		var list struct {
			Jobs []struct {
				ID    int64
				State string
			}
			Left int64
			Held bool
		}
		if err := json.Unmarshal([]byte(f.must(append([]string{"job", "list", "--json"}, args...)...)), &list); err != nil {
			t.Fatal(err)
		}
		for _, j := range list.Jobs {
			states += j.State + " "
		}
		return states
	}
	mustertest.Eventually(t, "the job is done", func() bool { return states("--all") == "waiting waiting waiting done " })
	s.stop()
	f.must("job", "run", "tidy")
	if got := f.run("job", "run", "tidy"); got.status != 1 || !strings.Contains(got.err, "under way already") {
		t.Errorf("job run, once more: got %+v", got)
	}
	if got := f.must("job", "stop", "5"); got != "Job 5 (Remove old jobs) was stopped.\n" {
		t.Errorf("job stop: got %q", got)
	}
	if got := states("--all"); got != "waiting waiting waiting stopped done " {
		t.Errorf("got %q, want the last one stopped", got)
	}
	if got := f.must("job", "retry", "5"); got != "Job 5 (Remove old jobs) goes on.\n" {
		t.Errorf("job retry: got %q", got)
	}
	if got := states("--failed"); got != "" {
		t.Errorf("got %q, want none that has failed", got)
	}
	if got := f.must("job", "resume"); got != "No job is held.\n" {
		t.Errorf("job resume: got %q", got)
	}
	for what, args := range map[string][]string{
		"there is no job 99":     {"stop", "99"},
		"is not the id of a job": {"retry", "x"},
		"there are tidy":         {"run", "nothing"},
		"exclude each other":     {"list", "--failed", "--all"},
		"has ended already":      {"stop", "4"},
	} {
		if got := f.run(append([]string{"job"}, args...)...); got.status != 1 || !strings.Contains(got.err, what) {
			t.Errorf("job %v: got %+v, want an error with %q", args, got, what)
		}
	}
}
