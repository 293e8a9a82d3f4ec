package report

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"

	"muster/internal/markup"
)

// A decoder holds the memory that reading a message needs, for the next one.
type decoder struct {
	wire, plain capped
	in          *bufio.Reader
	zlib        io.ReadCloser
	gzip        *gzip.Reader
	doc         []byte // what has been inflated
	text        []byte // the same in UTF-8
	xml         *markup.Reader
}

var decoders = sync.Pool{New: func() any {
	return &decoder{in: bufio.NewReader(nil), doc: make([]byte, 0, 64<<10), xml: markup.NewReader(nil, markup.Limits{})}
}}

// maxKept is the largest document whose memory is kept for the next one.
const maxKept = 1 << 20

func (d *decoder) release() {
	d.wire, d.plain, d.text = capped{}, capped{}, nil
	d.in.Reset(nil)
	d.xml.Reset(nil, markup.Limits{})
	if d.doc = d.doc[:0]; cap(d.doc) > maxKept {
		d.doc = make([]byte, 0, 64<<10)
	}
	decoders.Put(d)
}

// open begins to read a body, finds out by its first bytes how it is packed and what form it has, and inflates as much as
// that takes.
func (d *decoder) open(body io.Reader) (Format, error) {
	d.wire = capped{r: body, limit: MaxWire, what: "8 MiB as sent"}
	d.in.Reset(&d.wire)
	head, err := d.in.Peek(2)
	if err != nil {
		return XML, err
	}
	inflated, err := d.unpack(head)
	if err != nil {
		return XML, err
	}
	d.plain = capped{r: inflated, limit: maxInflated, what: "64 MiB unpacked", packed: &d.wire}
	for len(d.doc) < maxHead && err == nil {
		err = d.more()
		if format, ok := formOf(d.doc); ok {
			return format, nil // an error comes again
		}
	}
	if err != nil && err != io.EOF {
		return XML, err
	}
	return XML, fmt.Errorf("%w: it is neither XML nor JSON", ErrMalformed)
}

// maxHead is how far from its beginning a document may begin with blanks.
const maxHead = 4 << 10

// unpack returns the reader of what a body that begins with head holds.
func (d *decoder) unpack(head []byte) (r io.Reader, err error) {
	switch {
	case head[0]&0xF == 8 && (int(head[0])<<8|int(head[1]))%31 == 0:
		if d.zlib == nil {
			d.zlib, err = zlib.NewReader(d.in)
		} else {
			err = d.zlib.(zlib.Resetter).Reset(d.in, nil)
		}
		return d.zlib, err
	case head[0] == 0x1F && head[1] == 0x8B:
		if d.gzip == nil {
			d.gzip = new(gzip.Reader)
		}
		return d.gzip, d.gzip.Reset(d.in)
	}
	return d.in, nil
}

// formOf tells the form of a document by how it begins. It is not ok when there is nothing but blanks, or something else.
func formOf(doc []byte) (f Format, ok bool) {
	if bytes.HasPrefix(doc, []byte("\xFE\xFF")) || bytes.HasPrefix(doc, []byte("\xFF\xFE")) || bytes.HasPrefix(doc, []byte("\x00<")) {
		return XML, true
	}
	doc = bytes.TrimLeft(bytes.TrimPrefix(doc, byteOrderMark), " \t\r\n")
	switch {
	case len(doc) == 0:
	case doc[0] == '<':
		return XML, true
	case doc[0] == '{':
		return JSON, true
	}
	return XML, false
}

var byteOrderMark = []byte("\xEF\xBB\xBF")

// more inflates some more of the document; its error is io.EOF behind the end.
func (d *decoder) more() error {
	if len(d.doc) == cap(d.doc) {
		larger := make([]byte, len(d.doc), min(2*len(d.doc), maxInflated+1))
		copy(larger, d.doc)
		d.doc = larger
	}
	n, err := d.plain.Read(d.doc[len(d.doc):cap(d.doc)])
	d.doc = d.doc[:len(d.doc)+n]
	return err
}

// unpackAll inflates the rest of a document in XML, and brings it into UTF-8.
func (d *decoder) unpackAll() (err error) {
	for err == nil {
		err = d.more()
	}
	if err == io.EOF {
		d.text, err = markup.UTF8(d.doc, "")
	}
	return err
}

// rest returns a reader of the document from its beginning, which inflates as it goes.
func (d *decoder) rest() io.Reader {
	return io.MultiReader(bytes.NewReader(bytes.TrimPrefix(d.doc, byteOrderMark)), &d.plain)
}
