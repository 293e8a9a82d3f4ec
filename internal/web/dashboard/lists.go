package dashboard

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"time"

	"muster/internal/inventory"
	"muster/internal/web/activity"
	"muster/internal/web/page"
	"muster/internal/web/records"
)

// A licence is how many may use something, and how many do.
type licence struct {
	Name, Href string
	Of         string
	Bar, Mark  string // how far use goes, and where all seats are
	State      page.Cell
	Tone       string
	over       float64
}

// How many licences are read at once, and how many rows the dashboard shows of
// these and of other lists.
const (
	licencesAtOnce = 250
	boardRows      = 7
)

// OverUsed is the view of the licences that are over-used now. Other contracts
// are not.
const OverUsed = "compliance=Over-used&status=Active"

// boardLicences counts all licences that are over-used, and shows those that are
// used most of all.
func boardLicences(c *page.Call, d *dashboard) error {
	s, over, total := records.SectionAt(c.App, "contracts"), 0, 0
	values := page.With(d.at("status=Active"), "type", inventory.SoftwareLicense)
	for number := 1; number == 1 || (number-1)*licencesAtOnce < total; number++ {
		found, err := s.First(c.Context(), c, page.With(values, "page", strconv.Itoa(number)), licencesAtOnce)
		if err != nil {
			return err
		}
		for _, rec := range found.Records {
			contract := rec.(*inventory.Contract)
			if contract.Compliance == inventory.OverUsed {
				over++
			}
			d.Licences = append(d.Licences, licenceRow(c, s, contract))
		}
		total = found.Total
		slices.SortStableFunc(d.Licences, func(a, b licence) int { return cmp.Compare(b.over, a.over) })
		d.Licences = d.Licences[:min(boardRows, len(d.Licences))]
	}
	d.Over = slice{Label: c.T("%s of %s over-used", c.Number(over), c.Number(total)), Href: page.Address("/contracts",
		d.at(OverUsed)), Total: over}
	d.LicencesAll = slice{Href: page.Address("/contracts", values), Total: total}
	return nil
}

// licenceRow returns what is shown of a licence.
func licenceRow(c *page.Call, s *records.Section, rec *inventory.Contract) licence {
	seats, used := float64(rec.Seats.V), float64(rec.Installed.V)
	whole := max(seats, used, 1) * 1.08
	l := licence{
		Name: rec.Name, Href: s.RecordPath(rec.ID),
		Of:  c.T("%s of %s", c.Number(int(rec.Installed.V)), c.Number(int(rec.Seats.V))),
		Bar: percent(100 * used / whole), Mark: percent(100 * seats / whole),
		State: c.Cell(s.Kind.Values(rec), s.Kind.Field("compliance")), Tone: "good",
		over: used / max(seats, 0.5),
	}
	if rec.Compliance == inventory.OverUsed {
		l.Tone = "bad"
	}
	if rec.Counting.V {
		l.State = page.Cell{Look: "text", Text: c.T("counting…")}
	}
	if !rec.Installed.Valid {
		l.Of = c.T("%s of %s", "–", c.Number(int(rec.Seats.V)))
	}
	return l
}

// An ending is a contract that ends soon.
type ending struct {
	Name, Href, Sub, In, Day, Tone string
}

func boardEnding(c *page.Call, d *dashboard) error {
	values := d.at("")
	values.Set("end_date_from", c.Today().Format(time.DateOnly))
	values.Set("end_date_to", c.Today().AddDate(0, 0, page.DaysSoon).Format(time.DateOnly))
	var err error
	if d.EndingAll, err = count(c, "contracts", c.T("All contracts that end"), "", values); err != nil {
		return err
	}
	s := records.SectionAt(c.App, "contracts")
	found, err := s.First(c.Context(), c, page.With(values, "sort_by", "end_date"), boardRows)
	for _, rec := range found.Records {
		contract := rec.(*inventory.Contract)
		days := c.DaysUntil(contract.EndDate)
		one := ending{
			Name: contract.Name, Href: s.RecordPath(contract.ID),
			Sub: cmp.Or(contract.Vendor.Name, c.T("No vendor")) + " · " + c.Value(contract.Type),
			In:  c.TN(days, "in %s day", "in %s days"), Day: c.Date(contract.EndDate),
		}
		switch {
		case days == 0:
			one.In, one.Tone = c.T("today"), "is-bad"
		case days <= 7:
			one.Tone = "is-bad"
		case days <= 30:
			one.Tone = "is-warn"
		}
		d.Ending = append(d.Ending, one)
	}
	return err
}

// A boardEvent is what somebody or something did.
type boardEvent struct {
	Icon, Initials, Face string
	Who, Text            string
	Name, Href           string // of the record, if there is a page
	When                 *page.Moment
}

func boardActivity(c *page.Call, d *dashboard) error {
	found, err := records.SectionAt(c.App, "activity").First(c.Context(), c,
		url.Values{"sort_by": {"id"}, "sort_order": {"DESC"}}, boardRows)
	for _, rec := range found.Records {
		a := rec.(*inventory.Audit)
		one := boardEvent{Who: activity.ActorName(c, a), Text: activity.AuditSentence(c, a), Name: a.RecordName,
			When: c.Moment(a.CreatedAt), Icon: "activity"}
		if k := inventory.Find(a.RecordType); k != nil {
			if s := records.SectionOf(c.App, k); s != nil {
				one.Icon = s.Icon
				if a.RecordPath != "" && s.Access.Allows(c.User) {
					one.Href = s.RecordPath(a.RecordID.V)
				}
			}
			one.Name = cmp.Or(one.Name, c.T("%s %d", c.T(k.Noun), a.RecordID.V))
		}
		if a.User.ID != 0 {
			one.Initials, one.Face = page.Initials(a.User.Name), page.Face(a.User.Email)
		}
		d.Activity = append(d.Activity, one)
	}
	return err
}
