package access

import "muster/internal/desk"

// Values of the setting digest-algorithms.
const (
	digestBoth   = "sha-256,md5"
	digestSHA256 = "sha-256"
)

// digestAlgorithms is by what clients of the API may prove their passwords.
var digestAlgorithms = desk.ChoiceSetting([]string{digestBoth, digestSHA256}, "digest-algorithms",
	"algorithms of digest authentication that the API offers and takes: sha-256,md5, or sha-256 alone, "+
		"which old clients do not know").Guarding()

// TakesMD5 reports whether clients of the API may prove their passwords by MD5.
func (s *Service) TakesMD5() bool { return s.desk.Settings().Value(&digestAlgorithms) != digestSHA256 }
