package web

import (
	"strings"

	"muster/internal/kind"
)

// computerWidths are the widths of columns of computers that what they mostly
// hold needs.
var computerWidths = map[string]string{"status": "w-7", "operating-system": "w-12", "owner": "w-9"}

// computerCell returns the cell of a computer in a list: versions of Windows without
// their maker, and a warning where an agent has been silent.
func (c *call) computerCell(v kind.Values, f *kind.Field, usual cell) cell {
	switch {
	case f.Name == "operating-system":
		usual.Text = strings.TrimPrefix(usual.Text, "Microsoft ") // so that the version is seen
	case f.Name != "detected-at":
	case usual.Look == "":
		return cell{Look: "text", Text: c.t("never"), Tone: "is-warn"}
	case c.web.Now().Sub(*v.Time(f)).Hours() > staleDays*24:
		usual.Tone = "is-warn"
	}
	return usual
}
