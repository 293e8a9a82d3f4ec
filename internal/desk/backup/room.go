package backup

import (
	"errors"
	"fmt"
	"io/fs"

	"muster/internal/disk"
	"muster/internal/message"
	"muster/internal/store"
)

// CheckRoom returns an error if the disk of a folder has no room for so many bytes beside what must stay free: a backup
// must not be why changes are refused.
func CheckRoom(folder string, need int64) error {
	space, err := disk.Room(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return message.Errorf("the folder %s does not exist", folder)
	}
	if err != nil {
		return err
	}
	if !space.Fits(need) {
		need += int64(space.Spare())
		return message.Errorf("there is no room in %s: %s MB are free, and %s MB are needed", folder,
			megabytes(int64(space.Free)), megabytes(need+(1<<20)-1))
	}
	return nil
}

// megabytes returns bytes in megabytes.
func megabytes(bytes int64) string { return fmt.Sprint(bytes >> 20) }

// Explain makes an error of a full disk, or of a folder that is not there, one in words for people.
func Explain(err error, folder string) error {
	switch {
	case errors.Is(err, store.ErrFull) || disk.IsFull(err):
		return message.Errorf("the disk of %s is full", folder)
	case errors.Is(err, fs.ErrPermission):
		return message.Errorf("the server may not write to %s", folder)
	}
	return err
}
