package inflate

import (
	"bytes"
	"encoding/binary"
	"hash/adler32"
	"hash/crc32"
)

// zlib unpacks data with the header and the checksum of RFC 1950.
func (d *Decoder) zlib() error {
	head, err := d.take(2)
	if err != nil {
		return err
	}
	if head[0]&0xF != 8 || head[0]>>4 > 7 || binary.BigEndian.Uint16(head)%31 != 0 {
		return ErrDamaged
	}
	if head[1]&0x20 != 0 { // there is a dictionary, of which we know the empty one
		if err := d.expect(adler32.Checksum(nil), binary.BigEndian); err != nil {
			return err
		}
	}
	if err := d.stream(); err != nil {
		return err
	}
	return d.expect(adler32.Checksum(d.out[d.start:d.at]), binary.BigEndian)
}

// gzip unpacks members with the header and the checksum of RFC 1952.
func (d *Decoder) gzip() error {
	for first := true; first || d.pos < len(d.in); first = false {
		if err := d.gzipHead(); err != nil {
			return err
		}
		if err := d.stream(); err != nil {
			return err
		}
		made := d.out[d.start:d.at]
		if err := d.expect(crc32.ChecksumIEEE(made), binary.LittleEndian); err != nil {
			return err
		}
		if err := d.expect(uint32(len(made)), binary.LittleEndian); err != nil {
			return err
		}
	}
	return nil
}

// What the header of a member may have.
const (
	gzipSum = 1 << (iota + 1)
	gzipExtra
	gzipName
	gzipComment
	gzipReserved
)

// gzipHead reads past the header of a member, and checks it.
func (d *Decoder) gzipHead() error {
	start := d.pos
	head, err := d.take(10)
	if err != nil {
		return err
	}
	flags := head[3]
	if head[0] != 0x1F || head[1] != 0x8B || head[2] != 8 || flags >= gzipReserved {
		return ErrDamaged
	}
	if flags&gzipExtra != 0 {
		size, err := d.take(2)
		if err != nil {
			return err
		}
		if _, err := d.take(int(binary.LittleEndian.Uint16(size))); err != nil {
			return err
		}
	}
	for _, flag := range [...]byte{gzipName, gzipComment} {
		if flags&flag != 0 {
			if err := d.skipText(); err != nil {
				return err
			}
		}
	}
	if flags&gzipSum == 0 {
		return nil
	}
	want := uint16(crc32.ChecksumIEEE(d.in[start:d.pos]))
	sum, err := d.take(2)
	if err == nil && binary.LittleEndian.Uint16(sum) != want {
		return ErrDamaged
	}
	return err
}

// maxText is how long a text in a header may be, its end included, as the standard library has it.
const maxText = 512

// skipText reads past a text that ends with a zero byte.
func (d *Decoder) skipText() error {
	rest := d.in[d.pos:]
	n := bytes.IndexByte(rest[:min(len(rest), maxText)], 0)
	switch {
	case n >= 0:
		d.pos += n + 1
		return nil
	case len(rest) < maxText:
		return ErrTruncated
	}
	return ErrDamaged
}

// take returns the next bytes. There must be no bits read ahead.
func (d *Decoder) take(n int) ([]byte, error) {
	if n > len(d.in)-d.pos {
		return nil, ErrTruncated
	}
	d.pos += n
	return d.in[d.pos-n : d.pos], nil
}

// expect reads four bytes that must be a number.
func (d *Decoder) expect(number uint32, order binary.ByteOrder) error {
	b, err := d.take(4)
	if err == nil && order.Uint32(b) != number {
		return ErrDamaged
	}
	return err
}
