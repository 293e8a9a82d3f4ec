package web

import (
	"strconv"
	"strings"

	"muster/internal/kind"
)

// place puts faults to the inputs that they are about; the first of these gets
// the focus.
func (p *formPage) place(t *tongue, faults []string) {
	for _, fault := range faults {
		in := p.about(fault)
		if in == nil {
			p.Faults = append(p.Faults, formFault{Text: t.fault(fault)})
			continue
		}
		if rest, ok := strings.CutPrefix(fault, in.field.Words()+" "); ok {
			fault = in.Label + " " + rest // as the form calls it
		}
		fault = t.fault(fault)
		p.Faults = append(p.Faults, formFault{fault, in.ID})
		if in.Fault == "" {
			in.Fault = fault
		}
	}
	first := ""
	for _, f := range p.Faults {
		if first == "" {
			first = f.ID
		}
	}
	p.focus(first)
}

// focus gives an input the focus; "" is the first of a new record's form.
func (p *formPage) focus(id string) {
	p.each(func(in *input) bool {
		if in.ID == id || id == "" && p.Version == 0 {
			in.First = true
			return false
		}
		for r := range in.Rows {
			for i := range in.Rows[r].Inputs {
				if in.Rows[r].Inputs[i].ID == id {
					in.Rows[r].Inputs[i].First, in.Open = true, true
					return false
				}
			}
		}
		return true
	})
}

// about returns the input whose field a fault begins with, nil for none.
func (p *formPage) about(fault string) (found *input) {
	longest := 0
	p.each(func(in *input) bool {
		words := in.field.Words()
		if strings.HasPrefix(fault, words+" ") && len(words) > longest {
			found, longest = in, len(words)
		}
		return true
	})
	if found != nil && found.field.Type == kind.List {
		return found.inRow(fault)
	}
	return found
}

// inRow returns the input of the row that a fault is about, or the collection
// itself.
func (in *input) inRow(fault string) *input {
	in.Open = true
	rest, ok := strings.CutPrefix(fault, in.field.Words()+" item ")
	number, rest, colon := strings.Cut(rest, ": ")
	n, err := strconv.Atoi(number)
	if !ok || !colon || err != nil {
		return in
	}
	for r := range in.Rows {
		row := in.Rows[r].Inputs
		if !filled(row) {
			continue // it is none, and has no number
		}
		if n--; n > 0 {
			continue
		}
		for i := range row {
			if strings.HasPrefix(rest, strings.ToLower(row[i].field.Words())+" ") {
				return &row[i]
			}
		}
		return in
	}
	return in
}

// filled reports whether a row has a value.
func filled(row []input) bool {
	for _, in := range row {
		if strings.TrimSpace(in.Value) != "" {
			return true
		}
	}
	return false
}
