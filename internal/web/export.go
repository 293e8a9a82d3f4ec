package web

import (
	"io"
	"net/http"
	"strings"
	"time"

	"muster/internal/kind"
	"muster/internal/sheet"
)

// A table is a file of rows that is being written.
type table interface {
	Row(values []any) error
	Close() error
}

// exportCSV sends all records of a list as a table of plain text.
func (s *section) exportCSV(c *call) (*answer, error) {
	return s.export(c, "csv", "text/csv; charset=utf-8", func(out io.Writer, heads []string) table { return sheet.NewCSV(out, heads) })
}

// exportXLSX sends all records of a list as a workbook.
func (s *section) exportXLSX(c *call) (*answer, error) {
	return s.export(c, "xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", func(out io.Writer, heads []string) table {
		return sheet.NewWriter(out, c.t(s.title), heads)
	})
}

// writeTime is how long a client may take for some rows.
const writeTime = time.Minute

// export sends all records of a list, with the columns and in the order that the
// person sees. No more than the ids of all is kept in memory.
func (s *section) export(c *call, extension, media string, begin func(io.Writer, []string) table) (*answer, error) {
	q, err := s.query(c, without(s.tidy(c.URL.Query()), "page", "per_page", "after"))
	if err != nil {
		return nil, err
	}
	ids, err := c.web.Desk.IDs(c.Context(), c.who(), s.kind, q)
	if err != nil {
		return nil, err
	}
	h := c.w.Header()
	h.Set("Content-Type", media)
	h.Set("Content-Disposition", `attachment; filename="`+s.path+"-"+c.now().Format(time.DateOnly)+"."+extension+`"`)
	stream := func(out io.Writer) error {
		if err := s.writeTable(c, ids, out, begin); err != nil {
			panic(http.ErrAbortHandler) // nobody shall take a part of it for the whole
		}
		return nil
	}
	return &answer{status: http.StatusOK, stream: stream}, nil
}

// writeTable writes the records of some ids as a table.
func (s *section) writeTable(c *call, ids []int64, out io.Writer, begin func(io.Writer, []string) table) error {
	var heads []string
	var fields []*kind.Field
	for _, col := range s.shownColumns(c) {
		f := s.kind.Field(col.field)
		fields, heads = append(fields, f), append(heads, s.heading(c.tongue, f))
	}
	t, values := begin(out, heads), make([]any, len(fields))
	deadline := http.NewResponseController(c.w)
	err := c.web.Desk.Each(c.Request.Context(), c.who(), s.kind, ids, func(recs []any) error {
		if err := deadline.SetWriteDeadline(time.Now().Add(writeTime)); err != nil {
			return err
		}
		for _, rec := range recs {
			v := s.kind.Values(rec)
			for i, f := range fields {
				values[i] = c.exported(v, f, c.zone())
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

// exported returns the value of a field as tables have it: numbers and times as
// such, all else as people read it.
func (t *tongue) exported(v kind.Values, f *kind.Field, zone *time.Location) any {
	switch f.Type {
	case kind.Integer:
		if n := v.Int(f); n.Valid {
			return n.V
		}
		return nil
	case kind.Time:
		if at := *v.Time(f); !at.IsZero() {
			return at.In(zone)
		}
		return nil
	case kind.Date:
		return *v.Time(f)
	case kind.Boolean:
		if v.Format(f) == "" {
			return nil
		}
		return t.yes(v.Bool(f).V)
	case kind.PersonRef:
		return personName(v.Person(f))
	case kind.List:
		if f.Targets != nil {
			return linkNames(*v.Links(f))
		}
	}
	return v.Format(f)
}

// linkNames returns the names of linked records as one text.
func linkNames(links []kind.Linked) string {
	names := make([]string, len(links))
	for i, l := range links {
		names[i] = l.Name
	}
	return strings.Join(names, ", ")
}
