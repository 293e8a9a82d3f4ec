package web

import (
	"bytes"
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"muster/internal/desk"
	"muster/internal/door"
	"muster/internal/kind"
	"muster/internal/message"
	"muster/internal/sheet"
)

// importPath is where imports begin, the only address that takes a file.
const importPath = "/import"

// importRoutes are the paths of imports.
func (w *Web) importRoutes() {
	all := newImports()
	w.receivers[importPath] = all.receive
	w.route(importPath, staff, verbs{"GET": (*call).askImport, "POST": all.begin})
	w.route(importPath+"/{job}", staff, verbs{"GET": all.show, "POST": all.goOn})
	w.route(importPath+"/{job}/rest.csv", staff, verbs{"GET": all.sendRest})
}

// importable returns the sections whose records the user may import.
func (c *call) importable() (found []*section) {
	for _, k := range desk.ImportKinds() {
		if s := sectionOf(k); s != nil && desk.MayImport(c.who(), k) == nil {
			found = append(found, s)
		}
	}
	return found
}

// An importStart is what the page shows on which a file is chosen.
type importStart struct {
	Kinds []option
	Fault string
}

// askImport shows the page on which a file is chosen.
func (c *call) askImport() (*answer, error) {
	return c.importStart(http.StatusOK, c.URL.Query().Get("kind"), "")
}

func (c *call) importStart(status int, chosen, fault string) (*answer, error) {
	p := importStart{Fault: fault}
	for _, s := range c.importable() {
		p.Kinds = append(p.Kinds, option{Value: s.path, Label: c.t(s.title), Chosen: s.path == chosen})
	}
	if len(p.Kinds) == 0 {
		return nil, door.Fault(http.StatusForbidden, "the user %s may only read", c.user.Email)
	}
	return &answer{status: status, template: "import", page: page{Title: c.t("Import"), Data: p}}, nil
}

// begin takes the file.
func (all *imports) begin(c *call) (*answer, error) {
	chosen := c.form.Get("kind")
	i := slices.IndexFunc(c.importable(), func(s *section) bool { return s.path == chosen })
	switch {
	case i < 0:
		return nil, door.Fault(http.StatusForbidden, "records of this kind cannot be imported by a %s", message.Word(c.user.Role))
	case c.file == nil || len(c.file.data) == 0:
		return c.importStart(http.StatusUnprocessableEntity, chosen, c.t("Choose a file first."))
	}
	s := c.importable()[i]
	table, err := all.readTable(c.file.data)
	if err != nil {
		return c.importStart(http.StatusUnprocessableEntity, chosen, c.file.name+": "+c.fault(message.Of(err)))
	}
	j := &importJob{user: c.user.ID, section: s, file: c.file.name, size: len(c.file.data)}
	j.plan = desk.Import{Kind: s.kind, Table: table, Fields: c.matchColumns(s, table.Columns)}
	if len(desk.UsualKeys(s.kind)) > 0 {
		j.key = usualKey
	}
	if !all.add(j, c.web.Now()) {
		return c.importStart(http.StatusTooManyRequests, chosen,
			c.t("%s imports are open, and the server holds no more. Try again when one of them is done; those that are left alone go after an hour.", c.number(maxImports)))
	}
	return c.goTo(importPath + "/" + j.id)
}

// usualKey stands for what the records of a kind are usually recognised by, as far as
// a column is matched with it.
const usualKey = "usual"

// MatchColumns returns the field of each column, by what documents or English pages
// call it; nil where there is none.
func MatchColumns(k *kind.Schema, columns []string) []*kind.Field {
	return inEnglish().matchColumns(sectionOf(k), columns)
}

// matchColumns returns the field of each column, by what documents or pages call it.
func (t *tongue) matchColumns(s *section, columns []string) []*kind.Field {
	fields := desk.MatchColumns(s.kind, columns)
	for _, f := range desk.ImportFields(s.kind) {
		at := slices.IndexFunc(columns, func(name string) bool {
			name = strings.TrimSpace(name)
			return strings.EqualFold(name, t.columnLabel(s.kind, f)) || strings.EqualFold(name, s.heading(t, f))
		})
		if at >= 0 && fields[at] == nil && !slices.Contains(fields, f) {
			fields[at] = f
		}
	}
	return fields
}

