package index

// A plain column keeps a text of all records as it is, where there are too many values for codes. The texts
// of 64 places are one block, each behind its length, so that a text takes a byte more than it has, and a
// look at all of them is one pass.
type plain struct {
	blocks []string
	tail   []byte // the block behind these, which is being filled
	filled int    // places in the tail
	bytes  int    // of all texts
}

// How much a plain column takes: such texts, and so many bytes of all. Where there is more it keeps none.
const (
	maxPlain  = 1<<14 - 1
	plainRoom = 96 << 20
)

// set sets the text of a place, not ok when it is too much.
func (p *plain) set(place uint32, text []byte) (ok bool) {
	i, bit := int(place/64), int(place%64)
	if len(text) == 0 && (i > len(p.blocks) || i == len(p.blocks) && bit >= p.filled) {
		return true
	}
	if (i < len(p.blocks) || i == len(p.blocks) && bit < p.filled) && p.at(place) == string(text) {
		return true // something else of the record has changed
	}
	if len(text) > maxPlain || p.bytes+len(text) > plainRoom {
		return false
	}
	for i > len(p.blocks) {
		p.blocks = append(p.blocks, string(p.tail))
		p.tail, p.filled = p.tail[:0], 0
	}
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

// replaced returns a block with another text in a place.
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

// appendText appends a text behind its length, which takes one or two bytes.
func appendText[T string | []byte](b []byte, text T) []byte {
	if n := len(text); n < 1<<7 {
		b = append(b, byte(n))
	} else {
		b = append(b, byte(n)|1<<7, byte(n>>7))
	}
	return append(b, text...)
}

// nextText returns the first text of a block and what is behind it.
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

// spread returns all texts of a block.
func spread(block string, to *[64]string) {
	for bit := range to {
		to[bit], block = nextText(block)
	}
}

// block returns the texts of the i-th 64 places.
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

// insert makes n places before others, without a text.
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
	*p = moved
}

// size returns how many bytes of memory the column takes.
func (p *plain) size() (bytes int) {
	for _, block := range p.blocks {
		bytes += len(block)
	}
	return bytes + 16*cap(p.blocks) + cap(p.tail)
}
