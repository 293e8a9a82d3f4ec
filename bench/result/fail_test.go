//go:build full

package result

import (
	"errors"
	"strings"
	"testing"
)

func TestFailed(t *testing.T) {
	c := rounds("sqlite 10 list", 100)
	c.Aim = "lists"
	c.Fail(errors.New("got status 503\nand a body"))
	r := &Run{Sizes: []int{10}, Comparisons: []*Comparison{c}}
	if text := r.Text(); !strings.Contains(text, "answered MISSED") ||
		!strings.Contains(text, "sqlite 10 list: got status 503\n") {
		t.Errorf("got\n%swant it to tell what failed, and why", text)
	}
}
