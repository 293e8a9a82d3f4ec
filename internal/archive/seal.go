package archive

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"hash"
	"io"
)

// sealHead begins the seal: to programs that know zstd it is a frame of 32
// bytes that they skip. The compression's own sum does not cover all bytes.
var sealHead = []byte{0x50, 0x2a, 0x4d, 0x18, sha256.Size, 0, 0, 0}

const sealSize = 8 + sha256.Size

// A sealer passes a file on and ends it with its seal.
type sealer struct {
	out  io.Writer
	hash hash.Hash
}

func newSealer(out io.Writer) *sealer { return &sealer{out, sha256.New()} }

// Write writes a piece of the file.
func (s *sealer) Write(piece []byte) (int, error) {
	s.hash.Write(piece)
	return s.out.Write(piece)
}

// seal writes the seal.
func (s *sealer) seal() error {
	_, err := s.out.Write(s.hash.Sum(bytes.Clone(sealHead)))
	return err
}

// An unsealer passes a file on without its last bytes, which are to be its
// seal.
type unsealer struct {
	in   *bufio.Reader
	hash hash.Hash
	last []byte
}

func newUnsealer(in io.Reader) *unsealer {
	return &unsealer{in: bufio.NewReaderSize(in, 1<<16), hash: sha256.New()}
}

// Read reads a piece of the file.
func (u *unsealer) Read(piece []byte) (int, error) {
	ahead, err := u.in.Peek(sealSize + 1)
	if err != nil {
		u.last = bytes.Clone(ahead)
		return 0, err
	}
	n, err := u.in.Read(piece[:min(len(piece), u.in.Buffered()-sealSize)])
	u.hash.Write(piece[:n])
	return n, err
}

// whole reports whether the seal, after the whole file was read, is that of
// what was read.
func (u *unsealer) whole() bool { return bytes.Equal(u.last, u.hash.Sum(bytes.Clone(sealHead))) }
