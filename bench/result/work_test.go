//go:build full

package result

import (
	"strings"
	"testing"
)

func TestWorkVerdicts(t *testing.T) {
	for _, test := range []struct {
		resident, most float64
		failed         int
		want           string
	}{
		{240, 250, 0, "<= 250 MB in memory ok; no request fails ok"},
		{260, 250, 0, "<= 250 MB in memory MISSED; no request fails ok"},
		{260, 0, 1, "no request fails MISSED"},
	} {
		w := &Work{Resident: test.resident, MaxResident: test.most, Actions: []*Action{{Failed: test.failed}}}
		r := &Run{Works: []*Work{w}}
		if got := r.workText(); !strings.Contains(got, test.want) {
			t.Errorf("%+v: got %q, want %q in it", test, got, test.want)
		}
	}
}
