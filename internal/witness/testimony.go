package witness

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"muster/internal/store"
)

// late is how much younger the last record may be than the file, if the file is to
// vouch for the end: the disk of a running server may keep it waiting once.
const late = 2 * Every

// A Testimony is the file as somebody read it who is about to verify the trail:
// the trail may go on after that, but it does not go back.
type Testimony struct {
	path      string
	statement *Statement
	untrusted error
	missing   string // why there is no statement
}

// Hear reads the file. Without the server's key, whose error is given instead, it
// cannot be believed or disbelieved.
func Hear(path string, serverKey []byte, noKey error) *Testimony {
	t := &Testimony{path: path}
	if noKey != nil {
		t.missing = fmt.Sprintf("%s cannot be checked: %v", path, noKey)
		return t
	}
	key, err := NewKey(serverKey)
	if err == nil {
		t.statement, err = File{path, key}.Read()
	}
	if errors.Is(err, fs.ErrNotExist) {
		t.missing = fmt.Sprintf("there is no %s; the next start of the server writes it", path)
	} else {
		t.untrusted = err
	}
	return t
}

// A Vouched says what is known of the end of a trail.
type Vouched struct {
	Text  string // what the file vouches for, "" when it vouches for nothing
	Doubt string // why it does not vouch for the end, "" when it does
}

// Judge compares the file with a trail that was verified since. Its error is a
// *Disagreement when the trail is another than the node saw, and an *Untrusted
// when the file cannot be believed.
func (t *Testimony) Judge(ctx context.Context, st *store.Store, v store.Verified) (Vouched, error) {
	if t.untrusted != nil {
		return Vouched{}, t.untrusted
	}
	if t.missing != "" {
		return Vouched{Doubt: t.missing}, nil
	}
	c, err := compare(ctx, st, t.statement)
	if err != nil {
		return Vouched{}, err
	}
	if d := c.disagreement(); d != nil {
		return Vouched{}, d
	}
	return t.vouch(c.saw, v), nil
}

// vouch says what a statement that fits vouches for.
func (t *Testimony) vouch(saw Mark, v store.Verified) (out Vouched) {
	after := v.Head.Count - saw.Count
	switch {
	case after <= 0:
		out.Text = fmt.Sprintf("%s of %s vouches for the end", t.path, stamp(saw.At))
	case after == 1:
		out.Text = fmt.Sprintf("%s of %s vouches for all but the last record", t.path, stamp(saw.At))
	default:
		out.Text = fmt.Sprintf("%s of %s vouches for all but the last %d records", t.path, stamp(saw.At), after)
	}
	if after > 0 && v.Newest.Sub(saw.At) > late {
		out.Doubt = fmt.Sprintf("%s, the newest of which is of %s: no server has written it for long", out.Text,
			stamp(v.Newest))
		out.Text = ""
	}
	return out
}