// readTable reads a file, one at a time: unpacking takes memory.
func (all *imports) readTable(file []byte) (*sheet.Table, error) {
	all.reading.Lock()
	defer all.reading.Unlock()
	return sheet.Read(file)
}

// jobOf returns the import of the path.
func (all *imports) jobOf(c *call) (*importJob, error) {
	return all.get(c.PathValue("job"), c.user.ID, c.web.Now())
}

// goOn does what the person wants next of an import.
func (all *imports) goOn(c *call) (*answer, error) {
	j, err := all.jobOf(c)
	if err != nil {
		return nil, err
	}
	at, _ := j.state()
	running := at.runs()
	switch do := c.form.Get("do"); {
	case do == "stop":
		return all.stop(c, j, running)
	case running:
	case do == "check":
		if fault := c.takeMatches(j); fault != nil {
			return c.columnsPage(j, http.StatusUnprocessableEntity, c.fault(message.Of(translate(fault))))
		}
		who := c.who()
		j.run(c.web.Desk, checking, checked, func(ctx context.Context, i *desk.Import) (*desk.ImportReport, error) {
			return c.web.Desk.CheckImport(ctx, who, i)
		})
	case do == "back":
		j.mu.Lock()
		j.stage, j.fault = matching, message.Text{}
		j.mu.Unlock()
	case do == "write":
		if err := c.writeImport(j); err != nil {
			return nil, err
		}
	}
	j.wait(c.Context())
	return c.goTo(importPath + "/" + j.id)
}

// stop ends an import that runs, and forgets one that does not.
func (all *imports) stop(c *call, j *importJob, running bool) (*answer, error) {
	if running {
		j.mu.Lock()
		j.cancel()
		j.mu.Unlock()
		j.wait(c.Context())
		return c.goTo(importPath + "/" + j.id)
	}
	all.remove(j)
	return c.goTo("/" + j.section.path)
}

// takeMatches takes how the person has matched the columns.
func (c *call) takeMatches(j *importJob) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	fields := make([]*kind.Field, len(j.plan.Table.Columns))
	for at := range fields {
		name := c.form.Get("column." + strconv.Itoa(at))
		i := slices.IndexFunc(desk.ImportFields(j.plan.Kind), func(f *kind.Field) bool { return desk.ImportName(j.plan.Kind, f) == name })
		if i >= 0 {
			fields[at] = desk.ImportFields(j.plan.Kind)[i]
		}
	}
	j.key = c.form.Get("key")
	named := j.key
	if named == usualKey {
		named = desk.UsualKey(j.plan.Kind, fields)
	}
	key, err := desk.ImportKeyFields(j.plan.Kind, named)
	j.plan.Fields, j.plan.Clear, j.plan.Whole, j.report = fields, c.form.Get("clear") == "true", false, nil
	if err != nil {
		return err
	}
	j.plan.Key, j.plan.Spelling = key, &spelling{c.tongue, c.zone(), c.web.Desk.Allowed}
	return j.plan.Plan()
}

// writeImport writes the rows of an import that was checked.
func (c *call) writeImport(j *importJob) error {
	who, err := c.web.Desk.ConfirmImport(c.Context(), c.who(), j.section.kind)
	if err != nil {
		return err
	}
	j.mu.Lock()
	report, ready := j.report, j.stage == checked && j.report != nil
	j.plan.Whole = c.form.Get("mode") == "whole"
	j.mu.Unlock()
	if !ready {
		return nil
	}
	j.run(c.web.Desk, writing, written, func(ctx context.Context, i *desk.Import) (*desk.ImportReport, error) {
		return c.web.Desk.WriteImport(ctx, who, i, report)
	})
	return nil
}

// sendRest sends the rows that are refused or not written.
func (all *imports) sendRest(c *call) (*answer, error) {
	j, err := all.jobOf(c)
	if err != nil {
		return nil, err
	}
	j.mu.Lock()
	plan, report := j.plan, j.report
	j.mu.Unlock()
	if report == nil {
		return nil, door.Fault(http.StatusNotFound, "nothing was checked yet")
	}
	var b bytes.Buffer
	if err := plan.Remaining(&b, report); err != nil {
		return nil, err
	}
	c.w.Header().Set("Content-Disposition", `attachment; filename="refused-rows.csv"`)
	return &answer{status: http.StatusOK, kind: "text/csv; charset=utf-8", body: b.Bytes()}, nil
}
