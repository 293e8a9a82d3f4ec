package kind

import (
	"strconv"
	"strings"

	"muster/internal/markup"
)

// A Format is a form in which documents are written. XML is the one that is
// read too.
type Format uint8

// The formats.
const (
	XML Format = iota
	JSON
)

// Extension returns the format's extension in addresses.
func (f Format) Extension() string {
	if f == JSON {
		return ".json"
	}
	return ".xml"
}

// text appends a text, escaped as the format wants it.
func (f Format) text(b []byte, s string) []byte {
	if f == JSON {
		return appendJSON(b, s)
	}
	return markup.AppendText(b, s)
}

// A Position is where in a list a page is.
type Position struct {
	Number, PerPage, Total int
	More                   bool // rows follow, when they are asked for by id
}

// A Page is one page of a list: its position and the records on it.
type Page struct {
	Position
	Records []any
	Many    bool // there are very many more, which were not counted, see Store.Glance
}

// AppendRecord appends the document of a single record. Addresses begin with
// base.
func (s *Schema) AppendRecord(b []byte, f Format, base string, rec any) []byte {
	return s.single[f].appendAll(b, base, Position{}, []any{rec})
}

// AppendList appends the document of one page of a list.
func (s *Schema) AppendList(b []byte, f Format, base string, page Page) []byte {
	return s.listed[f].appendAll(b, base, page.Position, page.Records)
}

// appendAll appends the document of records that nothing is kept of.
func (f *Form) appendAll(b []byte, base string, p Position, recs []any) []byte {
	base = string(f.plan.format.text(nil, base))
	b = f.appendHead(b, p)
	for i, rec := range recs {
		if i > 0 {
			b = append(b, f.plan.between...)
		}
		b = f.plan.append(b, base, f.schema.Values(rec))
	}
	return f.appendTail(b)
}

// A Service is an entry of the entry-point document.
type Service struct{ Href, Name string }

// AppendServices appends the entry-point document.
func AppendServices(b []byte, f Format, services []Service) []byte {
	if f == JSON {
		return appendJSONServices(b, services)
	}
	return appendXMLServices(b, services)
}

// AppendErrors appends the document of an error, one element a fault.
func AppendErrors(b []byte, f Format, faults []string) []byte {
	if f == JSON {
		return appendJSONErrors(b, faults)
	}
	return appendXMLErrors(b, faults)
}

// A plan is how records of a kind are written in one format: all that is the
// same in each of them, made once.
type plan struct {
	format      Format
	open, close string
	between     string // two records
	steps       []step
}

// A step writes one field.
type step struct {
	field        *Field
	typ          Type
	frame               // around the value
	path, suffix string // of a Link: what stands before and after the id
	trim         bool
	items        plan    // of a List
	parts        []frame // of a Person: around each field that is shown
}

// A frame is what stands around a value, and in place of one that is null.
type frame struct{ open, close, null string }

// newPlan returns the plan of a document, or of an item of a list.
func newPlan(s *Schema, f Format, single bool) plan {
	depth := 0
	if !single {
		depth = 1
	}
	return s.plan(f, depth, func(f *Field) bool { return s.shows(f) && (single || !f.Detail) })
}

// plan returns the plan of the fields that are shown, in elements so deep.
func (s *Schema) plan(f Format, depth int, shown func(*Field) bool) plan {
	p := xmlPlan(s.Item, depth)
	if f == JSON {
		p = jsonPlan()
	}
	for _, field := range s.Fields {
		if !shown(field) {
			continue
		}
		st := xmlStep(field, depth)
		if f == JSON {
			st = jsonStep(field, len(p.steps) == 0)
		}
		if field.Type == Link && s.targets == nil {
			path, query, found := strings.Cut(field.suffix, "?")
			if found {
				query = "?" + query
			}
			st.path = "/" + s.Path() + "/"
			st.suffix = string(f.text(nil, path+f.Extension()+query))
		}
		st.field, st.typ, st.trim = field, field.Type, field.Padded && depth > 0
		p.steps = append(p.steps, st)
	}
	return p
}

