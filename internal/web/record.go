package web

import (
	"html/template"
	"strconv"
	"strings"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/kind"
)

// A recordPage is what the page of a record shows.
type recordPage struct {
	ID      int64
	List    string // the path of its section
	Path    string
	Title   string // of the section
	Name    string
	Steps   *steps // nil for who comes from no list
	Version int64
	State   cell
	Line    []lineItem // what matters most
	Actions []action
	Facts   []facts
	Texts   []fact // of several lines
	Prose   template.HTML
	Term    *term
	Use     *use
	Audit   *auditEntry
	Parts   []part
	Lists   []relatedList
	Changes []change
	History string // the path of all changes
	Change  bool   // the person may change it
}

// A lineItem is a fact below the name of a record.
type lineItem struct {
	Icon string
	Cell cell
}

// Facts are a part of a record's fields.
type facts struct {
	Title string
	Items []fact
}

// A fact is the value of a field, with its name.
type fact struct {
	Name  string // of the field
	Label string
	Cell  cell
	Set   bool // by a person, so that no report changes it, and can be released

	Change string    // the address that opens its form, "" for none
	Form   *factForm // that is open, nil for none
}

// A relatedList is the beginning of a list that belongs to a record.
type relatedList struct {
	Title string
	Total int
	Href  string // of the whole list, "" where it has no page
	Rows  []row
}

// A change is an audit record as the pages of others tell it.
type change struct {
	Text string
	Who  string
	When *moment
}

// show shows one record.
func (s *section) show(c *call) (*answer, error) {
	rec, err := s.get(c)
	if err != nil {
		return nil, err
	}
	p := s.newRecordPage(c, rec)
	if s.record != nil {
		s.record(c, p, rec)
	}
	if !p.Change {
		p.Actions = nil
	}
	if p.Lists, err = s.related(c, rec); err != nil {
		return nil, err
	}
	if p.Changes, err = c.changesOf(s.kind, p.ID); err != nil {
		return nil, err
	}
	if p.Steps, err = s.steps(c, p.ID); err != nil {
		return nil, err
	}
	return c.show("record", page{Title: p.Name, Here: "/" + s.path, Data: p})
}

// newRecordPage returns what a record's page shows of the record itself.
func (s *section) newRecordPage(c *call, rec any) *recordPage {
	meta := s.kind.Meta(rec)
	id := meta.ID
	p := &recordPage{
		ID: id, List: "/" + s.path, Path: s.recordPath(id), Title: c.t(s.title), Name: s.nameTo(c, rec), Version: meta.Version, Change: s.add != "" && !c.user.ReadOnly.V,
		History: "/activity?record_type=" + s.kind.Item + "&record_id=" + strconv.FormatInt(id, 10),
	}
	if s.state != "" {
		p.State = c.cell(s.kind.Values(rec), s.kind.Field(s.state))
	}
	p.Line = s.matters(c, rec)
	p.Facts, p.Texts = s.factsOf(c, rec)
	p.Parts = s.parts(c, rec)
	return p
}

// lineFields are the fields that stand below the name of a record, with their
// icons.
var lineFields = []struct{ field, icon string }{
	{"asset-id", "tag"}, {"owner", "user"}, {"author", "user"}, {"email", "user"}, {"manufacturer", "vendor"}, {"vendor", "vendor"}, {"type", "contract"}, {"site", "site"},
}

// matters returns what matters most of a record.
func (s *section) matters(c *call, rec any) (items []lineItem) {
	for _, l := range lineFields {
		f := s.kind.Field(l.field)
		if f == nil || f.Name == s.lead {
			continue
		}
		if one := c.fact(s.kind, f, rec); one.Cell.Look != "" {
			items = append(items, lineItem{l.icon, one.Cell})
		}
	}
	return append(items, lineItem{"clock", cell{Look: "when", When: c.moment(s.kind.Meta(rec).UpdatedAt)}})
}

