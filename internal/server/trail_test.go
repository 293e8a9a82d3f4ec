package server_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"muster/internal/mustertest"
)

// TestHeadInLog finds the head of the audit trail in the log: at the start, and
// each hour.
func TestHeadInLog(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := mustertest.Start(t, mustertest.Options{On: db})
		await(t, s, `"msg":"audit head","count":`, 1)
		if got := s.Admin().Do("POST", "/hardwares", computer); got.Status != 201 {
			t.Fatalf("a new computer: got %d", got.Status)
		}
		count := len(s.Audits())
		s.Clock.Advance(time.Hour)
		await(t, s, `"msg":"audit head","count":`, 2)
		await(t, s, fmt.Sprintf(`"msg":"audit head","count":%d,"hash":"`, count), 1)
	})
}

// await waits until the log has a text so many times.
func await(t *testing.T, s *mustertest.Server, text string, times int) {
	t.Helper()
	mustertest.Eventually(t, fmt.Sprintf("the log has %q %d times", text, times),
		func() bool { return strings.Count(s.Log.String(), text) >= times })
}
