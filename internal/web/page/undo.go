package page

import (
	"net/url"
	"path"
	"strconv"
	"strings"
)

// isUndo reports whether an address is one that takes changes back, however a
// browser reads it.
func isUndo(address string) bool {
	u, err := url.Parse(address)
	return err == nil && OwnPath(address) == address && path.Clean(u.Path) == u.Path &&
		strings.HasPrefix(u.Path, UndoPath+"/")
}

// spans writes rising numbers as a path names them: 3-7,9.
func spans(numbers []int64) string {
	var parts []string
	for i := 0; i < len(numbers); {
		last := i
		for last+1 < len(numbers) && numbers[last+1] == numbers[last]+1 {
			last++
		}
		part := strconv.FormatInt(numbers[i], 10)
		if last > i {
			part += "-" + strconv.FormatInt(numbers[last], 10)
		}
		parts, i = append(parts, part), last+1
	}
	return strings.Join(parts, ",")
}