// factsOf returns the fields of a record in the groups of the section, and apart
// those of several lines.
func (s *section) factsOf(c *call, rec any) (groups []facts, long []fact) {
	told := map[*kind.Field]bool{}
	add := func(title string, fields []*kind.Field) {
		group := facts{Title: title}
		for _, f := range fields {
			if told[f] || !shown(f) {
				continue
			}
			told[f] = true
			one := c.fact(s.kind, f, rec)
			switch {
			case !f.Long:
				group.Items = append(group.Items, one)
			case one.Cell.Text != "":
				long = append(long, one)
			}
		}
		if len(group.Items) > 0 {
			groups = append(groups, group)
		}
	}
	for _, g := range s.facts {
		var fields []*kind.Field
		for _, name := range g.fields {
			fields = append(fields, s.kind.Field(name))
		}
		add(c.t(g.title), fields)
	}
	add(c.t("Details"), s.kind.Fields)
	return groups, long
}

// shown reports whether pages show a field as a fact.
func shown(f *kind.Field) bool {
	switch f.Type {
	case kind.Link, kind.List, kind.ID, kind.Address:
		return false
	}
	return !f.Hidden && !f.Secret
}

// fact returns the value of a field with its name, with a link where it names
// something that can be called, written to or visited.
func (c *call) fact(k *kind.Schema, f *kind.Field, rec any) fact {
	v := k.Values(rec)
	one := c.held(f, rec)
	one.Cell = c.cell(v, f)
	switch one.Cell.Look {
	case "person":
		if users := sectionOf(inventory.Users.Schema); users.access.admits(c.user) && v.Person(f).ID != 0 {
			one.Cell.Look, one.Cell.Href = "link", users.recordPath(v.Person(f).ID)
		}
	case "text":
		if out := outside(f, one.Cell.Text); out != "" {
			one.Cell.Look, one.Cell.Out = "out", out
		}
	}
	return one
}

// held returns a field by its name, and whether a person has set it that can be
// released.
func (c *call) held(f *kind.Field, rec any) fact {
	computer, ok := rec.(*inventory.Computer)
	return fact{Name: f.Name, Label: c.label(f), Set: ok && desk.Releasable(computer, f)}
}

// outside returns where the value of a field leads outside of the application,
// "" for nowhere.
func outside(f *kind.Field, text string) string {
	switch f.Name {
	case "url":
		if to := safeAddress(text); strings.HasPrefix(to, "http") {
			return to
		}
	case "email", "contact-email":
		if to := safeAddress("mailto:" + text); strings.Count(text, "@") == 1 && !strings.ContainsAny(text, "?&") {
			return to
		}
	case "telephone", "contact-phone", "phone", "mobile-phone":
		digits := strings.Map(func(r rune) rune {
			if r >= '0' && r <= '9' || r == '+' {
				return r
			}
			return -1
		}, text)
		if len(digits) > 2 {
			return "tel:" + digits
		}
	}
	return ""
}

// latestChanges is how many changes a record's page shows.
const latestChanges = 6

// changesOf returns the latest changes of a record.
func (c *call) changesOf(k *kind.Schema, id int64) (changes []change, err error) {
	if k.Chained {
		return nil, nil
	}
	q, err := inventory.Audits.ParseQuery("record_type="+k.Item+"&record_id="+strconv.FormatInt(id, 10)+
		"&sort_by=id&sort_order=DESC&per_page="+strconv.Itoa(latestChanges), c.web.Now())
	if err != nil {
		return nil, err
	}
	found, err := c.web.Desk.List(c.Context(), c.who(), inventory.Audits.Schema, q)
	for _, rec := range found.Records {
		a := rec.(*inventory.Audit)
		changes = append(changes, change{c.deed(a), c.doer(a), c.moment(a.CreatedAt)})
	}
	return changes, err
}

// doer returns who or what made a change.
func (c *call) doer(a *inventory.Audit) string {
	if a.User.ID != 0 || a.User.Email != "" {
		return personName(&a.User)
	}
	switch a.Origin {
	case "agent":
		return c.t("Agent")
	case "rule":
		return c.t("Rule")
	}
	return c.t("System")
}
