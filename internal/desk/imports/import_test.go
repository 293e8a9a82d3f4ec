package imports_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"muster/internal/desk"
	"muster/internal/desk/imports"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/mustertest"
	"muster/internal/sheet"
)

// read returns the import of a table into a kind, with columns and key as they
// are found by themselves.
func read(t *testing.T, k *kind.Schema, file string) *imports.Import {
	t.Helper()
	table, err := sheet.Read([]byte(file))
	if err != nil {
		t.Fatal(err)
	}
	i := &imports.Import{Kind: k, Table: table, Fields: imports.MatchColumns(k, table.Columns)}
	if i.Key, err = imports.KeyFields(k, imports.UsualKey(k, i.Fields)); err != nil {
		t.Fatal(err)
	}
	return i
}

// fates returns a report as one text: a line for each row.
func fates(i *imports.Import, r *imports.Report) string {
	var b strings.Builder
	for at, row := range r.Rows {
		fmt.Fprintf(&b, "%d %v", i.Table.Rows[at].Number, row.Fate)
		for _, fault := range row.Faults {
			fmt.Fprintf(&b, "; %s", fault)
		}
		fmt.Fprintf(&b, " %v\n", row.Wrong)
	}
	return b.String()
}

// names returns the names of all records of a kind.
func (o *office) names(t *testing.T, k *kind.Schema) (names []string) {
	t.Helper()
	page, err := o.List(context.Background(), program, k, &kind.Query{Page: 1, PerPage: 1000})
	if err != nil {
		t.Fatal(err)
	}
	for _, rec := range page.Records {
		names = append(names, k.Values(rec).Format(k.Field("name")))
	}
	return names
}

const mixed = `Name,Asset ID,Site,Status,Owner,Warranty
lej-1,A-1,Leipzig,operational,,
lej-2,A-2,Leipzig,Dancing,,
,A-3,Leipzig,,,
lej-4,A-4,Leipzig,Spare,nobody@example.com,
lej-5,A-1,Leipzig,Spare,,
lej-6,A-6,Leipzig,Spare,,,,x
lej-7,A-7,Rotterdam,Spare,,
`

// TestImport checks a table, writes what is good of it, and reports the rest.
func TestImport(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		o := openOffice(t, db)
		ctx, who, k := context.Background(), o.administrator(t), inventory.Computers.Schema
		i := read(t, k, mixed)
		checked, err := imports.Check(ctx, o.Desk, who, i)
		if err != nil {
			t.Fatal(err)
		}
		want := `2 new []
3 refused; Status must be one of Operational, Broken, In Repair, Spare, Disposed, Lost [3]
4 refused; Name can't be blank [0]
5 refused; Owner does not exist: no user is called nobody@example.com [4]
6 refused; Asset ID is the same as in row 2 [1]
7 refused; The row has 8 columns, 6 expected []
8 new []
`
		if got := fates(i, checked); got != want {
			t.Fatalf("check: got\n%swant\n%s", got, want)
		}
		if got := o.names(t, k); len(got) != 0 {
			t.Errorf("after the check: got %v, want none", got)
		}
		i.Whole = true
		report, err := imports.Write(ctx, o.Desk, who, i, checked)
		if err != nil || report.Count[imports.RowLeft] != 2 || len(o.names(t, k)) != 0 {
			t.Errorf("all or nothing: got %v, %v and %v", report.Count, err, o.names(t, k))
		}
		i.Whole = false
		if report, err = imports.Write(ctx, o.Desk, who, i, checked); err != nil ||
			report.Count[imports.RowNew] != 2 || report.Count[imports.RowRefused] != 5 {
			t.Errorf("good rows: got %v, %v", report, err)
		}
		if got := o.names(t, k); fmt.Sprint(got) != "[lej-1 lej-7]" {
			t.Errorf("after the import: got %v", got)
		}
		var rest bytes.Buffer
		if err := i.Remaining(&rest, report); err != nil ||
			!strings.Contains(rest.String(), "\n4,Name can't be blank,,A-3,Leipzig,") ||
			strings.Count(rest.String(), "\n") != 6 {
			t.Errorf("rest: got %v: %s", err, rest.String())
		}
	})
}

