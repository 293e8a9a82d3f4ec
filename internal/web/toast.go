package web

import (
	"encoding/base64"
	"encoding/json"
	"time"

	"muster/internal/kind"
)

// A toast tells what was done, or why it was not, on the page that follows.
type toast struct {
	Text string `json:"text"`
	Undo string `json:"undo,omitempty"` // the path that takes it back when it is posted to, "" for none
	Warn bool   `json:"warn,omitempty"` // that something was not done
}

// toastCookie carries a toast to the next page, for a short time.
const (
	toastCookie = "muster-toast"
	toastTime   = time.Minute
)

// say lets the next page tell what was done.
func (c *call) say(text string) { c.toast = &toast{Text: text} }

// warn lets the next page tell why something was not done.
func (c *call) warn(text string) { c.toast = &toast{Text: text, Warn: true} }

// sayUndo is say of a change of some records of a kind that was just made, with
// a button that takes it back, if that is possible.
func (c *call) sayUndo(text string, k *kind.Schema, ids ...int64) error {
	c.say(text)
	audits, err := c.web.Desk.Undoable(c.Context(), c.who(), k, ids...)
	if path := spans(audits); err == nil && path != "" {
		c.toast.Undo = undoPath + "/" + path
	}
	return err
}

// maxToast is how long a toast may be in its cookie: browsers drop one that is
// longer than 4096 bytes with its name and all that belongs to it.
const maxToast = 3800

// keepToast gives a toast to the browser when it is sent elsewhere.
func (c *call) keepToast(a *answer) {
	if c.toast != nil && a.location != "" {
		c.setCookie(toastCookie, c.toast.fitting(), toastTime)
	}
}

// fitting returns a toast as a cookie can hold it. If it is too long, what was
// done is told without the way back, and of a long text the beginning.
func (t toast) fitting() string {
	value := t.encode()
	if len(value) > maxToast {
		t.Undo = ""
		value = t.encode()
	}
	for letters := []rune(t.Text); len(value) > maxToast; value = t.encode() {
		letters = letters[:len(letters)/2]
		t.Text = string(letters) + "…"
	}
	return value
}

func (t toast) encode() string {
	text, err := json.Marshal(t)
	if err != nil {
		panic(err) // it is texts
	}
	return base64.RawURLEncoding.EncodeToString(text)
}

// takeToast returns the toast that the browser brings, which is shown once.
func (c *call) takeToast() *toast {
	value := c.cookieValue(c.cookie(toastCookie))
	if value == "" {
		return nil
	}
	c.setCookie(toastCookie, "", -time.Second)
	text, err := base64.RawURLEncoding.DecodeString(value)
	t := new(toast)
	if err != nil || json.Unmarshal(text, t) != nil {
		return nil // it is not ours
	}
	if !isUndo(t.Undo) {
		t.Undo = ""
	}
	return t
}
