package kind

import (
	"strconv"
	"strings"
	"time"

	"muster/internal/markup"
)

// header begins every document.
const header = `<?xml version="1.0" encoding="UTF-8"?>` + "\n"

// A Page is one page of a list: its place and the records on it.
type Page struct {
	Number, PerPage, Total int
	Records                []any
	More                   bool // rows follow, when they are asked for by id
}

// AppendRecord appends the document of a single record. Addresses begin with
// base, which must be fit for XML text.
func (s *Schema) AppendRecord(b []byte, base string, rec any) []byte {
	b = append(b, header...)
	return s.single.append(b, base, s.Values(rec))
}

// AppendList appends the document of one page of a list.
func (s *Schema) AppendList(b []byte, base string, page Page) []byte {
	b = append(b, header+"<"...)
	b = append(b, s.Plural...)
	b = append(b, ">\n  <page>"...)
	b = strconv.AppendInt(b, int64(page.Number), 10)
	b = append(b, "</page>\n  <per_page>"...)
	b = strconv.AppendInt(b, int64(page.PerPage), 10)
	b = append(b, "</per_page>\n  <total_entries>"...)
	b = strconv.AppendInt(b, int64(page.Total), 10)
	b = append(b, "</total_entries>\n"...)
	for _, rec := range page.Records {
		b = s.listed.append(b, base, s.Values(rec))
	}
	b = append(b, "</"...)
	b = append(b, s.Plural...)
	return append(b, ">\n"...)
}

// A Service is an entry of the entry-point document.
type Service struct{ Href, Name string }

// AppendServices appends the entry-point document.
func AppendServices(b []byte, services []Service) []byte {
	b = append(b, header+"<services>\n"...)
	for _, s := range services {
		b = append(b, "  <service>\n    <href>"...)
		b = markup.AppendText(b, s.Href)
		b = append(b, "</href>\n    <name>"...)
		b = markup.AppendText(b, s.Name)
		b = append(b, "</name>\n  </service>\n"...)
	}
	return append(b, "</services>\n"...)
}

// AppendErrors appends the document of an error, one element a fault.
func AppendErrors(b []byte, faults []string) []byte {
	b = append(b, header+"<errors>\n"...)
	for _, fault := range faults {
		b = append(b, "  <error>"...)
		b = markup.AppendText(b, fault)
		b = append(b, "</error>\n"...)
	}
	return append(b, "</errors>\n"...)
}

// A plan is how records of a kind are written: all that is the same in each of
// them, made once.
type plan struct {
	open, close string
	steps       []step
}

// A step writes one field.
type step struct {
	field             *Field
	typ               Type
	open, close, null string
	path, suffix      string // of a Link: what stands before and after the id
	trim              bool
	items             plan     // of a List
	parts             []string // of a Person: the opening of each field shown, then its closing
}

// newPlan returns the plan of a document, or of an item of a list.
func newPlan(s *Schema, single bool) plan {
	depth := 0
	if !single {
		depth = 1
	}
	return s.plan(depth, func(f *Field) bool { return !f.Hidden && (single || !f.Detail) })
}

func (s *Schema) plan(depth int, shown func(*Field) bool) plan {
	indent := strings.Repeat("  ", depth)
	p := plan{open: indent + "<" + s.Item + ">\n", close: indent + "</" + s.Item + ">\n"}
	for _, f := range s.Fields {
		if shown(f) {
			p.steps = append(p.steps, s.step(f, depth))
		}
	}
	return p
}