// TestWriteKeepsLittle writes rows whose fate is stored: no more of them stays in memory than the next rows need.
func TestWriteKeepsLittle(t *testing.T) {
	t.Parallel()
	o := openOffice(t, mustertest.SQLite)
	ctx, who, k := context.Background(), o.administrator(t), inventory.Contracts.Schema
	const table = "Name,Type,Item name\nOffice,SoftwareLicense,Word\n"
	write := func(file string) (*imports.Report, map[int]imports.Row) {
		i, stored := read(t, k, file), map[int]imports.Row{}
		checked, err := imports.Check(ctx, o.Desk, who, i)
		if err != nil {
			t.Fatal(err)
		}
		i.Note(stored)
		report, err := imports.Write(ctx, o.Desk, who, i, checked)
		if err != nil {
			t.Fatal(err)
		}
		return report, stored
	}
	write(table)
	report, stored := write(table + "office,,Excel\noffice,,Editor\n")
	for at, row := range report.Rows {
		if row.Says != "" || row.Changes != nil || row.Was != nil || row.Version != 0 || row.Faults != nil {
			t.Errorf("row %d: got %+v in memory", at, row)
		}
	}
	if first := stored[0]; first.Version == 0 || first.Was == nil || stored[1].Lead != 1 || stored[1].Says == "" {
		t.Errorf("stored: got %+v and %+v", first, stored[1])
	}
}

// TestAgain changes the records that a table was imported into before, and
// says what it has changed.
func TestAgain(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		o := openOffice(t, db)
		ctx, who, k := context.Background(), o.administrator(t), inventory.Computers.Schema
		for _, test := range []struct{ file, want, says string }{
			{"name;asset_id;site;tag\nx;A-1;Leipzig;old\ny;A-2;Leipzig;\n", "2 new []\n3 new []\n", ""},
			{"name;asset_id;site;tag\nX;a-1;Rotterdam;\ny;A-2;Leipzig;\n", "2 changed []\n3 unchanged []\n",
				"Rotterdam"},
		} {
			i := read(t, k, test.file)
			i.Whole = true
			checked, err := imports.Check(ctx, o.Desk, who, i)
			if err != nil {
				t.Fatal(err)
			}
			report, err := imports.Write(ctx, o.Desk, who, i, checked)
			if err != nil {
				t.Fatal(err)
			}
			if got := fates(i, report); got != test.want || got != fates(i, checked) ||
				!strings.Contains(report.Rows[0].Says, test.says) {
				t.Errorf("got\n%sof the check\n%swant\n%s; tells %q", got, fates(i, checked), test.want,
					report.Rows[0].Says)
			}
		}
		rec, err := o.Get(ctx, who, k, 1)
		if err != nil {
			t.Fatal(err)
		}
		if c := rec.(*inventory.Computer); c.Name != "X" || c.Site != "Rotterdam" || c.Tag != "old" || c.Version != 2 {
			t.Errorf("computer 1: got %+v", c)
		}
		audits, err := o.List(ctx, who, inventory.Audits.Schema, &kind.Query{Page: 1, PerPage: 10, Conds: []kind.Cond{
			{Field: inventory.Audits.Field("origin"), Any: []kind.Test{{Text: []string{"import"}}}},
			{Field: inventory.Audits.Field("user"), Any: []kind.Test{{Text: []string{who.User.Email}}}},
		}})
		if err != nil || audits.Total != 3 {
			t.Errorf("audits of the import: got %d, %v, want 3", audits.Total, err)
		}
	})
}

