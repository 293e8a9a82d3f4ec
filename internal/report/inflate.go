package report

import (
	"bytes"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"
)

// Errors of a body that unpacks to more than it may.
var (
	errSize  = tooLarge("more than %d MiB unpacked", maxInflated>>20)
	errRatio = tooLarge("it unpacks to more than %d times its size", bombRatio)
)

// limits bound what a body may unpack to.
type limits struct {
	size  int // of what is unpacked
	from  int // the size above which ratio counts
	ratio int // how many times larger it may be than what it was unpacked from, at any time
}

// check returns an error when read bytes must not unpack to made bytes.
func (l limits) check(made, read int) error {
	switch {
	case made > l.size:
		return errSize
	case made > l.from && made > l.ratio*read:
		return errRatio
	}
	return nil
}

// An inflater unpacks bodies from memory into memory, and reuses its readers. The zero value is ready; it is not safe
// for concurrent use.
type inflater struct {
	body bytes.Reader
	zlib io.ReadCloser // nil before the first body in zlib
	gzip gzip.Reader
}

// unpackZlib returns what a body unpacks to, in the memory of dst if there is enough; what follows its end is ignored.
// With an error it returns what was unpacked before.
func (f *inflater) unpackZlib(dst, body []byte, limit limits) ([]byte, error) {
	f.body.Reset(body)
	defer f.body.Reset(nil)
	if err := f.openZlib(); err != nil {
		return dst[:0], err
	}
	return f.read(f.zlib, dst[:0], limit)
}

func (f *inflater) openZlib() (err error) {
	if f.zlib != nil {
		return f.zlib.(zlib.Resetter).Reset(&f.body, nil)
	}
	f.zlib, err = zlib.NewReader(&f.body)
	return err
}

// unpackGzip does the same for gzip: a body is all its members, which nothing else may follow.
func (f *inflater) unpackGzip(dst, body []byte, limit limits) (_ []byte, err error) {
	f.body.Reset(body)
	defer f.body.Reset(nil)
	dst = dst[:0]
	for more := true; more; more = f.body.Len() > 0 {
		if err := f.gzip.Reset(&f.body); err != nil {
			return dst, unexpected(err)
		}
		f.gzip.Multistream(false) // which would take the end of the body in a header for the end of the members
		if dst, err = f.read(&f.gzip, dst, limit); err != nil {
			return dst, err
		}
	}
	return dst, nil
}

// read appends what r unpacks from the body to dst.
func (f *inflater) read(r io.Reader, dst []byte, limit limits) ([]byte, error) {
	most := limit.size + 1
	for {
		if len(dst) == cap(dst) {
			larger := make([]byte, len(dst), min(max(2*cap(dst), 64<<10), most))
			copy(larger, dst)
			dst = larger
		}
		n, err := r.Read(dst[len(dst):min(cap(dst), most)])
		dst = dst[:len(dst)+n]
		if err := limit.check(len(dst), int(f.body.Size())-f.body.Len()); err != nil {
			return dst, err
		}
		if err == io.EOF {
			return dst, nil
		}
		if err != nil {
			return dst, err
		}
	}
}

// unexpected returns the error of an end that comes too early.
func unexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
