//go:build full

package main_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"muster/internal/mustertest"
)

// TestComputerMerge runs the same steps twice: while the server runs, and while it
// does not.
func TestComputerMerge(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		for _, running := range []bool{true, false} {
			name := map[bool]string{true: "running", false: "stopped"}[running]
			t.Run(name, func(t *testing.T) {
				f := newFolder(t)
				f.env = []string{"MUSTER_DATABASE=" + db.New(t)}
				s := f.serve()
				c, password := s.admin(), s.password
				for _, fields := range []string{
					"<name>one</name>", "<name>two</name><notes>from two</notes>",
					"<name>three</name><asset-id>LAP-3</asset-id>", "<name>four</name><asset-id>2</asset-id>",
					"<name>lap-3</name>", "<name>Twin</name>", "<name>tWIN</name>", "<name>Typed in</name>",
				} {
					c.Do("POST", "/hardwares", "<hardware>"+fields+"</hardware>")
				}
				if !running {
					s.stop()
				}
				tellMerges(t, f)
				if !running {
					c = f.serve().client(admin, password)
				}
				checkMerges(t, c)
			})
		}
	})
}

// tellMerges merges computers by commands.
func tellMerges(t *testing.T, f *folder) {
	t.Helper()
	for args, want := range map[string]string{
		"1 9":    "there is no computer with the id 9",
		"1 XYZ":  `there is no computer with the id, asset id or name "XYZ": GET /hardwares.xml?q=… finds ids by other words`,
		"1 twin": `2 computers are called "twin", those with the ids 6, 7: give the id of the one that you mean`,
		"1 1":    "one computer already",
		"1 2":    "2 is the id of one computer, which has the asset id MUS-000002, and the asset id of another, which has the id 4",
		"1":      "<second>",
	} {
		f.refused(append([]string{"computer", "merge"}, strings.Fields(args)...), want)
	}
	for _, step := range [][3]string{
		{"lap-3", "1", "Computer 3 (three) was merged into computer 1 (one).\n"},
		{"typed IN", "one", "Computer 8 (Typed in) was merged into computer 1 (one).\n"},
		{"MUS-000002", " 1 ", "Computer 2 (two) was merged into computer 1 (one).\n"},
	} {
		if got := f.must("computer", "merge", step[0], step[1]); got != step[2] {
			t.Errorf("computer merge %s %s: got %q, want %q", step[0], step[1], got, step[2])
		}
	}
	f.refused([]string{"computer", "merge", "3", "1"},
		"there is no computer with the id 3: it was merged into computer 1")
}

// checkMerges looks at what tellMerges has done.
func checkMerges(t *testing.T, c *mustertest.Client) {
	t.Helper()
	if got := c.Get("/hardwares.xml"); !strings.Contains(got.Body, "<total_entries>5</total_entries>") {
		t.Errorf("got %d %s, want 5 computers", got.Status, got.Body)
	}
	if got := c.Get("/hardwares/1.xml").Body; !strings.Contains(got, "<name>one</name>") ||
		!strings.Contains(got, "<notes>from two</notes>") {
		t.Errorf("got %s, want what both had", got)
	}
	audits := c.Get("/hardwares/1/audits.xml?origin=command").Body
	for _, want := range []string{
		"<message>Computer three (id 3, asset id LAP-3) merged into this one</message>",
		"<message>Computer three merged into computer 1 (one)</message>",
		"<message>Computer two (id 2, asset id MUS-000002) merged into this one</message>", "<user nil=\"true\"/>",
	} {
		if !strings.Contains(audits, want) {
			t.Errorf("the history: got %s, want %s in it", audits, want)
		}
	}
}

// TestComputerSplit splits a computer by a command, while the server runs and while it
// does not.
func TestComputerSplit(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		for _, running := range []bool{true, false} {
			t.Run(map[bool]string{true: "running", false: "stopped"}[running], func(t *testing.T) {
				f := newFolder(t)
				f.env = []string{"MUSTER_DATABASE=" + db.New(t)}
				s := f.serve()
				secret, _ := f.addAgentToken()
				for _, name := range []string{"one", "two"} { // with one address, which a dock has
					report := fmt.Sprintf(`{"action":"inventory","deviceid":"%s-2026","content":{"hardware":{"name":"%s"},"networks":[{"mac":"A4:C3:F0:11:00:01","status":"up"}]}}`, name, name)
					if got := s.admin().Do("POST", "/ocsinventory/t/"+secret, report); got.Status != http.StatusOK {
						t.Fatalf("report: got %d %s", got.Status, got.Body)
					}
				}
				if !running {
					s.stop()
				}
				split := func(args ...string) []string { return append([]string{"computer", "split"}, args...) }
				f.refused(split("two"), "--agent")
				f.refused(split("two", "--agent", "x"),
					`the computer 1 has no agent with the id or device id "x": it has 1 (`)
				f.refused(split("9", "--agent", "1"), "there is no computer with the id 9")
				if got, want := f.must(split("two", "--agent", "two-2026")...),
					"Computer 2 (two) was split off computer 1 (one).\n"; got != want {
					t.Errorf("got %q, want %q", got, want)
				}
				f.refused(split("1", "--agent", "1"), "one agent alone reports it")
			})
		}
	})
}
