package records

import (
	"io"
	"net/http"
	"time"

	"muster/internal/kind"
	"muster/internal/sheet"
	"muster/internal/web/page"
)

// A table is a file of rows that is being written.
type table interface {
	Row(values []any) error
	Close() error
}

// ExportCSV sends all records of a list as a table of plain text.
func (s *Section) ExportCSV(c *page.Call) (*page.Answer, error) {
	return exportTable(s, c, "csv", "text/csv; charset=utf-8",
		func(out io.Writer, heads []string) table { return sheet.NewCSV(out, heads) })
}

// ExportXLSX sends all records of a list as a workbook.
func (s *Section) ExportXLSX(c *page.Call) (*page.Answer, error) {
	return exportTable(s, c, "xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
		func(out io.Writer, heads []string) table {
			return sheet.NewWriter(out, c.T(s.Title), heads)
		})
}

// writeTime is how long a client may take for some rows.
const writeTime = time.Minute

// exportTable sends all records of a list, with the columns and in the order that the
// person sees. No more than the ids of all is kept in memory.
func exportTable(s *Section, c *page.Call, extension, media string, begin func(io.Writer,
	[]string) table) (*page.Answer, error) {
	q, err := s.Query(c, page.Without(s.Tidy(c.URL.Query()), "page", "per_page", "after"))
	if err != nil {
		return nil, err
	}
	ids, err := c.App.Desk.IDs(c.Context(), c.Who(), s.Kind, q)
	if err != nil {
		return nil, err
	}
	h := c.Writer.Header()
	h.Set("Content-Type", media)
	h.Set("Content-Disposition", `attachment; filename="`+s.Path+"-"+c.Now().Format(time.DateOnly)+"."+extension+`"`)
	stream := func(out io.Writer) error {
		if err := writeTable(s, c, ids, out, begin); err != nil {
			panic(http.ErrAbortHandler) // nobody shall take a part of it for the whole
		}
		return nil
	}
	return &page.Answer{Status: http.StatusOK, Stream: stream}, nil
}

// writeTable writes the records of some ids as a table.
func writeTable(s *Section, c *page.Call, ids []int64, out io.Writer, begin func(io.Writer, []string) table) error {
	var heads []string
	var fields []*kind.Field
	for _, col := range s.shownColumns(c) {
		f := s.Kind.Field(col.Field)
		fields, heads = append(fields, f), append(heads, s.Heading(c.Locale, f))
	}
	t, values := begin(out, heads), make([]any, len(fields))
	deadline := http.NewResponseController(c.Writer)
	err := c.App.Desk.Each(c.Request.Context(), c.Who(), s.Kind, ids, func(recs []any) error {
		if err := deadline.SetWriteDeadline(time.Now().Add(writeTime)); err != nil {
			return err
		}
		for _, rec := range recs {
			v := s.Kind.Values(rec)
			for i, f := range fields {
				values[i] = c.Exported(v, f, c.Zone())
			}
			if err := t.Row(values); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return t.Close()
}
