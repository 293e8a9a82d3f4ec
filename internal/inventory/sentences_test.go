package inventory_test

import (
	"strings"
	"testing"
	"time"

	"muster/internal/inventory"
	"muster/internal/kind"
)

// TestSentences checks the sentences that people read about changes.
func TestSentences(t *testing.T) {
	day := func(d int) time.Time { return time.Date(2026, 3, d, 0, 0, 0, 0, time.UTC) }
	ann := kind.Person{ID: 1, Name: "Ann Berg", Email: "ann@example.com"}
	bob := kind.Person{ID: 2, Email: "bob@example.com", Name: "bob@example.com"}
	pc := kind.Linked{Item: "hardware", ID: kind.Some[int64](7), Name: "PC-7"}
	desk := kind.Linked{Item: "other-asset", ID: kind.Some[int64](7), Name: "Desk"}
	for _, test := range []struct {
		kind     *kind.Schema
		old, rec any
		want     string
	}{
		{inventory.Computers.Schema, &inventory.Computer{Status: "Operational"}, &inventory.Computer{
			Status: "In Repair",
		},
			"Status changed from Operational to In Repair"},
		{inventory.Computers.Schema, &inventory.Computer{Memory: kind.Some[int64](8192), Owner: ann},
			&inventory.Computer{Memory: kind.Some[int64](16384), Owner: bob},
			"Memory changed from 8192 MB to 16384 MB; Owner changed from Ann Berg (ann@example.com) to bob@example.com"},
		{inventory.Computers.Schema, &inventory.Computer{}, &inventory.Computer{
			BIOSes: []inventory.BIOS{{Date: "2020-01-01", SSN: "S-1"}}, Networks: []inventory.Network{
				{Description: "Intel I219", MAC: "00:11"},
			},
			Memories: []inventory.Memory{{Capacity: kind.Some[int64](4096), Slot: kind.Some[int64](2)}},
			USBs:     []inventory.USB{{Name: "Mouse", Version: "1.1"}}},
			"Memory added: 4096 MB; USB device added: Mouse 1.1; BIOS added: S-1; Network added: 00:11 Intel I219"},
		{inventory.Computers.Schema, &inventory.Computer{BIOSes: []inventory.BIOS{{Date: "2020-01-01", SSN: "S-1"}}},
			&inventory.Computer{BIOSes: []inventory.BIOS{{Date: "2021-01-01", SSN: "S-1"}}},
			"BIOS S-1 changed: BIOS date changed from 2020-01-01 to 2021-01-01"},
		{inventory.Computers.Schema, &inventory.Computer{Notes: "old\nwords"}, &inventory.Computer{
			Notes: strings.Repeat("long ", 100),
		},
			"Notes changed from old words to " + strings.Repeat("long ", 16) + "…"},
		{inventory.Tickets.Schema, &inventory.Ticket{Assignee: ann, Computers: []kind.Linked{pc}}, &inventory.Ticket{
			DueAt: day(2).Add(9 * time.Hour), OtherAssets: []kind.Linked{desk},
		},
			"Assignee cleared, was Ann Berg (ann@example.com); Due at set to 2026-03-02T09:00:00Z; Computer removed: PC-7; Other asset added: Desk"},
		{inventory.Risks.Schema, &inventory.Risk{}, &inventory.Risk{Assets: []kind.Linked{pc, desk}},
			"Affected asset added: PC-7; Affected asset added: Desk"},
		{inventory.Contracts.Schema, &inventory.Contract{
			Status: "Active", Vendor: kind.Ref{ID: 1, Name: "Acme"}, EndDate: day(1), Items: []inventory.ContractItem{
				{Name: "Office", Version: "2021", Quantity: kind.Some[int64](5)},
			},
		},
			&inventory.Contract{Status: "Expired", Vendor: kind.Ref{ID: 2, Name: "Bolt"}, EndDate: day(2),
				Items: []inventory.ContractItem{{Name: "Office", Version: "2021", Quantity: kind.Some[int64](8)}, {
					Name: "Visio",
				}},
				Purchases: []inventory.Purchase{{Number: "PO-1", TotalCost: kind.Decimal{V: 12_5000, Valid: true}}}},
			"Vendor changed from Acme to Bolt; End date changed from 2026-03-01 to 2026-03-02; Item Office 2021 changed: quantity changed from 5 to 8; Item added: Visio; Purchase added: PO-1"},
		{inventory.Users.Schema, &inventory.User{Disabled: kind.Some(false)}, &inventory.User{
			Disabled: kind.Some(true),
		}, "Disabled changed from false to true"},
		{inventory.Vendors.Schema, &inventory.Vendor{Name: "Acme"}, &inventory.Vendor{Name: "Acme"}, ""},
	} {
		diff := test.kind.Diff(test.old, test.rec)
		if got := diff.Message(); got != test.want {
			t.Errorf("%s: got\n%s\nwant\n%s", test.kind.Noun, got, test.want)
		}
	}
}
