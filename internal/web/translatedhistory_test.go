package web_test

import (
	"net/http"
	"strings"
	"testing"

	"muster/internal/mustertest"
	"muster/internal/server"
)

// TestTranslatedHistory: changes of quantities, of items and of software are in the
// language of the person on all pages that show them.
func TestTranslatedHistory(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	add(t, s, "/hardwares",
		`<hardware><name>lej-1</name><memory>8192</memory><drives><drive><name>C:</name><total-space>1024</total-space></drive></drives></hardware>`)
	change := func(path, document string) {
		t.Helper()
		if got := s.Admin().Do("PUT", path, document); got.Status != http.StatusOK {
			t.Fatalf("%s: got %d: %s", document, got.Status, got.Body)
		}
	}
	change("/hardwares/1.xml",
		`<hardware><memory>16384</memory><drives><drive><name>C:</name><total-space>2048</total-space></drive><drive><name>D:</name></drive></drives></hardware>`)
	add(t, s, "/hardwares/1/softwares", `<software><name>Draughtsman</name><version>7</version></software>`)
	if got := s.Admin().Do("DELETE", "/hardwares/1/softwares/1.xml", ""); got.Status != http.StatusOK {
		t.Fatalf("remove the software: got %d: %s", got.Status, got.Body)
	}
	change("/hardwares/1.xml", `<hardware><memory>15896</memory><notes>`+strings.Repeat("long ",
		2000)+`</notes></hardware>`)
	change("/hardwares/1.xml", `<hardware><memory>15893</memory></hardware>`)
	add(t, s, "/printers", `<printer><name>lej-p</name><shared>true</shared></printer>`)
	change("/printers/1.xml", `<printer><shared>false</shared></printer>`)
	v := s.SignIn(server.Administrator)
	v.Language = "de"
	for path, texts := range map[string][]string{
		"/app/computers/1?tab=history": {
			"Arbeitsspeicher von 8 GB in 16 GB geändert", "Gesamter Platz von 1 GB in 2 GB geändert", "!Total space",
			"!8192",
			"<b>Programm ", ": Draughtsman 7</b>", "!Software added", "!Software removed",
		},
		"/app/activity": {"<del>8 GB</del>", "<ins>16 GB</ins>", "<del>15.896 MB</del>", "<ins>15.893 MB</ins>",
			"<ins>D:</ins>", "<del>Ja</del>", "<ins>Nein</ins>", "<ins>Draughtsman 7</ins>", "!16384", "!total-space"},
		"/app/activity/4": {"<h1>Arbeitsspeicher von 8 GB in 16 GB geändert;", "!Memory", "!8192"},
	} {
		got := v.Get(path)
		expect(t, path, got, http.StatusOK, texts...)
		if strings.Count(got.Body, "long ") > 200 {
			t.Errorf("%s shows a long text whole", path)
		}
	}
}
