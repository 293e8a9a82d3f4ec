package cert

import "time"

// Expires returns the end of the current certificate.
func (s *Source) Expires() time.Time { return s.current.Load().Leaf.NotAfter }
