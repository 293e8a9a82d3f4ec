package computers

import (
	"muster/internal/inventory"
	"muster/internal/web/page"
	"muster/internal/web/records"
)

// laidOut are the collections of a computer that have a layout of their own, with
// all that is known of each item.
var laidOut = []string{"drives", "memories", "networks"}

// setByPerson returns for each collection, by its name, whether a person has set it.
func setByPerson(parts []records.Part) map[string]records.Fact {
	set := map[string]records.Fact{}
	for _, one := range parts {
		set[one.Field] = one.Held
	}
	return set
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
	More               string // that is shown where there is room
}

// How full a drive is when it warns, and when it is bad.
const (
	driveWarns = 75
	driveBad   = 90
)

// drives returns how full the drives of a computer are.
func drives(c *page.Call, computer *inventory.Computer) (bars []driveBar) {
	for _, d := range computer.Drives {
		bar := driveBar{Name: d.Name, Label: d.DriveName, Type: d.Type}
		if d.TotalSpace.Valid {
			bar.Total = c.Megabytes(d.TotalSpace.V)
		}
		if d.FreeSpace.Valid {
			bar.Free = c.Megabytes(d.FreeSpace.V)
		}
		if d.TotalSpace.V > 0 && d.FreeSpace.Valid {
			used := max(0, d.TotalSpace.V-d.FreeSpace.V)
			bar.Percent, bar.Used = int(min(100, used*100/d.TotalSpace.V)), c.Megabytes(used)
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
func slots(c *page.Call, computer *inventory.Computer) (slots []slot) {
	for i, m := range computer.Memories {
		n := int64(i + 1)
		if m.Slot.Valid {
			n = m.Slot.V
		}
		one := slot{
			Title: c.T("Slot %d", n), About: page.Joined(m.Type, m.Speed), More: page.Joined(m.Description, m.Purpose),
		}
		if m.Name != "" {
			one.Title += " · " + m.Name
		}
		if m.Capacity.V > 0 {
			one.Size = c.Megabytes(m.Capacity.V)
		}
		slots = append(slots, one)
	}
	return slots
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
