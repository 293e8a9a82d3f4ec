package report_test

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
)

// deflate packs a body as agents do.
func deflate(body []byte) []byte {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	w.Write(body)
	w.Close()
	return b.Bytes()
}

func zip(body []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write(body)
	w.Close()
	return b.Bytes()
}
