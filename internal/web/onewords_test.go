package web_test

import (
	"net/http"
	"testing"

	"muster/internal/mustertest"
	"muster/internal/server"
)

// TestOneWord calls a thing the same on every page that shows it: when a computer
// reported last, and the address of a person.
func TestOneWord(t *testing.T) {
	t.Parallel()
	d := openDesk(t, mustertest.SQLite)
	add(t, d.Server, "/hardwares", `<hardware><name>lej-1</name><owner>ask@example.com</owner></hardware>`)
	v := d.SignIn(server.Administrator)
	for path, texts := range map[string][]string{
		"/app/computers":   {">Last report<", "!Detected at"},
		"/app/computers/1": {">Last report<", "!Detected at"},
		"/app/users":       {">Email<"},
		d.path:             {">Email<", "!>Mail<"},
	} {
		expect(t, path, v.Get(path), http.StatusOK, texts...)
	}
}
