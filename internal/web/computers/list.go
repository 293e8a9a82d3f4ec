package computers

import (
	"strings"

	"muster/internal/kind"
	"muster/internal/web/page"
	"muster/internal/web/records"
)

// Widths are the widths of columns of computers, chosen for their usual contents.
var Widths = map[string]string{"status": "w-7", "operating-system": "w-12", "owner": "w-9"}

// ListCell returns the cell of a computer in a list: versions of Windows without
// their maker, and a warning where an agent has been silent.
func ListCell(c *page.Call, v kind.Values, f *kind.Field, usual page.Cell) page.Cell {
	switch {
	case f.Name == "operating-system":
		usual.Text = strings.TrimPrefix(usual.Text, "Microsoft ") // so that the version is seen
	case f.Name != "detected-at":
	case usual.Look == "":
		return page.Cell{Look: "text", Text: c.T("never"), Tone: "is-warn"}
	case c.App.Now().Sub(*v.Time(f)).Hours() > records.StaleDays*24:
		usual.Tone = "is-warn"
	}
	return usual
}
