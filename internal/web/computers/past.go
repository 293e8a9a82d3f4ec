package computers

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"muster/internal/desk/trail"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/web/page"
)

// A pastNotice says that a computer is shown as it was.
type pastNotice struct {
	Day, Now string
	On       string // the day in addresses
	NotYet   bool
}

// known reports whether the page shows a past state of the computer.
func (n *pastNotice) known() bool { return n != nil && !n.NotYet }

// pastOf replaces the computer by its state on the day in the address. It returns nil
// if the address has no past day.
func pastOf(c *page.Call, computer **inventory.Computer) (*pastNotice, error) {
	day, err := time.ParseInLocation(time.DateOnly, c.URL.Query().Get("on"), c.Zone())
	if err != nil || !day.AddDate(0, 0, 1).Before(c.Now()) {
		return nil, nil
	}
	id := (*computer).ID
	notice := &pastNotice{
		Day: c.Date(day), Now: "/computers/" + strconv.FormatInt(id, 10), On: day.Format(time.DateOnly),
	}
	was, err := trail.ComputerAt(c.Context(), c.App.Desk, c.Who(), id, day.AddDate(0, 0, 1).Add(-time.Second))
	if errors.Is(err, trail.ErrNotYet) {
		notice.NotYet = true
		return notice, nil
	}
	if err == nil {
		*computer = was
	}
	return notice, err
}

// softwareThen returns the software that a computer had, as its tab shows it.
func softwareThen(c *page.Call, all []inventory.Software) *recordTable {
	asked, hides := c.URL.Query(), c.URL.Query().Get("view") == "system"
	find := strings.ToLower(strings.TrimSpace(asked.Get("q")))
	var wanted []any
	for i := range all {
		words := strings.ToLower(all[i].Name + " " + all[i].Version + " " + all[i].Manufacturer)
		if all[i].Hidden.V == hides && strings.Contains(words, find) {
			wanted = append(wanted, &all[i])
		}
	}
	number, rows := tabPlace(c)
	total := len(wanted)
	wanted = wanted[min((number-1)*rows, total):min(number*rows, total)]
	t := softwareTable(c, kind.Page{
		Position: kind.Position{Number: number, PerPage: rows, Total: total}, Records: wanted,
	})
	t.Look, t.Find = asked.Get("view"), asked.Get("q")
	return t
}

// nowAlone are the tabs whose lists are known as they are now, and not as they
// were.
var nowAlone = []string{"tickets", "risks", "contracts"}

// leavesOut reports whether a tab is left out of the page of a computer as it was.
func (n *pastNotice) leavesOut(tab string) bool { return n.known() && slices.Contains(nowAlone, tab) }
