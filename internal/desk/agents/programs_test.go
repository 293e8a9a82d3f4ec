package agents_test

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
	"muster/internal/store/installs"
)

// installedOn returns what a computer has installed, in order.
func (o *office) installedOn(t *testing.T, computer int64) (all []string) {
	t.Helper()
	ctx := context.Background()
	err := o.Store.View(ctx, func(tx *store.Tx) error {
		have, err := installs.Of(ctx, tx, []int64{computer}, nil)
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

// TestReportedPrograms lets a computer report software that comes, goes, moves,
// has no name and is reported twice, in any order, at random, while others change what
// it has: it always has what it reported last.
func TestReportedPrograms(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		o := openOffice(t, db)
		dice := rand.New(rand.NewPCG(5, 6))
		for range 100 {
			var rows, want []string
			for p := range 12 {
				if dice.IntN(4) == 0 {
					continue
				}
				version, path := dice.IntN(2), fmt.Sprintf(`C:\%d`, dice.IntN(8)/7)
				rows = append(rows, programXML(fmt.Sprintf("Program %d", p), fmt.Sprint(version),
					"<FOLDER>"+path+"</FOLDER>"))
				switch dice.IntN(36) { // of two that are the same, the one that is first in order counts
				case 0:
					rows = append(rows, programXML(fmt.Sprintf("program %d", p), fmt.Sprint(version),
						`<FOLDER>C:\other</FOLDER>`))
				case 1:
					rows = append(rows, programXML(fmt.Sprintf("Program %d", p), fmt.Sprint(version),
						`<FOLDER>C:\other</FOLDER>`))
				case 2:
					rows = append(rows, rows[len(rows)-1], programXML("", fmt.Sprint(version), ""))
				}
				want = append(want, fmt.Sprintf("program %d %d %q", p, version, path))
			}
			o.Clock.Advance(time.Hour)
			dice.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
			o.Deliver(t, with(laptop, func(m *machine) { m.More = strings.Join(rows, "") }).XML())
			slices.Sort(want)
			if diff := cmp.Diff(want, o.installedOn(t, 1)); diff != "" {
				t.Fatalf("installed (-want +got):\n%s", diff)
			}
			if dice.IntN(5) == 0 {
				if err := o.SetSoftware(context.Background(), o.Administrator(t), 1, nil); err != nil {
					t.Fatal(err)
				}
			}
			mustertest.CheckCounts(t, o.Store)
		}
	})
}
