package records

import (
	"io"
	"net/url"
	"time"

	"muster/internal/desk/exports"
	"muster/internal/desk/jobs"
	"muster/internal/kind"
	"muster/internal/message"
	"muster/internal/web/lang"
	"muster/internal/web/page"
)

// ExportPath returns where all records of the section's list are sent as a file.
func (s *Section) ExportPath(f *exports.Format) string {
	return "/" + s.Path + "/export." + f.Extension
}

// Export sends all records of a list as a file, with the columns and in the order that the person sees, unless there are
// so many that a job is to write it.
func (s *Section) Export(f *exports.Format) page.Handler {
	return func(c *page.Call) (*page.Answer, error) {
		q, total, err := s.exported(c)
		if err != nil {
			return nil, err
		}
		if total > exports.AtOnce {
			c.Warn(c.T("This list has more than %s rows by now: choose Export once more, and a job writes the file",
				c.Number(exports.AtOnce)))
			return c.GoTo(page.Address("/"+s.Path, exportedValues(s, c)))
		}
		return s.send(c, f, q)
	}
}

// BeginExport lets a job write all records of a list into a file; few are sent at once.
func (s *Section) BeginExport(f *exports.Format) page.Handler {
	return func(c *page.Call) (*page.Answer, error) {
		values := exportedValues(s, c)
		_, total, err := s.exported(c)
		if err != nil {
			return nil, err
		}
		if total <= exports.AtOnce {
			return c.GoTo(page.Address(s.ExportPath(f), values))
		}
		_, err = c.App.Exports.Begin(c.Context(), c.Who(), exports.Order{Kind: s.Kind, Query: s.asked(c, values).Encode(),
			Rows: total, Name: s.exportName(c), Format: f, Sheet: s.exportSheet(c), Writing: c.Writing()})
		if err != nil && !jobs.IsRefusal(err) {
			return nil, err
		}
		if err != nil {
			c.Warn(c.Fault(message.Of(err)))
		} else {
			c.Notify(c.T("The file is being written. “Your jobs” at the top says how far it is, and has it for a day."))
		}
		return c.GoTo(page.Address("/"+s.Path, values))
	}
}

// exportedValues returns what the address of an export asks for.
func exportedValues(s *Section, c *page.Call) url.Values {
	return page.Without(s.Tidy(c.URL.Query()), "page", "per_page", "after")
}

// exported returns what an export asks for, and how many records that are.
func (s *Section) exported(c *page.Call) (*kind.Query, int, error) {
	q, err := s.Query(c, exportedValues(s, c))
	if err != nil {
		return nil, 0, err
	}
	total, err := c.App.Desk.Total(c.Context(), c.Who(), s.Kind, q)
	return q, total, err
}

// exportName returns the name of a file without its extension.
func (s *Section) exportName(c *page.Call) string {
	return s.Path + "-" + c.Now().Format(time.DateOnly)
}

// exportSheet returns what a file has of the records: the columns that the person sees.
func (s *Section) exportSheet(c *page.Call) exports.Sheet {
	of := exports.Sheet{Title: c.T(s.Title)}
	for _, col := range s.shownColumns(c) {
		f := s.Kind.Field(col.Field)
		of.Fields, of.Heads = append(of.Fields, f), append(of.Heads, s.Heading(c.Locale, f))
	}
	return of
}

// ExportSpelling returns how values are spelled in files for people who write in a way.
func ExportSpelling(w jobs.Writing) exports.Spelling {
	return spelling(lang.Named(w.Language, w.Country), lang.ZoneNamed(w.Zone))
}

func spelling(t *lang.Locale, zone *time.Location) exports.Spelling {
	return func(v kind.Values, f *kind.Field) any { return t.Exported(v, f, zone) }
}

// send sends the records of a query as a file. No more than the ids of all is kept in memory.
func (s *Section) send(c *page.Call, f *exports.Format, q *kind.Query) (*page.Answer, error) {
	ids, err := c.App.Desk.IDs(c.Context(), c.Who(), s.Kind, q)
	if err != nil {
		return nil, err
	}
	of := s.exportSheet(c)
	return c.Download(s.exportName(c)+"."+f.Extension, f.Media, func(out io.Writer) error {
		w := exports.NewWriter(out, f, s.Kind, &of, spelling(c.Locale, c.Zone()))
		if err := c.App.Desk.Each(c.Request.Context(), c.Who(), s.Kind, ids, w.Add); err != nil {
			return err
		}
		return w.Close()
	}), nil
}
