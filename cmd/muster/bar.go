package main

import (
	"fmt"
	"os"
	"strings"
	"time"

	"golang.org/x/term"
)

// The width of the bar, and how often it is redrawn.
const (
	barWidth = 30
	barEvery = 100 * time.Millisecond
)

// A bar shows on a terminal how far something has come; elsewhere it is
// silent.
type bar struct {
	what  string
	drawn time.Time // zero when it is not drawn
	shown bool      // there is a terminal
}

func newBar(what string) *bar {
	return &bar{what: what, shown: term.IsTerminal(int(os.Stderr.Fd()))}
}

// show draws the bar, not too often.
func (b *bar) show(part string, done, total int64) {
	if now := time.Now(); b.shown && now.Sub(b.drawn) >= barEvery && total > 0 {
		b.drawn = now
		full := int(barWidth * min(done, total) / total)
		fmt.Fprintf(os.Stderr, "\r%s [%s%s] %3d %% %-24.24s", b.what, strings.Repeat("=", full),
			strings.Repeat(" ", barWidth-full),
			100*min(done, total)/total, part)
	}
}

// end removes the bar.
func (b *bar) end() {
	if !b.drawn.IsZero() {
		fmt.Fprint(os.Stderr, "\r\033[K")
	}
}
