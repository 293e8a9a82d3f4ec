package desk

import (
	"context"
	"encoding/binary"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/report"
)

// programs are those that an agent has told last, by their fingerprints, and
// which software they are. They are true as long as the sum of the software that
// it told is known: whatever else changes what its computer has installed
// forgets that, see store.Tx.ForgetSums. So a report is compared with what the
// agent told before, not with all that is stored.
type programs map[uint64]int64

// readPrograms reads stored programs. What is none is as good as no programs.
func readPrograms(b []byte) programs {
	all := make(programs, len(b)/10)
	for len(b) > 0 {
		if len(b) < 9 {
			return nil
		}
		id, n := binary.Uvarint(b[8:])
		if n <= 0 {
			return nil
		}
		all[binary.BigEndian.Uint64(b)] = int64(id)
		b = b[8+n:]
	}
	return all
}

// appendProgram appends a program as it is stored.
func appendProgram(b []byte, sum uint64, software int64) []byte {
	return binary.AppendUvarint(binary.BigEndian.AppendUint64(b, sum), uint64(software))
}

// mostNew returns how much software the report may make.
func (a *arrival) mostNew() int {
	if a.prepared {
		return len(a.Report.Softwares)
	}
	return atOnce
}

// reportedSoftware returns the software that the report tells, which is made if
// there is none such, or nil when it tells none or what the agent told before.
func (a *arrival) reportedSoftware(ctx context.Context) (*programList, error) {
	sum := a.told[report.SoftwareSection]
	if !a.Report.HasSoftwares || a.computer != 0 && a.known[report.SoftwareSection] == sum {
		return nil, nil
	}
	sums := a.Report.Programs()
	list, err := a.newSoftware(ctx, sums)
	if list != nil || err != nil {
		return list, err
	}
	if list, err = a.ofSoftware().knownSoftware(ctx, a.softwares(nil), a.mostNew()); err != nil {
		return nil, err
	}
	a.agent.Programs = make([]byte, 0, 12*len(sums))
	for i, sum := range sums {
		a.agent.Programs = appendProgram(a.agent.Programs, sum, list.told[i].ID)
	}
	return list, nil
}

// mostChanged is how much software may have come and gone before all that a
// computer has is looked at.
const mostChanged = 500

// newSoftware returns the software that the report tells otherwise than the
// agent did before, nil when that is not known, or when two of its programs are
// the same software.
func (a *arrival) newSoftware(ctx context.Context, sums []uint64) (*programList, error) {
	if _, valid := a.known[report.SoftwareSection]; !valid || a.computer == 0 {
		return nil, nil
	}
	known := readPrograms(a.agent.Programs)
	stored, kept, fresh := make([]byte, 0, 12*len(sums)), make(map[int64]bool, len(sums)), []int{}
	for i, sum := range sums {
		id, told := known[sum]
		switch {
		case !told:
			fresh = append(fresh, i)
		case kept[id]:
			return nil, nil
		default:
			kept[id] = true
			stored = appendProgram(stored, sum, id)
		}
	}
	if len(known)-len(kept)+len(fresh) > mostChanged {
		return nil, nil
	}
	list, err := a.ofSoftware().knownSoftware(ctx, a.softwares(fresh), a.mostNew())
	if err != nil {
		return nil, err
	}
	for i, n := range fresh {
		if kept[list.told[i].ID] {
			return nil, nil
		}
		stored = appendProgram(stored, sums[n], list.told[i].ID)
	}
	list.since = make([]int64, 0, len(known)-len(kept)+len(list.all))
	for _, id := range known {
		if !kept[id] {
			list.since = append(list.since, id)
		}
	}
	for _, s := range list.all {
		list.since = append(list.since, s.ID)
	}
	a.agent.Programs = stored
	return list, nil
}

// softwares returns those of the report's programs with the given numbers, or
// all for nil.
func (a *arrival) softwares(numbers []int) []inventory.Software {
	if numbers == nil {
		for i := range a.Report.Softwares {
			numbers = append(numbers, i)
		}
	}
	all := make([]inventory.Software, len(numbers))
	for i, n := range numbers {
		s := &a.Report.Softwares[n]
		all[i] = inventory.Software{
			Name: s.Name, Version: s.Version, Manufacturer: s.Manufacturer, Hidden: kind.Some(s.Hidden),
			InstallDate: s.InstallDate, InstallPath: s.InstallPath,
		}
	}
	return all
}
