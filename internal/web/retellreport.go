package web

import (
	"fmt"
	"strings"

	"muster/internal/kind"
)

// reported returns the message of a computer's first report, or of one with many
// changes, in the words of the person, if it is one: such a message counts its
// changes.
func (c *call) reported(k *kind.Schema, name string, changes []kind.Change, message string) (text string, ok bool) {
	switch {
	case strings.HasPrefix(message, "First report of "+name+": "):
		return c.t("First report of %s: %s", name, c.tallies(k, changes)), true
	case strings.HasPrefix(message, fmt.Sprintf("Report with %d changes: ", len(changes))):
		return c.tn(len(changes), "Report with %s change", "Report with %s changes") + ": " + c.tallies(k, changes), true
	}
	return "", false
}

// tallies tells which fields have changed, and of collections how many items.
func (c *call) tallies(k *kind.Schema, changes []kind.Change) string {
	var told []string
	for _, t := range kind.Tallies(changes) {
		told = append(told, c.tally(k.Field(t.Field), t))
	}
	if told == nil {
		return c.t("nothing new")
	}
	return strings.Join(told, "; ")
}

// tally tells the changes of a field, which may be gone from the kind.
func (c *call) tally(f *kind.Field, t *kind.Tally) string {
	label := strings.ToLower(kind.Words(t.Field))
	if f != nil {
		label = c.inside(c.label(f))
	}
	if f != nil && f.Type != kind.List {
		return label
	}
	var parts []string
	if t.Added > 0 {
		parts = append(parts, c.t("%s added", c.number(t.Added)))
	}
	if t.Removed > 0 {
		parts = append(parts, c.t("%s removed", c.number(t.Removed)))
	}
	if t.Changed > 0 {
		parts = append(parts, c.t("%s changed", c.number(t.Changed)))
	}
	return label + " " + strings.Join(parts, ", ")
}
