package agent

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"muster/internal/atomicfile"
)

// deviceFile keeps the device id, by which the server knows this agent again.
const deviceFile = "device-id"

// deviceID returns the agent's id, which is made at the first report and kept.
func (r *Reporter) deviceID() (string, error) {
	id, err := r.keptID()
	if err != nil || id != "" {
		return id, err
	}
	id = r.newID()
	err = atomicfile.Folder(r.State)
	if err == nil {
		err = atomicfile.Replace(filepath.Join(r.State, deviceFile), []byte(id+"\n"), 0o600)
	}
	if err != nil {
		return "", fmt.Errorf("save the device id: %w; run it as root, or name a folder that can be written to with --state", err)
	}
	return id, nil
}

// keptID returns the id that is kept, "" when there is none or the file is damaged.
func (r *Reporter) keptID() (string, error) {
	text, err := os.ReadFile(filepath.Join(r.State, deviceFile))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("read the device id: %w; run it as root, or name another folder with --state", err)
	}
	id := strings.TrimSpace(string(text))
	if len(id) > 255 || strings.ContainsFunc(id,
		func(c rune) bool { return !unicode.IsGraphic(c) || c == unicode.ReplacementChar }) {
		return "", nil
	}
	return id, nil
}

// newID returns an id of the form that agents have.
func (r *Reporter) newID() string {
	name, _, _ := strings.Cut(r.Machine.Name, ".")
	if name == "" {
		name = "computer"
	}
	return name + r.Now().Format("-2006-01-02-15-04-05")
}
