package cert

import "time"

// Expires returns the end of the certificate that matters most: the public one, if there is one.
func (s *Source) Expires() time.Time {
	if public := s.public.Load(); public != nil {
		return public.Leaf.NotAfter
	}
	return s.current.Load().Leaf.NotAfter
}
