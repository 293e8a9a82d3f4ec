package admin

import (
	"errors"
	"fmt"
	"time"

	"muster/internal/desk"
	"muster/internal/desk/backup"
	"muster/internal/web/page"
)

// StoragePath is the page of storage and backups.
const StoragePath = "/storage"

// A storagePage is what it shows.
type storagePage struct {
	Last, Drill *storageFigure // nil before the first
	Size        string
	Growth      string // a month, "" before it is known
	Days        int    // in which it grew
	Free, Total string
	Room        []storagePart
	Unknown     string // why the room is not known
	Backups     []storedBackup
	On          bool
	Hour        string
	Daily       int
	Weekly      int
	Still       backup.Keep  // of before, while Until is not nil
	Until       *page.Moment // when fewer will be kept
	Folder      string
	Keys        []string
	Restore     *restoring // nil while there is none
	Running     bool
	Percent     int
	Job         string // of the one that runs
	Change      bool
}

// A storageFigure is a time with what is to say of it.
type storageFigure struct {
	At    *page.Moment
	Said  string
	Fault bool
}

// A storagePart is a part of the disk.
type storagePart struct {
	Title, Size, Class string
	From, Width        string // in percent of the bar
}

// A storedBackup is a line of the list.
type storedBackup struct {
	At       *page.Moment
	Name     string
	Size     string
	Node     string
	Weekly   bool
	Drill    bool // something is known of one
	Fault    string
	Restores string // address of the page with its command, "" for none
	Shown    bool   // its command is shown
}

// A restoring is how a backup is restored.
type restoring struct {
	At      *page.Moment
	Command string
	Sealed  bool
	Shared  bool // on PostgreSQL
	Lost    int  // changes since, as the audit trail counts them
	Known   bool // Lost is known
}

// ShowStorage shows what room there is, which backups there are, and how to restore them.
func ShowStorage(c *page.Call) (*page.Answer, error) {
	in, err := c.App.Desk.Installation(c.Context(), c.Who())
	if err != nil {
		return nil, err
	}
	s := c.App.Backups
	state, err := s.State(c.Context())
	if err != nil {
		return nil, err
	}
	keep := s.Kept()
	at, on := s.At()
	p := &storagePage{
		Size: size(c, in.Bytes), On: on, Hour: hour(c, at),
		Daily: keep.Daily, Weekly: keep.Weekly, Folder: s.Folder(), Change: !c.User.ReadOnly.V,
	}
	for _, key := range s.Keys() {
		p.Keys = append(p.Keys, key.String())
	}
	rule := s.Rule(&state)
	p.Still, p.Until = rule.Keep, c.Moment(rule.Until())
	p.figures(c, &state)
	p.room(c, in)
	if err := p.list(c, in, &state); err != nil {
		return nil, err
	}
	if err := p.underWay(c); err != nil {
		return nil, err
	}
	return c.Show("storage", page.Page{
		Title: c.T("Storage and backups"), Here: StoragePath, Scripts: []string{"storage.js"}, Data: p,
	})
}

// figures fills in what is known of the last backup.
func (p *storagePage) figures(c *page.Call, state *backup.State) {
	if last := state.Last(); last != nil {
		p.Last = &storageFigure{At: c.Moment(last.At), Said: c.T("%s in %s", size(c, last.Bytes), seconds(c, last.Took))}
		if last.Drill != nil {
			p.Drill = &storageFigure{At: c.Moment(last.Drill.At), Said: c.T("all %s rows are equal", c.Number(int(last.Rows)))}
			if !last.Proven() {
				p.Drill.Said, p.Drill.Fault = c.T("failed, the list says why"), true
			}
		}
	}
	if bytes, in := state.Growth(); in > 0 {
		p.Growth, p.Days = size(c, bytes), int(in/(24*time.Hour))
	}
}

