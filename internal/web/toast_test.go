package web

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"
)

// TestToastFits keeps each toast as short as a cookie must be: the way back goes
// first, then the end of the text.
func TestToastFits(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("<ü", 3000)
	for _, test := range []struct {
		name string
		is   toast
		want toast
	}{
		{"short", toast{"Saved", "/undo/1", true}, toast{"Saved", "/undo/1", true}},
		{"a long way back", toast{"Saved", "/undo/" + strings.Repeat("1,", 3000), false}, toast{"Saved", "", false}},
		{"a long text", toast{long, "/undo/1", false}, toast{long[:3*187+1] + "…", "", false}},
	} {
		value := test.is.fitting()
		text, err := base64.RawURLEncoding.DecodeString(value)
		var got toast
		if err == nil {
			err = json.Unmarshal(text, &got)
		}
		if err != nil || len(value) > maxToast {
			t.Errorf("%s: got %d bytes (%v), want %d at most", test.name, len(value), err, maxToast)
		}
		if got != test.want {
			t.Errorf("%s: got %.50q… (%d letters) with %q, want %.50q… (%d letters) with %q",
				test.name, got.Text, len(got.Text), got.Undo, test.want.Text, len(test.want.Text), test.want.Undo)
		}
	}
}
