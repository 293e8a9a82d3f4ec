// Package disk returns how much space there is on a file system. What to do about a full one does not belong
// here.
package disk

// A Space is the room on a file system.
type Space struct {
	Free  uint64 // bytes that can be written without special rights
	Total uint64 // bytes
	Files bool   // whether a further file can be made
}
