package records

import (
	"strings"

	"muster/internal/kind"
	"muster/internal/message"
	"muster/internal/web/lang"
)

// Place assigns faults to the inputs that they are about. The first of these inputs
// gets the focus.
func (p *FormPage) Place(t *lang.Locale, faults []message.Text) {
	for _, fault := range faults {
		in := p.about(fault)
		if in == nil {
			p.Faults = append(p.Faults, formFault{Text: t.Fault(fault)})
			continue
		}
		if string(fault.Subject()) == in.field.Words() {
			fault = fault.WithSubject(in.Label) // as the form calls it
		}
		text := t.Fault(fault)
		p.Faults = append(p.Faults, formFault{text, in.ID})
		if in.Fault == "" {
			in.Fault = text
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
func (p *FormPage) focus(id string) {
	p.Each(func(in *Input) bool {
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

// about returns the input of the field that a fault is about, nil for none.
func (p *FormPage) about(fault message.Text) (found *Input) {
	p.Each(func(in *Input) bool {
		if string(fault.Subject()) == in.field.Words() {
			found = in
		}
		return found == nil
	})
	if found != nil && found.field.Type == kind.List {
		return found.inRow(fault)
	}
	return found
}

// inRow returns the input of the row that a fault is about, or the collection
// itself.
func (in *Input) inRow(fault message.Text) *Input {
	in.Open = true
	n, of := kind.ItemFault(fault)
	if n == 0 {
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
			if string(of.Subject()) == strings.ToLower(row[i].field.Words()) {
				return &row[i]
			}
		}
		return in
	}
	return in
}

// filled reports whether a row has a value.
func filled(row []Input) bool {
	for _, in := range row {
		if strings.TrimSpace(in.Value) != "" {
			return true
		}
	}
	return false
}
