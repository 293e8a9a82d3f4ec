// Package disk returns how much space there is on a file system. What to do about a full one does not belong
// here.
package disk

// A Space is the room on a file system.
type Space struct {
	Free  uint64 // bytes that can be written without special rights
	Total uint64 // bytes
	Files bool   // whether a further file can be made
}

// spareRoom is what stays free on a large disk.
const spareRoom = 256 << 20

// Spare returns how many bytes large files are to leave free for what is written in small.
func (s Space) Spare() uint64 { return min(s.Total/16, spareRoom) }

// Fits reports whether there is room for so many bytes beside what is to stay free.
func (s Space) Fits(bytes int64) bool { return s.Free >= uint64(bytes)+s.Spare() }
