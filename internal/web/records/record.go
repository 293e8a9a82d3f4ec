package records

import (
	"html/template"
	"strings"

	"muster/internal/kind"
	"muster/internal/web/activity"
	"muster/internal/web/page"
)

// A FactForm is the small form in which one fact is changed where it stands.
type FactForm struct {
	Input   Input
	Path    string // of the record
	Version int64
	Was     string // what the field had when the form was shown
	Rest    string // the query of the page, to come back to it
	Cancel  string // the address without the form
	Notice  string // of what happened meanwhile
}

// A RecordPage is what the page of a record shows.
type RecordPage struct {
	ID      int64
	List    string // the path of its section
	Path    string
	Title   string // of the section
	Name    string
	Steps   *steps // nil for who comes from no list
	Version int64
	State   page.Cell
	Line    []LineItem // what matters most
	Actions []Action
	Facts   []facts
	Texts   []Fact // of several lines
	Prose   template.HTML
	Term    *Term
	Use     *Use
	Audit   *activity.AuditEntry
	Parts   []Part
	Lists   []RelatedList
	Changes []activity.Latest
	History string // the path of all changes
	Change  bool   // the person may change it
}

// A LineItem is a fact below the name of a record.
type LineItem struct {
	Icon string
	Cell page.Cell
}

// Facts are a part of a record's fields.
type facts struct {
	Title string
	Items []Fact
}

// A Fact is the value of a field, with its name.
type Fact struct {
	Name  string // of the field
	Label string
	Cell  page.Cell
	Set   bool // by a person, so that no report changes it, and can be released

	Change string    // the address that opens its form, "" for none
	Form   *FactForm // that is open, nil for none
}

// A RelatedList is the beginning of a list that belongs to a record.
type RelatedList struct {
	Title string
	Total int
	Href  string // of the whole list, "" where it has no page
	Rows  []Row
}

// Show shows one record.
func (s *Section) Show(c *page.Call) (*page.Answer, error) {
	rec, err := s.Get(c)
	if err != nil {
		return nil, err
	}
	p := s.NewRecordPage(c, rec)
	if s.Record != nil {
		s.Record(c, p, rec)
	}
	if !p.Change {
		p.Actions = nil
	}
	if p.Lists, err = s.Related(c, rec); err != nil {
		return nil, err
	}
	if p.Changes, err = activity.LatestOf(c, s.Kind, p.ID); err != nil {
		return nil, err
	}
	if p.Steps, err = s.Steps(c, p.ID); err != nil {
		return nil, err
	}
	return c.Show("record", page.Page{Title: p.Name, Here: "/" + s.Path, Data: p})
}

// NewRecordPage returns what a record's page shows of the record itself.
func (s *Section) NewRecordPage(c *page.Call, rec any) *RecordPage {
	meta := s.Kind.Meta(rec)
	id := meta.ID
	p := &RecordPage{
		ID: id, List: "/" + s.Path, Path: s.RecordPath(id), Title: c.T(s.Title), Name: nameTo(s, c, rec),
		Version: meta.Version, Change: s.Add != "" && !c.User.ReadOnly.V,
		History: activity.PathOf(s.Kind, id),
	}
	if s.State != "" {
		p.State = c.Cell(s.Kind.Values(rec), s.Kind.Field(s.State))
	}
	p.Line = lineItems(s, c, rec)
	p.Facts, p.Texts = factsOf(s, c, rec)
	p.Parts = partsOf(s, c, rec)
	return p
}

// lineFields are the fields that stand below the name of a record, with their
// icons.
var lineFields = []struct{ field, icon string }{
	{"asset-id", "tag"}, {"owner", "user"}, {"author", "user"}, {"email", "user"}, {"manufacturer", "vendor"},
	{"vendor", "vendor"}, {"type", "contract"}, {"site", "site"},
}

// lineItems returns what matters most of a record.
func lineItems(s *Section, c *page.Call, rec any) (items []LineItem) {
	for _, l := range lineFields {
		f := s.Kind.Field(l.field)
		if f == nil || f.Name == s.Lead {
			continue
		}
		if one := s.NewFact(c, f, rec); one.Cell.Look != "" {
			items = append(items, LineItem{l.icon, one.Cell})
		}
	}
	return append(items, LineItem{"clock", page.Cell{Look: "when", When: c.Moment(s.Kind.Meta(rec).UpdatedAt)}})
}

// factsOf returns the fields of a record in the groups of the section, and separately
// those with several lines of text.
func factsOf(s *Section, c *page.Call, rec any) (groups []facts, long []Fact) {
	added := map[*kind.Field]bool{}
	add := func(title string, fields []*kind.Field) {
		group := facts{Title: title}
		for _, f := range fields {
			if added[f] || !Shown(f) {
				continue
			}
			added[f] = true
			one := s.NewFact(c, f, rec)
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
	for _, g := range s.Facts {
		var fields []*kind.Field
		for _, name := range g.Fields {
			fields = append(fields, s.Kind.Field(name))
		}
		add(c.T(g.Title), fields)
	}
	add(c.T("Details"), s.Kind.Fields)
	return groups, long
}

// Shown reports whether pages show a field as a fact.
func Shown(f *kind.Field) bool {
	switch f.Type {
	case kind.Link, kind.List, kind.ID, kind.Address:
		return false
	}
	return !f.Hidden && !f.Secret
}

// NewFact returns the value of a field with its name, with a link where it names
// something that can be called, written to or visited.
func (s *Section) NewFact(c *page.Call, f *kind.Field, rec any) Fact {
	v := s.Kind.Values(rec)
	one := s.labelled(c, f, rec)
	one.Cell = c.Cell(v, f)
	switch one.Cell.Look {
	case "person":
		if users := SectionsOf(c.App).people(); users.Access.Allows(c.User) && v.Person(f).ID != 0 {
			one.Cell.Look, one.Cell.Href = "link", users.RecordPath(v.Person(f).ID)
		}
	case "text":
		if out := outside(f, one.Cell.Text); out != "" {
			one.Cell.Look, one.Cell.Out = "out", out
		}
	}
	return one
}

// labelled returns a fact without its value: the label, and whether a person has set
// the field and it can be released.
func (s *Section) labelled(c *page.Call, f *kind.Field, rec any) Fact {
	return Fact{Name: f.Name, Label: c.Label(f), Set: s.Releasable != nil && s.Releasable(rec, f)}
}

// outside returns where the value of a field leads outside of the application,
// "" for nowhere.
func outside(f *kind.Field, text string) string {
	switch f.Name {
	case "url":
		if to := page.SafeAddress(text); strings.HasPrefix(to, "http") {
			return to
		}
	case "email", "contact-email":
		if to := page.SafeAddress("mailto:" + text); strings.Count(text, "@") == 1 && !strings.ContainsAny(text, "?&") {
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
