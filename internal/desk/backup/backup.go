// Package backup makes a backup each day by itself, proves by a drill that it can be restored, removes the old ones,
// and tells what became of them. What is in a backup, and how it is read back, belongs to those who call it.
package backup

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"time"

	"muster/internal/archive"
	"muster/internal/atomicfile"
	"muster/internal/desk"
	"muster/internal/desk/jobs"
	"muster/internal/disk"
	"muster/internal/inventory"
	"muster/internal/message"
	"muster/internal/store"
	"muster/internal/store/queue"
)

// A Place is the installation of which backups are made.
type Place struct {
	Data string // folder
	// Export writes a backup that is not encrypted.
	Export func(ctx context.Context, out io.Writer, progress archive.Progress) (archive.Head, error)
	// Drill proves that such a file can be restored.
	Drill func(ctx context.Context, file string, progress archive.Progress) error
	// Sweep removes what a drill left in the data folder whose process died.
	Sweep func() error
	// Command returns the command that restores a file.
	Command func(file string, encrypted bool) string
}

// A Service makes the backups of an installation.
type Service struct {
	desk  *desk.Desk
	jobs  *jobs.Service
	place Place
	node  string
	turn  chan struct{} // holds one while no backup is made
}

// HandlerName is the name of the jobs that make backups.
const HandlerName = "backup"

// New returns the service of an installation, whose jobs make the backups.
func New(d *desk.Desk, j *jobs.Service, place Place) *Service {
	node, _ := os.Hostname() // a node without a name has its folder alone
	s := &Service{desk: d, jobs: j, place: place, node: node, turn: make(chan struct{}, 1)}
	s.turn <- struct{}{}
	j.Handle(&jobs.Handler{Name: HandlerName, Do: s.do, Said: said, Anew: true,
		Title: func([]byte) message.Text { return message.New("Make a backup and prove it") }})
	j.Daily(jobs.Daily{Handler: HandlerName, At: s.At})
	return s
}

// Begin notes from when on backups are made, unless that is known.
func (s *Service) Begin(ctx context.Context) error {
	state, err := s.State(ctx)
	if err != nil || !state.Since.IsZero() {
		return err
	}
	return s.desk.Store().Update(ctx, func(tx *store.Tx) error {
		return change(ctx, tx, func(state *State) { state.Since = s.desk.Now() })
	})
}

// plainName is the file in the data folder that a backup is in before it is encrypted.
const plainName = "backup.plain"

// plainForm is how that file is called before it is written to its end.
var plainForm = regexp.MustCompile(`^\.` + regexp.QuoteMeta(plainName) + `-\d+$`)

// Sweep removes what a process that died has left of its backup in the data folder, where nothing shall stay in plain. No
// backup is being made meanwhile.
func (s *Service) Sweep() {
	entries, err := os.ReadDir(s.place.Data)
	for _, e := range entries {
		if e.Name() == plainName || plainForm.MatchString(e.Name()) {
			err = errors.Join(err, os.Remove(filepath.Join(s.place.Data, e.Name())))
		}
	}
	if err = errors.Join(err, s.place.Sweep()); err != nil {
		s.desk.Log().Warn("what a backup left in the data folder could not be removed", "error", err)
	}
}

// said says what became of a job.
func said(note []byte) message.Text {
	var m Made
	if json.Unmarshal(note, &m) != nil || m.Name == "" {
		return message.Text{}
	}
	if !m.Proven() {
		return message.New("%s was made", m.Name)
	}
	return message.New("%s was made and proved", m.Name)
}

// Now begins to make a backup at once. Administrators alone may do that.
func (s *Service) Now(ctx context.Context, who desk.Caller) (queue.Job, error) {
	if who.User != nil && who.User.ReadOnly.V {
		return queue.Job{}, desk.Refuse(desk.Forbidden, "the user %s may only read", who.User.Email)
	}
	return s.jobs.Begin(ctx, who, jobs.Job{Handler: HandlerName, Key: HandlerName + "/now"},
		func(tx *store.Tx, _ int64) error {
			return s.desk.Administers(ctx, tx, who, "a %s may not make backups")
		}, desk.Refuse(desk.Conflict, "a backup is being made already"))
}

// do makes a backup and proves it, as a job.
func (s *Service) do(ctx context.Context, r *jobs.Run) error {
	select {
	case <-s.turn:
		defer func() { s.turn <- struct{}{} }()
	case <-ctx.Done():
		return ctx.Err()
	}
	s.Sweep()
	w := &work{Service: s, run: r}
	err := r.Noted(&w.former)
	if err == nil {
		err = w.finish(ctx)
	}
	if err == nil || ctx.Err() != nil {
		return err
	}
	s.failed(ctx, w, err)
	return err
}

