package activity

import (
	"fmt"
	"strings"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/message"
	"muster/internal/web/page"
)

// reported returns the message of a computer's first report, or of one with many
// changes, in the person's language. These messages count changes instead of listing
// them. It returns false for other messages.
func reported(c *page.Call, k *kind.Schema, a *inventory.Audit, changes []kind.Change) (text string, ok bool) {
	n := len(changes) + inventory.Unseen(a)
	first, many := "First report of "+a.RecordName+": ", fmt.Sprintf("Report with %d changes: ", n)
	counted := kind.Tallies(changes)
	if inventory.Unseen(a) > 0 { // then the message alone knows them all
		counted = saidTallies(k, a.Said())
	}
	if inventory.Unseen(a) > 0 && counted == nil {
		counted = formerTallies(k, strings.TrimPrefix(strings.TrimPrefix(a.Message, first), many))
	}
	switch {
	case strings.HasPrefix(a.Message, first):
		return c.T("First report of %s: %s", a.RecordName, tallies(c, k, counted)), true
	case strings.HasPrefix(a.Message, many):
		return c.TN(n, "Report with %s change", "Report with %s changes") + ": " + tallies(c, k, counted), true
	}
	return "", false
}

// saidTallies returns what the message of a report says of each field, nil where it is not known what it is made of.
func saidTallies(k *kind.Schema, said message.Text) (all []*kind.Tally) {
	if len(said.Args) < 2 {
		return nil
	}
	summary, _ := said.Args[1].(message.Text)
	for _, arg := range summary.Args {
		if text, ok := arg.(message.Text); ok {
			all = append(all, inventory.ReadTally(text, k))
		}
	}
	return all
}

// tallies returns a text with the fields that have changed, and for collections how
// many items.
func tallies(c *page.Call, k *kind.Schema, counted []*kind.Tally) string {
	var parts []string
	for _, t := range counted {
		parts = append(parts, tally(c, k.Field(t.Field), t))
	}
	if parts == nil {
		return c.T("nothing new")
	}
	return strings.Join(parts, "; ")
}

// tally returns a text with the changes of a field. The field is nil if the kind no
// longer has it.
func tally(c *page.Call, f *kind.Field, t *kind.Tally) string {
	label := strings.ToLower(kind.Words(t.Field))
	if f != nil {
		label = c.Inside(c.Label(f))
	}
	if f != nil && f.Type != kind.List {
		return label
	}
	var parts []string
	if t.Added > 0 {
		parts = append(parts, c.T("%s added", c.Number(t.Added)))
	}
	if t.Removed > 0 {
		parts = append(parts, c.T("%s removed", c.Number(t.Removed)))
	}
	if t.Changed > 0 {
		parts = append(parts, c.T("%s changed", c.Number(t.Changed)))
	}
	return label + " " + strings.Join(parts, ", ")
}
