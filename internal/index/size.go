package index

import (
	"slices"
	"unsafe"
)

// Bytes returns the approximate memory that the index takes, in bytes.
func (x *Index) Bytes() int64 {
	x.mu.RLock()
	defer x.mu.RUnlock()
	bytes := 0
	for _, c := range x.texts {
		bytes += cap(c.codes.data) + cap(c.values)*int(unsafe.Sizeof(value{})) + c.letters.Cap() + 32*len(c.byHash)
		if c.plain != nil {
			bytes += c.plain.size()
		}
	}
	for _, c := range append(slices.Clip(x.numbers), &x.version) {
		bytes += cap(c.codes.data) + 8*cap(c.some)
	}
	bytes += 8*cap(x.live.bits) + 16*cap(x.ids.runs)
	for _, v := range x.views.all {
		bytes += 8*cap(v.bits) + 4*cap(v.counts) + v.tallied.bytes()
	}
	bytes += x.live.tallied.bytes()
	if chunks := x.stamps.chunks.Load(); chunks != nil {
		for _, c := range *chunks {
			if c != nil {
				bytes += 8 * len(c)
			}
		}
	}
	return int64(bytes)
}
