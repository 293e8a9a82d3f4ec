package inventory_test

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/message"
)

// contract is §8 of the contract: the fields of each kind in their order, with
// w where clients may set them and f where lists can be filtered by them. Those
// that every kind has are left out. Items of collections stand in brackets.
var contract = map[*kind.Schema]string{
	inventory.Tickets.Schema: `number:f name:wf description:w state:wf priority:wf category:wf subcategory:wf requester:wf assignee:wf created-by
		site:wf department:wf due-at:wf resolved-at:f closed-at:f resolution:w origin:f tag:wf hardwares:w[id:w name href] other-assets:w[id:w name href]
		comments-href comments[id body is-private user created-at] comments-count`,
	inventory.Risks.Schema: `name:wf description:w category:wf severity:wf status:wf ignored-until:w source:f detected-at:f resolved-at:f
		affected-assets:w[asset-type:w id:w name href]`,
	inventory.Contracts.Schema: `name:wf type:wf status:f manufacturer:wf vendor:wf start-date:wf end-date:wf note:w site:wf department:wf tag:wf
		items:w[name:w version:w quantity:w tag:w notes:w rate:w date:w language:w]
		purchases:w[number:w date:w vendor:w total-cost:w currency:w recurrence:w notes:w] hardwares:w[id:w name href] seats installed compliance:f counting`,
	inventory.Softwares.Schema: `name:wf version:wf manufacturer:wf category:wf vendor:wf tag:wf hidden:wf installs hardwares-href first-detected-at`,
	inventory.Solutions.Schema: `number name:wf description:w state:wf category:wf tag:wf author tickets:w[id:w name href]`,
	inventory.OtherAssets.Schema: `name:wf asset-id:wf asset-type:wf status:wf manufacturer:wf model:wf serial-number:wf description:w notes:w ip:wf
		site:wf department:wf category:wf tag:wf owner:wf user:wf`,
	inventory.Vendors.Schema: `name:wf vendor-type:wf url:w telephone:w contact-name:w contact-email:w contact-phone:w address:w city:w region:w zip:w
		country:w note:w contracts-href`,
	inventory.Printers.Schema: `name:wf driver:w port:w shared:wf status:wf manufacturer:wf model:wf serial-number:wf ip:wf asset-id:wf site:wf
		department:wf tag:wf notes:w technical-contact:w hardwares-href`,
}

// TestContractFields holds the declarations against the contract. An incident
// is a ticket.
func TestContractFields(t *testing.T) {
	contract[inventory.Incidents.Schema] = contract[inventory.Tickets.Schema]
	for s, want := range contract {
		equal(t, s.Plural, marks(s.Fields[2:]), strings.Join(strings.Fields(want), " "))
		equal(t, s.Plural+": first fields", s.Fields[0].Name+" "+s.Fields[1].Name, "id href")
	}
}

// marks returns fields as the contract above writes them.
func marks(fields []*kind.Field) string {
	var out []string
	for _, f := range fields {
		if f.Hidden || f.Name == "updated-at" || f.Name == "created-at" && fields[len(fields)-1] != f {
			continue
		}
		mark := ""
		if f.Editable() {
			mark += "w"
		}
		if f.Filtered {
			mark += "f"
		}
		if mark != "" {
			mark = ":" + mark
		}
		if f.Items != nil {
			sub := marks(f.Items.Fields)
			if f.Computed {
				sub = strings.ReplaceAll(sub, ":w", "") // nobody sets what is computed
			}
			mark += "[" + sub + "]"
		}
		out = append(out, f.Name+mark)
	}
	return strings.Join(out, " ")
}

// TestContractValues holds allowed values, their first ones, what is required,
// and lengths against the contract.
func TestContractValues(t *testing.T) {
	for _, c := range []struct {
		kind          *kind.Schema
		field, values string
		first         string
	}{
		{inventory.Tickets.Schema, "state", "New, Assigned, Awaiting Input, On Hold, Resolved, Closed", "New"},
		{inventory.Tickets.Schema, "priority", "None, Low, Medium, High, Critical", "Medium"},
		{inventory.Tickets.Schema, "origin", "api, web, email, agent", ""},
		{inventory.Risks.Schema, "category", "Hardware, Software, License, Contract, Security", "Security"},
		{inventory.Risks.Schema, "severity", "Low, Medium, High, Critical", "Medium"},
		{inventory.Risks.Schema, "status", "Open, Resolved, Ignored", "Open"},
		{inventory.Contracts.Schema, "type", "SoftwareLicense, Lease, Maintenance, Support, Warranty, Other", "Other"},
		{inventory.Contracts.Schema, "status", "Expired, Future, Active", ""},
		{inventory.Contracts.Schema, "compliance", "Over-used, Compliant, Unused", ""},
		{inventory.Solutions.Schema, "state", "Draft, Internal, Published", "Draft"},
		{inventory.OtherAssets.Schema, "status", "Operational, Broken, In Repair, Spare, Disposed, Lost",
			"Operational"},
		{inventory.Printers.Schema, "status", "", ""},
	} {
		f := c.kind.Field(c.field)
		equal(t, c.kind.Plural+" "+c.field, []string{strings.Join(f.OneOf, ", "), f.Default},
			[]string{c.values, c.first})
	}
	long := []string{"description", "notes", "note", "resolution", "body", "address", "message", "from", "to"}
	for _, s := range kinds() {
		for _, f := range withItems(s.Fields) {
			if f.Type == kind.Text && !f.Hidden && f.Long != slices.Contains(long, f.Name) &&
				(s != inventory.Computers.Schema || f.Name != "description") {
				t.Errorf("%s: %s is a long text: %v", s.Plural, f.Name, f.Long)
			}
			if f.Required && f.Default == "" &&
				!slices.Contains([]string{"name", "email", "body", "requester", "id", "asset-type"}, f.Name) {
				t.Errorf("%s: %s is required", s.Plural, f.Name)
			}
		}
	}
}

