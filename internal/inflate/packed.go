package inflate

import "encoding/binary"

// distanceBits is how many bits a distance takes at most, its extra bits included.
const distanceBits = maxBits + 13

// packed unpacks a block that has codes. It is one function, with what it works with in variables, since this is where the
// time goes. Bits are read ahead before each turn; two short literals and a length leave few enough of them that a distance
// may need more.
func (d *Decoder) packed(literals *literalTable, distances *distanceTable) error {
	in, out, stop := d.in, d.out, d.stop
	pos, bits, have, at := d.pos, d.bits, d.have, d.at
	for {
		if at < stop && len(in)-pos >= 8 {
			bits |= binary.LittleEndian.Uint64(in[pos:]) << (have & 63)
			pos += int(63-have) >> 3
			have |= enough
		} else {
			d.pos, d.bits, d.have, d.at = pos, bits, have, at
			if err := d.prepare(); err != nil {
				return err
			}
			pos, bits, have, out, stop = d.pos, d.bits, d.have, d.out, d.stop
		}
		e := literals[bits&(1<<literalRoot-1)]
		if e&literal != 0 {
			bits, have = use(bits, have, e)
			out[at] = byte(e >> valueShift)
			at++
			e = literals[bits&(1<<literalRoot-1)]
			if e&literal != 0 {
				bits, have = use(bits, have, e)
				out[at] = byte(e >> valueShift)
				at++
				e = literals[bits&(1<<literalRoot-1)]
			}
		}
		if e&link != 0 {
			bits, have = use(bits, have, e)
			e = literals[linked(bits, e)&(literalSize-1)]
		}
		if e&literal != 0 {
			bits, have = use(bits, have, e)
			out[at] = byte(e >> valueShift)
			at++
			continue
		}
		length := value(bits, e)
		bits, have = use(bits, have, e)
		if e&special != 0 || have < distanceBits {
			d.pos, d.bits, d.have, d.at = pos, bits, have, at
			if e&end != 0 {
				return nil
			}
			if e&special != 0 {
				return ErrDamaged
			}
			if err := d.fill(); err != nil {
				return err
			}
			pos, bits, have = d.pos, d.bits, d.have
		}
		e = distances[bits&(1<<distanceRoot-1)]
		if e&link != 0 {
			bits, have = use(bits, have, e)
			e = distances[linked(bits, e)&(distanceSize-1)]
		}
		distance := value(bits, e)
		bits, have = use(bits, have, e)
		from := at - distance
		if e&special != 0 || from < d.start {
			d.pos, d.bits, d.have, d.at = pos, bits, have, at
			return ErrDamaged
		}
		after := at + length
		for at < after { // more than once when the match goes on into itself
			at += copy(out[at:after], out[from:at])
		}
	}
}

// prepare makes room, and reads bits ahead.
func (d *Decoder) prepare() error {
	if d.at >= d.stop {
		if err := d.room(); err != nil {
			return err
		}
	}
	return d.fill()
}

// use drops the bits of an entry.
func use(bits uint64, have uint, e uint32) (uint64, uint) { return bits >> (e & 63), have - uint(e&63) }

// value returns the length or distance of an entry and its extra bits.
func value(bits uint64, e uint32) int {
	return int(e>>valueShift) + int(bits&(1<<(e&63)-1)>>(e>>codeShift&15))
}

// linked returns where the entry is that e links to.
func linked(bits uint64, e uint32) uint32 {
	return e>>valueShift + uint32(bits)&(1<<(e>>codeShift&15)-1)
}
