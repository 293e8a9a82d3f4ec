package demo

import (
	"strings"

	"muster/internal/inventory"
	"muster/internal/kind"
)

// A firm is a vendor of the organisation. Its addresses are of domains that
// are reserved for examples, its telephone numbers as those of sites.
type firm struct {
	name, sort, mailbox  string // mailbox is its domain's first word
	telephone, contact   string
	address, city        string
	region, zip, country string
	note                 string
}

// Indices of firms.
const (
	hansa = iota
	thames
	bayState
	lumiere
	kattegat
	harbour
	nordLease
	printCare
	coldRoom
	fjordline
	clearLine
	paperTrail
)

var firms = [...]firm{
	hansa: {"Hansa Systemhaus GmbH", "Reseller", "hansa-systemhaus", "+49 40 66969 900", "Dörte Lührs",
		"Speicherstraße 12\n3. OG", "Hamburg", "Hamburg", "20457", "Germany", "Framework agreement: 6 % on list prices, net 30."},
	thames: {"Thames IT Supplies Ltd", "Reseller", "thames-it", "+44 20 7946 0900", "Nigel Barrow",
		"48 Wharf Lane", "London", "Greater London", "SE1 7AB", "United Kingdom", "Next-day delivery for orders before noon."},
	bayState: {"Bay State Technology Inc.", "Reseller", "baystate-tech", "+1 617-555-0190", "Denise Whitaker",
		"210 Harbor Street, Suite 400", "Boston", "Massachusetts", "02210", "United States", ""},
	lumiere: {"Lumière Bureautique SARL", "Reseller", "lumiere-bureautique", "+33 1 99 00 12 90", "Mathieu Caron",
		"7 rue des Ateliers", "Paris", "Île-de-France", "75011", "France", "Also looks after the meeting rooms in Paris."},
	kattegat: {"Kattegat Data AB", "Reseller", "kattegat-data", "+46 31 390 06 90", "Astrid Lindqvist",
		"Skeppsbron 4", "Göteborg", "Västra Götaland", "411 21", "Sweden", ""},
	harbour: {"Harbour Software Licensing", "Software", "harbour-licensing", "+61 2 5550 0190", "Tom Ferris",
		"Level 9, 31 Kent Street", "Sydney", "New South Wales", "2000", "Australia", "All volume licences go through them; renewals need six weeks."},
	nordLease: {"NordLease Finance AG", "Leasing", "nordlease", "+49 40 66969 910", "Henrik Thomsen",
		"Jungfernstieg 70", "Hamburg", "Hamburg", "20354", "Germany", "Return devices wiped, with power supply."},
	printCare: {"PrintCare Services", "Maintenance", "printcare", "+44 20 7946 0911", "Shauna Doyle",
		"Unit 3, Canal Park", "Dublin", "Leinster", "D08 X2Y4", "Ireland", "Call-out within four working hours, toner included."},
	coldRoom: {"ColdRoom Engineering", "Maintenance", "coldroom", "+1 514-555-0190", "Pascal Roy",
		"900 rue Wellington", "Montréal", "Québec", "H3C 1V7", "Canada", "Air conditioning and UPS of the server rooms."},
	fjordline: {"Fjordline Hosting", "Cloud", "fjordline", "+46 31 390 06 95", "Ingrid Solheim",
		"Lindholmspiren 9", "Göteborg", "Västra Götaland", "417 56", "Sweden", "Holds the second copy of the backups."},
	clearLine: {"ClearLine Telecom", "Telecommunications", "clearline", "+353 20 910 0190", "Niall Brady",
		"15 Sir John's Quay", "Dublin", "Leinster", "D02 HW77", "Ireland", "One invoice for all mobile phones."},
	paperTrail: {"Archivio & Figli", "Disposal", "archivio-figli", "+33 1 99 00 12 95", "Paola Ricci",
		"22 quai du Port", "Paris", "Île-de-France", "75019", "France", "Destroys disks and hands over a certificate."},
}

// vendor returns the record of a firm.
func (f *firm) vendor() *inventory.Vendor {
	v := inventory.Vendors.New()
	v.Name, v.VendorType, v.Note = f.name, f.sort, f.note
	v.URL, v.Telephone = "https://www."+f.mailbox+".example/", f.telephone
	first, _, _ := strings.Cut(f.contact, " ")
	v.ContactName, v.ContactEmail = f.contact, plainLetters(first)+"@"+f.mailbox+".example"
	v.ContactPhone = f.telephone[:len(f.telephone)-1] + "7"
	v.Address, v.City, v.Region, v.Zip, v.Country = f.address, f.city, f.region, f.zip, f.country
	return v
}

// plainLetters returns a first name as it stands in an address.
func plainLetters(name string) string {
	return strings.NewReplacer("ö", "oe", "é", "e").Replace(strings.ToLower(name))
}

// meetVendors enters the firms when the records begin.
func (s *story) meetVendors() {
	for i := range firms {
		s.vendors = append(s.vendors, firms[i].vendor())
	}
	s.add(s.begin(), s.users[1], inventory.Vendors.Schema, all(s.vendors))
}

// from names a vendor that has got its id.
func (s *story) from(firm int) kind.Ref {
	return kind.Ref{ID: s.vendors[firm].ID, Name: s.vendors[firm].Name}
}
