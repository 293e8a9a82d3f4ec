package demo

import (
	"strconv"

	"muster/internal/inventory"
	"muster/internal/kind"
)

// A deal is a contract. Days are counted from today.
type deal struct {
	Begins       int        `xml:"begins,attr"`
	Ends         *int       `xml:"ends,attr"`   // nil for a contract without end
	Vendor       string     `xml:"vendor,attr"` // its domain
	Name         string     `xml:"name"`
	Type         string     `xml:"type"`
	Note         string     `xml:"note"`
	Tag          string     `xml:"tag"`
	Manufacturer string     `xml:"manufacturer"`
	Site         string     `xml:"site"`
	Department   string     `xml:"department"`
	Items        []dealItem `xml:"item"`
	Purchase     struct {
		Price    int64  `xml:"price,attr"` // in cents
		Currency string `xml:"currency,attr"`
		Every    string `xml:"every,attr"` // how often there is one
	} `xml:"purchase"`
	Computers *criteria `xml:"computers"` // nil for none
}

// A dealItem is what a deal is about. Seats are for each hundred computers.
type dealItem struct {
	Name    string `xml:"name,attr"`
	Version string `xml:"version,attr"`
	Seats   int    `xml:"seats,attr"`
	Rate    int64  `xml:"rate,attr"` // in cents
}

// signContracts notes the contracts, those of the future too.
func (s *story) signContracts() {
	for i, d := range pointers(data().deals) {
		signed := s.ago(max(3, min(729, -d.Begins+20)), 15*i)
		c := inventory.Contracts.New()
		s.add(signed, s.users[1], inventory.Contracts.Schema, func() []any {
			s.write(c, d, i)
			return []any{c}
		})
		if d.Computers != nil {
			s.steps = append(s.steps, Step{
				At: s.ago(8, 15*i), By: s.users[1], Origin: door(s.users[1]), Kind: inventory.Contracts.Schema, Of: c,
				Document: func() string {
					return linkDocument(inventory.Contracts.Item, "hardwares", "hardware",
						s.covered(d))
				},
			})
		}
	}
}

// maxCovered is how many computers a contract names at most: no document has more elements than people would
// send.
const maxCovered = 1000

// covered returns the computers that a deal is about.
func (s *story) covered(d *deal) (all []kind.Linked) {
	for _, c := range s.computers {
		if c.ID != 0 && d.Computers.match(c) && len(all) < maxCovered {
			all = append(all, link(inventory.Computers, c))
		}
	}
	return all
}

// write sets what the contract of the i-th deal says.
func (s *story) write(c *inventory.Contract, d *deal, i int) {
	c.Name, c.Type, c.Note, c.Tag, c.Manufacturer = d.Name, d.Type, d.Note, d.Tag, d.Manufacturer
	c.Vendor, c.StartDate, c.Site, c.Department = s.from(d.Vendor), s.day(d.Begins), d.Site, d.Department
	if d.Ends != nil {
		c.EndDate = s.day(*d.Ends)
	}
	for _, item := range d.Items {
		c.Items = append(c.Items, s.item(item, c))
	}
	c.Purchases = s.purchases(d, i)
}

// item returns what a contract is about.
func (s *story) item(i dealItem, c *inventory.Contract) inventory.ContractItem {
	out := inventory.ContractItem{Name: i.Name, Version: i.Version, Date: c.StartDate}
	out.Rate = kind.Decimal{V: i.Rate * 100, Valid: true}
	if i.Seats > 0 {
		out.Quantity = kind.Some(max(1, int64(i.Seats*len(s.computers)/100)))
	}
	return out
}

// purchases returns what was paid under the i-th deal until today, the last
// three times at most.
func (s *story) purchases(d *deal, i int) (all []inventory.Purchase) {
	apart := map[string]int{"yearly": 365, "monthly": 30}[d.Purchase.Every]
	first, last := d.Begins-10, 0
	if d.Ends != nil {
		last = min(0, *d.Ends)
	}
	for n := 0; first <= 0 && (n == 0 || apart > 0) && first+n*apart <= last; n++ {
		day := s.day(first + n*apart)
		all = append(all, inventory.Purchase{
			Number: "PO-" + strconv.Itoa(day.Year()) + "-" + padded(100+i*13+n, 4), Date: day,
			Vendor:    s.from(d.Vendor).Name,
			TotalCost: kind.Decimal{V: d.Purchase.Price * 100, Valid: true}, Currency: d.Purchase.Currency,
			Recurrence: d.Purchase.Every,
		})
	}
	return all[max(0, len(all)-3):]
}
