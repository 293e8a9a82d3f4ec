package kind_test

import (
	"flag"
	"os"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files anew")

func TestReference(t *testing.T) {
	const file = "testdata/reference.md"
	got := devices.Reference()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, file, got, string(want))
}
