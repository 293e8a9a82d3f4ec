package front

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"muster/internal/store"
)

// TestTranslate: answers report the errors of a database without the database's own
// words.
func TestTranslate(t *testing.T) {
	const secret = "dial tcp 10.0.0.1:5432"
	for _, test := range []struct {
		err    error
		status int
		retry  bool
		text   string
	}{
		{store.ErrUnavailable, http.StatusServiceUnavailable, true, "not available"},
		{store.ErrTooLong, http.StatusServiceUnavailable, true, "not available"},
		{store.ErrUncertain, http.StatusServiceUnavailable, true, "not known whether the change was made"},
		{store.ErrFull, http.StatusInsufficientStorage, false, "disk of the database is full: nothing was changed"},
	} {
		e := translate(fmt.Errorf("list: %w: %w", test.err, errors.New(secret)))
		if e.Status != test.status || (e.RetryAfter > 0) != test.retry || !strings.Contains(e.Error(), test.text) ||
			strings.Contains(e.Error(), secret) {
			t.Errorf("%v: got %d %q, retry after %v, want %d with %q", test.err, e.Status, e.Faults, e.RetryAfter,
				test.status, test.text)
		}
	}
	if e := translate(errors.New("disk on fire")); e != nil {
		t.Errorf("an unknown error: got %v, want it to be no mistake of the client", e)
	}
}