// failed notes that a backup or its drill failed.
func (s *Service) failed(ctx context.Context, w *work, err error) {
	s.desk.Log().Error("no backup was made and proved", "file", w.made.Name, "folder", s.Folder(), "error", err)
	fault := &Fault{At: s.desk.Now(), Text: message.Of(err), Drill: w.made.Drill != nil && !w.made.Proven()}
	noted := w.run.Update(ctx, func(tx *store.Tx, _ desk.Caller) error {
		return change(ctx, tx, func(state *State) { state.Fault, state.Failures = fault, state.Failures+1 })
	})
	if noted != nil {
		s.desk.Log().Warn("it could not be noted that a backup failed", "error", noted)
	}
}

// A work is one backup that is being made.
type work struct {
	*Service
	run    *jobs.Run
	folder string
	made   Made
	former Made  // by an earlier try
	phase  int64 // of those that have progress
	share  int64 // of the present phase that was told
}

// finish makes and proves the backup, unless an earlier try did that, and removes old ones.
func (w *work) finish(ctx context.Context) error {
	if w.folder, w.made = w.former.Folder, w.former; !w.former.Proven() {
		w.folder, w.made = w.Folder(), Made{}
		if err := w.do(ctx); err != nil {
			return err
		}
	}
	return w.prune(ctx)
}

// do makes the backup and proves it.
func (w *work) do(ctx context.Context) error {
	if err := w.prepare(ctx); err != nil {
		return err
	}
	plain, err := w.write(ctx)
	if filepath.Base(plain) == plainName {
		defer os.Remove(plain)
	}
	if err != nil {
		return err
	}
	if err := w.note(ctx); err != nil {
		return err
	}
	return w.drill(ctx, plain)
}

// prepare makes sure that there is a folder with room.
func (w *work) prepare(ctx context.Context) error {
	if rest, err := filepath.Rel(w.place.Data, w.folder); err == nil && filepath.IsLocal(rest) {
		if err := os.MkdirAll(w.folder, 0o700); err != nil { // another one may be a disk that is not mounted
			return err
		}
	}
	need, err := w.need(ctx)
	if err != nil {
		return err
	}
	if err := CheckRoom(w.folder, need); err != nil || len(w.Keys()) == 0 {
		return err
	}
	if one, err := disk.IsOne(w.folder, w.place.Data); one || err != nil {
		need *= 2 // both are there at the same time
	}
	return CheckRoom(w.place.Data, need)
}

// need returns how many bytes the backup will have at most: somewhat more than the last one, or those of the database.
// It notes what the database is like.
func (w *work) need(ctx context.Context) (bytes int64, err error) {
	var state State
	err = w.desk.Store().View(ctx, func(tx *store.Tx) error {
		if state, err = ReadState(ctx, tx); err != nil {
			return err
		}
		head, err := tx.Head(ctx, inventory.Audits.Schema)
		if err != nil {
			return err
		}
		w.made.Audits = head.Count
		w.made.Database, err = tx.Size(ctx)
		return err
	})
	if last := state.Last(); last != nil {
		return last.Bytes * 5 / 4, err
	}
	return w.made.Database, err
}

// write writes the backup to its place, and returns the file in which it is not encrypted.
func (w *work) write(ctx context.Context) (plain string, err error) {
	keys, begun := w.Keys(), w.desk.Now()
	w.made.Name, w.made.Folder, w.made.Node, w.made.At = nameOf(begun, len(keys) > 0), w.folder, w.node, begun
	final := filepath.Join(w.folder, w.made.Name)
	plain = final
	if len(keys) > 0 {
		plain = filepath.Join(w.place.Data, plainName)
	}
	var head archive.Head
	err = atomicfile.ReplaceBy(plain, func(out io.Writer) error {
		head, err = w.place.Export(ctx, out, w.progress(ctx))
		return err
	}, 0o600)
	if err != nil {
		return plain, Explain(err, filepath.Dir(plain))
	}
	if plain != final {
		if err := encrypt(plain, final, keys); err != nil {
			return plain, Explain(err, w.folder)
		}
	}
	info, err := os.Stat(final)
	if err != nil {
		return plain, err
	}
	w.made.Bytes, w.made.Rows, w.made.Took = info.Size(), head.Rows, w.desk.Now().Sub(begun)
	w.desk.Log().Info("a backup was made", "file", final, "bytes", w.made.Bytes, "rows", w.made.Rows, "took", w.made.Took)
	return plain, nil
}

// encrypt writes a file encrypted to keys under another name.
func encrypt(plain, final string, keys []archive.PublicKey) error {
	in, err := os.Open(plain)
	if err != nil {
		return err
	}
	defer in.Close()
	return atomicfile.ReplaceBy(final, func(out io.Writer) error {
		return archive.Encrypt(out, keys, func(out io.Writer) error {
			_, err := io.Copy(out, in)
			return err
		})
	}, 0o600)
}

