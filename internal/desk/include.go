package desk

import (
	"context"

	"muster/internal/inventory"
	"muster/internal/store/installs"
)

// showInstallations sets when and where software was installed on a computer.
func showInstallations(ctx context.Context, v *view, parent any, recs []any) error {
	place, ids := map[int64]*inventory.Software{}, []int64{}
	for _, rec := range recs {
		s := rec.(*inventory.Software)
		place[s.ID], ids = s, append(ids, s.ID)
	}
	all, err := installs.Of(ctx, v.tx, []int64{inventory.Computers.Meta(parent).ID}, ids)
	for _, i := range all {
		place[i.SoftwareID].InstallDate, place[i.SoftwareID].InstallPath = i.Date, i.Path
	}
	return err
}

// includeSoftware sets what computers have installed, as their lists show it:
// without what is hidden.
func includeSoftware(ctx context.Context, v *view, recs []any) error {
	k := inventory.Softwares.Schema
	if _, err := Visible(v.user, k); err != nil {
		return err
	}
	place, ids := map[int64]*inventory.Computer{}, []int64{}
	for _, rec := range recs {
		c := rec.(*inventory.Computer)
		place[c.ID], ids = c, append(ids, c.ID)
	}
	all, err := installs.Of(ctx, v.tx, ids, nil)
	if err != nil {
		return err
	}
	known := map[int64]*inventory.Software{}
	var wanted []int64
	for _, i := range all {
		if _, ok := known[i.SoftwareID]; !ok {
			known[i.SoftwareID], wanted = nil, append(wanted, i.SoftwareID)
		}
	}
	softwares, err := v.tx.Rows(ctx, k, wanted)
	for _, rec := range softwares {
		known[rec.(*inventory.Software).ID] = rec.(*inventory.Software)
	}
	for _, i := range all {
		if s := known[i.SoftwareID]; s != nil && !s.Hidden.V {
			own := *s
			own.InstallDate, own.InstallPath = i.Date, i.Path
			place[i.ComputerID].Softwares = append(place[i.ComputerID].Softwares, own)
		}
	}
	return err
}
