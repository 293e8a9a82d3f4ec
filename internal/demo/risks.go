package demo

import (
	"strings"

	"muster/internal/inventory"
	"muster/internal/kind"
)

// A finding is a risk that a person has found, and what became of it. There are no rules yet
// that find any.
type finding struct {
	name, text         string
	category, severity string
	days               int    // ago
	fate               string // its status now
	computers          func(*inventory.Computer) bool
	asset              string // type of other assets that it is about
}

// running returns the computers whose system's name contains a text.
func running(system string) func(*inventory.Computer) bool {
	return func(c *inventory.Computer) bool {
		return strings.Contains(c.OperatingSystem, system) && c.Status != "Disposed"
	}
}

func status(want string) func(*inventory.Computer) bool {
	return func(c *inventory.Computer) bool { return c.Status == want }
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

func never(c *inventory.Computer) bool { return c.DetectedAt.IsZero() }

var findings = []finding{
	{"Server without security updates", "Extended support of Windows Server 2016 ends in January 2027, and updates are a quarter behind.", "Security", "Critical", 41, "Open", running("Server 2016"), ""},
	{"Windows 10 is out of support", "Security updates have ended in October 2025. Replace or upgrade.", "Security", "High", 88, "Open", running("Windows 10"), ""},
	{"Debian 11 leaves long-term support", "To be upgraded before the end of August 2026.", "Security", "Medium", 60, "Open", running("bullseye"), ""},
	{"macOS 13 gets no updates any more", "The maker updates the last three versions only.", "Security", "Medium", 75, "Ignored", running("macOS 13"), ""},
	{"Less than 5 % of a drive is free", "Updates and backups fail on a full drive.", "Hardware", "High", 12, "Open", almostFull, ""},
	{"Drive of the file server was full", "The shared drive had no space left for two hours.", "Hardware", "Critical", 140, "Resolved", nil, ""},
	{"Computer has never reported", "Entered by hand, without an agent: nobody knows what runs on it.", "Hardware", "Low", 30, "Open", never, ""},
	{"Laptop is lost", "Reported as lost. The disk is encrypted; the account was locked.", "Security", "High", 55, "Open", status("Lost"), ""},
	{"Broken computers wait for repair", "They hold data and stand in the open office.", "Hardware", "Medium", 20, "Open", status("Broken"), ""},
	{"Battery of the UPS is worn out", "The last self test gave four minutes instead of ten.", "Hardware", "High", 9, "Open", nil, "UPS"},
	{"Access points have default settings", "Found in the yearly review: the management address answers with the maker's password.", "Security", "Critical", 200, "Resolved", nil, "Access Point"},
	{"Telephones without a screen lock", "Two of the older models do not enforce it.", "Security", "Medium", 130, "Ignored", nil, "Smartphone"},
	{"More drawing programs installed than licensed", "The maker has announced an audit for the second quarter.", "License", "High", 18, "Open", nil, ""},
	{"Licences that nobody uses", "The drafting add-on is installed nowhere. Do not renew it.", "License", "Low", 70, "Open", nil, ""},
	{"Leasing ends before the new computers come", "Return is due on the last day; delivery was moved by three weeks.", "Contract", "High", 6, "Open", nil, ""},
	{"Maintenance of the printers has ended", "Two months without a contract until the new one began.", "Contract", "Medium", 410, "Resolved", nil, ""},
	{"Remote access tool on a client", "Installed without the help desk's knowledge.", "Software", "High", 33, "Resolved", nil, ""},
	{"Old measuring software on the test bench", "Needs a browser from 2019; the bench is in the laboratory network.", "Software", "Medium", 95, "Ignored", nil, ""},
	{"Archive program with a known weakness", "Versions before 24.01 write outside of their folder. Update to the present one.", "Software", "Medium", 25, "Open", nil, ""},
	{"Shared account on the shop floor", "Bookings cannot be told apart by person. To be replaced by badges.", "Security", "Low", 300, "Ignored", nil, ""},
}

// atMost is how many assets a risk names: the first ones are examples enough.
const atMost = 12

// findRisks notes the risks, and what was done about them.
func (s *story) findRisks() {
	for i, f := range findings {
		r, at, by := inventory.Risks.New(), s.ago(f.days, 40+i*13), s.users[i%technicians]
		r.Name, r.Description, r.Category, r.Severity = f.name, f.text, f.category, f.severity
		r.DetectedAt, r.Source = at, inventory.RiskManual
		s.steps = append(s.steps, Step{At: at, By: by, Origin: "web", Kind: inventory.Risks.Schema, New: func() []any {
			r.Assets = s.affected(&f)
			return []any{r}
		}})
		after := workday(at.AddDate(0, 0, 4))
		switch f.fate {
		case inventory.RiskResolved:
			s.change(after, by, inventory.Risks.Schema, r, document(inventory.Risks.Item, "status", f.fate))
		case inventory.RiskIgnored:
			until := s.day(30 + 20*i).Format("2006-01-02T15:04:05Z")
			s.change(after, by, inventory.Risks.Schema, r, document(inventory.Risks.Item, "status", f.fate, "ignored-until", until))
		}
	}
}

// affected returns the assets that a risk is about, of those that are there.
func (s *story) affected(f *finding) (all []kind.Linked) {
	for _, c := range s.computers {
		if f.computers != nil && c.ID != 0 && f.computers(c) && len(all) < atMost {
			all = append(all, link(inventory.Computers, c))
		}
	}
	for _, a := range s.assets {
		if f.asset == a.AssetType && a.ID != 0 && len(all) < atMost {
			all = append(all, link(inventory.OtherAssets, a))
		}
	}
	return all
}
