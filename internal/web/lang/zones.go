package lang

import (
	"path"
	"sync"
	"time"
)

// zones are those that were asked for, by their names: to find one takes a look
// at a file.
var zones sync.Map

// ZoneNamed returns a time zone, that of the world when there is none such.
func ZoneNamed(name string) *time.Location {
	if known, ok := zones.Load(name); ok {
		return known.(*time.Location)
	}
	if name != path.Clean(name) {
		return time.UTC // another spelling of one that may be known
	}
	zone, err := time.LoadLocation(name)
	if err != nil || zone == time.Local {
		return time.UTC
	}
	zones.Store(name, zone) // there are a few hundred
	return zone
}
