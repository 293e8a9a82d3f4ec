package inventory_test

import (
	"testing"
	"time"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/message"
)

// noon is the present time of documents in tests, and meta what the store sets.
var (
	noon = time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)
	meta = kind.Record{
		ID: 12, Version: 2,
		CreatedAt: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
		UpdatedAt: time.Date(2026, 1, 31, 9, 30, 0, 0, time.UTC),
	}
)

func date(year int, month time.Month, day int) time.Time {
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}

// amount returns a decimal, in ten-thousandths.
func amount(n int64) kind.Decimal { return kind.Decimal{V: n, Valid: true} }

// linked returns a linked record.
func linked(s *kind.Schema, id int64, name string) kind.Linked {
	return kind.Linked{Item: s.Item, ID: kind.Some(id), Name: name}
}

// fullRecords returns a record of each kind with every value set.
func fullRecords() map[*kind.Schema]any {
	anna, bert := people[0], people[1]
	ticket := &inventory.Ticket{
		Record: meta, Number: mb(1042), Name: "Screen stays dark", Description: "Since <today>,\nafter the update",
		State: inventory.TicketClosed, Priority: "High",
		Category: "Hardware", Subcategory: "Display", Requester: anna, Assignee: bert, CreatedBy: anna,
		Site: "Headquarters", Department: "R&D",
		DueAt: noon.AddDate(0, 0, 3), ResolvedAt: noon.Add(-time.Hour), ClosedAt: noon, Resolution: "New cable",
		Origin: "api", Tag: "vip",
		Computers: []kind.Linked{
			linked(inventory.Computers.Schema, 158, "ws-0158"), linked(inventory.Computers.Schema, 159, "ws-0159"),
		},
		OtherAssets:   []kind.Linked{linked(inventory.OtherAssets.Schema, 3, "Projector <2>")},
		CommentsCount: kind.Some[int64](2),
		Comments: []inventory.TicketComment{
			{ID: mb(1), Body: "Did you try another cable?", IsPrivate: kind.Some(false), User: bert,
				CreatedAt: noon.Add(-2 * time.Hour)},
			{ID: mb(2), Body: "Third time this month", IsPrivate: kind.Some(true), User: bert,
				CreatedAt: noon.Add(-time.Hour)},
		},
	}
	return map[*kind.Schema]any{
		inventory.Tickets.Schema:   ticket,
		inventory.Incidents.Schema: ticket,
		inventory.Comments.Schema: &inventory.Comment{
			Record: meta, Body: "One\nTwo", IsPrivate: kind.Some(true), User: anna,
			Ticket: kind.Ref{ID: 12, Name: "Screen stays dark"},
		},
		inventory.Softwares.Schema: &inventory.Software{
			Record: meta, Name: "7-Zip", Version: "24.08", Manufacturer: "Igor Pavlov", Category: "Tools",
			Vendor: vendors[0], Tag: "free",
			Hidden: kind.Some(true), Installs: mb(7), FirstDetectedAt: noon,
		},
		inventory.Risks.Schema: &inventory.Risk{
			Record: meta, Name: "Disk almost full", Description: "Less than 5 % left", Category: "Hardware",
			Severity: "High", Status: inventory.RiskResolved,
			IgnoredUntil: noon.AddDate(0, 1, 0), Source: "disk-space", DetectedAt: noon.Add(-time.Hour),
			ResolvedAt: noon,
			Assets: []kind.Linked{
				linked(inventory.Computers.Schema, 158, "ws-0158"),
				linked(inventory.OtherAssets.Schema, 158, "NAS & co"),
			},
		},
		inventory.Contracts.Schema: &inventory.Contract{
			Record: meta, Name: "Office 2026", Type: inventory.SoftwareLicense, Manufacturer: "Example Corp",
			Vendor:    vendors[0],
			StartDate: date(2025, 2, 1), EndDate: date(2026, 1, 30), Note: "Renew in time", Site: "Headquarters",
			Department: "R&D", Tag: "office",
			Items: []inventory.ContractItem{
				{Name: "Office*", Version: "16", Quantity: mb(25), Tag: "a", Notes: "b", Rate: amount(129_900),
					Date: date(2025, 2, 1), Language: "en"}, {Name: "Office Viewer"},
			},
			Purchases: []inventory.Purchase{
				{Number: "PO-7", Date: date(2025, 1, 15), Vendor: "Acme", TotalCost: amount(3_247_500_001),
					Currency: "EUR", Recurrence: "yearly", Notes: "c"}, {Number: "PO-8"},
			},
			Computers: []kind.Linked{linked(inventory.Computers.Schema, 158, "ws-0158")}, Installed: mb(26),
			Counting: kind.Some(false),
		},
		inventory.Solutions.Schema: &inventory.Solution{
			Record: meta, Number: mb(4), Name: "Dark screens", Description: "# Try\n\n1. another cable",
			State: inventory.SolutionPublished, Category: "Hardware",
			Tag: "display", Author: bert,
			Tickets: []kind.Linked{linked(inventory.Tickets.Schema, 12, "Screen stays dark")},
		},
		inventory.OtherAssets.Schema: &inventory.OtherAsset{
			Record: meta, Name: "Projector", AssetID: "PR-1", AssetType: "Projector", Status: "In Repair",
			Manufacturer: "Epson", Model: "EB-1", SerialNumber: "S1",
			Description: "Ceiling", Notes: "Lamp < 100 h", IP: "10.0.4.9", Site: "Headquarters", Department: "R&D",
			Category: "Media", Tag: "hall", Owner: anna, User: bert,
		},
		inventory.Vendors.Schema: &inventory.Vendor{
			Record: meta, Name: "Acme & <Co>", VendorType: "Reseller", URL: "https://acme.example.com/?a=1&b=2",
			Telephone: "+49 1", ContactName: "Carl",
			ContactEmail: "carl@acme.example.com", ContactPhone: "+49 2", Address: "Street 1\nBack yard", City: "Bonn",
			Region: "NRW", Zip: "53111", Country: "DE", Note: "Net 30",
		},
		inventory.Printers.Schema: &inventory.Printer{
			Record: meta, Name: "Laser 2nd floor", Driver: "PCL 6", Port: "IP_10.0.4.200", Shared: kind.Some(true),
			Status: "Idle", Manufacturer: "Brother", Model: "HL-1",
			SerialNumber: "P1", IP: "10.0.4.200", AssetID: "PT-1", Site: "Headquarters", Department: "R&D", Tag: "a4",
			Notes: "Toner in 2.12", TechnicalContact: anna,
		},
	}
}