// append appends one record.
func (p *plan) append(b []byte, base string, v Values) []byte {
	b = append(b, p.open...)
	var own address
	for i := range p.steps {
		st := &p.steps[i]
		mark := len(b)
		b = append(b, st.open...)
		start := len(b)
		if b = st.value(b, p.format, base, &own, v); len(b) == start {
			b = append(b[:mark], st.null...)
			continue
		}
		b = append(b, st.close...)
	}
	return append(b, p.close...)
}

// An address is where in a document the record's own address was written,
// with which its other addresses begin.
type address struct{ from, to int }

// value appends the value of a field, nothing when it is null.
func (st *step) value(b []byte, format Format, base string, own *address, v Values) []byte {
	f := st.field
	switch st.typ {
	case Text:
		if st.trim {
			return format.text(b, strings.TrimSpace(*v.Text(f)))
		}
		return format.text(b, *v.Text(f))
	case ID:
		return strconv.AppendInt(b, v.ID(), 10)
	case Link:
		if v.schema.targets != nil {
			return v.appendTarget(b, format, base)
		}
		return append(st.appendAddress(b, base, own, v), st.suffix...)
	case Integer:
		if n := v.Int(f); n.Valid {
			return strconv.AppendInt(b, n.V, 10)
		}
	case Boolean:
		if t := v.Bool(f); t.Valid {
			return strconv.AppendBool(b, t.V)
		}
	case Time, Date:
		if t := v.Time(f); !t.IsZero() {
			return f.appendTime(b, *t)
		}
	case PersonRef:
		if p := v.Person(f); p.ID != 0 {
			return st.appendPerson(b, format, p)
		}
	case List:
		return st.items.appendAll(b, base, v.list(f))
	case Address:
		if path := *(*string)(v.at(f, Address)); path != "" {
			return append(format.text(append(b, base...), path), format.Extension()...)
		}
	case Amount:
		return v.Decimal(f).append(b)
	case RecordRef:
		return format.text(b, v.Ref(f).Name)
	}
	return b
}

// appendTarget appends the address of a linked record.
func (v Values) appendTarget(b []byte, format Format, base string) []byte {
	l := (*Linked)(v.base)
	b = append(append(b, base...), '/')
	b = append(append(b, v.schema.target(l.Item).Path()...), '/')
	return append(strconv.AppendInt(b, l.ID.V, 10), format.Extension()...)
}

// appendAll appends the items of a nested collection.
func (p *plan) appendAll(b []byte, base string, l list) []byte {
	for i := range l.n {
		if i > 0 {
			b = append(b, p.between...)
		}
		b = p.append(b, base, l.item(i))
	}
	return b
}

// appendAddress appends the record's own address, a copy of the first one that
// was written.
func (st *step) appendAddress(b []byte, base string, own *address, v Values) []byte {
	if own.to > 0 {
		return append(b, b[own.from:own.to]...)
	}
	own.from = len(b)
	b = append(b, base...)
	if parent := v.schema.parent; parent != nil {
		b = parent.Target.appendPath(b, v.Ref(parent).ID, 0)
	}
	b = append(b, st.path...)
	b = strconv.AppendInt(b, v.ID(), 10)
	own.to = len(b)
	return b
}

// appendPerson appends the fields of a person that the field shows.
func (st *step) appendPerson(b []byte, format Format, p *Person) []byte {
	for i, name := range st.field.Shows {
		mark := len(b)
		b = append(b, st.parts[i].open...)
		start := len(b)
		if b = p.append(b, format, name); len(b) == start {
			b = append(b[:mark], st.parts[i].null...)
			continue
		}
		b = append(b, st.parts[i].close...)
	}
	return b
}

// append appends the named field of a person, nothing when it is null.
func (p *Person) append(b []byte, format Format, name string) []byte {
	switch name {
	case "id":
		return strconv.AppendInt(b, p.ID, 10)
	case "name":
		return format.text(b, p.Name)
	case "email":
		return format.text(b, p.Email)
	case "first-name":
		return format.text(b, p.FirstName)
	case "last-name":
		return format.text(b, p.LastName)
	case "phone":
		return format.text(b, p.Phone)
	case "last-login":
		if !p.LastLogin.IsZero() {
			return appendTimestamp(b, p.LastLogin)
		}
	}
	return b
}
