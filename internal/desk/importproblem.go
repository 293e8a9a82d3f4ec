package desk

import "muster/internal/message"

// An ImportProblem tells what is wrong with a row of a table.
type ImportProblem struct {
	Row    int // in the file
	Name   string
	Faults []string // in English
}

// Problems returns the first rows that a report has as refused.
func (i *Import) Problems(report *ImportReport, most int) (problems []ImportProblem) {
	for at, row := range report.Rows {
		if row.Fate == RowRefused && len(problems) < most {
			problems = append(problems, ImportProblem{i.Table.Rows[at].Number, i.Name(at), message.Strings(row.Faults)})
		}
	}
	return problems
}
