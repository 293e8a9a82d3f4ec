package server

import (
	"encoding/hex"
	"fmt"
	"os"
	"strings"

	"muster/internal/desk"
	"muster/internal/kind"
)

// Files are where an installation keeps what, for those who look at it from
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

// parseKey returns the key that a file holds.
func parseKey(file string, text []byte) ([]byte, error) {
	key, err := hex.DecodeString(strings.TrimSpace(string(text)))
	if err != nil || len(key) != desk.KeySize {
		return nil, fmt.Errorf("the server's key %s is damaged: it must be %d hexadecimal digits", file, 2*desk.KeySize)
	}
	return key, nil
}
