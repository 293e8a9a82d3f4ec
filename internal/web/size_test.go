package web_test

import (
	"net/http"
	"net/url"
	"testing"

	"muster/internal/mustertest"
	"muster/internal/server"
)

// TestSizes takes sizes as people write them, of a computer and of its parts, and
// shows them so in forms.
func TestSizes(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	v := s.SignIn(server.Administrator)
	add(t, s, "/hardwares", `<hardware><name>lej-1</name></hardware>`)
	for text, want := range map[string]struct{ stored, shown string }{
		"16 GB":   {"16384", "16 GB"},
		"1,5 tb":  {"1572864", "1536 GB"},
		"0.5GB":   {"512", "512 MB"},
		"8000":    {"8000", "8000 MB"},
		"2 TB":    {"2097152", "2 TB"},
		"1000 MB": {"1000", "1000 MB"},

		"2,048 MB":   {"2048", "2 GB"}, // as pages write it
		"1,024.5 GB": {"1049088", "1049088 MB"},
		"16\u00a0GB": {"16384", "16 GB"},
	} {
		form := url.Values{"memory": {text}, "drives": {""}, "drives.0.name": {"C:"}, "drives.0.total-space": {text}}
		goes(t, text, v.Post("/app/computers/1/edit", form), "/computers/1")
		expect(t, text, s.Admin().Get("/hardwares/1.xml"), http.StatusOK, ">"+want.stored+"</memory>",
			">"+want.stored+"</total-space>")
		shown := formOn(t, v.Get("/app/computers/1/edit"), "/app/computers/1/edit")
		if got := shown.Get("memory"); got != want.shown || shown.Get("drives.0.total-space") != want.shown {
			t.Errorf("%s: got %q and %q in the form, want %q", text, got, shown.Get("drives.0.total-space"), want.shown)
		}
	}
	for _, text := range []string{
		"16 PB", "GB", "-1 GB", "16 GB RAM", "99999999999999999999 GB", "2.048 MB", "20,48,0 MB", "1 2 GB",
	} {
		expect(t, text, v.Post("/app/computers/1/edit", url.Values{"memory": {text}}), http.StatusUnprocessableEntity,
			`value="`+text+`"`)
	}
	v.Language = "de"
	goes(t, "in German", v.Post("/app/computers/1/edit", url.Values{"memory": {"2.048 MB"}}), "/computers/1")
	expect(t, "in German", s.Admin().Get("/hardwares/1.xml"), http.StatusOK, ">2048</memory>")
}
