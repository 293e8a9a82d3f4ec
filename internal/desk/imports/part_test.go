package imports_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"muster/internal/desk/imports"
	"muster/internal/inventory"
	"muster/internal/mustertest"
)

// licences imports a table of contracts, and returns what the check said and what
// became of it.
func (o *office) licences(t *testing.T, file string, change func(*imports.Import)) (checked, written string) {
	t.Helper()
	i := read(t, inventory.Contracts.Schema, file)
	change(i)
	check, err := imports.Check(context.Background(), o.Desk, program, i)
	if err != nil {
		t.Fatal(err)
	}
	report, err := imports.Write(context.Background(), o.Desk, program, i, check)
	if err != nil {
		t.Fatal(err)
	}
	return fates(i, check), fates(i, report)
}

// contract returns a contract with its items and purchases as one text.
func (o *office) contract(t *testing.T, id int64) string {
	t.Helper()
	rec, err := o.Get(context.Background(), program, inventory.Contracts.Schema, id)
	if err != nil {
		t.Fatal(err)
	}
	c := rec.(*inventory.Contract)
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s %d:", c.Name, c.Type, c.Seats.V)
	for _, item := range c.Items {
		fmt.Fprintf(&b, " %s/%s/%d", item.Name, item.Version, item.Quantity.V)
	}
	for _, p := range c.Purchases {
		fmt.Fprintf(&b, " %s=%s", p.Number, p.Currency)
	}
	return b.String()
}

// TestParts imports licences with their items, of which each row has one: as
// new ones, once more, and changed. What a table does not name stays.
func TestParts(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		o := openOffice(t, db)
		const table = "Name,Type,Item name,Item version,Quantity,Rate,purchases.number,Currency\n" +
			"Office,SoftwareLicense,Word,2021,10,12.50,P-1,EUR\nDrawing,SoftwareLicense,Draughtsman,7,3,,,\noffice,,Excel,2021,5,,P-2,USD\n"
		for _, test := range []struct {
			name, file, want string
			clear            bool
			contract         string
		}{
			{"new", table, "2 new []\n3 new []\n4 changed []\n", false,
				"Office SoftwareLicense 15: Word/2021/10 Excel/2021/5 P-1=EUR P-2=USD"},
			{"again", table, "2 unchanged []\n3 unchanged []\n4 unchanged []\n", false,
				"Office SoftwareLicense 15: Word/2021/10 Excel/2021/5 P-1=EUR P-2=USD"},
			{"changed and added", "Name,Item name,Item version,Quantity\nOffice,word,2021,20\nOffice,Word,2024,1\n",
				"2 changed []\n3 changed []\n", false,
				"Office SoftwareLicense 26: word/2021/20 Excel/2021/5 Word/2024/1 P-1=EUR P-2=USD"},
			{"by what columns there are", "Name,Item name,Quantity\nOffice,Excel,6\n", "2 changed []\n", false,
				"Office SoftwareLicense 27: word/2021/20 Excel/2021/6 Word/2024/1 P-1=EUR P-2=USD"},
			{"with a blank cell", "Name,Item name,Quantity\nOffice,Excel,\n", "2 unchanged []\n", false,
				"Office SoftwareLicense 27: word/2021/20 Excel/2021/6 Word/2024/1 P-1=EUR P-2=USD"},
			{"emptied", "Name,Item name,Quantity\nOffice,Excel,\n", "2 changed []\n", true,
				"Office SoftwareLicense 21: word/2021/20 Excel/2021/0 Word/2024/1 P-1=EUR P-2=USD"},
			{"without parts", "Name,Tag\nOffice,x\n", "2 changed []\n", true,
				"Office SoftwareLicense 21: word/2021/20 Excel/2021/0 Word/2024/1 P-1=EUR P-2=USD"},
		} {
			checked, written := o.licences(t, test.file, func(i *imports.Import) { i.Clear = test.clear })
			if checked != test.want || written != test.want {
				t.Errorf("%s: got of the check\n%sand written\n%swant\n%s", test.name, checked, written, test.want)
			}
			if got := o.contract(t, 1); got != test.contract {
				t.Errorf("%s: got %s, want %s", test.name, got, test.contract)
			}
		}
		if got := o.contract(t, 2); got != "Drawing SoftwareLicense 3: Draughtsman/7/3" {
			t.Errorf("the other contract: got %s", got)
		}
	})
}

