package page

import (
	"encoding/base64"
	"encoding/json"
	"time"

	"muster/internal/desk/trail"
	"muster/internal/kind"
)

// A Toast is a short message on the next page: what was done, or why it was not.
type Toast struct {
	Text string `json:"text"`
	Undo string `json:"undo,omitempty"` // the path that takes it back when it is posted to, "" for none
	Warn bool   `json:"warn,omitempty"` // that something was not done
	File string `json:"-"`              // the path of a file that is ready, "" for none; not in the cookie, which others may set
}

// ToastCookie carries a toast to the next page, for a short time.
const (
	ToastCookie = "muster-toast"
	toastTime   = time.Minute
)

// Notify shows a message about what was done on the next page.
func (c *Call) Notify(text string) { c.Toast = &Toast{Text: text} }

// Warn shows a message about why something was not done on the next page.
func (c *Call) Warn(text string) { c.Toast = &Toast{Text: text, Warn: true} }

// NotifyUndo is Notify for a change that was just made to records of a kind. The
// message has a button that undoes the change if that is possible.
func (c *Call) NotifyUndo(text string, k *kind.Schema, ids ...int64) error {
	c.Notify(text)
	audits, err := trail.Undoable(c.Context(), c.App.Desk, c.Who(), k, ids...)
	if path := spans(audits); err == nil && path != "" {
		c.Toast.Undo = UndoPath + "/" + path
	}
	return err
}

// maxToast is how long a toast may be in its cookie: browsers drop one that is
// longer than 4096 bytes with its name and all that belongs to it.
const maxToast = 3800

// keepToast gives a toast to the browser when it is sent elsewhere.
func keepToast(c *Call, a *Answer) {
	if c.Toast != nil && a.location != "" {
		c.SetCookie(ToastCookie, c.Toast.fitting(), toastTime)
	}
}

// fitting returns the toast encoded for a cookie. If it is too long, it loses its
// undo button first, then the end of its text.
func (t Toast) fitting() string {
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

func (t Toast) encode() string {
	text, err := json.Marshal(t)
	if err != nil {
		panic(err) // it is texts
	}
	return base64.RawURLEncoding.EncodeToString(text)
}

// takeToast returns the toast from the request's cookie and removes the cookie, so
// that the toast is shown once.
func takeToast(c *Call) *Toast {
	value := c.CookieValue(c.CookieName(ToastCookie))
	if value == "" {
		return nil
	}
	c.SetCookie(ToastCookie, "", -time.Second)
	text, err := base64.RawURLEncoding.DecodeString(value)
	t := new(Toast)
	if err != nil || json.Unmarshal(text, t) != nil {
		return nil // not a cookie that encode has made
	}
	if !isUndo(t.Undo) {
		t.Undo = ""
	}
	return t
}
