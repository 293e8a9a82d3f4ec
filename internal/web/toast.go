package web

import (
	"encoding/base64"
	"encoding/json"
	"time"
)

// A toast tells what was done, on the page that follows.
type toast struct {
	Text string `json:"text"`
	Undo string `json:"undo,omitempty"` // the path that takes it back when it is posted to, "" for none
}

// toastCookie carries a toast to the next page, for a short time.
const (
	toastCookie = "muster-toast"
	toastTime   = time.Minute
)

// say lets the next page tell what was done.
func (c *call) say(text string) { c.toast = &toast{Text: text} }

// keepToast gives a toast to the browser when it is sent elsewhere.
func (c *call) keepToast(a *answer) {
	if c.toast == nil || a.location == "" {
		return
	}
	text, err := json.Marshal(c.toast)
	if err != nil {
		panic(err) // it is two texts
	}
	c.setCookie(toastCookie, base64.RawURLEncoding.EncodeToString(text), toastTime)
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
	return t
}
