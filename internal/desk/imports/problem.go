package imports

import "muster/internal/message"

// A Problem says what is wrong with a row of a table.
type Problem struct {
	Row    int // in the file
	Name   string
	Faults []string // in English
}

// Problems returns the first rows that a report has as refused.
func (i *Import) Problems(report *Report, most int) (problems []Problem) {
	for at, row := range report.Rows {
		if row.Fate == RowRefused && len(problems) < most {
			problems = append(problems, Problem{i.Table.Rows[at].Number, i.Name(at), message.Strings(row.Faults)})
		}
	}
	return problems
}
