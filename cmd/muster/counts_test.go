//go:build full

package main_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"muster/internal/doctor"
	"muster/internal/mustertest"
)

// TestDoctorCounts breaks each count that is kept beside records, and has doctor find it and mend it, while the server
// runs and people install software, and after its end.
func TestDoctorCounts(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		f, s := installed(t, db)
		c := s.admin()
		made(t, c, "/softwares", "<software><name>Counted</name></software>")
		made(t, c, "/softwares", "<software><name>Other</name></software>")
		made(t, c, "/contracts", `<contract><name>Licence</name><type>SoftwareLicense</type><items type="array">
			<item><name>Count*</name></item></items></contract>`)
		for _, name := range []string{"a", "b"} {
			made(t, c, "/hardwares", "<hardware><name>"+name+"</name></hardware>")
		}
		made(t, c, "/tickets", "<ticket><name>first</name></ticket>")
		for id := range 2 {
			made(t, c, fmt.Sprintf("/hardwares/%d/softwares", id+1), "<software><name>Counted</name></software>")
		}
		f.findings().says(t, "nothing broken", doctor.OK, "counts", "as counted again")
		for _, test := range []struct{ broken, says string }{
			{"UPDATE softwares SET installs = 7 WHERE id = 1", "software 1 (Counted): installs is 7, counted 2"},
			{"UPDATE softwares SET installs = NULL WHERE id = 1", "software 1 (Counted): installs is 0, counted 2"},
			{"UPDATE contracts SET installed = 1 WHERE id = 1", "licence 1 (Licence): installed is 1, counted 2"},
			{"DELETE FROM licence_softwares", "licence 1 (Licence): covers 0 software records, counted 1"},
			{"UPDATE licence_softwares SET software_id = 999", "licence 1 (Licence): covers 1 software records, counted 1"},
			{"UPDATE counters SET value = 0 WHERE name = 'ticket-number'", "the last one is 0, the highest of a ticket is 1"},
		} {
			f.sql(test.broken)
			f.findings().says(t, test.broken, doctor.Problem, "counts", test.says, "--fix")
			stop := f.installMeanwhile(c)
			if got := f.run("doctor", "--fix"); got.status != 0 || !strings.Contains(got.out, "Mended: ") {
				t.Errorf("%s: --fix: got status %d, want 0:\n%s%s", test.broken, got.status, got.out, got.err)
			}
			stop()
			f.findings().says(t, "mended: "+test.broken, doctor.OK, "counts")
		}
		if got := c.Get("/audits.xml?q=corrected").Body; !strings.Contains(got, "Number of computers corrected from") ||
			!strings.Contains(got, "Last ticket number corrected from 0 to 1") {
			t.Errorf("the trail does not say what was mended: %s", got)
		}
		if got := c.Get("/softwares/1.xml").Body; !strings.Contains(got, "<installs>2</installs>") {
			t.Errorf("got %s, want 2 installs", got)
		}
		s.stop()
		f.sql("UPDATE softwares SET installs = 9 WHERE id = 1")
		if got := f.run("doctor", "--fix", "--json"); got.status != 0 || !strings.Contains(got.out, "installs is 9, counted 2") {
			t.Errorf("without a server: got status %d, want 0:\n%s%s", got.status, got.out, got.err)
		}
		f.findings().says(t, "mended without a server", doctor.OK, "counts")
		f.mendsLarge(s.password)
	})
}

// mendsLarge breaks the count of the licence once more, which is large by now, and has a job mend it.
func (f *folder) mendsLarge(password string) {
	f.t.Helper()
	f.sql("UPDATE softwares SET id = 2000000 WHERE name = 'Other'") // so many there may be, to compare the licence with
	f.sql("UPDATE contracts SET installed = 1 WHERE id = 1")
	c := f.serve().client(admin, password)
	if got := f.run("doctor", "--fix"); got.status != 0 || !strings.Contains(got.out, "installed is 1, counted 2") {
		f.t.Errorf("a large licence: --fix: got status %d, want 0:\n%s%s", got.status, got.out, got.err)
	}
	mustertest.Eventually(f.t, "a job has counted the licence", func() bool {
		return strings.Contains(c.Get("/contracts/1.xml").Body, "<installed>2</installed>")
	})
	f.findings().says(f.t, "mended by a job", doctor.OK, "counts")
	if got := c.Get("/audits.xml?q=job").Body; !strings.Contains(got, "Counted again by a job, since 1 was kept and 2 counted") {
		f.t.Errorf("the trail does not say that a job counts: %s", got)
	}
}

// findings are what doctor says once: the head of the audit trail falls behind and catches up while people work.
func (f *folder) findings() (d diagnosis) {
	f.t.Helper()
	got := f.run("doctor", "--json")
	if err := json.Unmarshal([]byte(got.out), &d); err != nil {
		f.t.Fatalf("muster doctor --json: %v:\n%s%s", err, got.out, got.err)
	}
	return d
}

// made makes a record, or puts it where it belongs.
func made(t *testing.T, c *mustertest.Client, path, document string) {
	t.Helper()
	if got := c.Do("POST", path, document); got.Status != http.StatusCreated {
		t.Fatalf("POST %s: got %d %s, want 201", path, got.Status, got.Body)
	}
}

// installMeanwhile installs software and removes it again until the returned function is called.
func (f *folder) installMeanwhile(c *mustertest.Client) (stop func()) {
	end, working := make(chan struct{}), sync.WaitGroup{}
	working.Go(func() {
		for {
			if got := c.Do("DELETE", "/hardwares/2/softwares/1", ""); got.Status >= 300 {
				f.t.Errorf("DELETE: got %d %s", got.Status, got.Body)
			}
			if got := c.Do("POST", "/hardwares/2/softwares", "<software><name>Counted</name></software>"); got.Status != http.StatusCreated {
				f.t.Errorf("POST: got %d %s", got.Status, got.Body)
			}
			select {
			case <-end:
				return
			default:
			}
		}
	})
	return func() { close(end); working.Wait() }
}
