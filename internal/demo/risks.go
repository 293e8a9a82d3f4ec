package demo

import (
	"strings"

	"muster/internal/inventory"
	"muster/internal/kind"
)

// A finding is a risk that a person has found, and what became of it. There are no rules yet that find any.
type finding struct {
	Days        int       `xml:"days,attr"`  // ago
	Asset       string    `xml:"asset,attr"` // type of other assets that it is about
	Name        string    `xml:"name"`
	Description string    `xml:"description"`
	Category    string    `xml:"category"`
	Severity    string    `xml:"severity"`
	Status      string    `xml:"status"`    // now
	Computers   *criteria `xml:"computers"` // nil for none
}

// hasSystem reports whether the name of a computer's system contains a text, and it is in use.
func hasSystem(c *inventory.Computer, text string) bool {
	return strings.Contains(c.OperatingSystem, text) && c.Status != "Disposed"
}

// almostFull reports whether a drive has less than a twentieth left.
func almostFull(c *inventory.Computer) bool {
	for _, d := range c.Drives {
		if d.TotalSpace.V > 50_000 && d.FreeSpace.V*20 < d.TotalSpace.V {
			return true
		}
	}
	return false
}

// atMost is how many assets a risk names: the first ones are examples enough.
const atMost = 12

// findRisks notes the risks, and what was done about them.
func (s *story) findRisks() {
	for i, f := range data().findings {
		r, at, by := inventory.Risks.New(), s.ago(f.Days, 40+i*13), s.users[i%technicians]
		r.Name, r.Description, r.Category, r.Severity = f.Name, f.Description, f.Category, f.Severity
		r.DetectedAt, r.Source = at, inventory.RiskManual
		s.steps = append(s.steps, Step{At: at, By: by, Origin: "web", Kind: inventory.Risks.Schema, New: func() []any {
			r.Assets = s.affected(&f)
			return []any{r}
		}})
		after := workday(at.AddDate(0, 0, 4))
		switch f.Status {
		case inventory.RiskResolved:
			s.change(after, by, inventory.Risks.Schema, r, document(inventory.Risks.Item, "status", f.Status))
		case inventory.RiskIgnored:
			until := s.day(30 + 20*i).Format("2006-01-02T15:04:05Z")
			doc := document(inventory.Risks.Item, "status", f.Status, "ignored-until", until)
			s.change(after, by, inventory.Risks.Schema, r, doc)
		}
	}
}

// affected returns the assets that a risk is about, of those that are there.
func (s *story) affected(f *finding) (all []kind.Linked) {
	for _, c := range s.computers {
		if f.Computers != nil && c.ID != 0 && f.Computers.match(c) && len(all) < atMost {
			all = append(all, link(inventory.Computers, c))
		}
	}
	for _, a := range s.assets {
		if f.Asset == a.AssetType && a.ID != 0 && len(all) < atMost {
			all = append(all, link(inventory.OtherAssets, a))
		}
	}
	return all
}
