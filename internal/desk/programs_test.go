package desk_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"muster/internal/inventory"
	"muster/internal/mustertest"
	"muster/internal/store"
)

// installedOn returns what a computer has installed, in order.
func (o *office) installedOn(t *testing.T, computer int64) (all []string) {
	t.Helper()
	ctx := context.Background()
	err := o.store.View(ctx, func(tx *store.Tx) error {
		have, err := tx.Installations(ctx, []int64{computer}, nil)
		for _, i := range have {
			s, err := store.Get(ctx, tx, inventory.Softwares, i.SoftwareID)
			if err != nil {
				return err
			}
			all = append(all, fmt.Sprintf("%s %s %q", strings.ToLower(s.Name), s.Version, i.Path))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(all)
	return all
}

// TestReportedPrograms lets a computer report software that comes, goes, moves
// and is told twice in different case, at random, while others change what it
// has: it always has what it reported last.
func TestReportedPrograms(t *testing.T) {
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		o := openOffice(t, db)
		dice := rand.New(rand.NewPCG(5, 6))
		for range 60 {
			var more strings.Builder
			var want []string
			for p := range 12 {
				if dice.IntN(4) == 0 {
					continue
				}
				version, path := dice.IntN(2), fmt.Sprintf(`C:\%d`, dice.IntN(8)/7)
				more.WriteString(program1(fmt.Sprintf("Program %d", p), fmt.Sprint(version), "<FOLDER>"+path+"</FOLDER>"))
				if dice.IntN(12) == 0 { // of two that are the same, the one that is first in the report's order counts
					more.WriteString(program1(fmt.Sprintf("program %d", p), fmt.Sprint(version), `<FOLDER>C:\other</FOLDER>`))
				}
				want = append(want, fmt.Sprintf("program %d %d %q", p, version, path))
			}
			o.now = o.now.Add(time.Hour)
			o.deliver(t, with(laptop, func(m *machine) { m.more = more.String() }).xml())
			slices.Sort(want)
			if diff := cmp.Diff(want, o.installedOn(t, 1)); diff != "" {
				t.Fatalf("installed (-want +got):\n%s", diff)
			}
			if dice.IntN(5) == 0 {
				if err := o.SetSoftware(context.Background(), o.administrator(t), 1, nil); err != nil {
					t.Fatal(err)
				}
			}
			exact(t, o.store)
		}
	})
}
