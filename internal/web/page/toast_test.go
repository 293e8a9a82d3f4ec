package page

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
		is   Toast
		want Toast
	}{
		{"short", Toast{"Saved", "/undo/1", true, ""}, Toast{"Saved", "/undo/1", true, ""}},
		{"a long way back", Toast{"Saved", "/undo/" + strings.Repeat("1,", 3000), false, ""}, Toast{"Saved", "", false, ""}},
		{"a long text", Toast{long, "/undo/1", false, ""}, Toast{long[:3*187+1] + "…", "", false, ""}},
	} {
		value := test.is.fitting()
		text, err := base64.RawURLEncoding.DecodeString(value)
		var got Toast
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

// TestUndoPaths takes no way back from a browser that leads elsewhere.
func TestUndoPaths(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]bool{
		"/undo/1": true, "/undo/3-7,9": true, "/undo/computers?job=x": true,
		"/undo/tickets/1/link?hardwares=1&version=2": true, "/undo/duplicates/1/2": true,
		"": false, "/": false, "/undo": false, "/undo/": false, "/undone/1": false, "undo/1": false,
		"/users/2/disable": false, "/tickets/1/link?field=hardwares": false,
		"/undo/../users/2/disable": false, "/undo/./1": false, "/undo/%2e%2e/users/2/disable": false,
		"/undo/.%2E/users": false, "/undo//1": false, `/undo/..\users`: false, `\undo/1`: false,
		"//example.com/undo/1": false, "https://example.com/undo/1": false, "/undo/.\t./users": false,
		"/undo/\n1": false, "/undo/%zz": false, "?/undo/1": false, "javascript:/undo/1": false,
	} {
		if got := isUndo(address); got != want {
			t.Errorf("%q: got %v, want %v", address, got, want)
		}
	}
}
