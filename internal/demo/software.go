package demo

import (
	"strconv"

	"muster/internal/inventory"
	"muster/internal/kind"
)

// A product is a program in one or more versions, the present one first.
type product struct {
	Name, Maker, Category string
	Versions              []string
	Families              []family // on which it runs
	Percent               int      // of their computers that have it
	Servers               bool     // on servers and virtual machines rather than on clients
	Department            string   // that has it alone, "" for everybody
	Hidden                bool
	Seller                string // domain of a vendor, "" for none
}

// Software returns the i-th software, from 0, without id, stamps and vendor.
// Versions follow from the index, so that there are as many as one likes, all
// of them different.
func Software(i int) *inventory.Software {
	products := data().products
	p, version := products[i%len(products)], i/len(products)
	if version < len(p.Versions) {
		return p.software(version)
	}
	s := p.software(0)
	s.Version = "0." + strconv.Itoa(version)
	return s
}

// software returns one version of a product.
func (p *product) software(version int) *inventory.Software {
	s := inventory.Softwares.New()
	s.Name, s.Version, s.Manufacturer, s.Category = p.Name, p.Versions[version], p.Maker, p.Category
	s.Hidden = kind.Some(p.Hidden)
	return s
}

// listSoftware enters the programs when the records begin, before any computer
// has them.
func (s *story) listSoftware() {
	s.add(s.begin(), nil, inventory.Softwares.Schema, func() (out []any) {
		for _, p := range data().products {
			for version := range p.Versions {
				rec := p.software(version)
				if p.Seller != "" {
					rec.Vendor = s.from(p.Seller)
				}
				out = append(out, rec)
			}
		}
		return out
	})
}
