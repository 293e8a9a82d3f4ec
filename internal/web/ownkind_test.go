package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/mustertest"
	"muster/internal/server"
)

// A rover is of a kind that only this test knows.
type rover struct {
	kind.Record
	Name, PlateNumber string
	Status            string
	Seats             kind.Int
	Price             kind.Decimal
	Keeper            kind.Person
	BoughtOn          time.Time
	Site, Note        string
	Tyres             []tyre
}

type tyre struct {
	Name string
	Size kind.Int
}

var rovers = kind.Define("moon-rover", "moon-rovers", "Moon Rovers List", func(r *rover, f *kind.Fields) {
	f.Record(&r.Record)
	f.Text("name", &r.Name).Required().Filter().Rare()
	f.Text("plate-number", &r.PlateNumber).Unique().Filter()
	f.Text("status", &r.Status).Required().OneOf("Parked", "Driving").Default("Parked").Filter()
	f.Int("seats", &r.Seats).Filter()
	f.Decimal("price", &r.Price)
	f.Person("keeper", &r.Keeper).Filter()
	f.Date("bought-on", &r.BoughtOn).Filter()
	f.Text("site", &r.Site).Filter()
	f.LongText("note", &r.Note)
	kind.Many(f, "tyres", "tyre", &r.Tyres, func(t *tyre, f *kind.Fields) {
		f.Text("name", &t.Name)
		f.Int("size", &t.Size)
	}).Key("name")
	f.Stamps(&r.Record)
})

// startRovers starts a server with rovers, and signs a technician in.
func startRovers(t *testing.T, db mustertest.Database) (*mustertest.Server, *mustertest.Visitor) {
	t.Helper()
	s := mustertest.Start(t, mustertest.Options{On: db, Kinds: []*kind.Schema{rovers.Schema}})
	s.AddUser("tech@example.com", inventory.Technician, false)
	return s, s.SignIn("tech@example.com")
}

// addRover makes a rover as a person does, and returns its path.
func addRover(t *testing.T, v *mustertest.Visitor, name string) string {
	t.Helper()
	form := formOn(t, v.Get("/app/moon-rovers/new"), "/app/moon-rovers/new")
	for field, value := range map[string]string{
		"name": name, "plate-number": "LUNA-" + name, "seats": "2", "price": "1234.5", "keeper": server.Administrator,
		"bought-on": "2025-12-24", "site": "Crater", "note": "slow & steady", "tyres.0.name": "left",
		"tyres.0.size": "12",
	} {
		form.Set(field, value)
	}
	got := v.Post("/app/moon-rovers/new", form)
	if got.Status != http.StatusSeeOther {
		t.Fatalf("new: got %d: %s", got.Status, got.Body)
	}
	return got.Header.Get("Location")
}

