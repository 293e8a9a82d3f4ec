package server

import (
	"encoding/hex"
	"fmt"
	"os"
	"strings"

	"muster/internal/desk/seal"
	"muster/internal/kind"
)

// Files are the paths of an installation's files, for programs that examine it from
// outside.
type Files struct {
	Database string // or its PostgreSQL address
	Key      string
	Socket   string
	Kinds    []*kind.Schema // that are stored
}

// Files returns where the installation keeps what.
func (p *Place) Files() Files {
	return Files{Database: p.database(), Key: p.keyFile(), Socket: p.path(socketName), Kinds: p.kinds()}
}

// ReadKey reads the server's key.
func ReadKey(file string) ([]byte, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("read the server's key: %w", err)
	}
	return parseKey(file, text)
}

// parseKey returns the key in the text of a file. It returns an error if it is none.
func parseKey(file string, text []byte) ([]byte, error) {
	key, err := hex.DecodeString(strings.TrimSpace(string(text)))
	if err != nil || len(key) != seal.KeySize {
		return nil, fmt.Errorf("the server's key %s is damaged: it must be %d hexadecimal digits", file, 2*seal.KeySize)
	}
	return key, nil
}
