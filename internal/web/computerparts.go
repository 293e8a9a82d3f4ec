package web

import (
	"muster/internal/inventory"
)

// laidOut are the collections of a computer that have a layout of their own, with
// all that is known of each item.
var laidOut = []string{"drives", "memories", "networks"}

// heldBy returns whether a person has set collections, by their names.
func heldBy(parts []part) map[string]fact {
	held := map[string]fact{}
	for _, one := range parts {
		held[one.field] = one.Held
	}
	return held
}

// A driveBar is a drive and how full it is.
type driveBar struct {
	Name, Label, Type string
	Percent           int
	Tone              string
	Used, Total, Free string // "" for what is not known
}

// A slot is a place for a memory module.
type slot struct {
	Title, Size, About string
	More               string // that is told where there is room
}

// How full a drive is when it warns, and when it is bad.
const (
	driveWarns = 75
	driveBad   = 90
)

// drives returns how full the drives of a computer are.
func (c *call) drives(computer *inventory.Computer) (bars []driveBar) {
	for _, d := range computer.Drives {
		bar := driveBar{Name: d.Name, Label: d.DriveName, Type: d.Type}
		if d.TotalSpace.Valid {
			bar.Total = c.megabytes(d.TotalSpace.V)
		}
		if d.FreeSpace.Valid {
			bar.Free = c.megabytes(d.FreeSpace.V)
		}
		if d.TotalSpace.V > 0 && d.FreeSpace.Valid {
			used := max(0, d.TotalSpace.V-d.FreeSpace.V)
			bar.Percent, bar.Used = int(min(100, used*100/d.TotalSpace.V)), c.megabytes(used)
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
		one := slot{Title: c.t("Slot %d", n), About: joined(m.Type, m.Speed), More: joined(m.Description, m.Purpose)}
		if m.Name != "" {
			one.Title += " · " + m.Name
		}
		if m.Capacity.V > 0 {
			one.Size = c.megabytes(m.Capacity.V)
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
