package doctor

import (
	"fmt"
	"path/filepath"

	"muster/internal/disk"
)

// How little free space is worth a word, and how little is a problem.
const (
	spaceLow  = 1 << 30
	spaceNone = 100 << 20
)

// space looks at the free space where the installation keeps things.
func (e *examiner) space() {
	e.spaceAt("the data folder", nearest(e.Data))
	switch folder := filepath.Dir(e.Database); {
	case e.postgres() && e.facts != nil && e.facts.Folder != "":
		e.spaceAt("PostgreSQL", e.facts.Folder)
	case !e.postgres() && filepath.Clean(folder) != filepath.Clean(e.Data):
		e.spaceAt("the database", nearest(folder))
	}
}

// nearest returns the folder that is there, or will have to be made in.
func nearest(folder string) string {
	for absent(folder) && folder != filepath.Dir(folder) {
		folder = filepath.Dir(folder)
	}
	return folder
}

// spaceAt looks at the file system of a folder.
func (e *examiner) spaceAt(what, folder string) {
	const check = "disk"
	const free = "Free some space, or move the folder to a larger disk. Changes are refused with 507 when there is none."
	space, err := disk.Room(folder)
	switch {
	case err != nil:
		if what != "PostgreSQL" { // whose folder may be hidden, or another machine's after all
			e.warn(check, "", "It is not known how much room there is for %s: %v.", what, err)
		}
	case !space.Files:
		e.problem(check, "Remove files that are not needed.", "No further file can be made on the disk of %s, %s.",
			what, folder)
	case space.Free < spaceNone:
		e.problem(check, free, "The disk of %s, %s, is full: %s of %s are free.", what, folder, size(space.Free),
			size(space.Total))
	case space.Free < spaceLow:
		e.warn(check, free, "The disk of %s, %s, is nearly full: %s of %s are free.", what, folder, size(space.Free),
			size(space.Total))
	default:
		e.ok(check, "There is room for %s: %s are free at %s.", what, size(space.Free), folder)
	}
}

// size returns bytes for people.
func size(bytes uint64) string {
	switch {
	case bytes < 1<<20:
		return fmt.Sprintf("%d kB", bytes>>10)
	case bytes < 1<<30:
		return fmt.Sprintf("%d MB", bytes>>20)
	}
	return fmt.Sprintf("%.1f GB", float64(bytes)/(1<<30))
}
