// Package imports has the pages that import a table from a file: uploading it, matching
// its columns, checking its rows, and writing them. How rows become records belongs in
// package desk/imports.
package imports

import (
	"bytes"
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"muster/internal/desk/imports"
	"muster/internal/front"
	"muster/internal/kind"
	"muster/internal/message"
	"muster/internal/sheet"
	"muster/internal/web/lang"
	"muster/internal/web/page"
	"muster/internal/web/records"
)

// Path is where imports begin, the only address that takes a file.
const Path = "/import"

// importable returns the sections whose records the user may import.
func importable(c *page.Call) (found []*records.Section) {
	for _, k := range imports.Kinds() {
		if s := records.SectionOf(c.App, k); s != nil && imports.May(c.Who(), k) == nil {
			found = append(found, s)
		}
	}
	return found
}

// An importStart is what the page shows on which a file is chosen.
type importStart struct {
	Kinds []records.Option
	Fault string
}

// Ask shows the page on which a file is chosen.
func Ask(c *page.Call) (*page.Answer, error) {
	return newImportStart(c, http.StatusOK, c.URL.Query().Get("kind"), "")
}

func newImportStart(c *page.Call, status int, chosen, fault string) (*page.Answer, error) {
	p := importStart{Fault: fault}
	for _, s := range importable(c) {
		p.Kinds = append(p.Kinds, records.Option{Value: s.Path, Label: c.T(s.Title), Chosen: s.Path == chosen})
	}
	if len(p.Kinds) == 0 {
		return nil, front.Fault(http.StatusForbidden, "the user %s may only read", c.User.Email)
	}
	return &page.Answer{Status: status, Template: "import", Page: page.Page{Title: c.T("Import"), Data: p}}, nil
}

// Begin takes the file.
func (all *Jobs) Begin(c *page.Call) (*page.Answer, error) {
	chosen := c.Form.Get("kind")
	i := slices.IndexFunc(importable(c), func(s *records.Section) bool { return s.Path == chosen })
	switch {
	case i < 0:
		return nil, front.Fault(http.StatusForbidden, "records of this kind cannot be imported by a %s",
			message.Word(c.User.Role))
	case c.File == nil || len(c.File.Data) == 0:
		return newImportStart(c, http.StatusUnprocessableEntity, chosen, c.T("Choose a file first."))
	}
	s := importable(c)[i]
	table, err := all.readTable(c.File.Data)
	if err != nil {
		return newImportStart(c, http.StatusUnprocessableEntity, chosen, c.File.Name+": "+c.Fault(message.Of(err)))
	}
	j := &importJob{user: c.User.ID, section: s, file: c.File.Name, size: len(c.File.Data)}
	j.plan = imports.Import{Kind: s.Kind, Table: table, Fields: matchColumns(c.Locale, s, table.Columns)}
	if len(imports.UsualKeys(s.Kind)) > 0 {
		j.key = usualKey
	}
	if !all.add(j, c.App.Now()) {
		return newImportStart(c, http.StatusTooManyRequests, chosen,
			c.T("%s imports are open, and the server holds no more. Try again when one of them is done; those that are left alone go after an hour.", c.Number(maxImports)))
	}
	return c.GoTo(Path + "/" + j.id)
}

// usualKey stands for the fields by which records of a kind are usually recognised, if
// columns are matched with them.
const usualKey = "usual"

// MatchColumns returns the field of each column, by what documents or English pages
// of a section call it; nil where there is none.
func MatchColumns(s *records.Section, columns []string) []*kind.Field {
	return matchColumns(lang.InEnglish(), s, columns)
}

// matchColumns returns the field of each column, by what documents or pages call it.
func matchColumns(t *lang.Locale, s *records.Section, columns []string) []*kind.Field {
	fields := imports.MatchColumns(s.Kind, columns)
	for _, f := range imports.Fields(s.Kind) {
		at := slices.IndexFunc(columns, func(name string) bool {
			name = strings.TrimSpace(name)
			return strings.EqualFold(name, columnLabel(t, s.Kind, f)) || strings.EqualFold(name, s.Heading(t, f))
		})
		if at >= 0 && fields[at] == nil && !slices.Contains(fields, f) {
			fields[at] = f
		}
	}
	return fields
}

// readTable reads a file, one at a time: unpacking takes memory.
func (all *Jobs) readTable(file []byte) (*sheet.Table, error) {
	all.reading.Lock()
	defer all.reading.Unlock()
	return sheet.Read(file)
}

