package desk

// Values of the setting digest-algorithms.
const (
	digestBoth   = "sha-256,md5"
	digestSHA256 = "sha-256"
)

// digestAlgorithms is by what clients of the API may prove their passwords.
var digestAlgorithms = choice{digestBoth, digestSHA256}.setting("digest-algorithms",
	"algorithms of digest authentication that the API offers and takes: sha-256,md5, or sha-256 alone, which old clients do not know").guarding()

// TakesMD5 reports whether clients of the API may prove their passwords by MD5.
func (d *Desk) TakesMD5() bool { return d.settings.value(&digestAlgorithms) != digestSHA256 }