// TestTitles compares with the table of the specification.
func TestTitles(t *testing.T) {
	for s, want := range map[*kind.Schema]string{
		inventory.Computers.Schema: "hardwares Computers List",
		inventory.Tickets.Schema:   "tickets Helpdesk Tickets List", inventory.Risks.Schema: "risks Risks List",
		inventory.Contracts.Schema: "contracts Contracts List", inventory.Softwares.Schema: "softwares Software List",
		inventory.Solutions.Schema:   "solutions Solutions List",
		inventory.OtherAssets.Schema: "other_assets Other Assets List",
		inventory.Vendors.Schema:     "vendors Vendors List", inventory.Printers.Schema: "printers Printers List",
		inventory.Audits.Schema: "audits Audit Log List", inventory.Incidents.Schema: "incidents Incidents List",
		inventory.Users.Schema: "users Users List",
	} {
		equal(t, s.Plural, s.Path()+" "+s.Title, want)
	}
}

// TestContractStatus follows a contract through its days.
func TestContractStatus(t *testing.T) {
	day := func(n int) time.Time { return time.Date(2026, 1, n, 0, 0, 0, 0, time.UTC) }
	for _, c := range []struct {
		from, to time.Time
		want     string
	}{
		{time.Time{}, time.Time{}, "Active"}, {day(10), day(10), "Active"}, {day(11), time.Time{}, "Future"},
		{day(1), day(9), "Expired"},
		{time.Time{}, day(11), "Active"}, {day(11), day(12), "Future"}, {day(12), day(9), "Expired"},
	} {
		rec := &inventory.Contract{StartDate: c.from, EndDate: c.to}
		inventory.Contracts.Derive(rec, day(10).Add(23*time.Hour))
		equal(t, c.from.String()+" to "+c.to.String(), rec.Status, c.want)
	}
}

// TestLicence derives seats and compliance, of licences alone.
func TestLicence(t *testing.T) {
	items := func(quantities ...int64) (items []inventory.ContractItem) {
		for _, n := range quantities {
			items = append(items, inventory.ContractItem{Quantity: mb(n)})
		}
		return append(items, inventory.ContractItem{Name: "without a quantity"})
	}
	for _, c := range []struct {
		name      string
		items     []inventory.ContractItem
		installed int64
		seats     int64
		want      string
	}{
		{"nothing", nil, 0, 0, "Unused"},
		{"unused", items(3, 4), 0, 7, "Unused"},
		{"some", items(3, 4), 1, 7, "Compliant"},
		{"all", items(3, 4), 7, 7, "Compliant"},
		{"more", items(3, 4), 8, 7, "Over-used"},
		{"no seats", items(), 1, 0, "Over-used"},
		{"more than can be counted", items(math.MaxInt64, 1, math.MaxInt64), 1, math.MaxInt64, "Compliant"},
	} {
		rec := &inventory.Contract{Type: inventory.SoftwareLicense, Items: c.items, Installed: mb(c.installed)}
		inventory.Contracts.Settle(rec, nil)
		inventory.Contracts.Derive(rec, time.Time{})
		equal(t, c.name, []any{rec.Seats, rec.Installed, rec.Compliance}, []any{mb(c.seats), mb(c.installed), c.want})
		rec.Type = "Lease"
		inventory.Contracts.Settle(rec, nil)
		inventory.Contracts.Derive(rec, time.Time{})
		equal(t, c.name+": no licence", []any{rec.Seats, rec.Installed, rec.Compliance},
			[]any{kind.Int{}, kind.Int{}, ""})
	}
}

// TestCurrency refuses another code without listing all codes.
func TestCurrency(t *testing.T) {
	c := &inventory.Contract{
		Name: "a", Type: "Other", Purchases: []inventory.Purchase{{Currency: "EUR"}, {Currency: "XYZ"}},
	}
	equal(t, "faults", message.Strings(inventory.Contracts.Check(c, nil)),
		[]string{"Purchases item 2: currency must be an ISO 4217 code such as EUR"})
}
