// Package inflate unpacks data in zlib (RFC 1950) or gzip (RFC 1952) that is in memory whole, into memory.
//
// A Decoder reads from one slice and appends to another, so a match is copied from the output itself: no window, no
// reader between. It stops where Limits say, so what hostile data costs is bounded whatever it is. Its memory serves the
// next data.
package inflate

import "errors"

// Why data is refused.
var (
	ErrTruncated = errors.New("packed data ends too early")
	ErrDamaged   = errors.New("packed data is damaged")
	ErrSize      = errors.New("packed data unpacks to more than is allowed")
	ErrRatio     = errors.New("packed data unpacks to too many times its size")
)

// Limits bound what data may unpack to.
type Limits struct {
	Size  int // of what is unpacked
	From  int // the size above which Ratio counts
	Ratio int // how many times larger what is unpacked may be than what it came from, at any time
}

// A Decoder unpacks data. The zero value is ready; it is not safe for concurrent use.
type Decoder struct {
	in   []byte
	pos  int    // of the next byte for bits; beyond the end when zeros were taken for what is missing
	bits uint64 // of in, the next one lowest; what is above the first count of them is in front of pos
	have uint   // how many bits there are

	out   []byte // all of its memory
	at    int    // where it goes on
	sure  int    // up to where it is right, once zeros are taken for what is missing
	stop  int    // where room is to be asked for more
	base  int    // where this data begins
	start int    // where its current member begins, behind which no match reaches
	limit Limits

	lengths   [maxLiterals + maxDistances]uint8
	codes     [1 << codeRoot]uint32
	literals  literalTable
	distances distanceTable
}

// Zlib appends to dst what src unpacks to; what follows its end is ignored. With an error it returns what was unpacked
// before.
func (d *Decoder) Zlib(dst, src []byte, limit Limits) ([]byte, error) {
	return d.run(dst, src, limit, (*Decoder).zlib)
}

// Gzip appends to dst what src unpacks to: all its members, which nothing else may follow. With an error it returns what
// was unpacked before.
func (d *Decoder) Gzip(dst, src []byte, limit Limits) ([]byte, error) {
	return d.run(dst, src, limit, (*Decoder).gzip)
}

func (d *Decoder) run(dst, src []byte, limit Limits, format func(*Decoder) error) ([]byte, error) {
	d.in, d.pos, d.bits, d.have = src, 0, 0, 0
	d.out, d.at, d.stop, d.base, d.limit = dst[:cap(dst)], len(dst), len(dst), len(dst), limit
	err := format(d)
	out := d.out[:d.at]
	d.in, d.out = nil, nil
	return out, err
}

// An output is checked and made larger in steps.
const (
	step  = 64 << 10 // how much is made between two checks
	slack = 320      // how much may be written without one: some literals, and a match with its last word
)

// room checks the limits, and makes room for more than slack bytes.
func (d *Decoder) room() error {
	if err := d.within(); err != nil {
		return err
	}
	most := d.base + d.limit.Size + 2*slack
	if d.at+slack >= len(d.out) {
		larger := make([]byte, min(max(2*len(d.out), d.at+step), most))
		copy(larger, d.out[:d.at])
		d.out = larger
	}
	d.stop = min(d.at+step, len(d.out)-slack, most-slack)
	return nil
}

// within returns an error when more has been made than may be.
func (d *Decoder) within() error {
	switch made := d.at - d.base; {
	case made > d.limit.Size:
		return ErrSize
	case made > d.limit.From && made > d.limit.Ratio*(d.pos-int(d.have/8)):
		return ErrRatio
	}
	return nil
}
