package web

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"time"

	"muster/internal/inventory"
)

// A licence is how many may use something, and how many do.
type licence struct {
	Name, Href string
	Of         string
	Bar, Mark  string // how far use goes, and where all seats are
	State      cell
	Tone       string
	over       float64
}

// How many licences are read at once, and how many rows the dashboard shows of
// these and of other lists.
const (
	licencesAtOnce = 250
	boardRows      = 7
)

// overUsed is the view of the licences that are over-used now. Other contracts
// are not.
const overUsed = "compliance=Over-used&status=Active"

// boardLicences counts all licences that are over-used, and shows those that are
// used most of all.
func (c *call) boardLicences(d *dashboard) error {
	s, over, total := sectionAt("contracts"), 0, 0
	values := with(d.at("status=Active"), "type", inventory.SoftwareLicense)
	for number := 1; number == 1 || (number-1)*licencesAtOnce < total; number++ {
		found, err := s.first(c.Context(), c, with(values, "page", strconv.Itoa(number)), licencesAtOnce)
		if err != nil {
			return err
		}
		for _, rec := range found.Records {
			contract := rec.(*inventory.Contract)
			if contract.Compliance == inventory.OverUsed {
				over++
			}
			d.Licences = append(d.Licences, c.licence(s, contract))
		}
		total = found.Total
		slices.SortStableFunc(d.Licences, func(a, b licence) int { return cmp.Compare(b.over, a.over) })
		d.Licences = d.Licences[:min(boardRows, len(d.Licences))]
	}
	d.Over = slice{Label: c.t("%s of %s over-used", c.number(over), c.number(total)), Href: address("/contracts", d.at(overUsed)), Total: over}
	d.LicencesAll = slice{Href: address("/contracts", values), Total: total}
	return nil
}

// licence returns what is shown of a licence.
func (c *call) licence(s *section, rec *inventory.Contract) licence {
	seats, used := float64(rec.Seats.V), float64(rec.Installed.V)
	whole := max(seats, used, 1) * 1.08
	l := licence{
		Name: rec.Name, Href: s.recordPath(rec.ID), Of: c.t("%s of %s", c.number(int(rec.Installed.V)), c.number(int(rec.Seats.V))),
		Bar: percent(100 * used / whole), Mark: percent(100 * seats / whole), State: c.cell(s.kind.Values(rec), s.kind.Field("compliance")), Tone: "good",
		over: used / max(seats, 0.5),
	}
	if rec.Compliance == inventory.OverUsed {
		l.Tone = "bad"
	}
	return l
}

// An ending is a contract that ends soon.
type ending struct {
	Name, Href, Sub, In, Day, Tone string
}

func (c *call) boardEnding(d *dashboard) error {
	values := d.at("")
	values.Set("end_date_from", c.today().Format(time.DateOnly))
	values.Set("end_date_to", c.today().AddDate(0, 0, daysSoon).Format(time.DateOnly))
	var err error
	if d.EndingAll, err = c.count("contracts", c.t("All contracts that end"), "", values); err != nil {
		return err
	}
	s := sectionAt("contracts")
	found, err := s.first(c.Context(), c, with(values, "sort_by", "end_date"), boardRows)
	for _, rec := range found.Records {
		contract := rec.(*inventory.Contract)
		days := c.daysUntil(contract.EndDate)
		one := ending{
			Name: contract.Name, Href: s.recordPath(contract.ID), Sub: cmp.Or(contract.Vendor.Name, c.t("No vendor")) + " · " + c.value(contract.Type),
			In: c.tn(days, "in %s day", "in %s days"), Day: c.date(contract.EndDate),
		}
		switch {
		case days == 0:
			one.In, one.Tone = c.t("today"), "is-bad"
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
	When                 *moment
}

func (c *call) boardActivity(d *dashboard) error {
	found, err := sectionAt("activity").first(c.Context(), c, url.Values{"sort_by": {"id"}, "sort_order": {"DESC"}}, boardRows)
	for _, rec := range found.Records {
		a := rec.(*inventory.Audit)
		one := boardEvent{Who: c.doer(a), Text: c.deed(a), Name: a.RecordName, When: c.moment(a.CreatedAt), Icon: "activity"}
		if k := inventory.Find(a.RecordType); k != nil {
			if s := sectionOf(k); s != nil {
				one.Icon = s.icon
				if a.RecordPath != "" && s.access.admits(c.user) {
					one.Href = s.recordPath(a.RecordID.V)
				}
			}
			one.Name = cmp.Or(one.Name, c.t("%s %d", c.t(k.Noun), a.RecordID.V))
		}
		if a.User.ID != 0 {
			one.Initials, one.Face = initials(a.User.Name), face(a.User.Email)
		}
		d.Activity = append(d.Activity, one)
	}
	return err
}
