// Package imports has the pages that import a table from a file: uploading it, matching
// its columns, checking its rows, and writing them. How rows become records belongs in
// package desk/imports.
package imports

import (
	"bytes"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"muster/internal/desk/imports"
	"muster/internal/front"
	"muster/internal/kind"
	"muster/internal/message"
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

// Pages are the pages of imports, and the files that they are receiving.
type Pages struct {
	uploads chan struct{} // has one for each file that is being received
}

// maxUploads is how many files are received at the same time.
const maxUploads = 3

// NewPages returns the pages.
func NewPages() *Pages { return &Pages{make(chan struct{}, maxUploads)} }

// Begin takes the file.
func Begin(c *page.Call) (*page.Answer, error) {
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
	table, err := c.App.Imports.Read(c.Context(), c.File.Data)
	if err != nil {
		return newImportStart(c, http.StatusUnprocessableEntity, chosen, c.File.Name+": "+c.Fault(message.Of(err)))
	}
	choice := imports.Choice{Fields: make([]string, len(table.Columns))}
	for at, f := range matchColumns(c.Locale, s, table.Columns) {
		if f != nil {
			choice.Fields[at] = imports.Name(s.Kind, f)
		}
	}
	if len(imports.UsualKeys(s.Kind)) > 0 {
		choice.Chosen = usualKey
	}
	id, err := c.App.Imports.Open(c.Context(), c.Who(), s.Kind, c.File.Name, c.File.Data, table, choice)
	if err != nil {
		return nil, err
	}
	return c.GoTo(pathOf(id))
}

// pathOf returns the path of an import.
func pathOf(id int64) string { return Path + "/" + strconv.FormatInt(id, 10) }

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

// stateOf returns how far the import of the path is.
func stateOf(c *page.Call) (*imports.State, error) {
	id, err := strconv.ParseInt(c.PathValue("job"), 10, 64)
	if err != nil {
		return nil, front.Fault(http.StatusNotFound, "there is no import %q", c.PathValue("job"))
	}
	return c.App.Imports.Of(c.Context(), c.Who(), id)
}

// shortly is how long a request waits for the server to be done with the work, so
// that short files need no progress page.
const shortly = 400 * time.Millisecond

// GoOn does what the person wants next of an import.
func GoOn(c *page.Call) (*page.Answer, error) {
	st, err := stateOf(c)
	if err != nil {
		return nil, err
	}
	all, do := c.App.Imports, c.Form.Get("do")
	if st.Stage.Runs() && do != "stop" {
		return c.GoTo(pathOf(st.ID)) // it was asked for twice
	}
	switch do {
	case "stop":
		if !st.Stage.Runs() {
			return discard(c, st)
		}
		err = all.Stop(c.Context(), c.Who(), st.ID)
	case "check":
		plan, fault := takeMatches(c, st)
		if fault == nil {
			fault = all.Check(c.Context(), c.Who(), st.ID, plan, st.Choice, c.Writing())
		}
		if fault != nil {
			return columnsPage(c, st, http.StatusUnprocessableEntity, c.Fault(message.Of(page.Translate(fault))))
		}
	case "back":
		err = all.Rematch(c.Context(), c.Who(), st.ID)
	case "write":
		err = all.Write(c.Context(), c.Who(), st.ID, c.Form.Get("mode") == "whole")
	case "undo":
		err = all.Undo(c.Context(), c.Who(), st.ID)
	}
	if err != nil {
		return nil, err
	}
	if st, err = all.Of(c.Context(), c.Who(), st.ID); err == nil {
		all.Await(c.Context(), st, shortly)
	}
	return c.GoTo(pathOf(st.ID))
}

// discard forgets an import that the person does not want any more.
func discard(c *page.Call, st *imports.State) (*page.Answer, error) {
	if err := c.App.Imports.Stop(c.Context(), c.Who(), st.ID); err != nil {
		return nil, err
	}
	return c.GoTo("/" + records.SectionOf(c.App, st.Kind).Path)
}

// takeMatches takes how the person has matched the columns.
func takeMatches(c *page.Call, st *imports.State) (*imports.Import, error) {
	for at := range st.Choice.Fields {
		st.Choice.Fields[at] = ""
		if f := imports.Field(st.Kind, c.Form.Get("column."+strconv.Itoa(at))); f != nil {
			st.Choice.Fields[at] = imports.Name(st.Kind, f)
		}
	}
	st.Choice.Chosen, st.Choice.Clear = c.Form.Get("key"), c.Form.Get("clear") == "true"
	st.Choice.Key = st.Choice.Chosen
	if st.Choice.Chosen == usualKey {
		st.Choice.Key = imports.UsualKey(st.Kind, fieldsOf(st))
	}
	return c.App.Imports.Plan(c.Context(), st.ID, st.Kind, st.Choice, c.Writing())
}

// fieldsOf returns the fields of the columns of an import, nil for those that are left out.
func fieldsOf(st *imports.State) []*kind.Field {
	fields := make([]*kind.Field, len(st.Choice.Fields))
	for at, name := range st.Choice.Fields {
		fields[at] = imports.Field(st.Kind, name)
	}
	return fields
}

// SendRest sends the rows that are refused or not written.
func SendRest(c *page.Call) (*page.Answer, error) {
	st, err := stateOf(c)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := c.App.Imports.Rest(c.Context(), st, &b); err != nil {
		return nil, err
	}
	c.Writer.Header().Set("Content-Disposition", `attachment; filename="refused-rows.csv"`)
	return &page.Answer{Status: http.StatusOK, Kind: "text/csv; charset=utf-8", Body: b.Bytes()}, nil
}
