package imports

import "muster/internal/message"

// A Problem says what is wrong with a row of a table.
type Problem struct {
	Row    int // in the file
	Name   string
	Faults []string // in English
}

// Problems returns what is wrong with rows.
func (i *Import) Problems(rows []Place) (problems []Problem) {
	for _, row := range rows {
		problems = append(problems, Problem{i.Table.Rows[row.At].Number, i.Name(row.At), message.Strings(row.Faults)})
	}
	return problems
}
