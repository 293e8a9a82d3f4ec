package inventory

import (
	"strconv"
	"strings"

	"muster/internal/kind"
)

// A FreeSpace is the free space of a drive by its agent's last report, in MB.
type FreeSpace struct {
	Name string // of the drive
	Free int64
}

// FreeSpaces returns the free space of those drives that have it.
func FreeSpaces(drives []Drive) (all []FreeSpace) {
	for i := range drives {
		if d := &drives[i]; d.FreeSpace.Valid {
			all = append(all, FreeSpace{d.Name, d.FreeSpace.V})
		}
	}
	return all
}

// SetFreeSpaces sets the free space of drives by the last report. It is stored apart, so that such a report
// does not change the record: see store.Tx.SetApart. It drops what exceeds 64 KiB, which takes many hundred
// drives.
func (c *Computer) SetFreeSpaces(all []FreeSpace) {
	var b []byte
	for _, s := range all {
		before := len(b)
		b = append(strconv.AppendInt(b, s.Free, 10), ' ')
		b = append(append(b, inLine(s.Name)...), '\n')
		if len(b) > maxFreeSpaces {
			b = b[:before]
			break
		}
	}
	c.FreeSpaces = string(b)
}

// maxFreeSpaces is the longest text of the free space of drives.
const maxFreeSpaces = 64 << 10

// inLine returns the name of a drive as it is written in its line.
func inLine(name string) string { return strings.ReplaceAll(name, "\n", " ") }

// loaded sets the free space of each drive to the last reported one of its name; drives of the same name are
// matched in their order. Drives that a person has set keep theirs.
func (c *Computer) loaded() {
	if c.FreeSpaces == "" || c.sets("drives") {
		return
	}
	reported := map[string][]int64{}
	for line := range strings.Lines(c.FreeSpaces) {
		number, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if free, err := strconv.ParseInt(number, 10, 64); err == nil {
			reported[name] = append(reported[name], free)
		}
	}
	for i := range c.Drives {
		name := inLine(c.Drives[i].Name)
		if free := reported[name]; len(free) > 0 {
			c.Drives[i].FreeSpace, reported[name] = kind.Some(free[0]), free[1:]
		}
	}
}
