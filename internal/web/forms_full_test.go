//go:build full && browser

package web_test

import (
	"strings"
	"testing"

	"muster/internal/mustertest"
	"muster/internal/server"
)

// row narrows a form to a row of one of its collections, counted from 1.
func row(b *mustertest.Browser, collection, number string) *mustertest.Browser {
	return b.In("[data-items=" + collection + "] tbody tr:nth-child(" + number + ")")
}

// picks links a record to the one that a form is about, by typing a part of its name.
func picks(b *mustertest.Browser, field, text, name string) {
	box := b.In("[data-pick][data-name=" + field + "]")
	box.ClickOn("input[type=search]")
	for _, key := range text {
		b.Press(string(key))
	}
	box.Click("+ " + name)
	box.Wait("input[type=checkbox]:checked")
}

// wantInView checks that the page is scrolled to where an element is.
func wantInView(t *testing.T, b *mustertest.Browser, selector string) {
	t.Helper()
	var at struct{ Top, Bottom, Height float64 }
	b.Eval("(({ top, bottom }) => ({ top, bottom, height: innerHeight }))(document.querySelector('"+selector+
		"').getBoundingClientRect())", &at)
	if at.Top < 0 || at.Bottom > at.Height {
		t.Errorf("%s is from %.0f to %.0f on a screen of %.0f", selector, at.Top, at.Bottom, at.Height)
	}
}

// TestBrowserContract makes a contract with rows in its collections, changes and
// deletes it by clicking and typing.
func TestBrowserContract(t *testing.T) {
	t.Parallel()
	eachLook(t, looks, func(t *testing.T, l look) {
		s := start(t, mustertest.SQLite)
		b := l.visit(t, s, server.Administrator)
		b.Open("/app/contracts")
		b.ClickOn(".head .primary")
		b.Wait("#i-name:focus")
		b.Click("Add contract")
		b.WaitText("Name can't be blank")
		b.Type("Name required", "Printers of the north")
		b.Select("Type required", "Lease")
		b.Type("Vendor", "A new lessor")
		b.Type("Start date", "2026-01-01")
		b.Type("End date", "2028-12-31")
		items := b.In("[data-items=items]")
		items.Click("Add row")
		row(b, "items", "1").Wait("input:focus")
		row(b, "items", "1").Type("Name", "Colour printer")
		row(b, "items", "1").Type("Quantity", "many")
		items.Click("Add row")
		row(b, "items", "2").Type("Name", "A row too many")
		items.Click("Add row")
		row(b, "items", "3").Type("Name", "Stapler")
		items.Wait(`tr:last-child[aria-label="Items, row 3"] [aria-label="Remove: Items, row 3"]`)
		row(b, "items", "2").ClickOn("button[name=do]")
		items.Wait(`tr:last-child[aria-label="Items, row 2"] [aria-label="Remove: Items, row 2"]`)
		purchases := b.In("[data-items=purchases]")
		purchases.Click("Add row")
		row(b, "purchases", "1").Type("Number", "4711")
		row(b, "purchases", "1").Type("Total cost", "1250.50")
		row(b, "purchases", "1").Select("Currency", "EUR")
		b.In(".bottom").Click("Add contract")
		b.WaitText("quantity is not a number")
		row(b, "items", "1").Wait("input[aria-invalid]:focus")
		wantInView(t, b, "[aria-invalid]")
		inspect(t, b, "contract-wrong")
		row(b, "items", "1").Type("Quantity", "12")
		b.In(".bottom").Click("Add contract")
		b.WaitText("Printers of the north was added")
		path := strings.TrimPrefix(b.URL(), s.Base)
		for _, text := range []string{"Colour printer", "Stapler", "4711", "1,250.5", "A new lessor", "Dec 31, 2028"} {
			b.In("#main").WaitText(text)
		}
		if got := b.Text("#main"); strings.Contains(got, "too many") {
			t.Errorf("the contract has the row that was removed: %s", got)
		}

		b.Click("Edit")
		row(b, "items", "1").Type("Quantity", "13")
		row(b, "items", "2").ClickOn("button[name=do]")
		b.In(".bottom").Click("Save contract")
		b.WaitText("Printers of the north was saved")
		if got := b.Text("#main .stack"); strings.Contains(got, "Stapler") || !strings.Contains(got, "13") {
			t.Errorf("the contract after the change: got %s", got)
		}

		b.In(".record").Click("More")
		b.Click("Delete …")
		b.WaitText("This cannot be undone")
		inspect(t, b, "contract-delete")
		b.Click("Keep contract")
		wantURL(t, b, path)
		b.Open(path + "/delete")
		b.Click("Delete contract")
		b.WaitText("Printers of the north was deleted")
		b.Open(path)
		b.WaitText("There is nothing here")
	})
}

