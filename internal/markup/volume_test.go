//go:build volume

package markup

import (
	"strings"
	"testing"
	"time"
)

// hostile are documents of about a size on which a careless reader would take time by the square of it.
var hostile = map[string]func(size int) string{
	"nesting":        func(n int) string { return strings.Repeat("<a>", n/7) + strings.Repeat("</a>", n/7) },
	"joined text":    func(n int) string { return "<a>" + fill(n, "x<!---->") + "</a>" },
	"references":     func(n int) string { return "<a>" + fill(n, "&#65;") + "</a>" },
	"ampersands":     func(n int) string { return "<a>" + fill(n, "&") + "</a>" },
	"brackets":       func(n int) string { return "<a>" + fill(n, "]") + "</a>" },
	"dashes":         func(n int) string { return "<a><!--" + fill(n, "- ") + "--></a>" },
	"a long name":    func(n int) string { return "<" + fill(n, "a") + "/>" },
	"attributes":     func(n int) string { return "<a>" + fill(n, "<a"+numbered(" a%d=''", maxAttrs)+"/>") + "</a>" },
	"unclosed CDATA": func(n int) string { return "<a>" + fill(n, "<![CDATA[]]") + "</a>" },
	"namespaces": func(n int) string {
		return "<a" + numbered(" xmlns:a%d='u%[1]d'", maxSpaces) + ">" + fill(n, "<b a0:c='' a1:c='' a2:c=''/>") +
			"</a>"
	},
}

func fill(size int, s string) string { return strings.Repeat(s, size/len(s)) }

// TestVolumeLinear reads each document in two sizes: 8 times the size is to take about 8 times as long, and not 64.
func TestVolumeLinear(t *testing.T) {
	const small, times, most = 1 << 20, 8, 32
	for name, doc := range hostile {
		short, long := quickest(doc(small)), quickest(doc(small*times))
		for range 9 { // the machine may have had other work during the long one alone
			if long <= most*short {
				break
			}
			long = min(long, quickest(doc(small*times)))
		}
		if long > most*short {
			t.Errorf("%s: got %v for %d bytes and %v for %d times as many, want about %d times as long", name, short,
				small, long, times, times)
		}
	}
}

// quickest returns how long reading takes at best: the machine may be busy with other things too.
func quickest(doc string) time.Duration {
	best := time.Duration(1<<63 - 1)
	for range 3 {
		began := time.Now()
		r := NewReader([]byte(doc), Limits{})
		for token, err := r.Next(); token != EOF && err == nil; token, err = r.Next() {
			r.Position()
		}
		best = min(best, time.Since(began))
	}
	return best
}
