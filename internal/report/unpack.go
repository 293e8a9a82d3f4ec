package report

import (
	"bytes"
	"compress/zlib"
	"io"
)

// Unpack returns a document that Pack has compressed. The error is ErrTooLarge for
// one of more than so many bytes.
func Unpack(packed []byte, most int64) ([]byte, error) {
	z, err := zlib.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	document, err := io.ReadAll(io.LimitReader(z, most+1))
	if err == nil && int64(len(document)) > most {
		err = ErrTooLarge
	}
	return document, err
}
