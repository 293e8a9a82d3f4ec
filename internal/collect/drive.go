package collect

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// localSystems are file systems on a disk of the computer. Others are made of memory or are behind a network or a
// program, and asking them may take for ever.
var localSystems = strings.Fields(`bcachefs btrfs exfat ext2 ext3 ext4 f2fs hfs hfsplus jfs msdos nilfs2 ntfs ntfs3 reiserfs ufs vfat xfs zfs`)

// A mount is a file system and where it is.
type mount struct{ number, folder, system, device string }

// drives adds file systems with their total and free space.
func (m *Machine) drives(d *document) {
	for _, mount := range m.mounts() {
		free, total, ok := m.freeSpace(mount.folder)
		if !ok {
			continue
		}
		d.row("DRIVES",
			field{"FILESYSTEM", mount.system},
			field{"FREE", strconv.FormatUint(free>>20, 10)},
			field{"TOTAL", strconv.FormatUint(total>>20, 10)},
			field{"TYPE", mount.folder},
			field{"VOLUMN", mount.device},
		)
	}
}

// diskTimeout is how long the size of a file system is waited for.
const diskTimeout = 5 * time.Second

// freeSpace returns the room on a file system. A disk that does not answer keeps the question, and nobody waits for it.
func (m *Machine) freeSpace(folder string) (free, total uint64, ok bool) {
	answer := make(chan [2]uint64, 1)
	go func() {
		space, err := m.Space(m.path(folder))
		if err == nil {
			answer <- [2]uint64{space.Free, space.Total}
		}
		close(answer)
	}()
	select {
	case a, answered := <-answer:
		return a[0], a[1], answered && a[1] > 0
	case <-time.After(diskTimeout):
		return 0, 0, false
	}
}

// mounts returns the file systems on disks, each once, where its path is shortest, sorted by that.
func (m *Machine) mounts() []mount {
	found := map[string]mount{}
	for line := range strings.Lines(m.text("proc/self/mountinfo")) {
		next, ok := parseMount(line)
		if !ok {
			continue
		}
		if old, known := found[next.number]; !known || len(next.folder) < len(old.folder) {
			found[next.number] = next
		}
	}
	var all []mount
	for _, next := range found {
		all = append(all, next)
	}
	slices.SortFunc(all, func(a, b mount) int { return cmp.Compare(a.folder, b.folder) })
	return all
}

// parseMount reads a line of mountinfo: an id, its parent's, the file system's number, its root, the folder, options,
// more of them up to a hyphen, the kind of file system, the device. It is ok when the file system is on a disk; that of
// a container is, too.
func parseMount(line string) (found mount, ok bool) {
	words := strings.Fields(line)
	hyphen := slices.Index(words, "-")
	if hyphen < 6 || len(words) < hyphen+3 {
		return mount{}, false
	}
	found = mount{words[2], unescape(words[4]), words[hyphen+1], unescape(words[hyphen+2])}
	return found, slices.Contains(localSystems, found.system) || found.system == "overlay" && found.folder == "/"
}

// unescape returns a text of mountinfo with the blanks and backslashes that it had, which are written as \040.
func unescape(text string) string {
	var out strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+4 <= len(text) {
			if n, err := strconv.ParseUint(text[i+1:i+4], 8, 8); err == nil {
				out.WriteByte(byte(n))
				i += 3
				continue
			}
		}
		out.WriteByte(text[i])
	}
	return out.String()
}
