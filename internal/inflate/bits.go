package inflate

import "encoding/binary"

// enough is how many bits there are after fill at least.
const enough = 56

// fill reads bits ahead.
func (d *Decoder) fill() error {
	if len(d.in)-d.pos < 8 {
		return d.fillLast()
	}
	d.bits |= binary.LittleEndian.Uint64(d.in[d.pos:]) << d.have
	d.pos += int(63-d.have) / 8
	d.have |= enough
	return nil
}

// fillLast reads the last bits ahead, and zeros behind them, so that a code near the end need not be read bit by bit. It
// returns an error once such zeros have been used.
func (d *Decoder) fillLast() error {
	if d.missing() {
		return ErrTruncated
	}
	d.sure = d.at
	for ; d.have < enough; d.have += 8 {
		if d.pos < len(d.in) {
			d.bits |= uint64(d.in[d.pos]) << d.have
		}
		d.pos++
	}
	return nil
}

// missing tells whether more bits have been used than there are.
func (d *Decoder) missing() bool { return 8*d.pos-int(d.have) > 8*len(d.in) }

// get returns the next bits, which must have been read ahead.
func (d *Decoder) get(n uint) int {
	value := int(d.bits & (1<<n - 1))
	d.bits >>= n
	d.have -= n
	return value
}

// align skips what is left of a byte that has been begun, and leaves no bits read ahead.
func (d *Decoder) align() error {
	if d.missing() {
		return ErrTruncated
	}
	d.pos -= int(d.have / 8)
	d.bits, d.have = 0, 0
	return nil
}
