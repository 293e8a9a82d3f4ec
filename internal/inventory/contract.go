package inventory

import (
	"math"
	"time"

	"muster/internal/kind"
)

// Values of a contract's type and of a licence's compliance.
const (
	SoftwareLicense = "SoftwareLicense"
	OverUsed        = "Over-used"
	Unused          = "Unused"
	Compliant       = "Compliant"
)

// A Contract is what was agreed with a vendor, software licences included.
type Contract struct {
	kind.Record
	Name, Type, Status string
	Manufacturer       string
	Vendor             kind.Ref
	StartDate, EndDate time.Time
	Note               string
	Site, Department   string
	Tag                string
	Items              []ContractItem
	Purchases          []Purchase
	Computers          []kind.Linked
	Seats, Installed   kind.Int // of a licence
	Compliance         string
	Counting           kind.Bool // its computers are being counted: these two are as last known
}

// A ContractItem is a thing that a contract is about; of a licence, the
// software that it allows.
type ContractItem struct {
	Name, Version string
	Quantity      kind.Int
	Tag, Notes    string
	Rate          kind.Decimal
	Date          time.Time
	Language      string
}

// A Purchase is a payment under a contract.
type Purchase struct {
	Number     string
	Date       time.Time
	Vendor     string
	TotalCost  kind.Decimal
	Currency   string // ISO 4217
	Recurrence string
	Notes      string
}

// Contracts is the kind of contracts.
var Contracts = kind.Define("contract", "contracts", "Contracts List", func(c *Contract, f *kind.Fields) {
	f.Record(&c.Record)
	f.Text("name", &c.Name).Required().Filter().Rare()
	f.Text("type", &c.Type).Required().OneOf(SoftwareLicense, "Lease", "Maintenance", "Support", "Warranty",
		"Other").Default("Other").Filter()
	status := f.Text("status", &c.Status)
	f.Text("manufacturer", &c.Manufacturer).Filter()
	f.Ref("vendor", &c.Vendor, Vendors.Schema).Filter()
	f.Date("start-date", &c.StartDate).Filter()
	f.Date("end-date", &c.EndDate).Filter()
	status.ByDay(f.Past("end-date", "Expired"), f.Coming("start-date", "Future"), kind.Always("Active")).Filter()
	f.LongText("note", &c.Note)
	f.Text("site", &c.Site).Named().Filter()
	f.Text("department", &c.Department).Named().Filter()
	f.Text("tag", &c.Tag).Filter()
	kind.Many(f, "items", "item", &c.Items, (*ContractItem).fields).Key("name", "version")
	kind.Many(f, "purchases", "purchase", &c.Purchases, (*Purchase).fields).Key("number")
	kind.Links(f, "hardwares", "hardware", &c.Computers, Computers.Schema).Label("Computers")
	f.Int("seats", &c.Seats).ReadOnly()
	f.Int("installed", &c.Installed).Kept()
	f.Text("compliance", &c.Compliance).
		ByNumber(f.MoreThan("installed", "seats", OverUsed), f.AtLeast("installed", 1, Compliant),
			f.AtLeast("installed", 0, Unused)).Filter()
	f.Stamps(&c.Record)
	f.Bool("counting", &c.Counting).Kept()
	kind.Settle(f, (*Contract).settle)
})

func (i *ContractItem) fields(f *kind.Fields) {
	f.Text("name", &i.Name)
	f.Text("version", &i.Version)
	f.Int("quantity", &i.Quantity)
	f.Text("tag", &i.Tag)
	f.LongText("notes", &i.Notes)
	f.Decimal("rate", &i.Rate)
	f.Date("date", &i.Date)
	f.Text("language", &i.Language)
}

func (p *Purchase) fields(f *kind.Fields) {
	f.Text("number", &p.Number)
	f.Date("date", &p.Date)
	f.Text("vendor", &p.Vendor)
	f.Decimal("total-cost", &p.TotalCost)
	f.Text("currency", &p.Currency).OneOf(Currencies...).ValuesHint("an ISO 4217 code such as EUR")
	f.Text("recurrence", &p.Recurrence)
	f.LongText("notes", &p.Notes)
}

// settle derives what a licence allows. Other contracts have no seats.
func (c *Contract) settle(*Contract) {
	if c.Type != SoftwareLicense {
		c.Seats, c.Installed, c.Counting = kind.Int{}, kind.Int{}, kind.Bool{}
		return
	}
	c.Seats = kind.Some[int64](0)
	for _, item := range c.Items {
		c.Seats.V += min(item.Quantity.V, math.MaxInt64-c.Seats.V)
	}
}
