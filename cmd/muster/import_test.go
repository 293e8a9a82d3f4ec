//go:build full

package main_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"muster/internal/mustertest"
)

const inventoryTable = `Device;Asset id;Site;Colour
lej-1;A-1;Leipzig;red
;A-2;Leipzig;blue
lej-3;A-3;Rotterdam;
`

// TestImportCommand runs the same steps twice: while the server runs, and while it
// does not.
func TestImportCommand(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		for _, running := range []bool{true, false} {
			name := map[bool]string{true: "running", false: "stopped"}[running]
			t.Run(name, func(t *testing.T) {
				f := newFolder(t)
				f.env = []string{"MUSTER_DATABASE=" + db.New(t)}
				s := f.serve()
				c, password := s.admin(), s.password
				if !running {
					s.stop()
				}
				tellImports(t, f)
				if !running {
					c = f.serve().client(admin, password)
				}
				list := c.Do("GET", "/hardwares.xml", "").Body
				if !strings.Contains(list, "<total_entries>2</total_entries>") ||
					!strings.Contains(list, "<name>lej-3</name>") {
					t.Errorf("computers: got %s", list)
				}
				if audits := c.Do("GET", "/audits.xml?origin=import&record_type=hardware", "").Body; !strings.Contains(audits,
					"<total_entries>4</total_entries>") {
					t.Errorf("audits: got %s", audits)
				}
			})
		}
	})
}

// TestImportZone reads times as the person wrote them who has exported the table, and
// what else people write in English.
func TestImportZone(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	c := f.serve().admin()
	table := filepath.Join(f.dir, "table.csv")
	for _, test := range []struct{ kind, content, path, want string }{
		{"tickets", "Name,Requester,Due at\nt," + admin + ",2026-07-31 10:30:00\n", "/tickets/1.xml",
			"<due-at>2026-07-31T08:30:00Z</due-at>"},
		{"contracts", "Name,Type\nc,software licence\n", "/contracts/1.xml", "<type>SoftwareLicense</type>"},
		{"computers", "Name,Memory\nm,1.5 GB\n", "/hardwares/1.xml", "<memory>1536</memory>"},
		{"tickets", "Subject,Requester,Due,Computers\nas pages call it," + admin + ",2026-07-31 10:30:00,m\n",
			"/tickets/2.xml", "<name>as pages call it</name>"},
	} {
		if err := os.WriteFile(table, []byte(test.content), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := f.run("import", test.kind, table, "--zone", "Europe/Berlin"); got.status != 0 {
			t.Fatalf("import %q: got status %d: %s", test.content, got.status, got.err)
		}
		if got := c.Do("GET", test.path, "").Body; !strings.Contains(got, test.want) {
			t.Errorf("import %q: got %s, want %s in it", test.content, got, test.want)
		}
	}
	if err := os.WriteFile(table, []byte("No.,Subject,Requester\n1,renamed,"+admin+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := f.must("import", "tickets", table, "--check"); !strings.Contains(got,
		"To change those that are there, give --key number.") {
		t.Errorf("numbers without a key: got %s", got)
	}
	if got := f.must("import", "tickets", table, "--check", "--key", "number"); !strings.Contains(got,
		"0 new, 1 changed") {
		t.Errorf("numbers as the key: got %s", got)
	}
}

// tellImports imports a table by commands.
func tellImports(t *testing.T, f *folder) {
	t.Helper()
	table, rest := filepath.Join(f.dir, "table.csv"), filepath.Join(f.dir, "rest.csv")
	if err := os.WriteFile(table, []byte(inventoryTable), 0o600); err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]string{
		"computers missing.csv":                           "missing.csv",
		"cats " + table:                                   `there is no kind "cats" to import: it is one of computer, ticket`,
		"computers " + table + " --match Nothing=name":    `the file has no column "Nothing": it has Device, Asset id, Site, Colour`,
		"computers " + table + " --match Colour=colour":   `a computer has no field "colour": it has id, asset-id, name`,
		"computers " + table + " --key site":              `records cannot be recognised by "site": the key is one of asset-id, serial-number, name, id`,
		"vendors " + table:                                "no column is matched with a field",
		"computers " + table + " --zone Mars/Base":        `there is no time zone "Mars/Base": name one as Europe/Berlin`,
		"computers " + table + " --check":                 "3 rows were refused; nothing was written because of --check",
		"computers " + table + " --match Device=name":     "1 row was refused, so nothing was written",
		"computers " + table + " --match Device=serial-x": `has no field "serial-x"`,
	} {
		got := f.run(append([]string{"import"}, strings.Fields(args)...)...)
		if got.status != 1 || !strings.Contains(got.err, want) {
			t.Errorf("import %s: got status %d, %q and %q, want 1 and %q", args, got.status, got.out, got.err, want)
		}
	}
	got := f.run("import", "computers", table, "--match", "Device=name", "--only-good", "--report", rest)
	if wrong := "row 3: Device can't be blank\nmuster: 1 row was refused; the others are written\n"; got.status != 1 ||
		got.err != wrong {
		t.Errorf("got status %d and %q, want 1 and %q", got.status, got.err, wrong)
	}
	want := "Columns: Device: Name, Asset id: Asset id, Site: Site\nLeft out: Colour\nRecords are recognised by: asset-id\n3 rows: 2 new, 0 changed, 0 unchanged, 1 refused, 0 not written.\n"
	if !strings.HasPrefix(got.out, want+"To take it back within 24 hours: muster import --undo ") {
		t.Errorf("got %q, want %q at its beginning", got.out, want)
	}
	left, err := os.ReadFile(rest)
	if err != nil || !strings.HasSuffix(string(left), "3,Device can't be blank,,A-2,Leipzig,blue\r\n") {
		t.Errorf("report: got %q, %v", left, err)
	}
	again := f.feed("Name,Asset id\nlej-1,A-1\nlej-3,A-3\n", "import", "hardware", "-")
	if again.status != 0 || !strings.Contains(again.out, "2 rows: 0 new, 0 changed, 2 unchanged, 0 refused") {
		t.Errorf("again: got %+v", again)
	}
	more := f.feed("Name,Asset id\nlej-9,A-9\n", "import", "computers", "-")
	_, number, _ := strings.Cut(strings.TrimSpace(more.out), "--undo ")
	if undone := f.must("import", "--undo", number); undone != "standard input: 1 row taken back, 0 stay.\n" {
		t.Errorf("undo: got %q", undone)
	}
	f.refused([]string{"import", "--undo", number}, "cannot be taken back")
}

// TestImportLicences imports a licence with its items.
func TestImportLicences(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	s := f.serve()
	got := f.feed("Name,Type,Item name,Quantity\nOffice,SoftwareLicense,Word,10\nOffice,,Excel,5\n", "import",
		"contracts", "-")
	if got.status != 0 || !strings.Contains(got.out, "Item name: Item name, Quantity: Item quantity\n") ||
		!strings.Contains(got.out, "2 rows: 1 new, 1 changed, 0 unchanged") {
		t.Errorf("got %+v", got)
	}
	if contract := s.admin().Do("GET", "/contracts/1.xml", "").Body; !strings.Contains(contract, ">15</seats>") ||
		!strings.Contains(contract, "<name>Excel</name>") {
		t.Errorf("contract: got %s", contract)
	}
}
