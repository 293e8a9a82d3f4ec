package demo

import (
	"fmt"

	"muster/internal/inventory"
	"muster/internal/kind"
)

// A device is a type of asset that is no computer.
type device struct {
	Type, Category string
	Maker, Model   string
	Serial         string // what its serial numbers begin with
	Text           string
	Room           string // what it is called after its site, "" for a person's
	Wired          bool   // has an address
}

// assetStatuses are the statuses of assets, by index, and how often each
// occurs.
var assetStatuses = []statusShare{
	{share{80}, 0}, {share{5}, 1}, {share{5}, 2}, {share{5}, 3}, {share{3}, 4}, {share{2}, 5},
}

// buyAssets enters what is no computer: by site, then by person.
func (s *story) buyAssets() {
	var d dice
	d.Seed(seed, scatter(1, 62))
	for _, at := range data().sites {
		for _, v := range data().siteAssets {
			s.assets = append(s.assets, v.asset(&d, at, len(s.assets)))
		}
	}
	own := data().ownAssets
	for i, u := range s.users {
		a := own[i%len(own)].asset(&d, data().byEmail[u.Email].site, len(s.assets))
		a.Owner, a.User = u.Person(), u.Person()
		a.Department = u.Department
		a.Name = a.AssetType + " of " + u.Name
		s.assets = append(s.assets, a)
	}
	for n, status := range inventory.Statuses { // each occurs, whatever the dice say
		s.assets[n*7+2].Status = status
	}
	for first := 0; first < len(s.assets); first += delivery {
		lot := s.assets[first:min(first+delivery, len(s.assets))]
		s.add(s.ago(700-first*6, 35), s.users[first/delivery%technicians], inventory.OtherAssets.Schema, all(lot))
	}
}

// asset returns the n-th asset, at a site.
func (v *device) asset(d *dice, at *site, n int) *inventory.OtherAsset {
	a := inventory.OtherAssets.New()
	a.Name, a.AssetType, a.Category = at.Code+"-"+v.Room, v.Type, v.Category
	a.AssetID = "AST-" + padded(n+1, 4)
	a.Status = inventory.Statuses[draw(d, assetStatuses).index]
	a.Manufacturer, a.Model, a.SerialNumber = v.Maker, v.Model, code(v.Serial, n, 7)
	a.Description = v.Text
	a.Site = at.Name
	if v.Wired {
		a.IP = address{site: at.index, subnet: 250, host: 2 + n%240}.String()
		a.Department = informationTechnology
	}
	if d.chance(15) {
		a.Notes = pick(d, data().assetNotes)
	}
	if d.chance(10) {
		a.Tag = pick(d, data().tags)
	}
	return a
}

// A printerType is a printer that each site has.
type printerType struct{ Driver, Suffix, Maker, Model, Serial string }

// printersOf returns the printers of a site as computers have them.
func printersOf(s *site, types []printerType) (all []inventory.LocalPrinter) {
	for n, p := range types {
		port := address{site: s.index, subnet: n, host: 252}.String()
		all = append(all, inventory.LocalPrinter{Driver: p.Driver, Name: s.Code + p.Suffix, Port: port})
	}
	return all
}

// printerStatuses are those of printers, in turn.
var printerStatuses = [...]string{"Idle", "Idle", "Printing", "Out of paper", "Idle", "Offline"}

// colourNote is what stands at printers that print colours.
const colourNote = "Colour pages are charged to the department: " +
	"meter reading on the first of each month, page %d last time."

// setUpPrinters enters the printers that computers report.
func (s *story) setUpPrinters() {
	var printers []*inventory.Printer
	for site, local := range data().sitePrinters {
		for n, l := range local {
			p, of := inventory.Printers.New(), &data().printers[n]
			p.Name, p.Driver, p.Port = l.Name, l.Driver, "IP_"+l.Port
			p.Shared, p.Status = kind.Some(n != 4), printerStatuses[(site+2*n)%len(printerStatuses)]
			p.Manufacturer, p.Model = of.Maker, of.Model
			p.SerialNumber = code(of.Serial, len(printers), 7)
			p.IP, p.AssetID = l.Port, "PRN-"+padded(len(printers)+1, 3)
			p.Site = data().sites[site].Name
			if n == 4 {
				p.Department = logistics
				p.Notes = "Labels are ordered by the warehouse, not by us."
			} else if n == 2 {
				p.Notes = fmt.Sprintf(colourNote, 48_000+site*1731)
				p.Tag = "Metered"
			}
			p.TechnicalContact = s.users[site%technicians].Person()
			printers = append(printers, p)
		}
	}
	s.add(s.ago(690, 50), s.users[1], inventory.Printers.Schema, all(printers))
}