// jobOf returns the import of the path.
func (all *Jobs) jobOf(c *page.Call) (*importJob, error) {
	return all.get(c.PathValue("job"), c.User.ID, c.App.Now())
}

// GoOn does what the person wants next of an import.
func (all *Jobs) GoOn(c *page.Call) (*page.Answer, error) {
	j, err := all.jobOf(c)
	if err != nil {
		return nil, err
	}
	at, _ := j.state()
	running := at.runs()
	switch do := c.Form.Get("do"); {
	case do == "stop":
		return all.stop(c, j, running)
	case running:
	case do == "check":
		if fault := takeMatches(c, j); fault != nil {
			return columnsPage(c, j, http.StatusUnprocessableEntity, c.Fault(message.Of(page.Translate(fault))))
		}
		who := c.Who()
		j.run(c.App.Desk, checking, checked, func(ctx context.Context, i *imports.Import) (*imports.Report, error) {
			return imports.Check(ctx, c.App.Desk, who, i)
		})
	case do == "back":
		j.mu.Lock()
		j.stage, j.fault = matching, message.Text{}
		j.mu.Unlock()
	case do == "write":
		if err := writeImport(c, j); err != nil {
			return nil, err
		}
	}
	j.wait(c.Context())
	return c.GoTo(Path + "/" + j.id)
}

// stop ends an import that runs, and forgets one that does not.
func (all *Jobs) stop(c *page.Call, j *importJob, running bool) (*page.Answer, error) {
	if running {
		j.mu.Lock()
		j.cancel()
		j.mu.Unlock()
		j.wait(c.Context())
		return c.GoTo(Path + "/" + j.id)
	}
	all.remove(j)
	return c.GoTo("/" + j.section.Path)
}

// takeMatches takes how the person has matched the columns.
func takeMatches(c *page.Call, j *importJob) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	fields := make([]*kind.Field, len(j.plan.Table.Columns))
	for at := range fields {
		name := c.Form.Get("column." + strconv.Itoa(at))
		i := slices.IndexFunc(imports.Fields(j.plan.Kind),
			func(f *kind.Field) bool { return imports.Name(j.plan.Kind, f) == name })
		if i >= 0 {
			fields[at] = imports.Fields(j.plan.Kind)[i]
		}
	}
	j.key = c.Form.Get("key")
	named := j.key
	if named == usualKey {
		named = imports.UsualKey(j.plan.Kind, fields)
	}
	key, err := imports.KeyFields(j.plan.Kind, named)
	j.plan.Fields, j.plan.Clear, j.plan.Whole, j.report = fields, c.Form.Get("clear") == "true", false, nil
	if err != nil {
		return err
	}
	j.plan.Key, j.plan.Spelling = key, &spelling{c.Locale, c.Zone(), c.App.Desk.Settings().Allowed}
	return j.plan.Plan()
}

// writeImport writes the rows of an import that was checked.
func writeImport(c *page.Call, j *importJob) error {
	who, err := c.App.Desk.ConfirmImport(c.Context(), c.Who(), j.section.Kind)
	if err != nil {
		return err
	}
	j.mu.Lock()
	report, ready := j.report, j.stage == checked && j.report != nil
	j.plan.Whole = c.Form.Get("mode") == "whole"
	j.mu.Unlock()
	if !ready {
		return nil
	}
	j.run(c.App.Desk, writing, written, func(ctx context.Context, i *imports.Import) (*imports.Report, error) {
		return imports.Write(ctx, c.App.Desk, who, i, report)
	})
	return nil
}

// SendRest sends the rows that are refused or not written.
func (all *Jobs) SendRest(c *page.Call) (*page.Answer, error) {
	j, err := all.jobOf(c)
	if err != nil {
		return nil, err
	}
	j.mu.Lock()
	plan, report := j.plan, j.report
	j.mu.Unlock()
	if report == nil {
		return nil, front.Fault(http.StatusNotFound, "nothing was checked yet")
	}
	var b bytes.Buffer
	if err := plan.Remaining(&b, report); err != nil {
		return nil, err
	}
	c.Writer.Header().Set("Content-Disposition", `attachment; filename="refused-rows.csv"`)
	return &page.Answer{Status: http.StatusOK, Kind: "text/csv; charset=utf-8", Body: b.Bytes()}, nil
}
