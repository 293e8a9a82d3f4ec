package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"muster/internal/mustertest"
	"muster/internal/server"
)

// TestLocale writes dates and numbers as the browser's language does, also where
// the texts are English.
func TestLocale(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	add(t, s, "/contracts",
		`<contract><name>Lines</name><type>Support</type><start-date>2019-03-07</start-date><end-date>2020-03-07</end-date>`+
			`<purchases type="array"><purchase><total-cost>1250.5</total-cost></purchase><purchase><total-cost>2000</total-cost></purchase><purchase><total-cost>0.1234</total-cost></purchase></purchases></contract>`)
	add(t, s, "/hardwares",
		`<hardware><name>lej-1</name><memory>1536</memory><processor-speed>12345</processor-speed></hardware>`)
	v := s.SignIn(server.Administrator)
	for _, test := range []struct {
		accept string
		lang   string
		want   []string // of the contract's and the computer's page
	}{
		{"", "en", []string{"7 Mar 2020", "1.5 GB", "12,345 MHz", "1,250.50", "2,000.00", "0.1234"}},
		{"en-GB,en;q=0.9", "en", []string{"7 Mar 2020", "1.5 GB", "12,345 MHz"}},
		{"en-US", "en", []string{"Mar 7, 2020", "1.5 GB", "12,345 MHz"}},
		{"nl;q=0.5, fr-CH, en;q=0.8", "en", []string{"07.03.2020", "1,5 GB", "12\u202f345 MHz"}},
		{"sv-SE", "en", []string{"2020-03-07", "1,5 GB", "12\u00a0345 MHz"}},
		{"de-DE,de;q=0.9,en;q=0.8", "de", []string{
			"7. März 2020", "1,5 GB", "12.345 MHz", "1.250,50", "2.000,00", "Enddatum", "Arbeitsspeicher",
		}},
		{"en-US,de;q=0.9", "en", []string{"Mar 7, 2020", "End date"}},
		{"fr;q=0, tlh, ../../etc;q=x", "en", []string{"7 Mar 2020", "1.5 GB", "12,345 MHz"}},
	} {
		v.Language = test.accept
		body := v.Get("/app/contracts/1").Body + v.Get("/app/computers/1").Body
		for _, want := range append(test.want, `<html lang="`+test.lang+`"`) {
			if !strings.Contains(body, want) {
				t.Errorf("%s: got no %q", test.accept, want)
			}
		}
	}
}

// TestLanguage reads pages in the language that the browser wants, or in the one
// that the person has chosen.
func TestLanguage(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	v := s.SignIn(server.Administrator)
	lang := func() string {
		_, after, _ := strings.Cut(v.Get("/app/preferences").Body, `<html lang="`)
		name, _, _ := strings.Cut(after, `"`)
		return name
	}
	v.Language = "tlh, de;q=0.9, en;q=0.8"
	if got := lang(); got != "de" {
		t.Errorf("by the browser: got %s, want de", got)
	}
	for _, test := range []struct{ choose, want string }{
		{"en", "en"}, {"nothing", "en"}, {"browser", "de"}, {"de", "de"},
	} {
		if got := v.Post("/app/preferences", url.Values{"lang": {test.choose}}); got.Status != http.StatusSeeOther {
			t.Errorf("%s: got %d", test.choose, got.Status)
		}
		if got := lang(); got != test.want {
			t.Errorf("chosen %s: got %s, want %s", test.choose, got, test.want)
		}
	}
}

// TestFaultsByLanguage shows errors in the language of the page.
func TestFaultsByLanguage(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	v := s.SignIn(server.Administrator)
	v.Language = "de"
	for path, want := range map[string]string{
		"/app/computers/new": "Name darf nicht leer sein", "/app/users/new": "E-Mail darf nicht leer sein",
		"/app/computers/9/delete": "mit der ID 9",
	} {
		if got := v.Post(path, url.Values{}); !strings.Contains(got.Body, want) {
			t.Errorf("%s: got no %q in\n%s", path, want, got.Body)
		}
	}
	wrong := v.Post("/app/settings", url.Values{"name": {"page-size"}, "value": {"many"}})
	wants(t, "a setting", wrong, http.StatusUnprocessableEntity,
		">Datensätze auf einer Seite muss eine Zahl von 1 bis 1000 sein")
}
