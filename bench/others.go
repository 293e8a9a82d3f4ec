package main

import (
	"context"
	"fmt"
	"time"

	"muster/internal/demo"
	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/kind"
)

// few is how many there are of what an organisation has less of than computers:
// vendors, printers, other assets, articles and contracts.
func few(computers int) int { return max(2, computers/100) }

// everyLicence is of how many contracts the first is a licence. Those of a
// database that grows are not copied: each is about all software of a name.
const everyLicence = 10

// licence returns the id of a licence, all of them in turn.
func licence(i int64, computers int) int64 {
	if isGrown(computers) {
		computers = grownFrom
	}
	return 1 + everyLicence*(i%int64(max(1, few(computers)/everyLicence)))
}

// otherContract returns the id of a contract that is no licence.
func otherContract(i int64, computers int) int64 {
	return 2 + everyLicence*(i%int64(max(1, few(computers)/everyLicence)))
}

// fillOthers makes them. It comes last: audit records of others follow each
// other, and a licence counts the computers that there are.
func fillOthers(ctx context.Context, d *desk.Desk, who desk.Caller, people []kind.Person, n int) error {
	for _, of := range []struct {
		kind *kind.Schema
		make func(i int) any
	}{
		{inventory.Vendors.Schema, func(i int) any { return sampleVendor(i) }},
		{inventory.Printers.Schema, func(i int) any { return samplePrinter(i) }},
		{inventory.OtherAssets.Schema, func(i int) any { return sampleAsset(i, people) }},
		{inventory.Solutions.Schema, func(i int) any { return sampleArticle(i, n) }},
		{inventory.Contracts.Schema, func(i int) any { return sampleContract(i, n) }},
	} {
		var recs []any
		for i := range few(n) {
			recs = append(recs, of.make(i))
		}
		if err := d.Add(ctx, who, of.kind, recs); err != nil {
			return fmt.Errorf("%s: %w", of.kind.Path(), err)
		}
	}
	return nil
}

// sampleVendor returns the i-th vendor.
func sampleVendor(i int) *inventory.Vendor {
	v := inventory.Vendors.New()
	v.Name, v.VendorType = fmt.Sprintf("Northern Supplies %d", i+1),
		[]string{"Reseller", "Software", "Leasing", "Maintenance"}[i%4]
	v.ContactName, v.ContactEmail = "Dörte Lührs", fmt.Sprintf("orders-%d@supplies.example", i+1)
	v.City, v.Country = "Hamburg", "Germany"
	return v
}

// samplePrinter returns the i-th printer: one that computers report, if the i-th
// of them reports any.
func samplePrinter(i int) *inventory.Printer {
	c, p := demo.Computer(i, nil, epoch), inventory.Printers.New()
	p.Name = fmt.Sprintf("Printer %d", i+1)
	if len(c.Printers) > 0 {
		p.Name, p.Driver, p.Port = c.Printers[0].Name, c.Printers[0].Driver, c.Printers[0].Port
	}
	p.Manufacturer, p.Model = "Kyocera", []string{"ECOSYS M2640idn", "TASKalfa 3554ci"}[i%2]
	p.AssetID, p.SerialNumber = fmt.Sprintf("PRN-%05d", i+1), fmt.Sprintf("VCF%07d", i+1)
	p.Site, p.Department = c.Site, c.Department
	return p
}

// sampleAsset returns the i-th other asset, which somebody has.
func sampleAsset(i int, people []kind.Person) *inventory.OtherAsset {
	c, a := demo.Computer(i, nil, epoch), inventory.OtherAssets.New()
	sort := []string{"Display", "Telephone", "Projector", "Docking station"}[i%4]
	a.Name, a.AssetType, a.Status = fmt.Sprintf("%s %d", sort, i+1), sort, inventory.Statuses[i%len(inventory.Statuses)]
	a.AssetID, a.SerialNumber = fmt.Sprintf("AST-%05d", i+1), fmt.Sprintf("SN%08d", i+1)
	a.Manufacturer, a.Model = "Dell Inc.", "U2724D"
	a.Site, a.Department, a.Owner = c.Site, c.Department, people[i%len(people)]
	return a
}

// sampleArticle returns the i-th article, about one of so many tickets.
func sampleArticle(i, tickets int) *inventory.Solution {
	s := inventory.Solutions.New()
	s.Name, s.Category = fmt.Sprintf("What to do about case %d", i+1),
		[]string{"Hardware", "Network", "Account", "Software"}[i%4]
	s.State = []string{inventory.SolutionPublished, inventory.SolutionInternal, inventory.SolutionDraft}[i%3]
	s.Description = "# Try this first\n\n1. Unplug the *docking station*.\n2. Wait for **half a minute**.\n3. Plug it in again.\n"
	s.Tickets = []kind.Linked{{Item: inventory.Tickets.Item, ID: kind.Some(int64(i%tickets + 1))}}
	return s
}

// aboutContract is how many computers a contract names that is no licence.
const aboutContract = 10

// sampleContract returns the i-th contract of so many computers: each tenth is a
// licence of a program, of which the first is one that most computers have.
func sampleContract(i, computers int) *inventory.Contract {
	c, vendor := inventory.Contracts.New(), i%few(computers)
	today := epoch.Truncate(24 * time.Hour)
	c.Name, c.Vendor = fmt.Sprintf("Agreement %d", i+1),
		kind.Ref{ID: int64(vendor + 1), Name: sampleVendor(vendor).Name}
	c.StartDate, c.EndDate = today.AddDate(-1, 0, -i%300), today.AddDate(1, 0, i%300)
	c.Site = demo.Computer(i, nil, epoch).Site
	if i%everyLicence == 0 {
		program := demo.Software(i / everyLicence)
		c.Type, c.Manufacturer = inventory.SoftwareLicense, program.Manufacturer
		c.Items = []inventory.ContractItem{{Name: program.Name, Quantity: kind.Some(int64(1000))}}
		return c
	}
	c.Type = []string{"Lease", "Maintenance", "Support", "Warranty"}[i%4]
	for n := range min(aboutContract, computers) {
		c.Computers = append(c.Computers,
			kind.Linked{Item: inventory.Computers.Item, ID: kind.Some(int64((i+n)%computers + 1))})
	}
	return c
}
