package web

import (
	"strconv"
	"time"

	"muster/internal/desk"
	"muster/internal/inventory"
)

// A pastNotice says that a computer is shown as it was.
type pastNotice struct {
	Day, Now string
	NotYet   bool
}

// pastOf puts the computer as it was on the day that the address names in the
// place of the present one.
func (c *call) pastOf(computer **inventory.Computer) (*pastNotice, error) {
	day, err := time.ParseInLocation(time.DateOnly, c.URL.Query().Get("on"), c.zone())
	if err != nil || !day.AddDate(0, 0, 1).Before(c.now()) {
		return nil, nil
	}
	id := (*computer).ID
	notice := &pastNotice{Day: c.date(day), Now: "/computers/" + strconv.FormatInt(id, 10)}
	was, err := c.web.Desk.ComputerAt(c.Context(), c.who(), id, day.AddDate(0, 0, 1).Add(-time.Second))
	if err == desk.ErrNotYet {
		notice.NotYet = true
		return notice, nil
	}
	if err == nil {
		*computer = was
	}
	return notice, err
}