// TestKinds imports a row of every kind, once as new and once more by its
// key.
func TestKinds(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		o := openOffice(t, db)
		ctx, who := context.Background(), o.administrator(t)
		for _, test := range []struct{ kind, file, again string }{
			{"computers", "Serial number,Name\nS-1,a\n", "unchanged"},
			{"computers", "Serial number,Name,Memory,Swap\nS-2,b,1536,2048\n", "unchanged"},
			{"printers", "Name,Shared\np,yes\n", "unchanged"},
			{"other assets", "Name,Asset id,Asset type\nm,M-1,Monitor\n", "unchanged"},
			// a star in the key stands for itself
			{"other assets", "Name,Asset id,Asset type\nm,M*,Monitor\n", "unchanged"},
			{"software", "Name,Version,Manufacturer\nFirefox,120,Mozilla\n", "unchanged"},
			{"contract", "Name,Vendor,End date,Cost\nc,ACME,31.12.2027,12.50\n", "unchanged"},
			{"vendors", "Name,Country\nACME,DE\n", "unchanged"},
			{"tickets", "Name,Priority\nhelp,High\n", "new"},
			{"risks", "Name,Severity\nr,High\n", "new"},
			{"solutions", "Name,Description\nhow,so\n", "unchanged"},
			{"users", "E-mail,First name,Role,Password\nu@example.com,U,requester,a long enough password 1\n",
				"changed"},
		} {
			k, err := imports.Kind(test.kind)
			if err != nil {
				t.Error(err)
				continue
			}
			for round, want := range []string{"new", test.again} {
				i := read(t, k, test.file)
				checked, err := imports.Check(ctx, o.Desk, who, i)
				if err != nil {
					t.Fatalf("%s: %v", test.kind, err)
				}
				report, err := imports.Write(ctx, o.Desk, who, i, checked)
				if err != nil {
					t.Fatalf("%s: %v", test.kind, err)
				}
				if k == inventory.Vendors.Schema && round == 0 {
					want = "changed" // the contract has made it
				}
				if got := report.Rows[0]; got.Fate.String() != want {
					t.Errorf("%s, round %d: got %v, want %s", test.kind, round, got, want)
				}
			}
		}
	})
}

// TestRights lets staff import, and administrators alone users.
func TestRights(t *testing.T) {
	t.Parallel()
	o := openOffice(t, mustertest.SQLite)
	ctx, who := context.Background(), o.administrator(t)
	users := read(t, inventory.Users.Schema, "Email,Role\nt@example.com,technician\nr@example.com,requester\n")
	checked, err := imports.Check(ctx, o.Desk, program, users)
	if err == nil {
		_, err = imports.Write(ctx, o.Desk, program, users, checked)
	}
	if err != nil {
		t.Fatal(err)
	}
	computers := read(t, inventory.Computers.Schema, "Name\na\n")
	for _, test := range []struct {
		id     int64
		into   *imports.Import
		refuse string
	}{
		{who.User.ID, users, ""}, {who.User.ID + 1, users, "technician may not create user records"},
		{who.User.ID + 1, computers, ""}, {who.User.ID + 2, computers, "requester may not import records"},
	} {
		user, err := o.Get(ctx, program, inventory.Users.Schema, test.id)
		if err != nil {
			t.Fatal(err)
		}
		as := desk.Caller{User: user.(*inventory.User), Origin: "web"}
		_, err = imports.Check(ctx, o.Desk, as, test.into)
		_, written := imports.Write(ctx, o.Desk, as, test.into, checked)
		for _, err := range []error{err, written} {
			if got := fmt.Sprint(err); test.refuse == "" && err != nil || !strings.Contains(got, test.refuse) {
				t.Errorf("user %d: got %v, want %q", test.id, err, test.refuse)
			}
		}
		checked, _ = imports.Check(ctx, o.Desk, program, computers)
	}
}

