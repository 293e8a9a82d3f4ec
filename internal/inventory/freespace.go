package inventory

import (
	"strconv"
	"strings"

	"muster/internal/kind"
)

// A FreeSpace is how much room a drive had when its agent last told, in MB.
type FreeSpace struct {
	Name string // of the drive
	Free int64
}

// FreeSpaces returns the free space of those drives that tell it.
func FreeSpaces(drives []Drive) (all []FreeSpace) {
	for i := range drives {
		if d := &drives[i]; d.FreeSpace.Valid {
			all = append(all, FreeSpace{d.Name, d.FreeSpace.V})
		}
	}
	return all
}

// SetFreeSpaces sets what the drives of the computer have free by its last
// report. It is stored apart, so that such a report leaves the record alone: see
// store.Tx.SetApart. What is over 64 KiB, of many hundred drives, is left out.
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

// inLine returns the name of a drive as it stands in its line.
func inLine(name string) string { return strings.ReplaceAll(name, "\n", " ") }

// loaded shows the last free space of each drive that was told by its name, of
// several with one name in their order. Drives that a person has set show what
// they set.
func (c *Computer) loaded() {
	if c.FreeSpaces == "" || c.sets("drives") {
		return
	}
	told := map[string][]int64{}
	for line := range strings.Lines(c.FreeSpaces) {
		number, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if free, err := strconv.ParseInt(number, 10, 64); err == nil {
			told[name] = append(told[name], free)
		}
	}
	for i := range c.Drives {
		name := inLine(c.Drives[i].Name)
		if free := told[name]; len(free) > 0 {
			c.Drives[i].FreeSpace, told[name] = kind.Some(free[0]), free[1:]
		}
	}
}
