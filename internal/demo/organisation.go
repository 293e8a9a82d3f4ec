package demo

import (
	"sync"

	"muster/internal/inventory"
)

// domain is the organisation's, reserved for examples by RFC 2606.
const domain = "northmere.example"

// Departments that the program names.
const (
	informationTechnology = "Information Technology"
	logistics             = "Logistics"
)

// A site is a place of the organisation. Its telephone numbers are of the ranges that its country sets aside for films
// and books.
type site struct {
	share                     // of computers
	index                     int
	Name, Code, Phone, Mobile string // numbers without their last two digits, "" for none
}

// A department is a part of the organisation.
type department struct {
	share // of computers
	Name  string
}

// An organisation is all that the data files say.
type organisation struct {
	hardware
	sites       []*site
	departments []*department
	staff       []*member
	byEmail     map[string]*member
	firms       []firm
	products    []*product

	siteAssets, ownAssets []device
	assetNotes            []string
	printers              []printerType
	sitePrinters          [][]inventory.LocalPrinter // of each site, the same for all its computers

	cases    []ticketCase
	articles []article
	findings []finding
	deals    []deal
}

// data returns the organisation, which is read when it is first needed.
var data = sync.OnceValue(func() *organisation {
	places, assets := readTables("organisation.csv"), readTables("assets.csv")
	o := &organisation{
		hardware:    readHardware(),
		sites:       pointers(rows[site](places, "sites")),
		departments: pointers(rows[department](places, "departments")),
		staff:       pointers(rows[member](places, "people")),
		byEmail:     map[string]*member{},
		firms:       rows[firm](places, "vendors"),
		products:    pointers(rows[product](readTables("software.csv"), "software")),
		siteAssets:  rows[device](assets, "assets of a site"),
		ownAssets:   rows[device](assets, "assets of people"),
		assetNotes:  texts(assets, "notes of assets"),
		printers:    rows[printerType](assets, "printers of a site"),
		cases:       documents[ticketCase]("tickets.xml"),
		articles:    documents[article]("solutions.xml"),
		findings:    documents[finding]("risks.xml"),
		deals:       documents[deal]("contracts.xml"),
	}
	for i, s := range o.sites {
		s.index = i
		o.sitePrinters = append(o.sitePrinters, printersOf(s, o.printers))
	}
	for _, m := range o.staff {
		m.site = o.siteNamed(m.Site)
		o.byEmail[m.email()] = m
	}
	return o
})

// siteNamed returns a site.
func (o *organisation) siteNamed(name string) *site {
	for _, s := range o.sites {
		if s.Name == name {
			return s
		}
	}
	panic("there is no site " + name)
}

// criteria say which computers a record is about: those that meet all that are set.
type criteria struct {
	Category     string `xml:"category,attr"`
	Manufacturer string `xml:"manufacturer,attr"`
	Site         string `xml:"site,attr"`
	Status       string `xml:"status,attr"`
	System       string `xml:"system,attr"` // is part of its name, and the computer is in use
	Full         bool   `xml:"full,attr"`   // a drive has less than a twentieth left
	Silent       bool   `xml:"silent,attr"` // it has never reported
}

// match reports whether a computer meets the criteria.
func (want *criteria) match(c *inventory.Computer) bool {
	for _, pair := range [...][2]string{
		{want.Category, c.Category}, {want.Manufacturer, c.Manufacturer}, {want.Site, c.Site}, {want.Status, c.Status},
	} {
		if pair[0] != "" && pair[0] != pair[1] {
			return false
		}
	}
	return (want.System == "" || hasSystem(c, want.System)) && (!want.Full || almostFull(c)) &&
		(!want.Silent || c.DetectedAt.IsZero())
}
