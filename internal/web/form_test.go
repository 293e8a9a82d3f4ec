package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"muster/internal/inventory"
	"muster/internal/mustertest"
	"muster/internal/server"
)

// TestFormSavesNothingNew sends the forms of all kinds as they come: nothing
// changes, and nothing is refused.
func TestFormSavesNothingNew(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		v := s.SignIn(server.Administrator)
		for _, section := range []string{"computers", "tickets", "articles", "software", "printers", "assets",
			"contracts", "vendors", "risks", "users"} {
			path := "/app/" + section + "/2"
			before := formOn(t, v.Get(path+"/edit"), path+"/edit")
			if got := v.Post(path+"/edit", before); got.Status != http.StatusSeeOther {
				t.Errorf("%s: got %d: %s", section, got.Status, got.Body)
			}
			if after := formOn(t, v.Get(path+"/edit"), path+"/edit"); after.Encode() != before.Encode() {
				t.Errorf("%s: got %v after saving, want %v", section, after, before)
			}
		}
	})
}

// TestFormFaults shows what is wrong where it is, with links from the top.
func TestFormFaults(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	v := s.SignIn(server.Administrator)
	form := formOn(t, v.Get("/app/contracts/new"), "/app/contracts/new")
	form.Set("start-date", "someday")
	form.Set("purchases.0.number", "")
	form.Set("purchases.3.number", "4711")
	form.Set("purchases.3.total-cost", "much")
	got := v.Post("/app/contracts/new", form)
	if got.Status != http.StatusUnprocessableEntity {
		t.Fatalf("got %d, want 422", got.Status)
	}
	doc := parse(t, got.Body)
	links, focus := map[string]bool{}, ""
	for n := range doc.Descendants() {
		if n.Data == "a" && strings.HasPrefix(attr(n, "href"), "#i-") {
			links[attr(n, "href")] = true
		}
		if has(n, "autofocus") {
			focus += attr(n, "id") + " "
		}
		if id := attr(n, "id"); id == "i-name" || id == "i-start-date" || id == "i-purchases-3-total-cost" {
			if attr(n, "aria-invalid") != "true" || attr(n, "aria-describedby") != id+"-e" {
				t.Errorf("%s: got %v, want it marked as wrong", id, n.Attr)
			}
		}
	}
	if len(links) != 3 || !links["#i-name"] || !links["#i-start-date"] || !links["#i-purchases-3-total-cost"] {
		t.Errorf("links to what is wrong: got %v", links)
	}
	if strings.Count(focus, " ") != 1 {
		t.Errorf("got the focus on %q, want it on one input", focus)
	}
	if again := formOn(t, got, "/app/contracts/new"); again.Get("purchases.3.number") != "4711" ||
		again.Get("start-date") != "someday" || again.Get("key") != form.Get("key") {
		t.Errorf("got %v, want what was sent", again)
	}
}

// TestFormRows adds and removes rows and finds records to link, without scripts.
func TestFormRows(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := mustertest.Start(t, mustertest.Options{On: db})
		v := s.SignIn(server.Administrator)
		add(t, s, "/hardwares", "<hardware><name>lej-nb-17</name></hardware>")
		const path = "/app/contracts/new"
		form := formOn(t, v.Get(path), path)
		form.Set("name", "Support")
		press := func(button string) {
			t.Helper()
			form.Set("do", button)
			got := v.Post(path, form)
			if got.Status != http.StatusOK {
				t.Fatalf("%s: got %d: %s", button, got.Status, got.Body)
			}
			form = formOn(t, got, path)
		}
		press("add:items")
		form.Set("items.0.name", "first")
		press("add:items")
		form.Set("items.1.name", "second")
		press("remove:items:0")
		form.Set("find.hardwares", "lej")
		delete(form, "do")
		found := v.Post(path, form) // as the Enter key does
		if found.Status != http.StatusOK || !strings.Contains(found.Body, "lej-nb-17") {
			t.Fatalf("find: got %d: %s", found.Status, found.Body)
		}
		form = formOn(t, found, path)
		form.Add("hardwares", "1")
		made := v.Post(path, form)
		if made.Status != http.StatusSeeOther {
			t.Fatalf("got %d: %s", made.Status, made.Body)
		}
		body := v.Get(made.Header.Get("Location")).Body
		if !strings.Contains(body, "second") || strings.Contains(body, "first") ||
			!strings.Contains(body, "lej-nb-17") {
			t.Errorf("got %s", body)
		}
	})
}

// TestFormTwice makes one record of a form that is sent twice, also at once, and
// two of one that was changed between.
func TestFormTwice(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := mustertest.Start(t, mustertest.Options{On: db})
		v := s.SignIn(server.Administrator)
		form := formOn(t, v.Get("/app/vendors/new"), "/app/vendors/new")
		form.Set("name", "Acme")
		places := make([]string, 4)
		var all sync.WaitGroup
		for i := range places {
			all.Go(func() { places[i] = v.Post("/app/vendors/new", form).Header.Get("Location") })
		}
		all.Wait()
		for _, place := range places {
			if place != "/app/vendors/1" {
				t.Errorf("got %q, want /app/vendors/1", places)
			}
		}
		form.Set("name", "Other")
		if got := v.Post("/app/vendors/new", form); got.Header.Get("Location") != "/app/vendors/2" {
			t.Errorf("changed form: got %d to %s", got.Status, got.Header.Get("Location"))
		}
	})
}

