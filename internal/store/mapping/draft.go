package mapping

import "sync"

// drafts are memory for texts that are used up at once. What a computer's first
// report is recorded with takes 30 KB, and growing to it would take four times
// as much.
var drafts = sync.Pool{New: func() any { return new(make([]byte, 0, 1<<10)) }}

// maxDraft is the largest text whose memory is kept for the next one.
const maxDraft = 1 << 20

// Drafted lets write append a text to no bytes and use it. Nobody may hold it
// afterwards.
func Drafted(write func(b []byte) []byte) {
	b := drafts.Get().(*[]byte)
	if *b = write((*b)[:0]); cap(*b) <= maxDraft {
		drafts.Put(b)
	}
}
