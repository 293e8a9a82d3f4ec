package trail

import (
	"context"
	"slices"
	"time"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/kind"
)

// installedOn returns all software of a computer, also what lists hide.
func installedOn(ctx context.Context, d *desk.Desk, who desk.Caller, id int64) (all []inventory.Software, err error) {
	place := desk.Place{Relation: desk.RelationOf(inventory.Computers.Schema, inventory.Softwares.Plural), ID: id}
	for _, view := range []string{"", "view=system"} {
		q, err := place.Relation.Kind.ParseQuery(view, d.Now())
		if err != nil {
			return nil, err
		}
		for q.PerPage = kind.ReadAtOnce; ; q.Page++ {
			page, err := d.ListOf(ctx, who, place, q)
			if err != nil {
				return nil, err
			}
			for _, rec := range page.Records {
				all = append(all, *rec.(*inventory.Software))
			}
			if len(page.Records) < q.PerPage {
				break
			}
		}
	}
	return all, nil
}

// takeBackSoftware takes back that software came, went or changed.
func (p *past) takeBackSoftware(from, to string) {
	was, okFrom := parseItem(from)
	is, okTo := parseItem(to)
	if !okFrom || !okTo {
		return
	}
	var hidden kind.Bool
	if is != nil {
		i := slices.IndexFunc(p.software, func(s inventory.Software) bool {
			return s.Name == is["name"] && s.Version == is["version"] && s.Manufacturer == is["manufacturer"]
		})
		if i >= 0 {
			hidden = p.software[i].Hidden
			p.software = slices.Delete(p.software, i, i+1)
		}
	}
	if was != nil {
		day, _ := time.Parse(time.DateOnly, was["install-date"]) // none if there is none
		p.software = append(p.software, inventory.Software{
			Name: was["name"], Version: was["version"], Manufacturer: was["manufacturer"], Hidden: hidden,
			InstallDate: day, InstallPath: was["install-path"],
		})
	}
}
