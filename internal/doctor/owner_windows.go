package doctor

import (
	"io/fs"
	"strconv"
)

// ownerOf returns 0: owners are not numbers here.
func ownerOf(fs.FileInfo) int { return 0 }

func userName(id int) string { return "user " + strconv.Itoa(id) }
