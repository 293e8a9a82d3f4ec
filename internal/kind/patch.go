package kind

import (
	"slices"
	"strings"
	"unicode/utf8"

	"muster/internal/message"
)

// maxFields is how many fields a kind may have.
const maxFields = 128

// A fieldSet is a set of fields of one kind.
type fieldSet [maxFields / 64]uint64

func (s *fieldSet) has(f *Field) bool { return s[f.index/64]&(1<<(f.index%64)) != 0 }
func (s *fieldSet) add(f *Field)      { s[f.index/64] |= 1 << (f.index % 64) }
func (s *fieldSet) remove(f *Field)   { s[f.index/64] &^= 1 << (f.index % 64) }

// A Patch is what a document says about a record: the fields that it names and
// their values. What it does not name stays as it is.
type Patch struct {
	schema *Schema
	values Values
	named  fieldSet
	faulty fieldSet            // named, but wrongly
	added  map[string][]string // values besides the declared ones, by the name under which fields take them
	faults []message.Text
	id     Int
}

// ID returns the id of the record that the document means, null when it says
// none or the kind does not read it.
func (p *Patch) ID() Int { return p.id }

// Faults returns what is wrong with single fields of the document, one message
// a fault.
func (p *Patch) Faults() []message.Text { return p.faults }

// Named returns the fields that the document names, also wrongly.
func (p *Patch) Named() (fields []*Field) {
	for _, f := range p.schema.Fields {
		if p.named.has(f) || p.faulty.has(f) {
			fields = append(fields, f)
		}
	}
	return fields
}

// Format returns what the document says about a scalar field, "" if it clears
// it or says it wrongly.
func (p *Patch) Format(f *Field) string { return p.values.Format(f) }

// Copy returns the document once more, for Resolve to complete: what it refers
// to may be another record the next time.
func (p *Patch) Copy() *Patch {
	c, rec := *p, p.schema.Empty(1)[0]
	p.Apply(rec)
	c.values, c.faults = p.schema.Values(rec), slices.Clip(p.faults)
	return &c
}

// Beyond returns the document without the fields that say what rec has already.
// It looks nothing up: people and records are compared by what names them.
func (p *Patch) Beyond(rec any) *Patch {
	rest := *p
	rest.faults = slices.Clip(p.faults)
	v := p.schema.Values(rec)
	for _, f := range p.schema.Fields {
		if p.named.has(f) && p.repeats(f, v) {
			rest.named.remove(f)
		}
	}
	return &rest
}

// Clears reports whether the document takes the value of a field away.
func (p *Patch) Clears(f *Field) bool {
	return p.named.has(f) && p.repeats(f, p.schema.Values(p.schema.Empty(1)[0]))
}

// repeats reports whether the document says of a field what v has.
func (p *Patch) repeats(f *Field, v Values) bool {
	switch {
	case f.Type == PersonRef:
		return p.values.Person(f).names(v.Person(f))
	case f.Type == RecordRef:
		return strings.EqualFold(p.values.Ref(f).Name, v.Ref(f).Name)
	case f.Targets != nil:
		return slices.EqualFunc(InOrder(f.Targets, slices.Clone(*p.values.Links(f))), *v.Links(f), sameLink)
	case f.Padded:
		return f.Trim(*p.values.Text(f)) == f.Trim(*v.Text(f))
	}
	return p.values.Equal(f, v)
}

// Apply sets the fields that the document names in rec.
func (p *Patch) Apply(rec any) {
	v := p.schema.Values(rec)
	for _, f := range p.schema.Fields {
		if p.named.has(f) && !(f.Padded && p.repeats(f, v)) {
			v.Set(f, p.values)
		}
	}
}

// Invalid is a mistake of the client in a record: one message a fault, each
// beginning with the field's name in words.
type Invalid struct{ Faults []message.Text }

// NewInvalid returns the error with some faults.
func NewInvalid(faults ...message.Text) error { return &Invalid{faults} }

// Error returns the faults as one text.
func (e *Invalid) Error() string { return message.Join(e.Faults, "; ") }

// Check returns what is wrong with rec: required values that are absent, texts
// that are too long, values that are not allowed. A field that has the value
// that it has in old is not looked at, so that a record remains changeable
// when rules become stricter; old is nil for a new record.
func (s *Schema) Check(rec, old any) []message.Text {
	return s.check(rec, old, &Patch{})
}

// Check returns what is wrong with the document, and with the record rec that
// it was applied to, as Schema.Check does.
func (p *Patch) Check(rec, old any) []message.Text {
	return p.schema.check(rec, old, p)
}

func (s *Schema) check(rec, old any, p *Patch) []message.Text {
	v, faults := s.Values(rec), p.faults
	for _, f := range s.Fields {
		if f.Type == Link || f.Type == ID || f.Computed || p.faulty.has(f) || old != nil && v.Equal(f, s.Values(old)) {
			continue
		}
		faults = v.check(f.with(p.added[f.Added]), faults)
	}
	return faults[:min(len(faults), maxFaults)]
}

// check appends the faults of one field.
func (v Values) check(f *Field, faults []message.Text) []message.Text {
	if fault := v.fault(f); !fault.IsZero() {
		return append(faults, fault.Of(f.Word()))
	}
	if f.Type != List {
		return faults
	}
	l := v.list(f)
	for i := range l.n {
		for _, sub := range f.Items.Fields {
			if fault := l.item(i).fault(sub); !fault.IsZero() {
				faults = append(faults, place{f, i + 1}.fault(sub.Words(), fault))
			}
		}
	}
	return faults
}

// fault returns what is wrong with the value of one field.
func (v Values) fault(f *Field) message.Predicate {
	switch f.Type {
	case Text:
		return f.textFault(*v.Text(f))
	case Integer:
		if n := v.Int(f); n.V < 0 {
			return negative()
		}
	case Amount:
		if d := v.Decimal(f); d.V < 0 {
			return negative()
		}
	}
	if f.Required && v.Format(f) == "" {
		return blankFault()
	}
	return message.Predicate{}
}

func (f *Field) textFault(text string) message.Predicate {
	switch {
	case text == "":
		if f.Required {
			return blankFault()
		}
	case f.Long && len(text) > f.Max:
		return message.Says("is too long (maximum is %d bytes)", f.Max)
	case !f.Long && len(text) > f.Max && utf8.RuneCountInString(text) > f.Max:
		return message.Says("is too long (maximum is %d characters)", f.Max)
	case f.OneOf != nil && !slices.Contains(f.OneOf, text):
		return f.mustBe()
	}
	return message.Predicate{}
}

func blankFault() message.Predicate { return message.Says("can't be blank") }

func negative() message.Predicate { return message.Says("must be greater than or equal to 0") }