// drill proves the backup, and notes what came out.
func (w *work) drill(ctx context.Context, plain string) error {
	begun := w.desk.Now()
	w.phase, w.share = 1, 0
	err := w.place.Drill(ctx, plain, w.progress(ctx))
	if ctx.Err() != nil {
		return ctx.Err()
	}
	w.made.Drill = &Drill{At: begun, Took: w.desk.Now().Sub(begun)}
	if err != nil {
		w.made.Drill.Fault = message.Of(err)
	} else {
		w.phase = phases
		w.desk.Log().Info("the backup was proved", "file", w.made.Name, "took", w.made.Drill.Took)
	}
	if noted := w.note(ctx); err == nil {
		err = noted
	}
	return err
}

// note stores what is known of the backup, which stands for those of earlier tries. A proof ends the fault of an
// earlier one.
func (w *work) note(ctx context.Context) error {
	if err := w.replaceFormer(); err != nil {
		return err
	}
	return w.run.Update(ctx, func(tx *store.Tx, _ desk.Caller) error {
		err := change(ctx, tx, func(state *State) {
			state.remove(w.former.place())
			state.put(w.made)
			if w.made.Proven() {
				state.Fault = nil
			}
		})
		if err != nil {
			return err
		}
		return w.run.Note(ctx, tx, w.phase*100, phases*100, w.made)
	})
}

// replaceFormer removes the backup of an earlier try of the same job, whose drill failed: there is a newer one. It is on
// another node perhaps, which has a folder of its own.
func (w *work) replaceFormer() error {
	path := filepath.Join(w.former.Folder, w.former.Name)
	if w.former.Name == "" || path == filepath.Join(w.made.Folder, w.made.Name) {
		return nil
	}
	if info, err := os.Stat(path); err != nil || info.Size() != w.former.Bytes {
		return nil
	}
	return os.Remove(path)
}

// phases are how many parts of the work have progress: written, verified, loaded, proved.
const phases = 4

// steps is in how many steps the progress of a phase is told.
const steps = 10

// progress returns what notes how far a job is. Each of its phases counts the same rows from the beginning.
func (w *work) progress(ctx context.Context) archive.Progress {
	return func(_ string, done, total int64) {
		share := done * steps / max(total, 1)
		if share == w.share {
			return
		}
		if share < w.share {
			w.phase = min(w.phase+1, phases-1)
		}
		w.share = share
		// what is not noted now is noted at the next step
		_ = w.run.Update(ctx, func(tx *store.Tx, _ desk.Caller) error {
			return w.run.Note(ctx, tx, w.phase*100+share*100/steps, phases*100, w.made)
		})
	}
}

// prune removes the backups of the folder that are not kept, and what a power cut left of one. It is done after a proof
// only, and what is proved is never removed for what is not: see Keep.sort.
func (w *work) prune(ctx context.Context) error {
	state, err := w.State(ctx)
	if err != nil {
		return err
	}
	files, err := w.filesIn(&state, w.folder)
	if err != nil {
		return Explain(err, w.folder)
	}
	rule := w.Rule(&state)
	_, surplus := rule.Keep.sort(files, w.desk.Now())
	surplus = slices.DeleteFunc(surplus, func(name string) bool { return name == w.made.Name })
	for _, name := range surplus {
		if err := os.Remove(filepath.Join(w.folder, name)); err != nil {
			return Explain(err, w.folder)
		}
		w.desk.Log().Info("an old backup was removed", "file", filepath.Join(w.folder, name))
	}
	files = slices.DeleteFunc(files, func(f File) bool { return slices.Contains(surplus, f.Name) })
	if err := w.pruned(ctx, rule, files, surplus); err != nil {
		return err
	}
	return w.sweepFolder()
}

// pruned notes which backups were removed by a rule, and which are not among those that are left for another reason.
func (w *work) pruned(ctx context.Context, rule Rule, left []File, removed []string) error {
	isGone := func(m Made) bool {
		own := m.Node == w.node || slices.Contains(removed, m.Name)
		return own && m.Folder == w.folder && !slices.ContainsFunc(left, func(f File) bool { return f.Name == m.Name })
	}
	return w.run.Update(ctx, func(tx *store.Tx, _ desk.Caller) error {
		return change(ctx, tx, func(state *State) {
			state.Rule, state.Fault = rule, nil
			for i, m := range state.Made {
				state.Made[i].Removed = m.Removed || isGone(m)
			}
		})
	})
}

// partlyKept is after how long a file that was not written to its end is removed. Another node may be writing a younger
// one into the same folder.
const partlyKept = 24 * time.Hour

// sweepFolder removes what was not written to its end.
func (w *work) sweepFolder() error {
	entries, err := os.ReadDir(w.folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // it is on another node, which made the backup in an earlier try
	}
	for _, e := range entries {
		info, gone := e.Info()
		if partlyForm.MatchString(e.Name()) && gone == nil && w.desk.Now().Sub(info.ModTime()) > partlyKept {
			_ = os.Remove(filepath.Join(w.folder, e.Name())) // the next backup tries again
		}
	}
	return err
}
