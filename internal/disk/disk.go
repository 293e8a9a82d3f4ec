// Package disk tells how much room there is on a file system.
package disk

// A Space is the room on a file system.
type Space struct {
	Free  uint64 // bytes that can be written without special rights
	Total uint64 // bytes
	Files bool   // whether a further file can be made
}
