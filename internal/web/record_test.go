package web_test

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"muster/internal/inventory"
	"muster/internal/mustertest"
	"muster/internal/server"
)

// TestRecordPages looks at what the pages of kinds have beyond fields.
func TestRecordPages(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := mustertest.Start(t, mustertest.Options{On: db})
		add(t, s, "/hardwares", "<hardware><name>lej-1</name></hardware>")
		add(t, s, "/hardwares", "<hardware><name>lej-2</name><status>Lost</status></hardware>")
		for _, computer := range []string{"1", "2"} {
			add(t, s, "/hardwares/"+computer+"/softwares",
				"<software><name>Writer</name><version>7</version></software>")
		}
		add(t, s, "/vendors", "<vendor><name>Acme</name><url>https://acme.example</url><telephone>+49 341 1</telephone><contact-email>a@acme.example</contact-email></vendor>")
		add(t, s, "/contracts", `<contract><name>Writers</name><type>SoftwareLicense</type><vendor>Acme</vendor><start-date>2020-01-01</start-date><end-date>2090-01-01</end-date>
			<items><item><name>Writer</name><quantity>5</quantity></item></items></contract>`)
		add(t, s, "/contracts",
			"<contract><name>Backwards</name><type>Lease</type><start-date>2090-01-02</start-date><end-date>2090-01-01</end-date></contract>")
		add(t, s, "/solutions", "<solution><name>Restart</name><description>**now**</description></solution>")
		v := s.SignIn(server.Administrator)
		for path, wants := range map[string][]string{
			"/software/1":           {"lej-1", "All 2", "Writers", "Versions of this name"},
			"/software/1/computers": {"lej-1", "lej-2", "1–2 of 2"},
			"/software/1/licences":  {"Writers"},
			"/contracts/1": {"1 of 5 seats used", "Compliant", "days left", "From 1 Jan 2020 to 1 Jan 2090",
				"lej-1", `href="/app/contracts/1/use"`},
			"/contracts/2":          {"ends before it begins", "From 2 Jan 2090 to 1 Jan 2090"},
			"/contracts/1/use":      {"lej-1", "1–1 of 1"},
			"/contracts/1/programs": {"Writer"},
			"/vendors/1": {
				`href="https://acme.example"`, `href="tel:+493411"`, `href="mailto:a@acme.example"`, "Writers",
			},
			"/vendors/1/contracts":   {"Writers"},
			"/articles/1":            {"<strong>now</strong>", "Publish</button>"},
			"/users/1":               {"Tickets requested"},
			"/activity/1":            {"What was done"},
			"/contracts/1/computers": {"Nothing here yet"},
		} {
			got := v.Get("/app" + path)
			for _, want := range wants {
				if got.Status != http.StatusOK || !strings.Contains(got.Body, want) {
					t.Errorf("%s: got %d without %q: %s", path, got.Status, want, got.Body)
				}
			}
		}
		if got := v.Get("/app/contracts/1/use"); strings.Contains(got.Body, "lej-2") {
			t.Error("a lost computer is among those that use a licence")
		}
	})
}

// TestRecordButtons publishes an article, and resolves, reopens and ignores a
// risk.
func TestRecordButtons(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	add(t, s, "/solutions", "<solution><name>Restart</name></solution>")
	add(t, s, "/risks", "<risk><name>Old</name></risk>")
	v := s.SignIn(server.Administrator)
	for _, step := range []struct {
		path string
		set  url.Values
		want string
	}{
		{"/articles/1", url.Values{"state": {"Published"}}, "Unpublish</button>"},
		{"/articles/1", url.Values{"state": {"Internal"}}, "Publish</button>"},
		{"/risks/1", url.Values{"status": {"Resolved"}}, "Reopen</button>"},
		{"/risks/1", url.Values{"status": {"Open"}}, "Resolve</button>"},
		{"/risks/1", url.Values{"status": {"Ignored"}, "ignored-until": {"2090-05-01"}}, "1 May 2090"},
	} {
		if got := v.Post("/app"+step.path+"/set", step.set); got.Status != http.StatusSeeOther {
			t.Errorf("%s %v: got %d: %s", step.path, step.set, got.Status, got.Body)
		}
		if got := v.Get("/app" + step.path); !strings.Contains(got.Body, step.want) {
			t.Errorf("%s %v: got no %q in %s", step.path, step.set, step.want, got.Body)
		}
	}
	if got := v.Post("/app/articles/1/set",
		url.Values{"state": {"Draft"}, "version": {"1"}}); got.Status != http.StatusSeeOther {
		t.Errorf("old version: got %d", got.Status)
	}
	if got := v.Get("/app/articles/1"); !strings.Contains(got.Body, "in the meantime") ||
		strings.Contains(got.Body, ">Draft<") {
		t.Errorf("old version: got %s", got.Body)
	}
}

// TestSteps leads from a record to its neighbours in the list that one came from.
func TestSteps(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	for _, name := range []string{"Acme", "Bolt", "Cord"} {
		add(t, s, "/vendors", "<vendor><name>"+name+"</name></vendor>")
		s.AddUser(strings.ToLower(name)+"@example.com", inventory.Technician, false)
	}
	v := s.SignIn(server.Administrator)
	for _, list := range []struct{ path, name, before, after string }{
		{"/app/vendors", "Bolt", "/app/vendors/1?", "/app/vendors/3?"},
		{"/app/users?role=technician", "bolt@example.com", "/app/users/2?", "/app/users/4?"},
	} {
		link := regexp.MustCompile(`href="([^"]*)">` + list.name + `<`).FindStringSubmatch(v.Get(list.path).Body)
		if link == nil {
			t.Fatalf("%s: got no link to %s", list.path, list.name)
		}
		wants(t, list.name, v.Get(html.UnescapeString(link[1])), http.StatusOK, "2 of 3", `rel="prev"`, `rel="next"`,
			`href="`+list.before, `href="`+list.after, `href="`+list.path+`"`)
	}
	lacks(t, "from elsewhere", v.Get("/app/vendors/2"), `rel="next"`)
}
