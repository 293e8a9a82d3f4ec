// Package exports writes the records of lists into files. A long one is a job: its file is kept in the database for a
// day, and only the person who asked for it gets it. How values are spelled belongs in package web.
package exports

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"time"

	"muster/internal/desk"
	"muster/internal/desk/jobs"
	"muster/internal/kind"
	"muster/internal/message"
	"muster/internal/store"
	"muster/internal/store/queue"
)

// Handler is the name of the jobs.
const Handler = "export"

// AtOnce is how many rows an export has at most that is sent by the request that asks for it. A longer one is a job.
const AtOnce = 10_000

// Limits of the files that are kept.
const (
	keptFor  = 24 * time.Hour
	mostKept = 5       // of a person; the oldest goes when there are more
	mostSize = 1 << 30 // bytes
)

// A Service makes exports as jobs, and keeps their files.
type Service struct {
	desk     *desk.Desk
	jobs     *jobs.Service
	spell    func(jobs.Writing) Spelling
	mostSize int64
}

// New returns the service on a desk, whose jobs do the work. Spell returns how people write.
func New(d *desk.Desk, j *jobs.Service, spell func(jobs.Writing) Spelling) *Service {
	s := &Service{d, j, spell, mostSize}
	j.Handle(&jobs.Handler{Name: Handler, Title: title, Do: s.do, Said: said, Anew: true, Keeps: keptFor})
	return s
}

// An Order says what to export, in which words and for whom.
type Order struct {
	Kind   *kind.Schema
	Query  string // of the list, as kind.Schema.ParseQuery reads it
	Rows   int    // that it has now
	Name   string // of the file, without its extension
	Format *Format
	Sheet
	Writing jobs.Writing
}

// An order is an Order as a job keeps it.
type order struct {
	Kind    string       `json:"kind"` // the item element
	Query   string       `json:"query"`
	At      time.Time    `json:"at"`   // when it was asked for: what the query says of days is meant then
	Role    string       `json:"role"` // of the person
	File    string       `json:"file"` // its name
	Format  string       `json:"format"`
	Rows    int64        `json:"rows"`
	Title   string       `json:"title"`
	Fields  []string     `json:"fields"`
	Heads   []string     `json:"heads"`
	Writing jobs.Writing `json:"writing"`
}

// Begin begins an export. A person has one at a time.
func (s *Service) Begin(ctx context.Context, who desk.Caller, o Order) (queue.Job, error) {
	kept := order{Kind: o.Kind.Item, Query: o.Query, At: s.desk.Now(), Role: who.User.Role,
		File: o.Name + "." + o.Format.Extension, Format: o.Format.Extension, Rows: int64(o.Rows),
		Title: o.Title, Heads: o.Heads, Writing: o.Writing}
	for _, f := range o.Fields {
		kept.Fields = append(kept.Fields, f.Name)
	}
	if err := s.jobs.CheckRoom(0); err != nil {
		return queue.Job{}, err
	}
	n := jobs.Job{Handler: Handler, Key: fmt.Sprintf("%s/%d", Handler, who.User.ID), Payload: kept, Total: kept.Rows}
	return s.jobs.Begin(ctx, who, n, func(tx *store.Tx, _ int64) error { return s.forget(ctx, tx, who.User.ID) },
		desk.Refuse(desk.Conflict, "another export of yours is under way: wait until it is done, or stop it"))
}

// forget gives up the oldest files of a person, so that there is room for one more. The job removes them.
func (s *Service) forget(ctx context.Context, tx *store.Tx, user int64) error {
	old, err := queue.List(ctx, tx, queue.Filter{Ended: true, State: queue.Done, UserID: user, Handler: Handler,
		After: s.desk.Now().Add(-keptFor), Offset: mostKept - 1, Most: mostKept})
	for _, j := range old {
		r := resultOf(&j)
		r.Removed = true
		if j.Note, err = json.Marshal(r); err != nil {
			return err
		}
		if err := queue.Note(ctx, tx, &j); err != nil {
			return err
		}
	}
	return err
}