// TestDocuments compares with documents that were checked by eye against the
// contract, §8: a full record, a bare one, and both in a list.
func TestDocuments(t *testing.T) {
	for s, full := range fullRecords() {
		bare := s.New()
		s.Meta(bare).ID = 13
		page := kind.Page{Position: kind.Position{Number: 1, PerPage: 25, Total: 2}, Records: []any{full, bare}}
		for _, rec := range page.Records {
			s.Settle(rec, nil)
			s.Derive(rec, noon)
		}
		golden(t, "testdata/"+s.Item+".xml", string(s.AppendRecord(nil, kind.XML, base, full)))
		golden(t, "testdata/"+s.Item+"-bare.xml", string(s.AppendRecord(nil, kind.XML, base, bare)))
		golden(t, "testdata/"+s.Path()+".xml", string(s.AppendList(nil, kind.XML, base, page)))
	}
}

// TestFullRecords shows that nothing is left out above.
func TestFullRecords(t *testing.T) {
	for s, full := range fullRecords() {
		s.Settle(full, nil)
		s.Derive(full, noon)
		v := s.Values(full)
		for _, f := range s.Fields {
			if f.Type != kind.Link && f.Type != kind.List && f.Type != kind.Address && v.Format(f) == "" {
				t.Errorf("%s: %s has no value", s.Plural, f.Name)
			}
		}
		equal(t, s.Plural+": faults", message.Strings(s.Check(full, nil)), []string(nil))
	}
}
