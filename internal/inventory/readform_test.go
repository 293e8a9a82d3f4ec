package inventory_test

import (
	"net/url"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/message"
)

// TestReadForm reads forms of web pages as documents are read.
func TestReadForm(t *testing.T) {
	form := url.Values{
		"name": {"  Office  "}, "type": {"softwarelicense"}, "vendor": {"Contoso"}, "start-date": {"2026-01-31"},
		"note": {"a\r\nb"}, "tag": {" "},
		"items": {""}, "items.0.name": {"Writer"}, "items.0.quantity": {"5"}, "items.2.name": {" "},
		"items.10.name": {"Calc"}, "items.10.rate": {"1.50"},
		"hardwares": {"", "7", "3"}, "seats": {"9"}, "unknown": {"x"},
	}
	p := inventory.Contracts.ReadForm(form)
	if len(p.Faults()) > 0 {
		t.Fatalf("got the faults %q", p.Faults())
	}
	got := inventory.Contracts.New()
	got.Tag = "old"
	p.Apply(got)
	if got.Name != "Office" || got.Type != inventory.SoftwareLicense || got.Vendor.Name != "Contoso" ||
		got.Note != "a\nb" || got.Tag != "" || got.Seats.Valid {
		t.Errorf("got %+v", got)
	}
	items := []inventory.ContractItem{
		{Name: "Writer", Quantity: kind.Some[int64](5)}, {Name: "Calc", Rate: got.Items[1].Rate},
	}
	if diff := cmp.Diff(items, got.Items); diff != "" || got.Items[1].Rate.V == 0 {
		t.Errorf("items: %s", diff)
	}
	if len(got.Computers) != 2 || got.Computers[0].ID.V != 7 {
		t.Errorf("computers: got %v", got.Computers)
	}
}

// TestReadFormPersons reads who is meant from each way in which pages name
// people.
func TestReadFormPersons(t *testing.T) {
	for text, want := range map[string]kind.Person{
		"anna@example.com":                    {Email: "anna@example.com"},
		"Anna Berg (anna@example.com)":        {Email: "anna@example.com"},
		"Anna (Office) B. (anna@example.com)": {Email: "anna@example.com"},
		"Anna Berg":                           {Name: "Anna Berg"},
		"Anna (temporary)":                    {Name: "Anna (temporary)"},
	} {
		ticket := inventory.Tickets.New()
		inventory.Tickets.ReadForm(url.Values{"requester": {text}}).Apply(ticket)
		if ticket.Requester != want {
			t.Errorf("%s: got %+v, want %+v", text, ticket.Requester, want)
		}
	}
}

// TestReadFormFaults checks the messages about a wrong form, by the names of its fields.
func TestReadFormFaults(t *testing.T) {
	p := inventory.Risks.ReadForm(url.Values{
		"name": {"a\x00b"}, "ignored-until": {"soon"}, "affected-assets": {"12"}, "description": {"\xff"},
	})
	for _, want := range []string{
		"Name holds characters that are no text",
		"Description holds characters that are no text",
		`Ignored until is not a timestamp such as 2026-01-31T09:30:00Z: "soon"`,
		`Affected assets must be named by kind and id, not "12"`,
	} {
		if !slices.Contains(message.Strings(p.Faults()), want) {
			t.Errorf("got %q, want %q among them", p.Faults(), want)
		}
	}
	risk := inventory.Risks.New()
	risk.Name = "kept"
	p.Apply(risk)
	if risk.Name != "kept" {
		t.Errorf("name: got %q, want what was there", risk.Name)
	}
}
