//go:build full

package main_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"muster/internal/doctor"
	"muster/internal/mustertest"
)

// verified runs `muster audit verify`, which must find nothing, and returns the
// head.
func (f *folder) verified(args ...string) string {
	f.t.Helper()
	out := f.must(append([]string{"audit", "verify"}, args...)...)
	lines := strings.Split(out, "\n")
	count, _, _ := strings.Cut(lines[1], ":")
	if lines[0] != "All "+count+" audit records fit. The head is" || len(lines[1]) != len(count)+65 {
		f.t.Fatalf("muster audit verify: got %q", out)
	}
	if strings.Contains(out, "missing") {
		f.t.Errorf("muster audit verify: got %q, want the triggers there", out)
	}
	return lines[1]
}

// unguard removes the triggers of the audit trail.
func (f *folder) unguard(postgres bool) {
	f.t.Helper()
	if postgres {
		f.sql("DROP TRIGGER audits_kept ON audits; DROP TRIGGER audits_computers_kept ON audits_computers")
		return
	}
	for _, name := range []string{
		"audits_update", "audits_delete", "audits_computers_update", "audits_computers_delete",
	} {
		f.sql("DROP TRIGGER " + name)
	}
}

// TestAuditVerify walks the audit trail beside a running server and after it,
// and finds what was done to it meanwhile.
func TestAuditVerify(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		f, s := installed(t, db)
		for i := range 4 {
			create(t, s, s.password, fmt.Sprint("computer ", i))
		}
		var logged struct {
			Count int64
			Hash  string
		}
		if err := json.Unmarshal([]byte(s.await(s.log, `"audit head"`)), &logged); err != nil || logged.Count == 0 {
			t.Fatalf("the head in the log: got %+v, %v", logged, err)
		}
		if got := s.client(admin, s.password).Get("/hardwares"); got.Status != 200 {
			t.Fatalf("a list: got %d", got.Status)
		}
		eventually(t, "all changes are in the trail", func() bool { return strings.HasPrefix(f.verified(), "5:") })
		f.verified("--head", fmt.Sprintf("%d:%s", logged.Count, logged.Hash))
		s.stop()
		head := f.verified()
		f.verified("--head", head)
		f.refused([]string{"audit", "verify", "--head", "5"}, "--head", `"5" is not the head of a chain`)
		other := "5:" + strings.Repeat("0", 64)
		f.refused([]string{"audit", "verify", "--head", other}, "audit record 5 does not fit",
			"the chain was written anew")

		f.unguard(db.Name != "sqlite")
		if out := f.must("audit", "verify"); !strings.Contains(out, "triggers are missing") {
			t.Errorf("without triggers: got %q, want that they are missing", out)
		}
		f.doctor().says(t, "without triggers", doctor.Warning, "audit trail", "Triggers are missing", "muster serve")
		f.sql("UPDATE audits SET message = 'nothing' WHERE id = 3")
		f.refused([]string{"audit", "verify"}, "verify the audit trail", "audit record 3 does not fit",
			"audit record 2: one of them was changed")
		f.doctor().says(t, "a changed record", doctor.Problem, "audit trail", "audit record 3 does not fit",
			"muster audit verify")
		f.sql("UPDATE audits SET message = 'Computer computer 1 created' WHERE id = 3")
		if out := f.must("audit", "verify", "--head", head); !strings.Contains(out, "triggers are missing") {
			t.Errorf("as it was: got %q, want that triggers are missing", out)
		}
		f.sql("DELETE FROM audits_computers WHERE id = 5")
		f.sql("DELETE FROM audits WHERE id = 5")
		f.refused([]string{"audit", "verify", "--head", head}, "had 5 records and has 4: its end is missing")
	})
}

// TestAuditVerifyNothing has no database to look into.
func TestAuditVerifyNothing(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	f.refused([]string{"audit", "verify"}, "there is no database", "--data or --database")
	if f.exists("") {
		t.Error("muster audit verify made a data folder")
	}
}
