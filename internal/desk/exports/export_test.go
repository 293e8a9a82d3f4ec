package exports

import "time"

// What tests know of files that are kept.
const (
	KeptFor  time.Duration = keptFor
	MostKept               = mostKept
	MostSize               = mostSize
)

// Limit sets how large a file may be.
func (s *Service) Limit(bytes int64) { s.mostSize = bytes }
