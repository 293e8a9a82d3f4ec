package web

import (
	"muster/internal/inventory"
)

// A driveBar is a drive and how full it is.
type driveBar struct {
	Name, Label, Type string
	Percent           int
	Tone              string
	Used, Total, Free string
}

// A slot is a place for a memory module.
type slot struct{ Title, Size, About string }

// How full a drive is when it warns, and when it is bad.
const (
	driveWarns = 75
	driveBad   = 90
)

// drives returns how full the drives of a computer are.
func (c *call) drives(computer *inventory.Computer) (bars []driveBar) {
	for _, d := range computer.Drives {
		bar := driveBar{Name: d.Name, Label: d.DriveName, Type: d.Type}
		if d.TotalSpace.V > 0 && d.FreeSpace.Valid {
			used := max(0, d.TotalSpace.V-d.FreeSpace.V)
			bar.Percent = int(min(100, used*100/d.TotalSpace.V))
			bar.Used, bar.Total, bar.Free = c.megabytes(used), c.megabytes(d.TotalSpace.V), c.megabytes(d.FreeSpace.V)
		}
		switch {
		case bar.Percent >= driveBad:
			bar.Tone = "bad"
		case bar.Percent >= driveWarns:
			bar.Tone = "warn"
		}
		bars = append(bars, bar)
	}
	return bars
}

// slots returns the places for memory of a computer.
func (c *call) slots(computer *inventory.Computer) (slots []slot) {
	for i, m := range computer.Memories {
		n := int64(i + 1)
		if m.Slot.Valid {
			n = m.Slot.V
		}
		one := slot{Title: c.t("Slot %d", n)}
		if m.Name != "" {
			one.Title += " · " + m.Name
		}
		if m.Capacity.V > 0 {
			one.Size = c.megabytes(m.Capacity.V)
			one.About = m.Type
			if m.Speed != "" {
				one.About = joined(m.Type, m.Speed)
			}
		}
		slots = append(slots, one)
	}
	return slots
}

// joined returns two texts with a comma between them, if both say something.
func joined(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + ", " + b
}

// countEmpty returns how many slots have no module.
func countEmpty(memories []inventory.Memory) (n int) {
	for _, m := range memories {
		if m.Capacity.V == 0 {
			n++
		}
	}
	return n
}
