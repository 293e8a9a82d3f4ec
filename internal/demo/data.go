package demo

import (
	"embed"
	"encoding/csv"
	"encoding/xml"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"muster/internal/kind"
)

// files are what the records say. A CSV file has several tables, each below a line with # and its name; XML files have
// texts, with the names of fields that the API has too.
//
//go:embed data
var files embed.FS

// documents returns the elements of an XML file.
func documents[T any](file string) []T {
	var root struct {
		All []T `xml:",any"`
	}
	if err := xml.Unmarshal(read(file), &root); err != nil {
		panic(fmt.Sprintf("%s: %v", file, err))
	}
	return root.All
}

// tables are those of a CSV file, by name. The first row has the names of columns.
type tables map[string][][]string

// readTables reads a CSV file.
func readTables(file string) tables {
	all := tables{}
	for _, part := range strings.Split("\n"+string(read(file)), "\n# ")[1:] {
		title, body, _ := strings.Cut(part, "\n")
		name, _, _ := strings.Cut(title, ":")
		rows, err := csv.NewReader(strings.NewReader(body)).ReadAll()
		if err != nil {
			panic(fmt.Sprintf("%s, %s: %v", file, name, err))
		}
		all[name] = rows
	}
	return all
}

// read returns a data file, which is part of the program.
func read(file string) []byte {
	text, err := files.ReadFile("data/" + file)
	if err != nil {
		panic(err)
	}
	return text
}

// rows returns a table, whose columns are fields of T.
func rows[T any](t tables, name string) []T {
	all := make([]T, len(t[name])-1)
	for i := range all {
		fill(&all[i], t[name][0], t[name][i+1])
	}
	return all
}

// groups returns a table by its first column; the others are fields of T.
func groups[T any](t tables, name string) map[string][]T {
	all := map[string][]T{}
	for _, row := range t[name][1:] {
		var one T
		fill(&one, t[name][0][1:], row[1:])
		all[row[0]] = append(all[row[0]], one)
	}
	return all
}

// texts returns the only column of a table.
func texts(t tables, name string) (all []string) {
	for _, row := range t[name][1:] {
		all = append(all, row[0])
	}
	return all
}

// fill sets the fields of a record that columns are named after.
func fill(record any, columns, row []string) {
	for i, column := range columns {
		set(reflect.ValueOf(record).Elem().FieldByName(column).Addr().Interface(), row[i])
	}
}

// set reads a cell into a field. Lists are separated by |.
func set(field any, cell string) {
	switch field := field.(type) {
	case *string:
		*field = cell
	case *[]string:
		*field = strings.Split(cell, "|")
	case *bool:
		*field = cell == "yes"
	case *int:
		*field = int(number(cell))
	case *int64:
		*field = number(cell)
	case *[]int64:
		*field = list(cell, number)
	case *kind.Int:
		*field = kind.Int{V: number(cell), Valid: cell != ""}
	case *span:
		from, to, _ := strings.Cut(cell, "-")
		*field = span{int(number(from)), int(number(to))}
	case *family:
		*field = familyNamed(cell)
	case *[]family:
		*field = list(cell, familyNamed)
	default:
		panic(fmt.Sprintf("unreachable: no cell is read into a %T", field))
	}
}

// number reads a number, 0 for an empty cell.
func number(cell string) int64 {
	if cell == "" {
		return 0
	}
	n, err := strconv.ParseInt(cell, 10, 64)
	if err != nil {
		panic(err)
	}
	return n
}

// list reads several values.
func list[T any](cell string, read func(string) T) (all []T) {
	for text := range strings.SplitSeq(cell, "|") {
		all = append(all, read(text))
	}
	return all
}

// pointers returns the addresses of values.
func pointers[T any](values []T) []*T {
	all := make([]*T, len(values))
	for i := range values {
		all[i] = &values[i]
	}
	return all
}
