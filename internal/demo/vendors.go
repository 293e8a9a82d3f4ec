package demo

import (
	"strings"

	"muster/internal/inventory"
	"muster/internal/kind"
)

// A firm is a vendor of the organisation. Its domains are reserved for examples, its telephone numbers as those of
// sites.
type firm struct {
	Name, Type, Domain         string // Domain is its first word
	Telephone, Contact         string
	Address, City, Region, Zip string
	Country, Note              string
}

// vendor returns the record of a firm.
func (f *firm) vendor() *inventory.Vendor {
	v := inventory.Vendors.New()
	v.Name, v.VendorType, v.Note = f.Name, f.Type, f.Note
	v.URL, v.Telephone = "https://www."+f.Domain+".example/", f.Telephone
	first, _, _ := strings.Cut(f.Contact, " ")
	v.ContactName, v.ContactEmail = f.Contact, plainLetters(first)+"@"+f.Domain+".example"
	v.ContactPhone = f.Telephone[:len(f.Telephone)-1] + "7"
	v.Address, v.City, v.Region, v.Zip, v.Country = f.Address, f.City, f.Region, f.Zip, f.Country
	return v
}

// plainLetters returns a first name as it stands in an address.
func plainLetters(name string) string {
	return strings.NewReplacer("ö", "oe", "é", "e").Replace(strings.ToLower(name))
}

// meetVendors enters the firms when the records begin.
func (s *story) meetVendors() {
	for _, f := range data().firms {
		s.vendors = append(s.vendors, f.vendor())
	}
	s.add(s.begin(), s.users[1], inventory.Vendors.Schema, all(s.vendors))
}

// from names a vendor that has got its id, by its domain.
func (s *story) from(domain string) kind.Ref {
	for i, f := range data().firms {
		if f.Domain == domain {
			return kind.Ref{ID: s.vendors[i].ID, Name: s.vendors[i].Name}
		}
	}
	panic("there is no vendor " + domain)
}
