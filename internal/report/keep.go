package report

import (
	"bytes"
	"encoding/json"
	"time"

	"muster/internal/inventory"
	"muster/internal/kind"
)

// maxDocument is how large a report may be that is kept, unpacked: more than three times one of 20,000 programs.
const maxDocument = 16 << 20

// A kept is a report as it is kept, but for its computer, whose document stands behind it. It has what was read of the
// message alone: whatever else an agent sends, such as processes and keys of licences, is not in it.
type kept struct {
	Identity    Identity // without its adapters
	Adapters    []keptAdapter
	Fields      []string
	Programs    []map[string]string // rows by the names of their fields
	HasPrograms bool
	Partial     bool
	At          time.Time
	Lacking     []string
	Serials     []keptSerial
}

// A keptAdapter is an adapter with what it does not show.
type keptAdapter struct {
	Adapter
	Kind, Medium, Driver string
	Software             bool
}

// A keptSerial is the serial number of a printer.
type keptSerial struct {
	Printer inventory.LocalPrinter
	Serial  string
}

// Keep returns the report packed, to be read again by ReadKept, or nil when it is too large for that.
func (r *Report) Keep() []byte {
	k := kept{Identity: r.Identity, Programs: r.Programs.named(), HasPrograms: r.HasPrograms, Partial: r.Partial,
		At: r.At, Lacking: r.Lacking}
	k.Identity.Adapters = nil
	for _, a := range r.Identity.Adapters {
		k.Adapters = append(k.Adapters, keptAdapter{a, a.kind, a.medium, a.driver, a.software})
	}
	for _, f := range r.Fields {
		k.Fields = append(k.Fields, f.Name)
	}
	for printer, serial := range r.PrinterSerials {
		k.Serials = append(k.Serials, keptSerial{printer, serial})
	}
	head, err := json.Marshal(&k)
	if err != nil {
		panic(err) // it has texts alone
	}
	document := inventory.Computers.AppendRecord(append(head, '\n'), kind.XML, "", &r.Computer)
	if len(document) > maxDocument {
		return nil
	}
	return Pack(document)
}

// ReadKept reads what Keep returned. The error is ErrMalformed for anything else.
func ReadKept(packed []byte) (*Report, error) {
	document, err := Unpack(packed, maxDocument)
	if err != nil {
		return nil, ErrMalformed
	}
	head, document, _ := bytes.Cut(document, []byte("\n"))
	var k kept
	if json.Unmarshal(head, &k) != nil || k.Identity.DeviceID == "" {
		return nil, ErrMalformed
	}
	patch, err := inventory.Computers.Decode(document)
	if err != nil {
		return nil, ErrMalformed
	}
	r := &Report{Identity: k.Identity, HasPrograms: k.HasPrograms, Partial: k.Partial, At: k.At, Lacking: k.Lacking,
		Programs: programsNamed(k.Programs)}
	patch.Apply(&r.Computer)
	for _, a := range k.Adapters {
		a.kind, a.medium, a.driver, a.software = a.Kind, a.Medium, a.Driver, a.Software
		r.Identity.Adapters = append(r.Identity.Adapters, a.Adapter)
	}
	for _, name := range k.Fields {
		if f := inventory.Computers.Field(name); f != nil {
			r.Fields = append(r.Fields, f)
		}
	}
	for _, s := range k.Serials {
		if r.PrinterSerials == nil {
			r.PrinterSerials = map[inventory.LocalPrinter]string{}
		}
		r.PrinterSerials[s.Printer] = s.Serial
	}
	return r, nil
}

// named returns the rows by the names of their fields.
func (p *Programs) named() (rows []map[string]string) {
	c := new(collector)
	for n := range p.rows {
		r, named := c.noted(p.row(n)), map[string]string{}
		for i, name := range software.fields {
			if value := r.values[i]; value != "" {
				named[name] = value
			}
		}
		rows = append(rows, named)
	}
	return rows
}

// programsNamed returns the programs of rows.
func programsNamed(rows []map[string]string) Programs {
	c := new(collector)
	for _, named := range rows {
		r := row{section: software}
		for i, name := range software.fields {
			r.values[i] = named[name]
		}
		c.program(&r)
	}
	return c.programs
}
