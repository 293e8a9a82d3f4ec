package mapping

import "sync"

// drafts reuses buffers for texts that are needed briefly. The audit record of a computer's first report takes
// 30 KB, and growing a buffer to that would take four times as much.
var drafts = sync.Pool{New: func() any { return new(make([]byte, 0, 1<<10)) }}

// maxDraft is the size of the largest buffer that is reused.
const maxDraft = 1 << 20

// Drafted calls write with an empty buffer to append a text to. The text must not be used after write returns.
func Drafted(write func(b []byte) []byte) {
	b := drafts.Get().(*[]byte)
	if *b = write((*b)[:0]); cap(*b) <= maxDraft {
		drafts.Put(b)
	}
}
