package page

import (
	"strconv"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/web/lang"
)

// A Cell is the value of a field as pages show it.
type Cell struct {
	Class string // of a list's column
	Look  string // by which templates lay it out: text, dot, prio, person, when, link, out; "" for nothing
	Text  string
	Tone  string // class of a dot, a priority or a face
	Href  string // where it leads, "" for nowhere
	When  *Moment
	Out   string // where it leads outside of the application
}

// Cell returns the value of a field.
func (c *Call) Cell(v kind.Values, f *kind.Field) Cell {
	text := v.Format(f)
	if text == "" {
		return Cell{}
	}
	switch f.Type {
	case kind.Integer:
		return Cell{Look: "text", Text: quantity(c, f, v.Int(f).V)}
	case kind.Amount:
		return Cell{Look: "text", Text: c.Amount(text)}
	case kind.Boolean:
		return Cell{Look: "text", Text: c.Yes(v.Bool(f).V)}
	case kind.Time:
		return Cell{Look: "when", When: c.Moment(*v.Time(f))}
	case kind.Date:
		return Cell{Look: "text", Text: c.Date(*v.Time(f))}
	case kind.PersonRef:
		p := v.Person(f)
		return Cell{Look: "person", Text: lang.PersonName(p), Tone: Face(p.Email)}
	case kind.RecordRef:
		return Cell{Look: "link", Text: text, Href: c.RecordPath(f.Target, v.Ref(f).ID)}
	case kind.Text:
		return textCell(c, f, text)
	}
	return Cell{Look: "text", Text: text}
}

// textCell returns a text, with its tone if it is one of those that have some.
func textCell(c *Call, f *kind.Field, text string) Cell {
	if f.Name == "priority" || f.Name == "severity" {
		return Cell{Look: "prio", Text: c.Value(text), Tone: prioTone(text)}
	}
	if f.OneOf == nil && f.Days == nil {
		return Cell{Look: "text", Text: text}
	}
	if tone, ok := tones[text]; ok {
		return Cell{Look: "dot", Text: c.Value(text), Tone: tone}
	}
	return Cell{Look: "text", Text: c.Value(text)}
}

// prioTone returns the class and icon of a priority.
func prioTone(text string) string {
	for i, known := range inventory.Priorities {
		if known == text {
			return [...]string{"none", "low", "medium", "high", "critical"}[i]
		}
	}
	return "none"
}

// quantity writes a number with its unit.
func quantity(c *Call, f *kind.Field, n int64) string {
	switch f.Unit {
	case "":
		if f.Name == "number" {
			return "#" + strconv.FormatInt(n, 10)
		}
		return c.Number(int(n))
	case "MB":
		return c.Megabytes(n)
	}
	return c.Number(int(n)) + " " + f.Unit
}

// precisely writes a number with its unit where another that is near it may stand
// beside it.
func (c *Call) precisely(f *kind.Field, n int64) string {
	if !lang.IsSize(f) {
		return quantity(c, f, n)
	}
	whole, unit := lang.WholeUnit(n)
	return c.Number(int(whole)) + " " + unit
}

// RecordPath returns the path of a record's page, "" when none shows it to the
// person.
func (c *Call) RecordPath(k *kind.Schema, id int64) string {
	p := c.App.Place(k)
	if p == nil || id == 0 || !p.Access.Allows(c.User) {
		return ""
	}
	return p.RecordPath(id)
}

// tones are the CSS classes for values that describe a condition: they show a shape
// and a colour beside the word.
var tones = map[string]string{
	"Operational": "good", "In Repair": "warn half", "Broken": "bad", "Spare": "ring", "Lost": "bad ring",
	"Disposed":          "",
	inventory.TicketNew: "info ring", inventory.TicketAssigned: "accent half", inventory.TicketAwaiting: "warn",
	inventory.TicketOnHold:   "ring",
	inventory.TicketResolved: "good", inventory.TicketClosed: "",
	"Active": "good", "Future": "info ring", "Expired": "bad",
	inventory.RiskOpen: "warn", inventory.RiskIgnored: "ring",
	inventory.SolutionDraft: "ring", inventory.SolutionInternal: "info", inventory.SolutionPublished: "good",
	inventory.OverUsed: "bad", inventory.Unused: "warn", inventory.Compliant: "good",
	inventory.Created: "good", inventory.Updated: "info", inventory.Deleted: "bad", inventory.Reported: "ring",
	inventory.Split: "info",
}
