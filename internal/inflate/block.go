package inflate

import "encoding/binary"

// stream unpacks blocks up to the last one, and leaves no bits read ahead.
func (d *Decoder) stream() error {
	d.start = d.at
	for last := false; !last; {
		if err := d.fill(); err != nil {
			return d.refine(err)
		}
		last = d.get(1) == 1
		if err := d.block(d.get(2)); err != nil {
			return d.refine(err)
		}
	}
	if err := d.align(); err != nil {
		return d.refine(err)
	}
	return d.within()
}

// refine drops what was made of bits that are missing, the error included.
func (d *Decoder) refine(err error) error {
	if d.missing() {
		d.at = d.sure
		return ErrTruncated
	}
	return err
}

// block unpacks a block of one of the types.
func (d *Decoder) block(kind int) error {
	switch kind {
	case 0:
		return d.stored()
	case 1:
		return d.packed(&fixedLiterals, &fixedDistances)
	case 2:
		if err := d.readCodes(); err != nil {
			return err
		}
		return d.packed(&d.literals, &d.distances)
	}
	return ErrDamaged
}

// stored copies a block that is not packed.
func (d *Decoder) stored() error {
	if err := d.align(); err != nil {
		return err
	}
	head, err := d.take(4)
	if err != nil {
		return err
	}
	size := binary.LittleEndian.Uint16(head)
	if binary.LittleEndian.Uint16(head[2:]) != ^size {
		return ErrDamaged
	}
	rest, err := d.take(int(size))
	for len(rest) > 0 && err == nil {
		if d.at >= d.stop {
			err = d.room()
		}
		n := copy(d.out[d.at:d.stop], rest)
		d.at, rest = d.at+n, rest[n:]
	}
	return err
}

// lengthOrder is the order in which the lengths of the code of lengths are told.
var lengthOrder = [lengthCodes]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

// readCodes reads the codes of a block.
func (d *Decoder) readCodes() error {
	literals, distances, codes := 257+d.get(5), 1+d.get(5), 4+d.get(4)
	if literals > maxLiterals || distances > maxDistances {
		return ErrDamaged
	}
	var lengths [lengthCodes]uint8
	for _, symbol := range lengthOrder[:codes] {
		if err := d.fill(); err != nil {
			return err
		}
		lengths[symbol] = uint8(d.get(3))
	}
	if !build(d.codes[:], codeRoot, lengths[:], codeValues[:]) {
		return ErrDamaged
	}
	all := d.lengths[:literals+distances]
	if err := d.readLengths(all); err != nil {
		return err
	}
	if !build(d.literals[:], literalRoot, all[:literals], literalValues[:]) || !build(d.distances[:], distanceRoot, all[literals:], distanceValues[:]) {
		return ErrDamaged
	}
	return nil
}

// readLengths reads the lengths of codes, in which runs are told by their length.
func (d *Decoder) readLengths(all []uint8) error {
	for i := 0; i < len(all); {
		if err := d.fill(); err != nil {
			return err
		}
		e := d.codes[d.bits&(1<<codeRoot-1)]
		if e&special != 0 {
			return ErrDamaged
		}
		d.get(uint(e & 0x3F))
		symbol := uint8(e >> valueShift)
		value, run := symbol, 1
		switch symbol {
		case 16:
			if i == 0 {
				return ErrDamaged
			}
			value, run = all[i-1], 3+d.get(2)
		case 17:
			value, run = 0, 3+d.get(3)
		case 18:
			value, run = 0, 11+d.get(7)
		}
		if run > len(all)-i {
			return ErrDamaged
		}
		for end := i + run; i < end; i++ {
			all[i] = value
		}
	}
	return nil
}
