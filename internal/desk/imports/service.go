package imports

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"muster/internal/desk"
	"muster/internal/desk/jobs"
	"muster/internal/kind"
	"muster/internal/sheet"
	"muster/internal/store"
	"muster/internal/store/queue"
)

// A Service imports files as jobs: checking and writing outlive the process that does them, and what was written is taken
// back for a day.
type Service struct {
	desk   *desk.Desk
	jobs   *jobs.Service
	spell  func(jobs.Writing) Spelling
	tables *tables
	most   int64                                                             // mostFiles
	begin  func(ctx context.Context, id int64, n jobs.Job, busy error) error // lets a job be done
	back   func(ctx context.Context, who desk.Caller, n jobs.Job, prepare func(*store.Tx, int64) error, busy error,
	) (queue.Job, error) // begins one that takes an import back
	again func(ctx context.Context, who desk.Caller, id int64) error // lets it go on when it came to nothing
}

// New returns the service on a desk, whose jobs do the work. Spell returns how people write.
func New(d *desk.Desk, j *jobs.Service, spell func(jobs.Writing) Spelling) *Service {
	s := &Service{desk: d, jobs: j, spell: spell, tables: newTables(), most: mostFiles, begin: j.Submit, back: j.Begin,
		again: j.TakeOver}
	j.Handle(&jobs.Handler{Name: Handler, Title: title, Do: s.do, Said: said, Stopped: s.stopped, Ended: s.ended,
		Retried: s.retried, Keeps: undoTime, Needed: s.needed, AtOnce: atOnce})
	j.Handle(&jobs.Handler{Name: backHandler, Title: backTitle, Do: s.takeBack, Retried: s.backRetried, AtOnce: atOnce})
	return s
}

// Names of the jobs.
const (
	Handler     = "import"
	backHandler = "import-undo"
)

// undoTime is for how long an import can be taken back. Its file and its rows are kept for longer: taking it back may have
// to wait for a database that is away.
const (
	undoTime    = 24 * time.Hour
	journalKept = undoTime + 3*24*time.Hour
)

// Limits of imports.
const (
	maxDrafts = 3         // of a person, that wait for their next word; the oldest goes when there are more
	mostFiles = 256 << 20 // bytes of a person's files that are kept
	atOnce    = 2         // that are checked or written, or taken back, so that other jobs have room beside them
)

// An order is what the job of an import is to do.
type order struct {
	Kind      string       `json:"kind"` // the item element
	File      string       `json:"file"` // its name
	Size      int          `json:"size"`
	Rows      int          `json:"rows"`
	Phase     phase        `json:"phase"`
	Choice    Choice       `json:"choice"`
	Whole     bool         `json:"whole,omitempty"`
	Confirmed bool         `json:"confirmed,omitempty"` // the person proved who they are
	StoppedBy string       `json:"stoppedBy,omitempty"` // the e-mail address of who has stopped it
	Writing   jobs.Writing `json:"writing"`
}

// A phase is what is to be done of an import.
type phase string

// Phases of imports.
const (
	matching phase = "match" // a person matches the columns
	checking phase = "check"
	writing  phase = "write"
)

// A Choice is how a person has matched columns with fields.
type Choice struct {
	Fields []string `json:"fields"` // of each column, "" for one that is left out
	Chosen string   `json:"chosen"` // how records are recognised, as the person has chosen it
	Key    string   `json:"key"`    // that this comes to, "" for none
	Clear  bool     `json:"clear,omitempty"`
}

// Open begins an import of a file that was read.
func (s *Service) Open(ctx context.Context, who desk.Caller, k *kind.Schema, file string, content []byte, table *sheet.Table,
	choice Choice) (int64, error) {
	if err := May(who, k); err != nil {
		return 0, err
	}
	o := order{Kind: k.Item, File: desk.OneLine(file), Size: len(content), Rows: len(table.Rows), Phase: matching, Choice: choice}
	if err := s.jobs.CheckRoom(int64(len(content))); err != nil {
		return 0, err
	}
	who.Origin = origin
	var gone []int64
	j, err := s.jobs.Draft(ctx, who, jobs.Job{Handler: Handler, Payload: o, Total: int64(o.Rows)},
		func(tx *store.Tx, id int64) (err error) {
			if who.User != nil {
				if gone, err = s.forget(ctx, tx, who.User.ID, int64(len(content))); err != nil {
					return err
				}
			}
			return queue.PutFile(ctx, tx, id, s.desk.Sealer().Seal(content, purpose))
		})
	for _, id := range gone {
		if err == nil {
			err = s.jobs.Clear(ctx, id)
		}
	}
	return j.ID, err
}

