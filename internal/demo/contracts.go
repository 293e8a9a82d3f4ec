package demo

import (
	"strconv"

	"muster/internal/inventory"
	"muster/internal/kind"
)

// A deal is a contract. Days are counted from today.
type deal struct {
	name, sort     string
	firm           int
	begins, ends   int // noEnd for a contract without
	note           string
	site           int
	tag            string
	items          []dealItem
	price          int64 // of each purchase, in cents
	currency       string
	every          string // recurrence of its purchases
	computers      func(*inventory.Computer) bool
	manufacturer   string
	withDepartment int
}

const (
	noEnd   = 1 << 20
	allOver = -1 // at no site in particular
)

// A dealItem is what a deal is about. Seats are for each hundred computers, so
// that an organisation of any size has licences that are over-used, compliant
// and unused.
type dealItem struct {
	name, version string
	seats         int
	rate          int64 // in cents
}

func leased(maker string) func(*inventory.Computer) bool {
	return func(c *inventory.Computer) bool { return c.Category == "Laptop" && c.Manufacturer == maker }
}

func category(want string) func(*inventory.Computer) bool {
	return func(c *inventory.Computer) bool { return c.Category == want }
}

var deals = []deal{
	{"Microsoft 365 for all clients", inventory.SoftwareLicense, harbour, -300, 65, "Counted on the first of each quarter.", allOver, "Office", []dealItem{{"Microsoft 365 Apps*", "", 120, 2280}}, 6_840_000, "EUR", "yearly", nil, "Microsoft Corporation", everybody},
	{"Visio and Project", inventory.SoftwareLicense, harbour, -210, 155, "", allOver, "Office", []dealItem{{"Microsoft Visio Professional", "16", 20, 15_100}, {"Microsoft Project Standard", "16", 10, 11_200}}, 480_000, "EUR", "yearly", nil, "Microsoft Corporation", everybody},
	{"Acrobat Pro", inventory.SoftwareLicense, harbour, -340, 25, "Over-used since the spring: order more seats or remove some.", allOver, "", []dealItem{{"adobe acrobat pro", "", 4, 23_988}}, 239_880, "EUR", "yearly", nil, "Adobe Inc.", everybody},
	{"Creative Cloud for Marketing", inventory.SoftwareLicense, harbour, -120, 245, "", allOver, "", []dealItem{{"Adobe Creative Cloud", "", 10, 71_988}}, 431_928, "EUR", "yearly", nil, "Adobe Inc.", marketing},
	{"AutoCAD network licences", inventory.SoftwareLicense, harbour, -350, 15, "Ends soon. The maker has announced an audit.", hamburg, "CAD", []dealItem{{"AutoCAD", "2025", 2, 221_000}, {"AutoCAD", "2024", 1, 198_000}}, 1_105_000, "EUR", "yearly", nil, "Autodesk, Inc.", engineering},
	{"MATLAB campus licence", inventory.SoftwareLicense, harbour, -30, 335, "", boston, "", []dealItem{{"MATLAB*", "", 40, 94_000}}, 940_000, "USD", "yearly", nil, "The MathWorks, Inc.", research},
	{"Drafting add-on", inventory.SoftwareLicense, hansa, -200, 165, "Nobody has installed it. Do not renew.", hamburg, "", []dealItem{{"DraftWorks Add-on", "", 5, 39_900}}, 199_500, "EUR", "yearly", nil, "DraftWorks", engineering},
	{"SAP GUI named users", inventory.SoftwareLicense, hansa, -700, 395, "", allOver, "ERP", []dealItem{{"SAP GUI*", "8", 60, 42_000}, {"SAP GUI*", "7", 20, 42_000}}, 6_300_000, "EUR", "once", nil, "SAP SE", everybody},
	{"SQL Server core licences", inventory.SoftwareLicense, harbour, -400, noEnd, "Bought for good.", allOver, "", []dealItem{{"Microsoft SQL Server 2022", "", 3, 371_700}}, 2_973_600, "EUR", "once", nil, "Microsoft Corporation", informationTechnology},
	{"Endpoint protection", inventory.SoftwareLicense, thames, -725, -5, "Ended last week; the successor is signed.", allOver, "Security", []dealItem{{"Sentinel Endpoint*", "", 110, 3_150}}, 787_500, "GBP", "yearly", nil, "Sentinel Labs", everybody},
	{"Endpoint protection, next term", inventory.SoftwareLicense, thames, 9, 1104, "Three years, price fixed.", allOver, "Security", []dealItem{{"Sentinel Endpoint*", "", 120, 2_990}}, 747_500, "GBP", "yearly", nil, "Sentinel Labs", everybody},
	{"Leasing of laptops 2023", "Lease", nordLease, -710, 20, "Return wiped, with power supply. Delivery of the successors is late.", allOver, "Leased 2023", []dealItem{{"Laptop", "", 0, 3_890}}, 194_500, "EUR", "monthly", leased("LENOVO"), "", everybody},
	{"Leasing of laptops 2025", "Lease", nordLease, -310, 785, "", allOver, "Leased 2025", []dealItem{{"Laptop", "", 0, 4_150}}, 207_500, "EUR", "monthly", leased("HP"), "", everybody},
	{"Printer maintenance, old", "Maintenance", printCare, -730, -365, "Replaced by a contract with toner.", allOver, "", nil, 310_000, "EUR", "yearly", nil, "", everybody},
	{"Printer maintenance with toner", "Maintenance", printCare, -305, 60, "Call-out within four working hours.", allOver, "", []dealItem{{"Printer", "", 0, 2_900}}, 139_200, "EUR", "monthly", nil, "", everybody},
	{"Air conditioning and UPS", "Maintenance", coldRoom, -500, 230, "Two visits a year, filters included.", montreal, "", nil, 620_000, "CAD", "yearly", nil, "", informationTechnology},
	{"Support of the servers, 4 hours", "Support", hansa, -640, 90, "Around the clock. Have the serial number at hand.", hamburg, "", nil, 1_480_000, "EUR", "yearly", category("Server"), "HPE", informationTechnology},
	{"Backup in a second place", "Support", fjordline, -280, noEnd, "Notice of three months.", goteborg, "", []dealItem{{"Terabyte", "", 0, 890}}, 53_400, "SEK", "monthly", nil, "", informationTechnology},
	{"Mobile telephones", "Other", clearLine, -420, 310, "One invoice for all.", allOver, "", []dealItem{{"Card with data", "", 0, 1_890}}, 75_600, "EUR", "monthly", nil, "", everybody},
	{"Disposal of disks", "Other", paperTrail, 30, 760, "Begins with the return of the leased laptops.", paris, "", nil, 42_000, "EUR", "on demand", nil, "", everybody},
	{"Warranty of the workstations", "Warranty", bayState, -530, 565, "Next business day, on site.", boston, "", nil, 388_000, "USD", "once", func(c *inventory.Computer) bool { return c.Category == "Desktop" && c.Site == "Boston" }, "Dell Inc.", engineering},
	{"Warranty of the meeting rooms", "Warranty", lumiere, -760, -30, "Extended once; the projectors are out of production.", paris, "", nil, 95_000, "EUR", "once", nil, "Epson", everybody},
	{"Network equipment", "Support", kattegat, 45, 1140, "Signed; replaces the single orders of the sites.", allOver, "", nil, 2_200_000, "SEK", "yearly", nil, "Cisco", informationTechnology},
}