// A result is what an export has come to.
type result struct {
	Rows    int64 `json:"rows"`
	Bytes   int64 `json:"bytes"`
	Removed bool  `json:"removed,omitempty"` // to make room for newer ones
}

// resultOf returns what an export has come to, zero before its end.
func resultOf(j *queue.Job) (r result) {
	if json.Unmarshal(j.Note, &r) != nil {
		return result{}
	}
	return r
}

// title says what a job does.
func title(payload []byte) message.Text {
	var o order
	if err := json.Unmarshal(payload, &o); err != nil {
		return message.New("Export a list")
	}
	return message.New("Export %s", o.File)
}

// said says what became of an export.
func said(note []byte) message.Text {
	var r result
	if err := json.Unmarshal(note, &r); err != nil {
		return message.Text{}
	}
	return message.New("%s exported", message.Count{N: r.Rows, Noun: "row"})
}

// A File is what an export has made.
type File struct {
	Name  string
	Media string
	Bytes int64
	Until time.Time // when it is no longer kept
	job   int64
	store *store.Store
}

// FileOf returns the file of a job, nil where it is no export, not done, or its file is no longer kept.
func (s *Service) FileOf(j *queue.Job) *File {
	var o order
	r := resultOf(j)
	until := j.Ended.Add(keptFor)
	if j.Handler != Handler || j.State != queue.Done || r.Removed || !s.desk.Now().Before(until) ||
		json.Unmarshal(j.Payload, &o) != nil {
		return nil
	}
	f := formatOf(o.Format)
	if f == nil {
		return nil
	}
	return &File{o.File, f.Media, r.Bytes, until, j.ID, s.desk.Store()}
}

// formatOf returns the format with an extension, or nil.
func formatOf(extension string) *Format {
	if i := slices.IndexFunc(Formats, func(f *Format) bool { return f.Extension == extension }); i >= 0 {
		return Formats[i]
	}
	return nil
}

// Open returns the file of an export to the person who asked for it, if they still have the rights that they had then.
func (s *Service) Open(ctx context.Context, who desk.Caller, id int64) (*File, error) {
	j, err := s.jobs.Of(ctx, who, id)
	switch {
	case err != nil:
		return nil, err
	case j.Handler != Handler:
		return nil, desk.Refuse(desk.NotFound, "the job %d has no file", id)
	case j.UserID != who.User.ID:
		return nil, desk.Refuse(desk.Forbidden, "only the person who asked for an export may have its file")
	case !j.State.Ended():
		return nil, desk.Refuse(desk.Conflict, "this export is not done yet")
	}
	if err := s.still(who, &j); err != nil {
		return nil, err
	}
	f := s.FileOf(&j)
	if f == nil {
		return nil, desk.Refuse(desk.NotFound, "the file of this export is no longer kept: export the list again")
	}
	return f, nil
}

// still returns a refusal when a person may see something else than when they asked for an export.
func (s *Service) still(who desk.Caller, j *queue.Job) error {
	var o order
	if err := json.Unmarshal(j.Payload, &o); err != nil {
		return err
	}
	return s.may(who, &o)
}

// may is still of an order. What a role sees is in the file, so another role gets another one.
func (s *Service) may(who desk.Caller, o *order) error {
	k := s.kindOf(o.Kind)
	if k == nil {
		return desk.Refuse(desk.NotFound, "there are no such records any more")
	}
	if who.User.Role != o.Role {
		return desk.Refuse(desk.Forbidden, "your role was %s when you asked for this export, and is %s: export the list again",
			message.Word(o.Role), message.Word(who.User.Role))
	}
	_, err := desk.Visible(who.User, k)
	return err
}

// kindOf returns the kind with an item element, or nil.
func (s *Service) kindOf(item string) *kind.Schema {
	for _, k := range s.desk.Store().Kinds() {
		if k.Item == item {
			return k
		}
	}
	return nil
}

// WriteTo writes the file, of which some is in memory at a time.
func (f *File) WriteTo(ctx context.Context, to io.Writer) error {
	return queue.File(ctx, f.store, f.job, to)
}
