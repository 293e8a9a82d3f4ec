package web

import (
	"strconv"

	"muster/internal/inventory"
	"muster/internal/kind"
)

// A cell is the value of a field as pages show it.
type cell struct {
	Class string // of a list's column
	Look  string // by which templates lay it out: text, dot, prio, person, when, link, out; "" for nothing
	Text  string
	Tone  string // class of a dot, a priority or a face
	Href  string // where it leads, "" for nowhere
	When  *moment
	Out   string // where it leads outside of the application
}

// cell returns the value of a field.
func (c *call) cell(v kind.Values, f *kind.Field) cell {
	text := v.Format(f)
	if text == "" {
		return cell{}
	}
	switch f.Type {
	case kind.Integer:
		return cell{Look: "text", Text: c.quantity(f, v.Int(f).V)}
	case kind.Amount:
		return cell{Look: "text", Text: c.amount(text)}
	case kind.Boolean:
		return cell{Look: "text", Text: c.yes(v.Bool(f).V)}
	case kind.Time:
		return cell{Look: "when", When: c.moment(*v.Time(f))}
	case kind.Date:
		return cell{Look: "text", Text: c.date(*v.Time(f))}
	case kind.PersonRef:
		p := v.Person(f)
		return cell{Look: "person", Text: personName(p), Tone: face(p.Email)}
	case kind.RecordRef:
		return cell{Look: "link", Text: text, Href: c.recordPath(f.Target, v.Ref(f).ID)}
	case kind.Text:
		return c.textCell(f, text)
	}
	return cell{Look: "text", Text: text}
}

// textCell returns a text, with its tone if it is one of those that have some.
func (c *call) textCell(f *kind.Field, text string) cell {
	if f.Name == "priority" || f.Name == "severity" {
		return cell{Look: "prio", Text: c.value(text), Tone: prioTone(text)}
	}
	if f.OneOf == nil && f.Days == nil {
		return cell{Look: "text", Text: text}
	}
	if tone, ok := tones[text]; ok {
		return cell{Look: "dot", Text: c.value(text), Tone: tone}
	}
	return cell{Look: "text", Text: c.value(text)}
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
func (c *call) quantity(f *kind.Field, n int64) string {
	switch f.Unit {
	case "":
		if f.Name == "number" {
			return "#" + strconv.FormatInt(n, 10)
		}
		return c.number(int(n))
	case "MB":
		return c.megabytes(n)
	}
	return c.number(int(n)) + " " + f.Unit
}

// precisely writes a number with its unit where another that is near it may stand
// beside it.
func (c *call) precisely(f *kind.Field, n int64) string {
	if !isSize(f) {
		return c.quantity(f, n)
	}
	whole, unit := wholeUnit(n)
	return c.number(int(whole)) + " " + unit
}

func (t *tongue) yes(truth bool) string {
	if truth {
		return t.t("Yes")
	}
	return t.t("No")
}

// personName returns what a person is called.
func personName(p *kind.Person) string {
	if p.Name != "" {
		return p.Name
	}
	return p.Email
}

// recordPath returns the path of a record's page, "" when none shows it to the
// person.
func (c *call) recordPath(k *kind.Schema, id int64) string {
	p := c.web.place(k)
	if p == nil || id == 0 || !p.access.admits(c.user) {
		return ""
	}
	return p.recordPath(id)
}

// label returns how people read the name of a field.
func (t *tongue) label(f *kind.Field) string { return t.t(f.Label) }

// tones are the classes in which values that tell how something is are shown: a
// shape and a colour beside the word.
var tones = map[string]string{
	"Operational": "good", "In Repair": "warn half", "Broken": "bad", "Spare": "ring", "Lost": "bad ring", "Disposed": "",
	inventory.TicketNew: "info ring", inventory.TicketAssigned: "accent half", inventory.TicketAwaiting: "warn", inventory.TicketOnHold: "ring",
	inventory.TicketResolved: "good", inventory.TicketClosed: "",
	"Active": "good", "Future": "info ring", "Expired": "bad",
	inventory.RiskOpen: "warn", inventory.RiskIgnored: "ring",
	inventory.SolutionDraft: "ring", inventory.SolutionInternal: "info", inventory.SolutionPublished: "good",
	inventory.OverUsed: "bad", inventory.Unused: "warn", inventory.Compliant: "good",
	inventory.Created: "good", inventory.Updated: "info", inventory.Deleted: "bad", inventory.Reported: "ring", inventory.Split: "info",
}