// TestOwnKindPages: a kind that is declared gets its pages, and nothing else is
// written for it.
func TestOwnKindPages(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		_, v := startRovers(t, db)
		empty := v.Get("/app/moon-rovers")
		expect(t, "empty", empty, http.StatusOK, "No moon rovers yet", `href="/app/moon-rovers/new"`, `<h1>Moon rovers`)
		path := addRover(t, v, "Ada")
		if path != "/app/moon-rovers/1" {
			t.Fatalf("got the path %s", path)
		}
		expect(t, "record", v.Get(path), http.StatusOK, "<h1>Ada", "LUNA-Ada", "Parked",
			"1,234.5", "slow &amp; steady", "Tyres", "left", "24 Dec 2025", "Crater",
			`href="/app/moon-rovers/1/edit"`)
		expect(t, "list", v.Get("/app/moon-rovers"), http.StatusOK,
			`href="/app/moon-rovers/1?n=1"`, "Plate number", "LUNA-Ada", ">Parked<", "!slow")
		expect(t, "menus", v.Get("/app/"), http.StatusOK,
			`href="/app/moon-rovers"`, `href="/app/moon-rovers/new"`, ">Moon rover<")
		addRover(t, v, "Bob")

		form := formOn(t, v.Get(path+"/edit"), path+"/edit")
		form.Set("status", "Driving")
		expect(t, "change", v.Post(path+"/edit", form), http.StatusSeeOther)
		expect(t, "changed", v.Get(path), http.StatusOK, "Driving", "Status changed from Parked to Driving")
		expect(t, "filter", v.Get("/app/moon-rovers?status=Driving"), http.StatusOK, ">Ada<", "!>Bob<")
		wrong := v.Post("/app/moon-rovers/new", url.Values{"name": {""}})
		expect(t, "wrong", wrong, http.StatusUnprocessableEntity, `href="#i-name"`)

		csv := v.Get("/app/moon-rovers/export.csv")
		expect(t, "csv", csv, http.StatusOK, "Name,Status,Plate number", "Ada,Driving,LUNA-Ada")
		expect(t, "xlsx", v.Get("/app/moon-rovers/export.xlsx"), http.StatusOK)
		bulk := url.Values{"id": {"1", "2"}, "field": {"site"}, "to-site": {"Base"}}
		expect(t, "bulk", v.Post("/app/moon-rovers/bulk", bulk), http.StatusSeeOther)
		expect(t, "after bulk", v.Get("/app/moon-rovers?site=Base"), http.StatusOK, ">Ada<", ">Bob<")
		expect(t, "suggest", v.Get("/app/suggest/moon-rovers/site?q=Ba"), http.StatusOK, `"Base"`)

		expect(t, "ask", v.Get(path+"/delete"), http.StatusOK, "Delete Ada?")
		expect(t, "delete", v.Post(path+"/delete", formOn(t, v.Get(path+"/delete"), path+"/delete")),
			http.StatusSeeOther)
		expect(t, "deleted", v.Get(path), http.StatusNotFound)
		expect(t, "activity", v.Get("/app/activity"), http.StatusOK, "Ada")
	})
}

// TestOwnKindSearch finds records of a kind that is only declared, by words and exactly.
func TestOwnKindSearch(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		_, v := startRovers(t, db)
		path := addRover(t, v, "Ada")
		expect(t, "words", searched(v, "/app/search?q=ada"), http.StatusOK, `href="`+path+`"`, "Moon rovers")
		expect(t, "exactly", searched(v, "/app/search?q=luna-ada"), http.StatusOK, "Exactly this", `href="`+path+`"`)
		expect(t, "instant", searched(v, "/app/search/instant?q=ada"), http.StatusOK, `data-href="`+path+`"`)
	})
}

// TestOwnKindRights: the pages of a kind admit the same people as its API addresses.
func TestOwnKindRights(t *testing.T) {
	t.Parallel()
	s, v := startRovers(t, mustertest.SQLite)
	path := addRover(t, v, "Ada")
	s.AddUser("ask@example.com", inventory.Requester, false)
	s.AddUser("look@example.com", inventory.Technician, true)
	requester, reader := s.SignIn("ask@example.com"), s.SignIn("look@example.com")
	for _, page := range []string{
		"/app/moon-rovers", path, "/app/moon-rovers/new", path + "/edit", "/app/moon-rovers/export.csv",
	} {
		expect(t, "requester at "+page, requester.Get(page), http.StatusForbidden)
	}
	expect(t, "reader", reader.Get(path), http.StatusOK, "!"+path+"/edit")
	expect(t, "reader's change", reader.Post(path+"/edit", url.Values{"name": {"x"}}), http.StatusForbidden)
}

// TestOwnKindLanguages: texts of a kind that no catalogue has are shown in English.
func TestOwnKindLanguages(t *testing.T) {
	t.Parallel()
	_, v := startRovers(t, mustertest.SQLite)
	path := addRover(t, v, "Ada")
	v.SetCookie("lang", "de")
	for _, page := range []string{
		"/app/moon-rovers", path, path + "/edit", "/app/moon-rovers/new", path + "/delete", "/app/search?q=ada",
	} {
		got := v.Get(page)
		expect(t, page, got, http.StatusOK, `lang="de"`)
		if !strings.Contains(strings.ToLower(got.Body), "moon rover") {
			t.Errorf("%s: got no English name of the kind: %s", page, got.Body)
		}
	}
}