// room fills in what the disk of the backups has.
func (p *storagePage) room(c *page.Call, in desk.Installation) {
	space, taken, err := c.App.Backups.Room()
	if err != nil {
		p.Unknown = err.Error()
		return
	}
	free, total := int64(space.Free), int64(space.Total)
	p.Free, p.Total = size(c, free), size(c, total)
	database := in.Bytes
	if c.App.Desk.Store().Shared() {
		database = 0 // is elsewhere
	}
	from := 0.0
	for _, part := range []struct {
		title, class string
		bytes        int64
	}{
		{c.T("Database"), "c5", database}, {c.T("Backups"), "c1", taken},
		{c.T("Other"), "c3", max(0, total-free-database-taken)}, {c.T("Free"), "free", free},
	} {
		if part.bytes == 0 || total == 0 {
			continue
		}
		width := 100 * float64(part.bytes) / float64(total)
		p.Room = append(p.Room, storagePart{part.title, size(c, part.bytes), part.class, percent(from), percent(width)})
		from += width
	}
}

func percent(share float64) string { return fmt.Sprintf("%.2f%%", min(100, share)) }

// list fills in the backups, and how to restore the last one, or the one that the address names.
func (p *storagePage) list(c *page.Call, in desk.Installation, state *backup.State) error {
	all, err := c.App.Backups.List(c.Context())
	if text, refused := c.Refusal(err); refused {
		p.Unknown, err = text, nil
	}
	if err != nil {
		return err
	}
	chosen := choose(all, c.URL.Query().Get("restore"))
	for _, b := range all {
		one := storedBackup{At: c.Moment(b.At), Name: b.Name, Size: size(c, b.Bytes), Node: b.Node, Weekly: b.Weekly,
			Drill: b.Drill != nil, Shown: chosen != nil && b.Path == chosen.Path && b.Node == ""}
		if b.Drill != nil {
			one.Fault = c.Fault(b.Drill.Fault)
		}
		if b.Node == "" {
			one.Restores = StoragePath + "?restore=" + b.Name + "#restore"
		}
		p.Backups = append(p.Backups, one)
	}
	if chosen != nil {
		p.Restore = newRestoring(c, *chosen, in, state)
	}
	return nil
}

// choose returns the backup of this node that is wanted, or else the last one that is proved, or else the last one; nil
// for none.
func choose(all []backup.Listed, wanted string) (chosen *backup.Listed) {
	for i, b := range all {
		switch {
		case b.Node != "":
		case b.Name == wanted:
			return &all[i]
		case chosen == nil, !chosen.Proven() && b.Proven():
			chosen = &all[i]
		}
	}
	return chosen
}

// newRestoring says how a backup is restored, and what would be lost.
func newRestoring(c *page.Call, b backup.Listed, in desk.Installation, state *backup.State) *restoring {
	r := &restoring{
		At: c.Moment(b.At), Command: c.App.Backups.Command(b), Sealed: b.Sealed, Shared: c.App.Desk.Store().Shared(),
	}
	for _, m := range state.Made {
		if m.Name == b.Name && m.At.Equal(b.At) {
			r.Lost, r.Known = int(max(0, in.Head.Count-m.Audits)), true
		}
	}
	return r
}

// underWay fills in the backup that is being made.
func (p *storagePage) underWay(c *page.Call) error {
	j, err := c.App.Backups.UnderWay(c.Context(), c.Who())
	if err != nil || j == nil {
		return err
	}
	p.Running = true
	if j.Total > 0 {
		p.Percent = int(100 * j.Done / j.Total)
	}
	return nil
}

// MakeBackup begins a backup at once.
func MakeBackup(c *page.Call) (*page.Answer, error) {
	_, err := c.App.Backups.Now(c.Context(), c.Who())
	if refused, ok := errors.AsType[*desk.Error](err); ok && refused.Code == desk.Conflict {
		c.Notify(c.Fault(refused.Text))
		return c.GoTo(StoragePath)
	}
	if err != nil {
		return nil, err
	}
	return c.GoTo(StoragePath)
}

// size returns bytes as people read them.
func size(c *page.Call, bytes int64) string {
	if bytes < 0 {
		return "−" + size(c, -bytes)
	}
	return c.Megabytes(max(1, bytes>>20))
}

// seconds returns a length of time as people read it.
func seconds(c *page.Call, took time.Duration) string {
	whole := int(max(took, time.Second).Round(time.Second) / time.Second)
	if whole < 60 {
		return c.T("%d s", whole)
	}
	return c.T("%d min %d s", whole/60, whole%60)
}
