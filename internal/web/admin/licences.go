package admin

import (
	"runtime/debug"
	"strings"
)

// An included is software of others that is in the program.
type included struct{ Path, Version, Licence string }

// licences are those of included software, by what its paths begin with. The
// texts are in the file THIRD-PARTY.txt of a release, made from the sources.
var licences = []struct{ prefix, licence string }{
	{"filippo.io/", "BSD-3-Clause"},
	{"github.com/alecthomas/kong", "MIT"}, {"github.com/beorn7/perks", "MIT"}, {"github.com/boombuler/barcode", "MIT"},
	{"github.com/cespare/xxhash", "MIT"}, {"github.com/dustin/go-humanize", "MIT"},
	{"github.com/google/uuid", "BSD-3-Clause"},
	{"github.com/jackc/", "MIT"}, {"github.com/klauspost/compress", "BSD-3-Clause, Apache-2.0, MIT"},
	{"github.com/mattn/go-isatty", "MIT"}, {"github.com/munnerz/goautoneg", "BSD-3-Clause"},
	{"github.com/ncruces/go-strftime", "MIT"},
	{"github.com/prometheus/", "Apache-2.0"}, {"github.com/remyoudompheng/bigfft", "BSD-3-Clause"},
	{"github.com/yuin/goldmark", "MIT"},
	{"golang.org/x/", "BSD-3-Clause"}, {"google.golang.org/protobuf", "BSD-3-Clause"},
	{"modernc.org/", "BSD-3-Clause"}, {"zombiezen.com/go/sqlite", "ISC"},
}

// includedSoftware returns what the program was built with, with its licences.
func includedSoftware() (all []included) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return nil
	}
	all = append(all, included{"Go", strings.TrimPrefix(info.GoVersion, "go"), "BSD-3-Clause"})
	for _, m := range info.Deps {
		all = append(all, included{m.Path, m.Version, licenceOf(m.Path)})
	}
	return all
}

// licenceOf returns the licence of included software.
func licenceOf(path string) string {
	for _, l := range licences {
		if strings.HasPrefix(path, l.prefix) {
			return l.licence
		}
	}
	return ""
}