// TestPartsCounted imports licences whose rows are mixed and come in several
// transactions: their use is counted whatever the last row of each is about.
func TestPartsCounted(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		o := openOffice(t, db)
		for _, name := range []string{"c1", "c2", "c3"} {
			c := inventory.Computers.New()
			c.Name = name
			if err := o.Add(context.Background(), program, inventory.Computers.Schema, []any{c}); err != nil {
				t.Fatal(err)
			}
		}
		for computer, software := range [][]inventory.Software{
			{{Name: "p-7"}}, {{Name: "p-7"}, {Name: "p-148"}}, {{Name: "p-200"}},
		} {
			if err := o.SetSoftware(context.Background(), program, int64(computer+1), software); err != nil {
				t.Fatal(err)
			}
		}
		table := "Name,Type,Item name,purchases.number\n"
		for row := range 150 {
			table += fmt.Sprintf("Odd,SoftwareLicense,p-%d,\nEven,SoftwareLicense,p-%d,\n", 2*row+1, 2*row)
		}
		checked, written := o.licences(t, table+"Odd,,,P-1\nEven,,,P-2\n", func(*imports.Import) {})
		if checked != written || strings.Contains(checked, "refused") {
			t.Errorf("got of the check\n%sand written\n%s", checked, written)
		}
		o.exact(t)
		for id, want := range map[int64]int64{1: 2, 2: 2} {
			rec, err := o.Get(context.Background(), program, inventory.Contracts.Schema, id)
			if err != nil {
				t.Fatal(err)
			}
			if c := rec.(*inventory.Contract); len(c.Items) != 150 || len(c.Purchases) != 1 || c.Installed.V != want {
				t.Errorf("%s: got %d items and %d purchases, used %d times, want %d", c.Name, len(c.Items),
					len(c.Purchases), c.Installed.V, want)
			}
		}
	})
}

// TestPartFaults refuses parts that cannot be right, by row and column, and
// takes none away.
func TestPartFaults(t *testing.T) {
	t.Parallel()
	o := openOffice(t, mustertest.SQLite)
	twins := inventory.Contracts.New()
	twins.Name, twins.Type = "Twins", inventory.SoftwareLicense
	twins.Items = []inventory.ContractItem{{Name: "A", Language: "de"}, {Name: "A", Language: "en"}, {Name: "B"}}
	if err := o.Add(context.Background(), program, inventory.Contracts.Schema, []any{twins}); err != nil {
		t.Fatal(err)
	}
	const table = `Name,Type,Item name,Quantity
Office,SoftwareLicense,Word,many
Office,,Excel,5
Drawing,SoftwareLicense,Draughtsman,3
Drawing,,draughtsman,4
Drawing,Lease,Crayon,4
Drawing,,,
Drawing,,Eraser,-1
Drawing,,Ruler,1
Twins,,A,1
`
	const want = `2 refused; Quantity is not a number: "many" [3]
3 refused; row 2, which is about the same record, is refused []
4 new []
5 refused; row 4 tells of the same item []
6 refused; Type is another one than in row 4, which is about the same record [1]
7 refused; Name is the same as in row 4 [0]
8 refused; Quantity must be greater than or equal to 0 [3]
9 changed []
10 refused; the record has several items that are called so: change them on its page []
`
	checked, written := o.licences(t, table, func(*imports.Import) {})
	if checked != want || written != want {
		t.Errorf("got of the check\n%sand written\n%swant\n%s", checked, written, want)
	}
	if got := o.contract(t, 2); got != "Drawing SoftwareLicense 4: Draughtsman//3 Ruler//1" {
		t.Errorf("what was good: got %s", got)
	}
	checked, _ = o.licences(t, "Name,Item name\nSame,A\nSame,A\n", func(i *imports.Import) { i.Key = nil })
	if checked != "2 new []\n3 new []\n" {
		t.Errorf("without a key: got %s", checked)
	}
}

// TestPartsMeanwhile refuses the parts of a record whose own row is refused
// only when it is written.
func TestPartsMeanwhile(t *testing.T) {
	t.Parallel()
	o := openOffice(t, mustertest.SQLite)
	ctx := context.Background()
	i := read(t, inventory.Contracts.Schema, "Name,Item name\nOffice,Word\nOffice,Excel\nOther,Pen\n")
	checked, err := imports.Check(ctx, o.Desk, program, i)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		c := inventory.Contracts.New()
		c.Name = "Office"
		if err := o.Add(ctx, program, inventory.Contracts.Schema, []any{c}); err != nil {
			t.Fatal(err)
		}
	}
	report, err := imports.Write(ctx, o.Desk, program, i, checked)
	if err != nil || report.Count[imports.RowNew] != 1 || report.Count[imports.RowRefused] != 2 {
		t.Errorf("got %v, %v", report.Count, err)
	}
}

// TestPartColumns finds the columns of parts by their names, and those of
// records first.
func TestPartColumns(t *testing.T) {
	t.Parallel()
	k := inventory.Contracts.Schema
	for column, want := range map[string]string{
		"Name": "name", "Tag": "tag", "Item name": "items.name", "ITEM_VERSION": "items.version",
		"items.tag": "items.tag", "Quantity": "items.quantity", "Rate": "items.rate",
		"Purchase date": "purchases.date", "Total cost": "purchases.total-cost",
		"Purchase: Vendor": "purchases.vendor", "Vendor": "vendor",
		"Version": "", "Number": "", "Date": "", "Notes": "", "Seats": "",
	} {
		got := ""
		if f := imports.Field(k, column); f != nil {
			got = imports.Name(k, f)
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", column, got, want)
		}
	}
	if got := imports.Field(inventory.Computers.Schema, "Drive name"); got != nil {
		t.Errorf("what agents report: got %s, want nothing", got.Name)
	}
}
