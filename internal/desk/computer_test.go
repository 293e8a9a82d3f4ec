package desk

import (
	"errors"
	"testing"
)

func TestNextFree(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name     string
		from     int64
		taken    func(int64) bool
		want     int64
		maxAsked int
	}{
		{"nothing taken", 7, func(int64) bool { return false }, 7, 1},
		{"one taken", 1, func(n int64) bool { return n == 1 }, 2, 2},
		{"three taken", 1, func(n int64) bool { return n <= 3 }, 4, 5},
		{"a million taken", 1, func(n int64) bool { return n <= 1_000_000 }, 1_000_001, 45},
		{"a gap", 1, func(n int64) bool { return n <= 10 && n != 2 }, 2, 10},
	} {
		asked := 0
		got, err := nextFree(test.from, func(n int64) (bool, error) { asked++; return test.taken(n), nil })
		if got != test.want || err != nil || asked > test.maxAsked {
			t.Errorf("%s: got %d, %v after %d questions, want %d after at most %d", test.name, got, err, asked,
				test.want, test.maxAsked)
		}
	}
	wrong := errors.New("away")
	if _, err := nextFree(1, func(int64) (bool, error) { return true, wrong }); err != wrong {
		t.Errorf("got %v, want %v", err, wrong)
	}
}
