//go:build full && browser

package web_test

import (
	"os"
	"path/filepath"
	"testing"

	"muster/internal/mustertest"
	"muster/internal/server"
)

// TestBrowserImportLooks imports a file by clicking, on both screens in both themes.
func TestBrowserImportLooks(t *testing.T) {
	s := start(t, mustertest.SQLite)
	file := filepath.Join(t.TempDir(), "stock.csv")
	text := "Device;Asset id;Site;Department;Model;Status\nLEJ-NB-0701;N-1;Leipzig;Controlling;Latitude 7450;Operational\n;N-2;Leipzig;Controlling;Latitude 7450;Spare\n" +
		"RTM-WS-0045;N-3;Rotterdam;Warehouse;OptiPlex 7010;Dancing\nlej-9;MUS-000001;Leipzig;;;\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, look := range looks {
		t.Run(look.name, func(t *testing.T) {
			b := mustertest.NewBrowser(t, mustertest.BrowserOptions{Base: s.Base, Screen: look.screen, Dark: look.dark})
			signIn(b, server.Administrator)
			seen := func(name string) {
				b.Shot(name + "-" + look.name)
				b.Axe(t)
				var over int
				if b.Eval("document.documentElement.scrollWidth - document.documentElement.clientWidth", &over); over > 0 {
					t.Errorf("%s: it is %d pixels wider than the screen", name, over)
				}
			}
			b.Open("/app/import?kind=computers")
			seen("import-file")
			b.Upload("File", file)
			b.Click("Go on to the columns")
			b.Wait("#key")
			b.Select("Field of the column Device", "Name")
			seen("import-columns")
			b.Click("Check the rows")
			b.WaitText("2 rows have problems.")
			seen("import-preview")
			if b.Count("#mode") > 0 {
				b.ClickOn("button[value=write]")
				b.WaitText("2 refused")
				seen("import-report")
			}
		})
	}
}