// TestFormConflict lets a person choose whose value is kept, and takes over what
// others alone have changed.
func TestFormConflict(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := mustertest.Start(t, mustertest.Options{On: db})
		add(t, s, "/vendors", "<vendor><name>Acme</name><city>Leipzig</city><country>Germany</country><region>Saxony</region></vendor>")
		v := s.SignIn(server.Administrator)
		const path = "/app/vendors/1/edit"
		mine := formOn(t, v.Get(path), path)
		theirs := formOn(t, v.Get(path), path)
		theirs.Set("city", "Dresden")
		theirs.Set("region", "Sachsen")
		theirs.Set("country", "DE")
		if got := v.Post(path, theirs); got.Status != http.StatusSeeOther {
			t.Fatalf("theirs: got %d", got.Status)
		}
		mine.Set("city", "Berlin")
		mine.Set("region", "Brandenburg")
		mine.Set("telephone", "030")
		got := v.Post(path, mine)
		if got.Status != http.StatusConflict || strings.Count(got.Body, "Theirs:") != 2 ||
			!strings.Contains(got.Body, "<b>Dresden</b>") || !strings.Contains(got.Body, "<b>Berlin</b>") {
			t.Fatalf("mine: got %d: %s", got.Status, got.Body)
		}
		next := formOn(t, got, path)
		if next.Get("country") != "DE" || next.Get("telephone") != "030" {
			t.Errorf("got %v, want their country and my telephone", next)
		}
		next.Set("take.city", "theirs")
		if got := v.Post(path, next); got.Status != http.StatusSeeOther {
			t.Fatalf("choice: got %d: %s", got.Status, got.Body)
		}
		after := formOn(t, v.Get(path), path)
		for name, want := range map[string]string{
			"city": "Dresden", "region": "Brandenburg", "country": "DE", "telephone": "030",
		} {
			if after.Get(name) != want {
				t.Errorf("%s: got %s, want %s", name, after.Get(name), want)
			}
		}
	})
}

// TestFormTime reads times in the zone of the person.
func TestFormTime(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	v := s.SignIn(server.Administrator)
	v.SetCookie("zone", "Europe/Berlin")
	form := formOn(t, v.Get("/app/risks/new"), "/app/risks/new")
	form.Set("name", "old")
	form.Set("status", inventory.RiskIgnored)
	form.Set("ignored-until", "2031-07-01T10:00")
	if got := v.Post("/app/risks/new", form); got.Status != http.StatusSeeOther {
		t.Fatalf("got %d: %s", got.Status, got.Body)
	}
	if got := s.Admin().Get("/risks/1.xml"); !strings.Contains(got.Body, "2031-07-01T08:00:00Z") {
		t.Errorf("got %s", got.Body)
	}
	page := v.Get("/app/risks/1/edit")
	if got := formOn(t, page, "/app/risks/1/edit").Get("ignored-until"); got != "2031-07-01T10:00" ||
		!strings.Contains(page.Body, "Europe/Berlin") {
		t.Errorf("form: got %s", got)
	}
}

// TestSuggest finds people, vendors, values and records to link.
func TestSuggest(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := mustertest.Start(t, mustertest.Options{On: db})
		add(t, s, "/users", "<user><email>anna@example.com</email><first-name>Anna</first-name><last-name>Berg</last-name></user>")
		add(t, s, "/hardwares", "<hardware><name>lej-1</name><site>Leipzig</site></hardware>")
		add(t, s, "/vendors", "<vendor><name>Acme</name></vendor>")
		v := s.SignIn(server.Administrator)
		for target, want := range map[string]string{
			"computers/owner?q=ann":       `[{"value":"Anna Berg (anna@example.com)","label":"Anna Berg (anna@example.com)"}]`,
			"computers/site?q=lei":        `[{"value":"Leipzig","label":"Leipzig"}]`,
			"contracts/vendor?q=ac":       `[{"value":"Acme","label":"Acme"}]`,
			"contracts/hardwares?q=lej":   `[{"value":"1","label":"lej-1"}]`,
			"contracts/hardwares?q=1":     `[{"value":"1","label":"lej-1"}]`,
			"risks/affected-assets?q=lej": `[{"value":"hardware:1","label":"lej-1"}]`,
			"computers/owner?q=":          `[]`,
			"computers/owner?q=zzz":       `[]`,
		} {
			if got := v.Get("/app/suggest/" + target); got.Status != http.StatusOK || got.Body != want {
				t.Errorf("%s: got %d %s, want %s", target, got.Status, got.Body, want)
			}
		}
		if got := v.Get("/app/suggest/computers/set-fields?q=a"); got.Status != http.StatusNotFound {
			t.Errorf("hidden field: got %d", got.Status)
		}
	})
}

// TestPreview shows an article before it is saved, with and without scripts.
func TestPreview(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	v := s.SignIn(server.Administrator)
	if got := v.Post("/app/preview",
		url.Values{"text": {"**b** <script>"}}); got.Body != "<p><strong>b</strong> &lt;script&gt;</p>\n" {
		t.Errorf("got %d %s", got.Status, got.Body)
	}
	form := formOn(t, v.Get("/app/articles/new"), "/app/articles/new")
	form.Set("description", "**b**")
	form.Set("do", "preview")
	if got := v.Post("/app/articles/new", form); got.Status != http.StatusOK ||
		!strings.Contains(got.Body, "<p><strong>b</strong></p>") {
		t.Errorf("got %d %s", got.Status, got.Body)
	}
}
