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
	"time"

	"muster/internal/archive"
	"muster/internal/atomicfile"
	"muster/internal/desk"
	"muster/internal/desk/jobs"
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
	w := &work{Service: s, run: r}
	var former Made
	err := r.Noted(&former)
	if err == nil && !former.Proven() { // else all was done when the process died
		w.former = former.place()
		err = w.do(ctx)
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
	fault := &Fault{At: s.desk.Now(), Text: message.Of(err), Drill: w.made.Drill != nil}
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
	former place // of an earlier try that failed
	phase  int64 // of those that have progress
	share  int64 // of the present phase that was told
}

// do makes the backup, proves it, and removes old ones.
func (w *work) do(ctx context.Context) error {
	w.folder = w.Folder()
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
	if err := w.drill(ctx, plain); err != nil {
		return err
	}
	return w.prune()
}

// prepare makes sure that there is a folder with room.
func (w *work) prepare(ctx context.Context) error {
	if rest, err := filepath.Rel(w.place.Data, w.folder); err == nil && filepath.IsLocal(rest) {
		if err := os.MkdirAll(w.folder, 0o700); err != nil { // another one may be a disk that is not mounted
			return err
		}
	}
	need, err := w.need(ctx)
	if err == nil {
		err = CheckRoom(w.folder, need)
	}
	if err == nil && len(w.Keys()) > 0 {
		err = CheckRoom(w.place.Data, need)
	}
	return err
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

// plainName is the file in the data folder that a backup is in before it is encrypted.
const plainName = "backup.plain"

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
			state.remove(w.former)
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

// replaceFormer removes the backup of an earlier try of the same job, whose drill failed: there is a newer one.
func (w *work) replaceFormer() error {
	if w.former == (place{}) || w.former == w.made.place() {
		return nil
	}
	if w.former.node != w.node {
		return nil
	}
	err := os.Remove(filepath.Join(w.former.folder, w.former.name))
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return err
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
// only: what is proved is never removed for what is not.
func (w *work) prune() error {
	files, err := filesIn(w.folder, w.desk.Now().Location())
	if err != nil {
		return Explain(err, w.folder)
	}
	_, surplus := w.Kept().sort(files, w.desk.Now())
	for _, name := range surplus {
		if name == w.made.Name {
			continue
		}
		if err := os.Remove(filepath.Join(w.folder, name)); err != nil {
			return Explain(err, w.folder)
		}
		w.desk.Log().Info("an old backup was removed", "file", filepath.Join(w.folder, name))
	}
	return w.sweep()
}

// partlyKept is after how long a file that was not written to its end is removed. Another node may be writing a younger
// one into the same folder.
const partlyKept = 24 * time.Hour

// sweep removes what was not written to its end.
func (w *work) sweep() error {
	entries, err := os.ReadDir(w.folder)
	for _, e := range entries {
		info, gone := e.Info()
		if partlyForm.MatchString(e.Name()) && gone == nil && w.desk.Now().Sub(info.ModTime()) > partlyKept {
			_ = os.Remove(filepath.Join(w.folder, e.Name())) // the next backup tries again
		}
	}
	return err
}