// TestBrowserLicence makes a licence that covers a program and concerns a
// computer, and sees its seats and their use.
func TestBrowserLicence(t *testing.T) {
	t.Parallel()
	eachLook(t, looks, func(t *testing.T, l look) {
		s := start(t, mustertest.SQLite)
		add(t, s, "/softwares", "<software><name>Draughtsman</name><version>7</version></software>")
		add(t, s, "/hardwares", "<hardware><name>zzz-plotter-1</name></hardware>")
		b := l.visit(t, s, server.Administrator)
		b.Open("/app/contracts/new?type=SoftwareLicense")
		b.Type("Name required", "Draughtsman for ten")
		b.In("[data-items=items]").Click("Add row")
		row(b, "items", "1").Type("Name", "Draughtsman")
		row(b, "items", "1").Type("Quantity", "10")
		picks(b, "hardwares", "zzz-plo", "zzz-plotter-1")
		b.In(".bottom").Click("Add contract")
		b.WaitText("0 of 10 seats used")
		b.In("#main").WaitText("Unused")
		b.In(".side").WaitText("Draughtsman")
		inspect(t, b, "licence")
		b.In(".side").Click("zzz-plotter-1")
		b.WaitText("Draughtsman for ten")
	})
}

// TestBrowserVendor makes and changes a vendor; its deletion names what refers to
// it.
func TestBrowserVendor(t *testing.T) {
	t.Parallel()
	eachLook(t, looks, func(t *testing.T, l look) {
		s := start(t, mustertest.SQLite)
		b := l.visit(t, s, server.Administrator)
		b.Open("/app/vendors/new")
		b.Type("Name required", "Hansen & Søn <A/S>")
		b.Type("City", "Aarhus")
		b.Type("Contact email", "hansen@example.com")
		b.In(".bottom").Click("Add vendor")
		b.WaitText("Hansen & Søn <A/S> was added")
		path := strings.TrimPrefix(b.URL(), s.Base)
		b.Open("/app/contracts/new")
		b.Type("Name required", "Care of the lift")
		b.Type("Vendor", "Hansen & Søn <A/S>")
		b.In(".bottom").Click("Add contract")
		b.WaitText("Care of the lift was added")
		b.Open(path)
		b.In(".side").WaitText("Care of the lift")
		b.Click("Edit")
		b.Type("City", "Odense")
		b.Click("Save vendor")
		b.In("#main").WaitText("Odense")
		b.Open(path + "/delete")
		b.WaitText("1 contract as vendor")
		inspect(t, b, "vendor-delete")
		b.Click("1 contract as vendor")
		b.In("#main").WaitText("Care of the lift")
	})
}

// TestBrowserArticle writes an article with a preview, and publishes it.
func TestBrowserArticle(t *testing.T) {
	t.Parallel()
	eachLook(t, looks, func(t *testing.T, l look) {
		s := start(t, mustertest.SQLite)
		b := l.visit(t, s, server.Administrator)
		b.Open("/app/articles/new")
		b.Type("Name required", "How to feed the printer")
		b.Type("Description", "# Paper\n\nUse **dry** paper <script>alert(1)</script>\n\n- A4\n- A5\n")
		b.In(".preview").Wait("h1, h2, h3, strong")
		b.In(".preview").WaitText("<script>alert(1)</script>")
		b.In(".preview").Wait("li")
		inspect(t, b, "article-preview")
		b.Type("Description", "Use *wet* paper")
		b.In(".preview").Wait("em")
		b.Click("Preview")
		b.Select("State required", "Internal")
		b.In(".bottom").Click("New article")
		b.WaitText("How to feed the printer was added")
		b.In("article.prose").Wait("em")
		b.Click("Publish")
		b.WaitText("is Published now")
	})
}

// TestBrowserTwoAtOnce has two people change one record at the same time: nothing is
// overwritten, and each sees what the other changed.
func TestBrowserTwoAtOnce(t *testing.T) {
	t.Parallel()
	eachLook(t, looks, func(t *testing.T, l look) {
		s := start(t, mustertest.SQLite)
		one, two := l.visit(t, s, server.Administrator), l.visit(t, s, server.Administrator)
		one.Open("/app/vendors/1/edit")
		two.Open("/app/vendors/1/edit")
		one.Type("City", "Leipzig")
		one.Type("Region", "Saxony")
		one.Click("Save vendor")
		one.WaitText("was saved")

		two.Type("City", "Rotterdam")
		two.Type("Zip", "3011")
		two.Click("Save vendor")
		two.WaitText("Someone changed this record in the meantime, so nothing was saved.")
		two.WaitText("Theirs: Leipzig")
		two.WaitText("Yours: Rotterdam")
		two.WaitText("Changed by someone else in the meantime")
		inspect(t, two, "conflict")
		one.Open("/app/vendors/1")
		one.In("#main").WaitText("Leipzig")
		two.Click("Theirs: Leipzig")
		two.Click("Save vendor")
		two.WaitText("was saved")
		for _, text := range []string{"Leipzig", "Saxony", "3011"} {
			two.In("#main").WaitText(text)
		}

		one.Open("/app/vendors/1/delete")
		two.Open("/app/vendors/1/edit")
		two.Type("City", "Dresden")
		two.Click("Save vendor")
		two.WaitText("was saved")
	})
}
