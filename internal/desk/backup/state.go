package backup

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"muster/internal/message"
	"muster/internal/store"
)

// A State is what became of backups by schedule, on all nodes.
type State struct {
	Since    time.Time // when a server first knew of schedules
	Made     []Made    `json:",omitempty"` // the newest first
	Fault    *Fault    `json:",omitempty"` // of the last one, nil if it is well
	Failures int64     // tries so far
	Rule     Rule      `json:",omitzero"` // by which old ones were removed last, zero before that
}

// A Made is a backup that was made.
type Made struct {
	Name     string
	Folder   string
	Node     string // that made it
	At       time.Time
	Took     time.Duration
	Bytes    int64
	Rows     int64
	Database int64  // bytes of the database then
	Audits   int64  // records of the audit trail then
	Drill    *Drill `json:",omitempty"` // nil before it
	Removed  bool   `json:",omitempty"` // it was not to be kept any more
}

// A Drill is the proof that a backup can be restored.
type Drill struct {
	At    time.Time
	Took  time.Duration
	Fault message.Text // why it failed, zero if it did not
}

// Proven reports whether a drill has proved the backup.
func (m *Made) Proven() bool { return m.Drill != nil && m.Drill.Fault.IsZero() }

// A Fault is why the last backup, or its drill, failed.
type Fault struct {
	At    time.Time
	Text  message.Text
	Drill bool // there is a backup, but it is not proved
}

// Last returns the last backup, nil for none.
func (s *State) Last() *Made {
	if len(s.Made) == 0 {
		return nil
	}
	return &s.Made[0]
}

// LastProven returns the last backup that a drill has proved, nil for none.
func (s *State) LastProven() *Made {
	i := slices.IndexFunc(s.Made, func(m Made) bool { return m.Proven() })
	if i < 0 {
		return nil
	}
	return &s.Made[i]
}

// late is after how long without a backup something is wrong with the schedule.
const late = 36 * time.Hour

// IsLate reports whether backups by schedule should have been made and were not.
func (s *State) IsLate(now time.Time) bool {
	since := s.Since
	if last := s.Last(); last != nil {
		since = last.At
	}
	return !since.IsZero() && now.Sub(since) > late
}

// stateName is the name of the state in the database, and of the counter by which its changes wait for each other.
const stateName = "backups"

// about returns what is known of a file in a folder of this node, nil for nothing.
func (s *State) about(folder string, f File) *Made {
	i := slices.IndexFunc(s.Made, func(m Made) bool { return m.is(folder, f) })
	if i < 0 {
		return nil
	}
	return &s.Made[i]
}

// is reports whether a backup is a file in a folder of this node. Who made it does not matter: nodes may share a folder,
// and a node may have got another name.
func (m *Made) is(folder string, f File) bool {
	return m.Folder == folder && m.Name == f.Name && m.Bytes == f.Bytes
}

// mostMade is how many backups are remembered.
const mostMade = 100

// ReadState returns the state in a transaction.
func ReadState(ctx context.Context, tx *store.Tx) (state State, err error) {
	document, err := tx.Meta(ctx, stateName)
	if errors.Is(err, store.ErrNotFound) {
		return state, nil
	}
	if err != nil {
		return state, err
	}
	return state, json.Unmarshal(document, &state)
}

// State returns what became of backups by schedule.
func (s *Service) State(ctx context.Context) (state State, err error) {
	err = s.desk.Store().Read(ctx, func(tx *store.Tx) error {
		state, err = ReadState(ctx, tx)
		return err
	})
	return state, err
}

// change changes the state in a transaction.
func change(ctx context.Context, tx *store.Tx, f func(*State)) error {
	if _, err := tx.Count(ctx, stateName); err != nil {
		return err
	}
	state, err := ReadState(ctx, tx)
	if err != nil {
		return err
	}
	f(&state)
	state.Made = state.Made[:min(len(state.Made), mostMade)]
	document, err := json.Marshal(state)
	if err != nil {
		return err
	}
	return tx.SetMeta(ctx, stateName, document)
}

// A place is where a backup is.
type place struct{ node, folder, name string }

func (m *Made) place() place { return place{m.Node, m.Folder, m.Name} }

// put puts a backup in front, in the place of itself if it is there.
func (s *State) put(m Made) {
	s.remove(m.place())
	s.Made = slices.Insert(s.Made, 0, m)
}

// remove forgets the backup at a place.
func (s *State) remove(at place) {
	s.Made = slices.DeleteFunc(s.Made, func(m Made) bool { return m.place() == at })
}
