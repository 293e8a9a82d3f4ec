package agent

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"muster/internal/atomicfile"
)

// keyFile keeps the key that the server gave this agent, with which it alone speaks
// for the computer. Without it the server asks a technician.
const keyFile = "key"

// maxKey is how long a key may be.
const maxKey = 255

// keptKey returns the key that is kept, "" when there is none or the file is damaged.
func (r *Reporter) keptKey() (string, error) {
	text, err := os.ReadFile(filepath.Join(r.State, keyFile))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("read the agent's key: %w; run it as root, or name another folder with --state", err)
	}
	key := strings.TrimSpace(string(text))
	if !isKey(key) {
		return "", nil
	}
	return key, nil
}

// isKey reports whether a text can be a key: what a header may have, and not much.
func isKey(text string) bool {
	return len(text) <= maxKey && !strings.ContainsFunc(text, func(c rune) bool { return c <= ' ' || c > '~' })
}

// keepKey keeps the key that a server gave the agent.
func (r *Reporter) keepKey(key string) error {
	if !isKey(key) {
		return fmt.Errorf("%s accepted the report, but sent a key that is not valid", r.Server)
	}
	if err := atomicfile.Replace(filepath.Join(r.State, keyFile), []byte(key+"\n"), 0o600); err != nil {
		return fmt.Errorf("%s accepted the report, but its key for this agent could not be saved: %w; run it as root, or name a folder that can be written to with --state", r.Server, err)
	}
	return nil
}
