package collect

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// maxFile is how much of a file is read. The longest ones are the lists of packages.
const maxFile = 64 << 20

// path returns where a file of the machine is.
func (m *Machine) path(parts ...string) string {
	return filepath.Join(append([]string{m.Root}, parts...)...)
}

// bytes returns the content of a file, nothing when it cannot be read.
func (m *Machine) bytes(parts ...string) []byte {
	f, err := os.Open(m.path(parts...))
	if err != nil {
		return nil
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile))
	if err != nil {
		return nil
	}
	return data
}

// text is bytes without the blanks and zero bytes around them, as the kernel leaves them.
func (m *Machine) text(parts ...string) string {
	return strings.Trim(string(m.bytes(parts...)), " \t\r\n\x00")
}

// names returns the names in a folder, sorted, none when it cannot be read.
func (m *Machine) names(parts ...string) []string {
	entries, _ := os.ReadDir(m.path(parts...)) // of a failure, those before it
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// has reports whether there is a file or folder.
func (m *Machine) has(parts ...string) bool {
	_, err := os.Stat(m.path(parts...))
	return err == nil
}

// changed returns when a file was written last, the zero time when it is not known.
func (m *Machine) changed(parts ...string) time.Time {
	info, err := os.Stat(m.path(parts...))
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}

// settings returns the values of a file with lines NAME=value, quoted or not.
func (m *Machine) settings(parts ...string) map[string]string {
	values := map[string]string{}
	for line := range strings.Lines(m.text(parts...)) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), "="); ok {
			values[name] = strings.Trim(value, `"'`)
		}
	}
	return values
}

// first returns the first value that is not empty.
func first(values ...string) string {
	for _, value := range values {
		if value != "" {
			return value
		}
	}
	return ""
}
