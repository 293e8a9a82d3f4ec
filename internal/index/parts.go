package index

import (
	"math/bits"
	"math/rand/v2"
	"slices"
)

// parts divide the places of a plain column by their texts: those of one part come before those of the next. So a page
// in the order of texts is found without reading those of other parts.
type parts struct {
	last    []string // texts of the parts with texts, but for the last one
	codes   vector   // the part of each place
	changed int      // places since they were divided
}

// How many parts there are, the first one for null, and how many texts of each are looked at to divide them.
const (
	partCount   = 256
	partSampled = 16
)

// divided returns the parts of the column, nil while they are made for another query.
func (p *plain) divided() *parts {
	d := p.parts.Load()
	if d != nil && d.changed <= d.codes.len()/4 {
		return d
	}
	if !p.dividing.CompareAndSwap(false, true) {
		return nil
	}
	defer p.dividing.Store(false)
	d = p.divide()
	p.parts.Store(d)
	return d
}

// divide makes the parts.
func (p *plain) divide() *parts {
	d := &parts{}
	places := 64*len(p.blocks) + p.filled
	var some []string
	for range partCount * partSampled {
		if text := p.at(rand.Uint32N(uint32(places))); text != "" {
			some = append(some, text)
		}
	}
	slices.Sort(some)
	for i := 1; i < partCount-1 && len(some) > 0; i++ {
		d.last = append(d.last, some[i*len(some)/(partCount-1)])
	}
	d.codes = vector{width: 1, data: make([]byte, places)}
	var texts [64]string
	for i := range len(p.blocks) + 1 {
		spread(p.block(i), &texts)
		for bit := range min(64, places-64*i) {
			d.codes.data[64*i+bit] = byte(d.code(texts[bit]))
		}
	}
	return d
}

// code returns the part of a text.
func (d *parts) code(text string) uint64 {
	if text == "" {
		return 0
	}
	at, _ := slices.BinarySearch(d.last, text)
	return uint64(at) + 1
}

// set sets the text of a place.
func (d *parts) set(place uint32, text []byte) {
	if d != nil {
		d.codes.set(place, d.code(string(text)))
		d.changed++
	}
}

// count counts the places of a view by their parts.
func (d *parts) count(v *view) (counts [partCount]int) {
	for i, word := range v.bits {
		codes := d.codes.part(i)
		if word == ^uint64(0) && len(codes) == 64 {
			for _, code := range codes {
				counts[code]++
			}
			continue
		}
		for ; word != 0; word &= word - 1 {
			if bit := bits.TrailingZeros64(word); bit < len(codes) {
				counts[codes[bit]]++
			} else {
				counts[0]++
			}
		}
	}
	return counts
}

// places returns the places of a view in the parts that have some ranks, in an order of texts, and how many places are
// before them.
func (d *parts) places(v *view, desc bool, first, n int) (places []uint32, before int) {
	counts, ranked := d.count(v), 0
	found := make([]uint64, len(v.bits))
	for i := range partCount {
		part := (i + 1) % partCount // null comes last
		if desc && part > 0 {
			part = partCount - part
		}
		switch {
		case ranked+counts[part] <= first:
			before += counts[part]
		case ranked < first+n:
			d.codes.orEqual(uint64(part), v.bits, found)
		}
		ranked += counts[part]
	}
	for i, word := range found {
		for word &= v.bits[i]; word != 0; word &= word - 1 {
			places = append(places, uint32(i*64+bits.TrailingZeros64(word)))
		}
	}
	return places, before
}
