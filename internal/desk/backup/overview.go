package backup

import (
	"context"
	"time"

	"muster/internal/store"
)

// An Overview is what a database says of its backups, to those who have no service.
type Overview struct {
	State
	Hour string // at which they are made
	On   bool
}

// Look returns the overview in a transaction.
func Look(ctx context.Context, tx *store.Tx) (o Overview, err error) {
	o.Hour = hourSetting.Default
	err = tx.Settings(ctx, func(name, value string) error {
		if name == hourSetting.Name {
			o.Hour = value
		}
		return nil
	})
	if err != nil {
		return o, err
	}
	o.On = o.Hour != off
	o.State, err = ReadState(ctx, tx)
	return o, err
}

// A Verdict says how well there are backups.
type Verdict int

// Verdicts.
const (
	Fine    Verdict = iota
	None            // none is due yet
	Off             // none are made by themselves
	Failing         // the last one failed, or was not proved
	Late            // none was made for longer than a day and a half, and no failure says why
)

// Judge says how well there are backups at a time.
func (o *Overview) Judge(now time.Time) Verdict {
	switch {
	case !o.On:
		return Off
	case o.Fault != nil:
		return Failing
	case o.IsLate(now):
		return Late
	case o.Last() == nil:
		return None
	}
	return Fine
}

// Overview returns how well there are backups.
func (s *Service) Overview(ctx context.Context) (o Overview, err error) {
	err = s.desk.Store().View(ctx, func(tx *store.Tx) error {
		o, err = Look(ctx, tx)
		return err
	})
	return o, err
}