// purpose is what files of imports are sealed for: some have passwords.
const purpose = "file of an import"

// forget removes the oldest imports of a user that wait for their next word, and of those that came to nothing as many as
// another file needs to be kept. It returns them. Those that were written are needed for taking them back.
func (s *Service) forget(ctx context.Context, tx *store.Tx, user, size int64) (gone []int64, err error) {
	all, err := queue.Files(ctx, tx, Handler, user)
	if err != nil {
		return nil, err
	}
	drafts := 0
	for _, one := range all {
		size += one.Bytes
		if one.State == queue.Draft {
			drafts++
		}
	}
	for _, one := range all {
		nothing, err := s.cameToNothing(ctx, tx, &one)
		switch {
		case err != nil:
			return nil, err
		case one.State == queue.Draft && drafts > maxDrafts:
			drafts--
		case size <= s.most || !nothing:
			continue
		}
		if err := queue.Remove(ctx, tx, one.ID); err != nil {
			return nil, err
		}
		gone, size = append(gone, one.ID), size-one.Bytes
	}
	if size > s.most {
		err = desk.Refuse(desk.Conflict, "the files of your imports of the last days are %d MB, and of a person %d MB are kept: "+
			"they go four days after they were imported", size>>20, s.most>>20)
	}
	return gone, err
}

// cameToNothing reports whether an import has ended and has written nothing.
func (s *Service) cameToNothing(ctx context.Context, tx *store.Tx, j *queue.Kept) (bool, error) {
	if j.State != queue.Failed && j.State != queue.Stopped {
		return false, nil
	}
	back, err := queue.Has(ctx, tx, backKey(j.ID))
	return err == nil && !back, err
}

// submit lets the job of an import be done. A person has one that is checked or written at a time.
func (s *Service) submit(ctx context.Context, who desk.Caller, id int64, o order) error {
	n := jobs.Job{Payload: o}
	if who.User != nil {
		n.Key = fmt.Sprintf("%s/%d", Handler, who.User.ID)
	}
	return s.begin(ctx, id, n,
		desk.Refuse(desk.Conflict, "another import of yours is under way: wait until it is done, or stop it"))
}

// Check lets the rows be checked with the columns as a person has matched them.
func (s *Service) Check(ctx context.Context, who desk.Caller, id int64, i *Import, choice Choice, writing jobs.Writing) error {
	o, err := s.own(ctx, who, id)
	if err == nil {
		err = i.Plan()
	}
	if err != nil {
		return err
	}
	o.Phase, o.Choice, o.Writing = checking, choice, writing
	return s.submit(ctx, who, id, o)
}

// Rematch lets the person match the columns once more.
func (s *Service) Rematch(ctx context.Context, who desk.Caller, id int64) error {
	o, err := s.own(ctx, who, id)
	if err != nil {
		return err
	}
	o.Phase = matching
	return s.jobs.Redraft(ctx, id, o)
}

// Write lets the rows be written that were found in order. Who imports users proves first who they are.
func (s *Service) Write(ctx context.Context, who desk.Caller, id int64, whole bool) error {
	o, err := s.own(ctx, who, id)
	if err != nil {
		return err
	}
	st, err := s.Of(ctx, who, id)
	if err != nil {
		return err
	}
	if st.Stage != Checked {
		return desk.Refuse(desk.Conflict, "the rows are to be checked first")
	}
	if _, err := s.desk.ConfirmImport(ctx, who, st.Kind); err != nil {
		return err
	}
	o.Phase, o.Whole, o.Confirmed = writing, whole, true
	return s.submit(ctx, who, id, o)
}

// Stop ends what the server does of an import. What was written is taken back.
func (s *Service) Stop(ctx context.Context, who desk.Caller, id int64) error {
	st, err := s.Of(ctx, who, id)
	switch {
	case err != nil:
		return err
	case st.Stage == TakingBack:
		return desk.Refuse(desk.Conflict, "what takes an import back can't be stopped here")
	case st.Stage.Runs():
		return s.jobs.Stop(ctx, who, id)
	case st.Stage == Written, st.Stage == TakenBack:
		return nil
	}
	if err := May(who, st.Kind); err != nil {
		return err
	}
	s.tables.drop(id)
	return s.jobs.Discard(ctx, id, desk.Refuse(desk.Conflict, "this import is under way: stop it first"))
}

// Await waits until the server is no longer at work on an import, but only for so long.
func (s *Service) Await(ctx context.Context, st *State, most time.Duration) {
	id := st.ID
	if st.Back != 0 {
		id = st.Back
	}
	s.jobs.Await(ctx, id, most)
}

