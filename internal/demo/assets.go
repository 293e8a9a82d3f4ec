package demo

import (
	"strconv"

	"muster/internal/inventory"
	"muster/internal/kind"
)

// A device is a type of asset that is no computer.
type device struct {
	sort, category string
	maker, model   string
	serial         string // what its serial numbers begin with
	text           string
	room           string // what it is called after its site, "" for a person's
	wired          bool   // has an address
}

// siteDevices are what each site has.
var siteDevices = []device{
	{"Switch", "Network", "Cisco", "Catalyst 9300-48P", "FCW", "Core switch, uplink to the provider", "SW-CORE", true},
	{"Switch", "Network", "Aruba", "CX 6200F 24G", "SG", "Access switch, first floor", "SW-1F", true},
	{"Access Point", "Network", "Ubiquiti", "U6 Pro", "U6P", "Ceiling, open office", "AP-1", true},
	{"UPS", "Power", "APC", "Smart-UPS SRT 3000", "AS", "Ten minutes for the server rack", "UPS-1", true},
	{"Projector", "Meeting Room", "Epson", "EB-L260F", "X7Q", "Large meeting room", "PROJ-1", false},
	{"Conference System", "Meeting Room", "Logitech", "Rally Bar", "LR", "Large meeting room, below the screen", "VC-1", true},
}

// ownDevices are what people have.
var ownDevices = []device{
	{"Smartphone", "Mobile", "Apple", "iPhone 15", "F2L", "Business telephone", "", false},
	{"Smartphone", "Mobile", "Samsung", "Galaxy A55", "R58", "Business telephone", "", false},
	{"Monitor", "Desk", "Dell", "U2723QE", "CN0", "Second screen for work at home", "", false},
	{"Headset", "Desk", "Jabra", "Evolve2 65", "JB", "With charging stand", "", false},
	{"Tablet", "Mobile", "Apple", "iPad (10th generation)", "DMP", "For customer visits", "", false},
}

// assetStatuses are the statuses of assets, by index, and how often each
// occurs.
var assetStatuses = []share[int]{{80, 0}, {5, 1}, {5, 2}, {5, 3}, {3, 4}, {2, 5}}

// buyAssets enters what is no computer: by site, then by person.
func (s *story) buyAssets() {
	var d dice
	d.Seed(seed, scatter(1, 62))
	for at := range sites {
		for n := range siteDevices {
			s.assets = append(s.assets, siteDevices[n].asset(&d, at, len(s.assets)))
		}
	}
	for i, u := range s.users {
		a := ownDevices[i%len(ownDevices)].asset(&d, byEmail[u.Email].site, len(s.assets))
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
func (v *device) asset(d *dice, site, n int) *inventory.OtherAsset {
	a := inventory.OtherAssets.New()
	a.Name, a.AssetType, a.Category = sites[site].code+"-"+v.room, v.sort, v.category
	a.AssetID = "AST-" + padded(n+1, 4)
	a.Status = inventory.Statuses[draw(d, assetStatuses)]
	a.Manufacturer, a.Model, a.SerialNumber = v.maker, v.model, code(v.serial, n, 7)
	a.Description = v.text
	a.Site = sites[site].name
	if v.wired {
		a.IP = address{site: site, subnet: 250, host: 2 + n%240}.String()
		a.Department = departments[informationTechnology]
	}
	if d.chance(15) {
		a.Notes = pick(d, assetNotes)
	}
	if d.chance(10) {
		a.Tag = pick(d, tags)
	}
	return a
}

var assetNotes = []string{
	"Spare part is in the cabinet beside the reception.",
	"Bought used, without warranty.",
	"The lamp was replaced last year.",
	"Configuration is kept with the network documentation.",
}

// makers are the makers of the printers of each site, in their order.
var makers = [...]struct{ name, model, serial string }{
	{"HP", "LaserJet Enterprise M611dn", "PHB"}, {"HP", "LaserJet Enterprise M611dn", "PHB"},
	{"Konica Minolta", "bizhub C300i", "A93"}, {"Canon", "imageRUNNER 2425i", "2QL"}, {"Zebra", "ZD421", "D4J"},
}

// setUpPrinters enters the printers that computers report.
func (s *story) setUpPrinters() {
	var printers []*inventory.Printer
	for site, local := range sitePrinters {
		for n, l := range local {
			p := inventory.Printers.New()
			p.Name, p.Driver, p.Port = l.Name, l.Driver, "IP_"+l.Port
			p.Shared, p.Status = kind.Some(n != 4), [...]string{"Idle", "Idle", "Printing", "Out of paper", "Idle", "Offline"}[(site+2*n)%6]
			p.Manufacturer, p.Model = makers[n].name, makers[n].model
			p.SerialNumber = code(makers[n].serial, len(printers), 7)
			p.IP, p.AssetID = l.Port, "PRN-"+padded(len(printers)+1, 3)
			p.Site = sites[site].name
			if n == 4 {
				p.Department = departments[logistics]
				p.Notes = "Labels are ordered by the warehouse, not by us."
			} else if n == 2 {
				p.Notes = "Colour pages are charged to the department: meter reading on the first of each month, page " + strconv.Itoa(48_000+site*1731) + " last time."
				p.Tag = "Metered"
			}
			p.TechnicalContact = s.users[site%technicians].Person()
			printers = append(printers, p)
		}
	}
	s.add(s.ago(690, 50), s.users[1], inventory.Printers.Schema, all(printers))
}
