//go:build full && browser

package web_test

import (
	"os"
	"path/filepath"
	"testing"

	"muster/internal/mustertest"
	"muster/internal/server"
)

// TestBrowserImport imports the good rows of a file by clicking.
func TestBrowserImport(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "stock.csv")
	text := "Device;Asset id;Site;Department;Model;Status\nLEJ-NB-0701;N-1;Leipzig;Controlling;Latitude 7450;Operational\n;N-2;Leipzig;Controlling;Latitude 7450;Spare\n" +
		"RTM-WS-0045;N-3;Rotterdam;Warehouse;OptiPlex 7010;Dancing\nlej-9;MUS-000001;Leipzig;;;\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	eachLook(t, allLooks, func(t *testing.T, l look) {
		b := l.visit(t, start(t, mustertest.SQLite), server.Administrator)
		b.Open("/app/import?kind=computers")
		inspect(t, b, "import-file")
		b.Upload("File", file)
		b.Click("Next: match columns")
		b.Wait("#key")
		b.Select("Field of the column Device", "Name")
		inspect(t, b, "import-columns")
		b.Click("Next: check rows")
		b.WaitText("2 rows have problems.")
		inspect(t, b, "import-preview")
		var beside int
		if b.Eval("[...document.querySelectorAll('.why')].filter((e) => e.getBoundingClientRect().right > innerWidth).length", &beside); l.screen.Touch && beside > 0 {
			t.Errorf("%d problems are beside the screen", beside)
		}
		b.ClickOn("button[value=write]")
		b.WaitText("2 refused")
		inspect(t, b, "import-report")
	})
}
