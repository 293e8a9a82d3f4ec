package report

import (
	"bytes"
	"io"
	"sync"

	"muster/internal/markup"
)

// A decoder has the memory that reading a message needs. It is reused for the next message.
type decoder struct {
	inflate inflater
	kept    []byte // in which bodies are unpacked
	doc     []byte // the document, in kept or as it was sent
	text    []byte // the same in UTF-8
	failed  error  // why doc is not whole
	xml     *markup.Reader
}

var decoders = sync.Pool{New: func() any {
	return &decoder{kept: make([]byte, 0, 64<<10), xml: markup.NewReader(nil, markup.Limits{})}
}}

// maxKept is the largest document whose memory is kept for the next one.
const maxKept = 1 << 20

func (d *decoder) release() {
	d.doc, d.failed, d.text = nil, nil, nil
	d.xml.Reset(nil, markup.Limits{})
	if cap(d.kept) > maxKept {
		d.kept = make([]byte, 0, 64<<10)
	}
	decoders.Put(d)
}

// open unpacks a body, and finds out what form it has. A document in JSON that is not whole fails where it is read
// up to there.
func (d *decoder) open(body []byte) (Format, error) {
	if len(body) > MaxWire {
		return XML, tooLarge("more than %d MiB as sent", MaxWire>>20)
	}
	err := d.unpack(body)
	format, ok := formOf(d.doc[:min(len(d.doc), maxHead)])
	switch {
	case ok && format == JSON:
		d.failed = err
		return JSON, nil
	case err != nil && (ok || len(d.doc) < maxHead):
		return XML, err
	case !ok:
		return XML, malformed("it is neither XML nor JSON")
	}
	d.text, err = markup.UTF8(d.doc, "")
	return XML, err
}

// maxHead is how far from its beginning a document may begin with blanks.
const maxHead = 4 << 10

// unpack finds out by the first bytes of a body how it is packed, and unpacks it.
func (d *decoder) unpack(body []byte) (err error) {
	switch {
	case len(body) < 2:
		return io.ErrUnexpectedEOF
	case body[0]&0xF == 8 && (int(body[0])<<8|int(body[1]))%31 == 0:
		d.kept, err = d.inflate.unpackZlib(d.kept, body, unpacked)
	case body[0] == 0x1F && body[1] == 0x8B:
		d.kept, err = d.inflate.unpackGzip(d.kept, body, unpacked)
	default:
		d.doc = body
		return nil
	}
	d.doc = d.kept
	return err
}

// formOf returns the form of a document by how it begins. It is not ok when there is nothing but blanks, or something
// else.
func formOf(doc []byte) (f Format, ok bool) {
	for _, start := range []string{"\xFE\xFF", "\xFF\xFE", "\x00<"} { // of UTF-16
		if bytes.HasPrefix(doc, []byte(start)) {
			return XML, true
		}
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

// rest returns a reader of the document, which fails where it is not whole.
func (d *decoder) rest() io.Reader {
	return &partial{bytes.NewReader(bytes.TrimPrefix(d.doc, byteOrderMark)), d.failed}
}

// A partial reader has an error at its end, unless that is nil.
type partial struct {
	doc    *bytes.Reader
	failed error
}

func (p *partial) Read(b []byte) (int, error) {
	n, err := p.doc.Read(b)
	if err == io.EOF && p.failed != nil {
		err = p.failed
	}
	return n, err
}