// signContracts notes the contracts, those of the future too.
func (s *story) signContracts() {
	for i := range deals {
		d := &deals[i]
		signed := s.ago(max(3, min(729, -d.begins+20)), 15*i)
		c := inventory.Contracts.New()
		s.add(signed, s.users[1], inventory.Contracts.Schema, func() []any {
			s.write(c, d, i)
			return []any{c}
		})
		if d.computers != nil {
			s.steps = append(s.steps, Step{
				At: s.ago(8, 15*i), By: s.users[1], Origin: door(s.users[1]), Kind: inventory.Contracts.Schema, Of: c,
				Document: func() string { return linkDocument(inventory.Contracts.Item, "hardwares", "hardware", s.covered(d)) },
			})
		}
	}
}

// maxCovered is how many computers a contract names at most: a document holds no
// more elements than people would send.
const maxCovered = 1000

// covered returns the computers that a deal is about.
func (s *story) covered(d *deal) (all []kind.Linked) {
	for _, c := range s.computers {
		if c.ID != 0 && d.computers(c) && len(all) < maxCovered {
			all = append(all, link(inventory.Computers, c))
		}
	}
	return all
}

// write sets what the contract of the i-th deal says.
func (s *story) write(c *inventory.Contract, d *deal, i int) {
	c.Name, c.Type, c.Note, c.Tag, c.Manufacturer = d.name, d.sort, d.note, d.tag, d.manufacturer
	c.Vendor, c.StartDate = s.from(d.firm), s.day(d.begins)
	if d.ends != noEnd {
		c.EndDate = s.day(d.ends)
	}
	if d.site != allOver {
		c.Site = sites[d.site].name
	}
	if d.withDepartment != everybody {
		c.Department = departments[d.withDepartment]
	}
	for _, item := range d.items {
		c.Items = append(c.Items, s.item(item, c))
	}
	c.Purchases = s.purchases(d, i)
}

// item returns what a contract is about.
func (s *story) item(i dealItem, c *inventory.Contract) inventory.ContractItem {
	out := inventory.ContractItem{Name: i.name, Version: i.version, Rate: kind.Decimal{V: i.rate * 100, Valid: true}, Date: c.StartDate}
	if i.seats > 0 {
		out.Quantity = kind.Some(max(1, int64(i.seats*len(s.computers)/100)))
	}
	return out
}

// purchases returns what was paid under the i-th deal until today, the last
// three times at most.
func (s *story) purchases(d *deal, i int) (all []inventory.Purchase) {
	apart := map[string]int{"yearly": 365, "monthly": 30}[d.every]
	first := d.begins - 10
	for n := 0; first <= 0 && (n == 0 || apart > 0) && first+n*apart <= min(0, d.ends); n++ {
		day := s.day(first + n*apart)
		all = append(all, inventory.Purchase{
			Number: "PO-" + strconv.Itoa(day.Year()) + "-" + padded(100+i*13+n, 4), Date: day, Vendor: firms[d.firm].name,
			TotalCost: kind.Decimal{V: d.price * 100, Valid: true}, Currency: d.currency, Recurrence: d.every,
		})
	}
	return all[max(0, len(all)-3):]
}
