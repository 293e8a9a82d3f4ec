package admin

import (
	"os/exec"
	"strings"
	"testing"
)

// TestLicences knows the licence of all that the program is built with.
func TestLicences(t *testing.T) {
	t.Parallel()
	out, err := exec.CommandContext(t.Context(), "go", "list", "-deps", "-f", "{{with .Module}}{{.Path}}{{end}}",
		"muster/cmd/muster").Output()
	if err != nil {
		t.Fatal(err)
	}
	paths := strings.Fields(string(out))
	if len(paths) < 10 {
		t.Errorf("got %v, want all that is included", paths)
	}
	for _, path := range paths {
		if path != "muster" && licenceOf(path) == "" {
			t.Errorf("%s: got no licence", path)
		}
	}
}
