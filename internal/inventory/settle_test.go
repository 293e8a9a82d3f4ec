package inventory_test

import (
	"testing"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/message"
)

// A computer shows as serial number, manufacturer and model the value that was
// set, else the value of its first BIOS.
func TestSettleShown(t *testing.T) {
	bios := func(ssn string) []inventory.BIOS {
		return []inventory.BIOS{{SSN: ssn, Manufacturer: "M" + ssn, Model: "O" + ssn}, {SSN: "second"}}
	}
	for _, test := range []struct {
		name       string
		old        *inventory.Computer // nil for a new one
		change     func(*inventory.Computer)
		shown, set string
	}{
		{"new, without", nil, func(c *inventory.Computer) {}, "", ""},
		{"new, with BIOS", nil, func(c *inventory.Computer) { c.BIOSes = bios("B") }, "B", ""},
		{"new, set", nil, func(c *inventory.Computer) { c.SerialNumber = "S" }, "S", "S"},
		{"new, set over BIOS", nil, func(c *inventory.Computer) { c.SerialNumber, c.BIOSes = "S", bios("B") },
			"S", "S"},
		{"new, from a copied document", nil, func(c *inventory.Computer) { c.SerialNumber, c.BIOSes = "B", bios("B") },
			"B", ""},
		{"set", with("B", "", bios("B")), func(c *inventory.Computer) { c.SerialNumber = "S" }, "S", "S"},
		{"set anew", with("S", "S", bios("B")), func(c *inventory.Computer) { c.SerialNumber = "T" }, "T", "T"},
		{"sent back", with("B", "", bios("B")), func(c *inventory.Computer) {}, "B", ""},
		{"set one sent back", with("S", "S", bios("B")), func(c *inventory.Computer) {}, "S", "S"},
		{"cleared", with("S", "S", bios("B")), func(c *inventory.Computer) { c.SerialNumber = "" }, "B", ""},
		{"cleared without BIOS", with("S", "S", nil), func(c *inventory.Computer) { c.SerialNumber = "" }, "", ""},
		{"cleared though not set", with("B", "", bios("B")), func(c *inventory.Computer) { c.SerialNumber = "" },
			"B", ""},
		{"cleared to the same", with("B", "B", bios("B")), func(c *inventory.Computer) { c.SerialNumber = "" },
			"B", ""},
		{"BIOS appears", with("", "", nil), func(c *inventory.Computer) { c.BIOSes = bios("B") }, "B", ""},
		{"BIOS appears with the value", with("", "", nil), func(c *inventory.Computer) {
			c.SerialNumber, c.BIOSes = "B", bios("B")
		}, "B", ""},
		{"BIOS changes", with("B", "", bios("B")), func(c *inventory.Computer) { c.BIOSes = bios("C") }, "C", ""},
		{"BIOS changes beneath", with("S", "S", bios("B")), func(c *inventory.Computer) { c.BIOSes = bios("C") }, "S",
			"S"},
		{"BIOS disappears", with("B", "", bios("B")), func(c *inventory.Computer) { c.BIOSes = nil }, "", ""},
		{"BIOS changes and the old value comes back with it", with("B", "", bios("B")), func(c *inventory.Computer) {
			c.SerialNumber, c.BIOSes = "B", bios("C")
		}, "C", ""},
		{"set while BIOS changes", with("B", "", bios("B")), func(c *inventory.Computer) {
			c.SerialNumber, c.BIOSes = "S", bios("C")
		}, "S", "S"},
	} {
		c := inventory.Computers.New()
		if test.old != nil {
			c = inventory.Computers.Copy(test.old).(*inventory.Computer)
		}
		test.change(c)
		spread(c)
		var old any
		if test.old != nil {
			old = test.old
		}
		inventory.Computers.Settle(c, old)
		equal(t, test.name+": serial number", [2]string{c.SerialNumber, c.SetSerialNumber},
			[2]string{test.shown, test.set})
		equal(t, test.name+": manufacturer", [2]string{c.Manufacturer, c.SetManufacturer},
			[2]string{prefixed("M", test.shown), prefixed("M", test.set)})
		equal(t, test.name+": model", [2]string{c.Model, c.SetModel},
			[2]string{prefixed("O", test.shown), prefixed("O", test.set)})
	}
}

// with returns a computer that shows a serial number, and so its manufacturer
// and model.
func with(shown, set string, bioses []inventory.BIOS) *inventory.Computer {
	c := &inventory.Computer{SerialNumber: shown, SetSerialNumber: set, BIOSes: bioses}
	spread(c)
	c.SetManufacturer, c.SetModel = prefixed("M", set), prefixed("O", set)
	return c
}

// spread does to manufacturer and model what was done to the serial number.
func spread(c *inventory.Computer) {
	c.Manufacturer, c.Model = prefixed("M", c.SerialNumber), prefixed("O", c.SerialNumber)
}

func prefixed(letter, value string) string {
	if value == "" {
		return ""
	}
	return letter + value
}

// TestWholeRecordSentBack shows that a client that sends back what it got sets
// nothing.
func TestWholeRecordSentBack(t *testing.T) {
	old := fullComputer()
	old.Model, old.SetModel = "OptiPlex 7070", ""
	patch, err := inventory.Computers.Decode(inventory.Computers.AppendRecord(nil, kind.XML, base, old))
	if err != nil {
		t.Fatal(err)
	}
	if err := patch.Resolve(kind.Resolver{
		Person: func(p *kind.Person) (message.Predicate, error) { *p = old.Owner; return message.Predicate{}, nil },
	}); err != nil {
		t.Fatal(err)
	}
	c := inventory.Computers.Copy(old)
	patch.Apply(c)
	inventory.Computers.Settle(c, old)
	equal(t, "faults", append(patch.Faults(), inventory.Computers.Check(c, nil)...), []message.Text(nil))
	equal(t, "computer", c, any(old))
}

func TestSettleUser(t *testing.T) {
	for _, test := range []struct{ user, want inventory.User }{
		{
			inventory.User{Email: " Anna@Example.com ", FirstName: "Anna ", LastName: "Berg"},
			inventory.User{Email: "anna@example.com", FirstName: "Anna ", LastName: "Berg", Name: "Anna Berg"},
		},
		{inventory.User{Email: "a@b", LastName: "Berg"}, inventory.User{Email: "a@b", LastName: "Berg", Name: "Berg"}},
		{inventory.User{Email: "a@b", Name: "stale"}, inventory.User{Email: "a@b", Name: "a@b"}},
		{inventory.User{Email: "a@b", Disabled: kind.Some(true)}, inventory.User{
			Email: "a@b", Name: "a@b", Disabled: kind.Some(true),
		}},
	} {
		got := test.user
		inventory.Users.Settle(&got, nil)
		test.want.ReadOnly.Valid, test.want.Disabled.Valid = true, true
		equal(t, test.user.Email, got, test.want)
	}
	u := inventory.User{
		Record: kind.Record{ID: 3}, Email: "a@b", Name: "A B", FirstName: "A", LastName: "B", Phone: "1",
	}
	equal(t, "person", u.Person(),
		kind.Person{ID: 3, Email: "a@b", Name: "A B", FirstName: "A", LastName: "B", Phone: "1"})
}
