package web

import (
	"net/http"

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
	Code                 *qrCode
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
	one.Code, err = newQR(target)
	return one, err
}
