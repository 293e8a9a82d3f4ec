package page

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"net/http"
	"path"
	"sync"
)

// files are the stylesheet, scripts and pictures of the pages. Their addresses
// have a hash of all of them, so that browsers keep them until they change.
type files struct {
	base   string // that their addresses begin with
	byName map[string]*file
}

// A file is one of them.
type file struct {
	kind   string
	plain  []byte
	zipped func() []byte // the same compressed, when it is first asked for
}

// kinds are the content types of files.
var kinds = map[string]string{
	".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml",
	".webmanifest": "application/manifest+json",
}

// newFiles reads the files, whose addresses are below a path.
func newFiles(assets fs.FS, below string) *files {
	f := &files{byName: map[string]*file{}}
	hash := sha256.New()
	err := fs.WalkDir(assets, "static", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(assets, name)
		hash.Write([]byte(name))
		hash.Write(text)
		f.byName[name[len("static/"):]] = &file{
			kinds[path.Ext(name)], text, sync.OnceValue(func() []byte { return zipped(text) }),
		}
		return err
	})
	if err != nil {
		panic(err) // they are in the program
	}
	f.base = below + hex.EncodeToString(hash.Sum(nil)[:6]) + "/"
	return f
}

// zipped returns a text compressed as well as possible: it is done once.
func zipped(text []byte) []byte {
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err == nil {
		_, err = w.Write(text)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		panic(err) // it is written to memory
	}
	return out.Bytes()
}

// address returns the address of a file.
func (f *files) address(name string) string { return f.base + name }

// SendFile answers with a file. An address with another hash is one of before or
// after an upgrade: it gets the present file, which is not kept.
func (c *Call) SendFile() (*Answer, error) {
	found := c.App.files.byName[c.PathValue("name")]
	if found == nil {
		return nil, c.App.Missing(c.Request)
	}
	a := &Answer{Status: http.StatusOK, Kind: found.kind, Body: found.plain, zipped: found.zipped}
	if c.App.At("/static/"+c.PathValue("hash")+"/") == c.App.files.base {
		a.cache = "public, max-age=31536000, immutable"
	}
	return a, nil
}
