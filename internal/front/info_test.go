package front

import (
	"testing"

	"pgregory.net/rapid"
)

// TestPerhapsSecret: no target with a secret is taken for one without.
func TestPerhapsSecret(t *testing.T) {
	piece := rapid.SampledFrom([]string{"/", "%2f", "%2F", "t", "T", "ocsinventory", "OcſInventory", "inventory",
		"INVENTORY.php", "x", ".", "?", "hardwares"})
	rapid.Check(t, func(t *rapid.T) {
		target := ""
		for _, p := range rapid.SliceOf(piece).Draw(t, "pieces") {
			target += p
		}
		if secret.MatchString(target) && !perhapsSecret(target) {
			t.Errorf("%q has a secret", target)
		}
	})
	for target, want := range map[string]bool{"/hardwares.xml?page=2&status=Active": false, "/tickets/7.xml": false,
		"/hardwares?processor=i7+%281365U%29": false, "/t/abc": true, "/inventory/x": true} {
		if got := perhapsSecret(target); got != want {
			t.Errorf("%s: got %t, want %t", target, got, want)
		}
	}
}