// TestPlan refuses columns that cannot be right.
func TestPlan(t *testing.T) {
	t.Parallel()
	k := inventory.Computers.Schema
	i := read(t, k, "Name,Device,Site\na,b,c\n")
	i.Fields[1], i.Key = i.Fields[0], []*kind.Field{k.Field("asset-id")}
	err := i.Plan()
	for _, want := range []string{`columns "Name" and "Device" are both Name`, "no column is Asset id"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	if err := read(t, k, "What,Where\na,b\n").Plan(); err == nil ||
		!strings.Contains(err.Error(), "no column is matched") {
		t.Errorf("got %v", err)
	}
}

// TestStopped checks what was written when an import ends before its end.
func TestStopped(t *testing.T) {
	t.Parallel()
	o := openOffice(t, mustertest.SQLite)
	k := inventory.Computers.Schema
	i := read(t, k, "Name,Asset id\n"+lines(250))
	checked, err := imports.Check(context.Background(), o.Desk, program, i)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	i.Progress = func(done, _ int) {
		if done == 100 {
			cancel()
		}
	}
	report, err := imports.Write(ctx, o.Desk, program, i, checked)
	if err == nil || report.Count[imports.RowNew] != 100 || report.Count[imports.RowLeft] != 150 ||
		len(o.names(t, k)) != 100 {
		t.Errorf("got %v, %v and %d computers", err, report.Count, len(o.names(t, k)))
	}
}

// TestWholeGoesOn lets a large import go on that is all or nothing, and has written some steps: the rest is written in steps
// too, though it is small enough for a single transaction.
func TestWholeGoesOn(t *testing.T) {
	t.Parallel()
	o := openOffice(t, mustertest.SQLite)
	ctx, k := context.Background(), inventory.Computers.Schema
	i := read(t, k, "Name,Asset id\n"+lines(250))
	checked, err := imports.Check(ctx, o.Desk, program, i)
	if err != nil {
		t.Fatal(err)
	}
	stopped, cancel := context.WithCancel(ctx)
	i.Progress = func(int, int) { cancel() }
	begun, _ := imports.Write(stopped, o.Desk, program, i, checked)
	before := *checked
	before.Rows = append(slices.Clone(begun.Rows[:begun.Count[imports.RowNew]]), checked.Rows[begun.Count[imports.RowNew]:]...)
	var steps []int
	i.Whole, i.Progress = true, func(done, _ int) { steps = append(steps, done) }
	if _, err := imports.Write(ctx, o.Desk, program, i, &before); err != nil || len(o.names(t, k)) != 250 {
		t.Fatalf("got %v and %d computers, want 250", err, len(o.names(t, k)))
	}
	if want := []int{100, 150, 200, 250}; !slices.Equal(steps, want) {
		t.Errorf("got the steps %v, want %v", steps, want)
	}
}

// TestChangedMeanwhile refuses a row that was in order when it was checked, and
// writes those beside it.
func TestChangedMeanwhile(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		o := openOffice(t, db)
		ctx, k := context.Background(), inventory.Computers.Schema
		i := read(t, k, "Name,Asset id\n"+lines(5))
		i.Key = nil
		checked, err := imports.Check(ctx, o.Desk, program, i)
		if err != nil {
			t.Fatal(err)
		}
		other := inventory.Computers.New()
		other.Name, other.AssetID = "other", "A-3"
		if err := o.Add(ctx, program, k, []any{other}); err != nil {
			t.Fatal(err)
		}
		i.Whole = true
		report, err := imports.Write(ctx, o.Desk, program, i, checked)
		if err != nil || report.Count[imports.RowLeft] != 4 || report.Count[imports.RowRefused] != 1 {
			t.Errorf("all or nothing: got %v, %v", report.Count, err)
		}
		i.Whole = false
		if report, err = imports.Write(ctx, o.Desk, program, i, checked); err != nil ||
			report.Count[imports.RowNew] != 4 || len(o.names(t, k)) != 5 {
			t.Errorf("good rows: got %v, %v, %v", report.Count, err, o.names(t, k))
		}
	})
}

// lines returns so many rows of computers.
func lines(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "c%d,A-%d\n", i+1, i+1)
	}
	return b.String()
}
