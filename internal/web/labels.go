package web

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/boombuler/barcode/qr"

	"muster/internal/door"
	"muster/internal/kind"
)

// maxLabels is how many labels are made at once.
const maxLabels = 1000

// A labelsPage is a sheet of labels to be printed.
type labelsPage struct {
	Back   string
	Labels []label
	Left   int // records that are too many for one sheet
}

// A label is stuck on a thing; its code opens the record.
type label struct {
	Name, AssetID, About string
	Size                 int    // of the code, in modules with their margin
	Code                 string // the path of its dark modules
}

// labels shows labels of selected records, or of all of a list.
func (s *section) labels(c *call) (*answer, error) {
	form := c.form
	if c.Method != http.MethodPost {
		form = c.URL.Query()
	}
	ids, err := s.selected(c, form)
	if err != nil {
		return nil, err
	}
	p := labelsPage{Back: listAddress("/"+s.path, form.Get("query")), Left: max(0, len(ids)-maxLabels)}
	err = c.web.Desk.Each(c.Context(), c.who(), s.kind, ids[:len(ids)-p.Left], func(recs []any) error {
		for _, rec := range recs {
			one, err := s.label(c, rec)
			if err != nil {
				return err
			}
			p.Labels = append(p.Labels, one)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return c.show("labels", page{Title: c.t("Labels"), Here: "/" + s.path, Scripts: []string{"labels.js"}, Data: p})
}

// label returns the label of a record.
func (s *section) label(c *call, rec any) (one label, err error) {
	v := s.kind.Values(rec)
	text := func(field string) string {
		if f := s.kind.Field(field); f != nil && f.Type == kind.Text {
			return v.Format(f)
		}
		return ""
	}
	one = label{Name: s.name(rec), AssetID: text("asset-id"), About: joined(text("model"), text("serial-number"))}
	target := c.web.Hosts.Base(c.Request) + Root + s.recordPath(v.ID())
	one.Code, one.Size, err = codePath(target)
	if err != nil {
		return one, door.Fault(http.StatusInternalServerError, "no code can be made of %s: %v", target, err)
	}
	return one, nil
}

// quiet is how many light modules a code needs around it.
const quiet = 4

// codePath returns the path that draws the dark modules of a QR code, and its
// size.
func codePath(text string) (path string, size int, err error) {
	code, err := qr.Encode(text, qr.M, qr.Auto)
	if err != nil {
		return "", 0, err
	}
	var b strings.Builder
	n := code.Bounds().Dx()
	for y := range n {
		for x := 0; x < n; x++ {
			begin := x
			for x < n && isDark(code.At(x, y)) {
				x++
			}
			if x > begin {
				fmt.Fprintf(&b, "M%d %dh%dv1h-%dz", begin+quiet, y+quiet, x-begin, x-begin)
			}
		}
	}
	return b.String(), n + 2*quiet, nil
}

// isDark reports whether a module is drawn.
func isDark(at interface{ RGBA() (r, g, b, a uint32) }) bool {
	r, _, _, _ := at.RGBA()
	return r < 1<<15
}
