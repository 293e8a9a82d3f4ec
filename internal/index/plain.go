package index

import "sync/atomic"

// A plain column keeps the texts of all records in full, where there are too many values for codes. The texts
// of 64 places are one block, each after its length, so that a text takes one extra byte, and a search of all
// texts is one pass.
type plain struct {
	blocks []string
	tail   []byte // the last block, which is being filled
	filled int    // number of places in the tail
	bytes  int    // of all texts

	parts    atomic.Pointer[parts] // nil until a list is sorted by the column
	dividing atomic.Bool           // they are being made
}

// Limits of a plain column: the bytes of a text, and of all texts. A column that exceeds them is dropped.
const (
	maxPlain  = 1<<14 - 1
	plainRoom = 96 << 20
)

// set sets the text of a place. It is not ok when a limit is exceeded.
func (p *plain) set(place uint32, text []byte) (ok bool) {
	i, bit := int(place/64), int(place%64)
	if len(text) == 0 && (i > len(p.blocks) || i == len(p.blocks) && bit >= p.filled) {
		return true
	}
	if (i < len(p.blocks) || i == len(p.blocks) && bit < p.filled) && p.at(place) == string(text) {
		return true // the text has not changed
	}
	if len(text) > maxPlain || p.bytes+len(text) > plainRoom {
		return false
	}
	for i > len(p.blocks) {
		p.blocks = append(p.blocks, string(p.tail))
		p.tail, p.filled = p.tail[:0], 0
	}
	p.parts.Load().set(place, text)
	p.bytes += len(text)
	switch {
	case i < len(p.blocks):
		p.blocks[i] = string(p.replaced(i, bit, text))
	case bit < p.filled:
		p.tail = p.replaced(i, bit, text)
	default:
		for ; p.filled < bit; p.filled++ {
			p.tail = append(p.tail, 0)
		}
		p.tail = appendText(p.tail, text)
		p.filled++
	}
	return true
}

// replaced returns a block with the text of one place replaced.
func (p *plain) replaced(i, bit int, text []byte) []byte {
	var all [64]string
	spread(p.block(i), &all)
	p.bytes -= len(all[bit])
	all[bit] = string(text)
	last := 63
	for last > 0 && all[last] == "" {
		last--
	}
	if i == len(p.blocks) {
		last = p.filled - 1
	}
	block := make([]byte, 0, len(p.block(i))+len(text)+2)
	for _, one := range all[:last+1] {
		block = appendText(block, one)
	}
	return block
}

// appendText appends the length of a text, in one or two bytes, and the text.
func appendText[T string | []byte](b []byte, text T) []byte {
	if n := len(text); n < 1<<7 {
		b = append(b, byte(n))
	} else {
		b = append(b, byte(n)|1<<7, byte(n>>7))
	}
	return append(b, text...)
}

// nextText returns the first text of a block and the rest.
func nextText(block string) (text, rest string) {
	if block == "" { // the others are null
		return "", ""
	}
	n, from := int(block[0]), 1
	if n >= 1<<7 {
		n, from = n&(1<<7-1)|int(block[1])<<7, 2
	}
	return block[from : from+n], block[from+n:]
}

// spread splits a block into its texts.
func spread(block string, to *[64]string) {
	for bit := range to {
		to[bit], block = nextText(block)
	}
}

// block returns the block of the i-th 64 places.
func (p *plain) block(i int) string {
	switch {
	case i < len(p.blocks):
		return p.blocks[i]
	case i == len(p.blocks):
		return string(p.tail)
	}
	return ""
}

// at returns the text of a place.
func (p *plain) at(place uint32) (text string) {
	block := p.block(int(place / 64))
	for range place%64 + 1 {
		text, block = nextText(block)
	}
	return text
}

// insert inserts n places without a text before others.
func (p *plain) insert(first, n int) {
	var moved plain
	var all [64]string
	for i := range len(p.blocks) + 1 {
		spread(p.block(i), &all)
		for bit, text := range all {
			place := i*64 + bit
			if place >= first {
				place += n
			}
			moved.set(uint32(place), []byte(text))
		}
	}
	p.blocks, p.tail, p.filled, p.bytes = moved.blocks, moved.tail, moved.filled, moved.bytes
	p.parts.Store(nil)
}

// size returns the memory that the column takes, in bytes.
func (p *plain) size() (bytes int) {
	for _, block := range p.blocks {
		bytes += len(block)
	}
	if d := p.parts.Load(); d != nil {
		bytes += cap(d.codes.data)
	}
	return bytes + 16*cap(p.blocks) + cap(p.tail)
}
