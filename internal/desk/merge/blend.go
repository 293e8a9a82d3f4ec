package merge

import (
	"cmp"
	"context"
	"slices"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/kind"
)

// blend returns the computer that two become. What a person has set wins, in the
// older one first; then what agents report, that of the last report first; of all
// else the older one keeps what it has. A value that is missing there is filled
// from the other.
func (m *merger) blend() *inventory.Computer {
	c := m.Kind.Copy(m.older).(*inventory.Computer)
	for _, f := range m.Kind.Fields {
		switch {
		case f.Reported:
			m.blendReported(c, f)
		case f.Apart:
			m.first(c, f, m.last, m.older, m.newer)
		case f.Editable() && !slices.Contains(settled, f.Name):
			m.first(c, f, m.older, m.newer)
		}
	}
	c.SetSerialNumber = cmp.Or(c.SetSerialNumber, m.newer.SetSerialNumber)
	c.SetManufacturer = cmp.Or(c.SetManufacturer, m.newer.SetManufacturer)
	c.SetModel = cmp.Or(c.SetModel, m.newer.SetModel)
	m.Kind.Settle(c, m.older)
	return c
}

// Merged returns the computer that two would become.
func Merged(a, b *inventory.Computer) *inventory.Computer {
	m := &merger{Work: &desk.Work{Kind: inventory.Computers.Schema}, older: a, newer: b}
	if b.ID < a.ID {
		m.older, m.newer = b, a
	}
	m.findLast()
	return m.blend()
}

// settled are the fields of a computer that follow from others.
var settled = []string{"serial-number", "manufacturer", "model"}

// blendReported sets a field that agents report. The maker that an agent reports
// comes with the BIOS.
func (m *merger) blendReported(c *inventory.Computer, f *kind.Field) {
	var from *inventory.Computer
	switch {
	case m.older.KeptFromReports(f):
		from = m.first(c, f, m.older)
	case m.newer.KeptFromReports(f):
		from = m.first(c, f, m.newer)
		c.Set(f, true)
	default:
		from = m.first(c, f, m.last, m.older, m.newer)
	}
	if f.Name == "bioses" {
		c.ReportedManufacturer = from.ReportedManufacturer
	}
}

// first sets a field to the first value that there is, and returns whose it was,
// the last one's when none has any.
func (m *merger) first(c *inventory.Computer, f *kind.Field, from ...*inventory.Computer) (whose *inventory.Computer) {
	none := m.Kind.Values(&inventory.Computer{})
	for _, whose = range from {
		if v := m.Kind.Values(whose); !v.Equal(f, none) {
			m.Kind.Values(c).Set(f, v)
			break
		}
	}
	return whose
}

// keepReported keeps what agents report of the fields that a person has set in the
// computer that two become: what was reported last first.
func (m *merger) keepReported(ctx context.Context, c *inventory.Computer) error {
	other := m.older
	if m.last == m.older {
		other = m.newer
	}
	var told []*inventory.Computer
	for _, one := range []*inventory.Computer{m.last, other} {
		if desk.Reports(one) {
			all, err := m.asReported(ctx, one)
			if err != nil {
				return err
			}
			told = append(told, all)
		}
	}
	if err := m.Tx.SetReported(ctx, m.older.ID, nil); err != nil || c.SetFields == "" || told == nil {
		return err
	}
	kept := &inventory.Computer{}
	for _, f := range m.Kind.Fields {
		if c.KeptFromReports(f) {
			m.first(kept, f, told...)
		}
	}
	return m.Tx.SetReported(ctx, m.older.ID, m.Kind.AppendRecord(nil, kind.XML, "", kept))
}

// asReported returns a computer as its agents report it, whatever a person has set.
func (m *merger) asReported(ctx context.Context, c *inventory.Computer) (*inventory.Computer, error) {
	kept, err := m.Reported(ctx, c.ID)
	if err != nil {
		return nil, err
	}
	all := m.Kind.Copy(c).(*inventory.Computer)
	for _, f := range m.Kind.Fields {
		if c.KeptFromReports(f) {
			m.Kind.Values(all).Set(f, m.Kind.Values(kept))
		}
	}
	return all, nil
}
