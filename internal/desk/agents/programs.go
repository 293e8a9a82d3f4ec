package agents

import (
	"cmp"
	"context"
	"encoding/binary"
	"slices"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/report"
)

// A reportedProgram is a row of a report that has a program, and which software that
// is: 0 when it has no name. An idle one does not count, since another row reports
// the same software.
//
// An agent's rows of its last report are stored by their fingerprints, in order.
// They are true as long as the sum of the programs that it reported is known: whatever
// else changes what its computer has installed forgets that, see
// store.Tx.ForgetSums. So a report is compared with what the agent reported before, not
// with all that is stored, and only its new rows are read.
type reportedProgram struct {
	sum      uint64
	row      int // in the report
	software int64
	idle     bool
}

// readPrograms reads stored programs. What is none is as good as no programs.
func readPrograms(b []byte) []reportedProgram {
	all := make([]reportedProgram, 0, len(b)/10)
	for len(b) > 0 {
		if len(b) < 9 {
			return nil
		}
		id, n := binary.Uvarint(b[8:])
		if n <= 0 {
			return nil
		}
		all = append(all, reportedProgram{sum: binary.BigEndian.Uint64(b), software: int64(id >> 1), idle: id&1 == 1})
		b = b[8+n:]
	}
	return all
}

// storedPrograms returns programs as they are stored.
func storedPrograms(all []reportedProgram) []byte {
	slices.SortFunc(all, bySum)
	b := make([]byte, 0, 12*len(all))
	for _, p := range all {
		id := uint64(p.software) << 1
		if p.idle {
			id |= 1
		}
		b = binary.AppendUvarint(binary.BigEndian.AppendUint64(b, p.sum), id)
	}
	return b
}

func bySum(a, b reportedProgram) int { return cmp.Compare(a.sum, b.sum) }

// reportedPrograms returns the rows of the report, by their fingerprints and each
// once.
func (a *arrival) reportedPrograms() []reportedProgram {
	p := &a.Report.Programs
	all := make([]reportedProgram, 0, len(p.Sums))
	for _, row := range p.Order() {
		if sum := p.Sums[row]; len(all) == 0 || all[len(all)-1].sum != sum {
			all = append(all, reportedProgram{sum: sum, row: row})
		}
	}
	return all
}

// reportedSoftware returns the software that the report has, which is made if
// there is none such, or nil when it reports none or what the agent reported before.
func (a *arrival) reportedSoftware(ctx context.Context) (*desk.ProgramList, error) {
	sum := a.newSums[report.SoftwareSection]
	if !a.Report.HasPrograms || a.computer != 0 && a.oldSums[report.SoftwareSection] == sum {
		return nil, nil
	}
	a.names.reported = true
	list, err := a.newSoftware(ctx)
	if list != nil || err != nil {
		return list, err
	}
	return a.allSoftware(ctx)
}

// allSoftware returns all software that the report has.
func (a *arrival) allSoftware(ctx context.Context) (*desk.ProgramList, error) {
	rows, installed := a.Report.Programs.All()
	list, err := a.ofSoftware().KnownSoftware(ctx, softwares(installed), a.allowNames)
	if err != nil {
		return nil, err
	}
	place := make(map[int]int, len(rows)) // in the list
	for i, row := range rows {
		place[row] = i
	}
	reported := a.reportedPrograms()
	for i := range reported {
		if n, named := place[reported[i].row]; named {
			s := &list.Reported[n]
			reported[i].software, reported[i].idle = s.ID, list.ByID[s.ID] != s
		}
	}
	a.agent.Programs, a.names.leftOut = storedPrograms(reported), list.LeftOut
	return list, nil
}

// mostChanged is how much software may have come and gone before all that a
// computer has is looked at.
const mostChanged = 500

// newSoftware returns the software that the report has otherwise than the
// agent did before. It is nil when that is not known, or when rows are new that
// report nothing or what other rows have too, so that all of them are to be read.
func (a *arrival) newSoftware(ctx context.Context) (*desk.ProgramList, error) {
	if _, valid := a.oldSums[report.SoftwareSection]; !valid || a.computer == 0 {
		return nil, nil
	}
	kept, fresh, gone := compared(readPrograms(a.agent.Programs), a.reportedPrograms())
	if len(fresh)+len(gone) > mostChanged {
		return nil, nil
	}
	installed := a.Report.Programs.Read(rowsOf(fresh))
	if slices.ContainsFunc(installed, func(s report.Installed) bool { return s.Name == "" }) {
		return nil, nil
	}
	list, err := a.ofSoftware().KnownSoftware(ctx, softwares(installed), a.allowNames)
	if err != nil || len(list.All) < len(fresh) {
		return nil, err
	}
	list.Since = make([]int64, 0, len(gone)+len(fresh))
	for _, p := range gone {
		if p.software != 0 {
			list.Since = append(list.Since, p.software)
		}
	}
	for i := range fresh {
		fresh[i].software = list.Reported[i].ID
		list.Since = append(list.Since, fresh[i].software)
	}
	if slices.ContainsFunc(kept, func(p reportedProgram) bool { return slices.Contains(list.Since, p.software) }) {
		return nil, nil
	}
	a.agent.Programs = storedPrograms(append(kept, fresh...))
	return list, nil
}

// compared returns the rows that an agent reported before and reports again, those that
// are new, and those that are gone. Both lists are in order, and those that are
// kept stand in the first one.
func compared(known, reported []reportedProgram) (kept, fresh, gone []reportedProgram) {
	kept = known[:0]
	for len(known) > 0 && len(reported) > 0 {
		switch k, t := known[0], reported[0]; {
		case k.sum < t.sum:
			gone, known = append(gone, k), known[1:]
		case k.sum > t.sum:
			fresh, reported = append(fresh, t), reported[1:]
		default:
			kept, known, reported = append(kept, k), known[1:], reported[1:]
		}
	}
	return kept, append(fresh, reported...), append(gone, known...)
}

// rowsOf returns where the report has programs.
func rowsOf(programs []reportedProgram) []int {
	rows := make([]int, len(programs))
	for i, p := range programs {
		rows[i] = p.row
	}
	return rows
}

// softwares returns programs as software.
func softwares(installed []report.Installed) []inventory.Software {
	all := make([]inventory.Software, len(installed))
	for i := range installed {
		s := &installed[i]
		all[i] = inventory.Software{
			Name: s.Name, Version: s.Version, Manufacturer: s.Manufacturer, Hidden: kind.Some(s.Hidden),
			InstallDate: s.InstallDate, InstallPath: s.InstallPath,
		}
	}
	return all
}
