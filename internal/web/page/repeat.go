package page

import (
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	"net/url"
	"time"

	"muster/internal/desk"
)

// FormKey returns the key of a form that makes something: the one that it was
// sent with before, or a new one.
func (c *Call) FormKey() string { return cmp.Or(c.Form.Get("key"), rand.Text()) }

// OnceOf returns by what a form is recognised that is sent again: where it was
// sent, its key, and what it says. It is nil for a form without a key.
func (c *Call) OnceOf(path string, says url.Values) *desk.Once {
	key := c.Form.Get("key")
	if key == "" {
		return nil
	}
	sum := sha256.Sum256([]byte(says.Encode()))
	return &desk.Once{Path: Root + path, Key: key + Fingerprint(string(sum[:])), Body: sum[:]}
}

// How long the second of two equal forms waits for the first.
const (
	onceWait  = 5 * time.Second
	oncePause = 50 * time.Millisecond
)

// AfterFirst does what a form is for, after the same one that was sent before it
// and is still being worked on.
func (c *Call) AfterFirst(do func() error) error {
	end := time.Now().Add(onceWait)
	for {
		err := do()
		if !IsRefusal(err, desk.Running) || time.Now().After(end) {
			return err
		}
		select {
		case <-c.Context().Done():
			return err
		case <-time.After(oncePause):
		}
	}
}
