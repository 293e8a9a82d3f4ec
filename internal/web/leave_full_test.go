//go:build full && browser

package web_test

import (
	"testing"

	"muster/internal/mustertest"
	"muster/internal/server"
)

// TestBrowserLeave asks who leaves a form with something in it that was not sent:
// text, a row, a new ticket of a requester.
func TestBrowserLeave(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(d *deskOf, b *mustertest.Browser){
		"text": func(d *deskOf, b *mustertest.Browser) {
			b.Open("/app/articles/new")
			b.Type("Name required", "How to feed the printer")
			b.Click("Cancel")
		},
		"row": func(d *deskOf, b *mustertest.Browser) {
			b.Open("/app/contracts/new")
			b.In("[data-items=items]").Click("Add row")
			b.Open("/app/contracts")
		},
		"refused": func(d *deskOf, b *mustertest.Browser) {
			b.Open("/app/contracts/new")
			b.Type("Note", "What nobody saved")
			b.In(".bottom").Click("Add contract")
			b.WaitText("Name can't be blank")
			b.Open("/app/contracts")
		},
		"fact": func(d *deskOf, b *mustertest.Browser) {
			b.Open("/app/computers/1")
			b.ClickOn("#fact-department .pencil")
			b.Wait("#fact-department.open")
			b.In("#fact-department").Type("Department", "Nowhere")
			b.Open("/app/computers")
		},
		"request": func(d *deskOf, b *mustertest.Browser) {
			leaves(b)
			signIn(b, "ask@example.com")
			b.Open("/app/portal")
			b.Type("What is it about?", "The fan is loud")
			b.Open("/app/profile")
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := busyDesk(t)
			b := wide.visit(t, d.Server, server.Administrator)
			b.Expect("dialog (beforeunload)")
			change(d, b)
		})
	}
}

// TestBrowserLeaveFreely asks nobody who has changed nothing, has taken it back,
// sends the form, looks for something, or writes what is kept as a draft.
func TestBrowserLeaveFreely(t *testing.T) {
	t.Parallel()
	eachLook(t, looks, func(t *testing.T, l look) {
		d := busyDesk(t)
		b := l.visit(t, d.Server, server.Administrator)
		b.Open("/app/contracts/new")
		b.In("[data-pick][data-name=hardwares]").ClickOn("input[type=search]")
		b.Click("Cancel")
		b.Open("/app/contracts/new")
		b.Type("Name required", "Printers of the north")
		b.Type("Name required", "")
		b.Open("/app/contracts/new")
		b.Type("Name required", "Printers of the north")
		b.In(".bottom").Click("Add contract")
		b.WaitText("Printers of the north was added")
		b.Open("/app/tickets?state=New")
		b.Type("Search in this list", "printer")
		b.Open(d.path)
		b.Type("Your answer", "Half a sent")
		b.Open("/app/tickets?state=New")
	})
}