// Rest writes the rows of an import that are refused or not written, see Import.Remaining. It has few of them in memory.
func (s *Service) Rest(ctx context.Context, st *State, w io.Writer) error {
	if st.Stage < Checked || st.Stage.Runs() {
		return desk.Refuse(desk.NotFound, "nothing was checked yet")
	}
	i, err := s.Plan(ctx, st.ID, st.Kind, st.Choice, jobs.Writing{})
	if err != nil {
		return err
	}
	out, refused := i.rest(w), []int64{int64(RowRefused), int64(RowNew) + planned, int64(RowChanged) + planned}
	if st.Stage == Checked {
		refused = refused[:1]
	}
	for above := int64(0); ; {
		some, err := s.marked(ctx, st.ID, refused, above)
		if err != nil || len(some) == 0 {
			return errors.Join(err, out.Close())
		}
		for _, one := range some {
			row, err := st.rowOf(one)
			if err == nil {
				err = out.add(int(one.Number)-1, &row)
			}
			if err != nil {
				return err
			}
			above = one.Number
		}
	}
}

// marked returns the steps of an import above one that have one of some marks.
func (s *Service) marked(ctx context.Context, id int64, marks []int64, above int64) (steps []queue.Step, err error) {
	err = s.desk.Store().Read(ctx, func(tx *store.Tx) error {
		steps, err = queue.MarkedAbove(ctx, tx, id, marks, above, readSize)
		return err
	})
	return steps, err
}

// Undo takes an import back: what nobody has changed or used since.
func (s *Service) Undo(ctx context.Context, who desk.Caller, id int64) error {
	st, err := s.Of(ctx, who, id)
	if err != nil {
		return err
	}
	if !st.Undoable {
		return desk.Refuse(desk.Conflict, "this import cannot be taken back")
	}
	if err := May(who, st.Kind); err != nil {
		return err
	}
	if _, err := s.desk.ConfirmImport(ctx, who, st.Kind); err != nil {
		return err
	}
	who.Origin = origin
	if st.Broken {
		return s.again(ctx, who, st.Back)
	}
	o := backOrder{Import: id, Kind: st.Kind.Item, File: st.File, Total: st.Count[RowNew] + st.Count[RowChanged]}
	_, err = s.back(ctx, who, o.job(), nil, desk.Refuse(desk.Conflict, "this import was taken back already"))
	return err
}

// own returns what the job of an import is to do that was not written yet, to the person who has begun it: it is done
// in their name.
func (s *Service) own(ctx context.Context, who desk.Caller, id int64) (o order, err error) {
	j, err := s.job(ctx, who, id)
	if err != nil {
		return o, err
	}
	if err := json.Unmarshal(j.Payload, &o); err != nil {
		return o, err
	}
	k, err := Kind(o.Kind)
	if err == nil {
		err = May(who, k)
	}
	switch {
	case err != nil:
		return o, err
	case who.User == nil && j.UserID != 0, who.User != nil && who.User.ID != j.UserID:
		return o, desk.Refuse(desk.Forbidden, "only the person who began this import can go on with it")
	case o.Phase == writing:
		return o, desk.Refuse(desk.Conflict, "this import was written already")
	}
	return o, nil
}

// job returns the job of an import that the caller may see.
func (s *Service) job(ctx context.Context, who desk.Caller, id int64) (j queue.Job, err error) {
	gone := desk.Refuse(desk.NotFound, "this import is no longer kept: a file that is not imported goes after a day, and the activity tells what was written")
	j, err = s.jobs.Of(ctx, who, id)
	if jobs.IsRefusal(err) || err == nil && (j.Handler != Handler) {
		err = gone
	}
	return j, err
}

// Plan returns an import as it was chosen.
func (s *Service) Plan(ctx context.Context, id int64, k *kind.Schema, choice Choice, w jobs.Writing) (*Import, error) {
	table, err := s.table(ctx, id, s.tables.beginSoon)
	if err != nil {
		return nil, err
	}
	return s.plan(table, k, choice, w)
}

// plan returns an import of a table as it was chosen.
func (s *Service) plan(table *sheet.Table, k *kind.Schema, choice Choice, w jobs.Writing) (*Import, error) {
	i := &Import{Kind: k, Table: table, Clear: choice.Clear, Spelling: s.spell(w), Fields: make([]*kind.Field, len(table.Columns))}
	for at, name := range choice.Fields {
		i.Fields[at] = Field(k, name)
	}
	var err error
	i.Key, err = KeyFields(k, choice.Key)
	return i, err
}