func (s *Schema) step(f *Field, depth int) step {
	in := strings.Repeat("  ", depth+1)
	st := step{
		field: f, typ: f.Type, open: in + "<" + f.Name + ">", close: "</" + f.Name + ">\n",
		null: in + "<" + f.Name + ` nil="true"/>` + "\n", trim: f.Padded && depth > 0,
	}
	switch f.Type {
	case Link:
		path, query, found := strings.Cut(f.suffix, "?")
		if found {
			query = "?" + query
		}
		st.path = "/" + s.Path() + "/"
		st.suffix = string(markup.AppendText(nil, path+".xml"+query))
	case List:
		st.open = in + "<" + f.Name + ` type="array">` + "\n"
		st.close = in + st.close
		st.null = in + "<" + f.Name + ` type="array"/>` + "\n"
		st.items = f.Items.plan(depth+2, func(*Field) bool { return true })
	case PersonRef:
		st.open += "\n"
		st.close = in + st.close
		for _, name := range f.Shows {
			st.parts = append(st.parts, in+"  <"+name, "</"+name+">\n")
		}
	}
	return st
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
		if b = st.value(b, base, &own, v); len(b) == start {
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
func (st *step) value(b []byte, base string, own *address, v Values) []byte {
	f := st.field
	switch st.typ {
	case Text:
		if st.trim {
			return markup.AppendText(b, strings.TrimSpace(*v.Text(f)))
		}
		return markup.AppendText(b, *v.Text(f))
	case ID:
		return strconv.AppendInt(b, v.ID(), 10)
	case Link:
		return append(st.appendAddress(b, base, own, v.ID()), st.suffix...)
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
			return st.appendPerson(b, p)
		}
	case List:
		l := v.list(f)
		for i := range l.n {
			b = st.items.append(b, base, l.item(i))
		}
	}
	return b
}

// appendAddress appends the record's own address, a copy of the first one that
// was written.
func (st *step) appendAddress(b []byte, base string, own *address, id int64) []byte {
	if own.to > 0 {
		return append(b, b[own.from:own.to]...)
	}
	own.from = len(b)
	b = append(append(b, base...), st.path...)
	b = strconv.AppendInt(b, id, 10)
	own.to = len(b)
	return b
}

// appendPerson appends the fields of a person that the field shows.
func (st *step) appendPerson(b []byte, p *Person) []byte {
	for i, name := range st.field.Shows {
		b = append(b, st.parts[2*i]...)
		mark := len(b)
		b = p.append(append(b, '>'), name)
		if len(b) == mark+1 {
			b = append(b[:mark], ` nil="true"/>`+"\n"...)
			continue
		}
		b = append(b, st.parts[2*i+1]...)
	}
	return b
}

// append appends the named field of a person, nothing when it is null.
func (p *Person) append(b []byte, name string) []byte {
	switch name {
	case "id":
		return strconv.AppendInt(b, p.ID, 10)
	case "name":
		return markup.AppendText(b, p.Name)
	case "email":
		return markup.AppendText(b, p.Email)
	case "first-name":
		return markup.AppendText(b, p.FirstName)
	case "last-name":
		return markup.AppendText(b, p.LastName)
	case "phone":
		return markup.AppendText(b, p.Phone)
	case "last-login":
		if !p.LastLogin.IsZero() {
			return appendTimestamp(b, p.LastLogin)
		}
	}
	return b
}

// appendTime appends a timestamp or a date.
func (f *Field) appendTime(b []byte, t time.Time) []byte {
	if f.Type == Date {
		return appendDate(b, t.UTC())
	}
	return appendTimestamp(b, t)
}

// appendTimestamp appends t as 2026-01-31T09:30:00Z.
func appendTimestamp(b []byte, t time.Time) []byte {
	t = t.UTC()
	hour, minute, second := t.Clock()
	b = append(appendDate(b, t), 'T')
	b = append(appendDigits(b, hour), ':')
	b = append(appendDigits(b, minute), ':')
	return append(appendDigits(b, second), 'Z')
}

// appendDate appends t as 2026-01-31. Years have four digits: the reader
// takes no others.
func appendDate(b []byte, t time.Time) []byte {
	year, month, day := t.Date()
	if year < 0 || year > 9999 {
		return t.AppendFormat(b, time.DateOnly)
	}
	b = appendDigits(appendDigits(b, year/100), year%100)
	b = appendDigits(append(b, '-'), int(month))
	return appendDigits(append(b, '-'), day)
}

// appendDigits appends n, less than 100, as two digits.
func appendDigits(b []byte, n int) []byte { return append(b, byte('0'+n/10), byte('0'+n%10)) }
