package backup

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"muster/internal/desk"
	"muster/internal/disk"
	"muster/internal/store/queue"
)

// A Listed is a backup that is there, or was made by another node.
type Listed struct {
	Name   string
	Path   string
	At     time.Time
	Bytes  int64
	Sealed bool   // it is encrypted
	Weekly bool   // it is kept as that of a week
	Node   string // that has it, "" for this one
	Drill  *Drill // nil where nothing is known of one
}

// Proven reports whether a drill is known to have proved the backup.
func (b *Listed) Proven() bool { return b.Drill != nil && b.Drill.Fault.IsZero() }

// List returns the backups that are there, the newest first: those in this node's folder, and those that other nodes
// made.
func (s *Service) List(ctx context.Context) (all []Listed, err error) {
	state, err := s.State(ctx)
	if err != nil {
		return nil, err
	}
	folder := s.Folder()
	files, err := s.filesIn(&state, folder)
	if err != nil {
		return nil, Explain(err, folder)
	}
	weekly, _ := s.Rule(&state).Keep.sort(files, s.desk.Now())
	for _, f := range files {
		one := Listed{Name: f.Name, Path: filepath.Join(folder, f.Name), At: f.At, Bytes: f.Bytes, Sealed: f.Sealed,
			Weekly: slices.Contains(weekly, f.Name)}
		if m := state.about(folder, f); m != nil {
			one.At, one.Drill = m.At, m.Drill
		}
		all = append(all, one)
	}
	all = append(all, s.elsewhere(&state, folder, files)...)
	slices.SortStableFunc(all, func(a, b Listed) int { return b.At.Compare(a.At) })
	return all, nil
}

// filesIn returns the backups in a folder that may not be there yet, with what is known of them.
func (s *Service) filesIn(state *State, folder string) (files []File, err error) {
	files, err = filesIn(folder, s.desk.Now().Location())
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	for i, f := range files {
		m := state.about(folder, f)
		files[i].Proven = m != nil && m.Proven()
	}
	return files, err
}

// elsewhere returns the backups that are not among the files in the folder of this node: those of other nodes, and those
// in a former folder.
func (s *Service) elsewhere(state *State, folder string, files []File) (all []Listed) {
	for _, m := range state.Made {
		if m.Removed || slices.ContainsFunc(files, func(f File) bool { return m.is(folder, f) }) {
			continue
		}
		one := Listed{Name: m.Name, Path: filepath.Join(m.Folder, m.Name), At: m.At, Bytes: m.Bytes, Drill: m.Drill,
			Sealed: filepath.Ext(m.Name) == filepath.Ext(encryptedEnd)}
		if info, err := os.Stat(one.Path); err != nil || info.Size() != m.Bytes {
			if m.Node == s.node {
				continue
			}
			one.Node = m.Node
		}
		all = append(all, one)
	}
	return all
}

// Command returns the command that restores a backup.
func (s *Service) Command(b Listed) string { return s.place.Command(b.Path, b.Sealed) }

// Room returns the room on the disk of the backups, and what they take of it.
func (s *Service) Room() (space disk.Space, taken int64, err error) {
	folder := s.Folder()
	files, err := filesIn(folder, time.UTC)
	if errors.Is(err, fs.ErrNotExist) {
		folder, err = s.place.Data, nil
	}
	for _, f := range files {
		taken += f.Bytes
	}
	if err == nil {
		space, err = disk.Room(folder)
	}
	return space, taken, err
}

// UnderWay returns the backup that is being made, nil for none.
func (s *Service) UnderWay(ctx context.Context, who desk.Caller) (*queue.Job, error) {
	for _, handled := range []queue.State{queue.Running, queue.Waiting} {
		filter := queue.Filter{Handler: HandlerName, State: handled, Before: s.soon(handled), Most: 1}
		found, _, err := s.jobs.List(ctx, who, filter)
		if err != nil || len(found) > 0 {
			return first(found), err
		}
	}
	return nil, nil
}

// soon limits jobs that wait to those that are due.
func (s *Service) soon(state queue.State) time.Time {
	if state == queue.Running {
		return time.Time{}
	}
	return s.desk.Now()
}

func first(jobs []queue.Job) *queue.Job {
	if len(jobs) == 0 {
		return nil
	}
	return &jobs[0]
}

// month is by which the growth is told, and leastGrowth the time without which nothing is said of it.
const (
	month       = 30 * 24 * time.Hour
	leastGrowth = 7 * 24 * time.Hour
)

// Growth returns by how many bytes a month the database has grown, and in which time; 0 before that is known.
func (s *State) Growth() (bytes int64, in time.Duration) {
	if len(s.Made) < 2 {
		return 0, 0
	}
	last, oldest := s.Made[0], s.Made[len(s.Made)-1]
	if in = last.At.Sub(oldest.At); in < leastGrowth {
		return 0, 0
	}
	return int64(float64(last.Database-oldest.Database) * float64(month) / float64(in)), in
}
