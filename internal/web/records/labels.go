package records

import (
	"net/http"

	"muster/internal/kind"
	"muster/internal/web/page"
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
	Code                 *QrCode
}

// Labels shows labels of selected records, or of all of a list.
func (s *Section) Labels(c *page.Call) (*page.Answer, error) {
	form := c.Form
	if c.Method != http.MethodPost {
		form = c.URL.Query()
	}
	ids, err := selectedIDs(s, c, form)
	if err != nil {
		return nil, err
	}
	p := labelsPage{Back: ListAddress("/"+s.Path, form.Get("query")), Left: max(0, len(ids)-maxLabels)}
	err = c.App.Desk.Each(c.Context(), c.Who(), s.Kind, ids[:len(ids)-p.Left], func(recs []any) error {
		for _, rec := range recs {
			one, err := labelOf(s, c, rec)
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
	return c.Show("labels",
		page.Page{Title: c.T("Labels"), Here: "/" + s.Path, Scripts: []string{"labels.js"}, Data: p})
}

// labelOf returns the label of a record.
func labelOf(s *Section, c *page.Call, rec any) (one label, err error) {
	v := s.Kind.Values(rec)
	text := func(field string) string {
		if f := s.Kind.Field(field); f != nil && f.Type == kind.Text {
			return v.Format(f)
		}
		return ""
	}
	one = label{Name: s.Name(rec), AssetID: text("asset-id"), About: page.Joined(text("model"), text("serial-number"))}
	target := c.App.Hosts.Base(c.Request) + page.Root + s.RecordPath(v.ID())
	one.Code, err = NewQR(target)
	return one, err
}
