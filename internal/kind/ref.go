package kind

import (
	"cmp"
	"slices"
	"unsafe"

	"muster/internal/message"
)

// A Ref is a reference to a record of another kind, which documents show by its
// name. A record stores the id alone; the name is read beside it, so that it
// is always true.
type Ref struct {
	ID   int64 // 0 is null
	Name string
}

// Ref declares a reference to a record of the target kind, by its name.
func (fs *Fields) Ref(name string, p *Ref, target *Schema) Option {
	f := fs.add(name, RecordRef, p)
	f.Target, f.Named = target, true
	f.Max, f.assign = maxString, assign[Ref]
	f.same = func(a, b unsafe.Pointer) bool { return (*Ref)(a).ID == (*Ref)(b).ID }
	return Option{f}
}

// Ref returns where the value of a Ref field is; id 0 is null.
func (v Values) Ref(f *Field) *Ref { return (*Ref)(v.at(f, RecordRef)) }

// A Linked is a record that another one is tied to, with what documents show of
// it. A record stores the ids alone, as of a Ref.
type Linked struct {
	Item string // the element of its kind
	ID   Int
	Name string
}

// Links declares the records of other kinds that a record is tied to. Documents
// name them by id, and by their type when there are several targets.
func Links(fs *Fields, plural, item string, p *[]Linked, targets ...*Schema) Option {
	o := Many(fs, plural, item, p, func(l *Linked, f *Fields) {
		what := f.Text("asset-type", &l.Item)
		if len(targets) == 1 {
			f.Noun(targets[0].Noun)
			what.Hidden()
		} else {
			what.OneOf(items(targets)...).Required()
		}
		f.Int("id", &l.ID).Required()
		f.Text("name", &l.Name).ReadOnly()
		f.declare("href", Link, 0).ReadOnly = true
		f.schema.targets = targets
	})
	o.f.Targets, o.f.same = targets, sameLinks
	return o.Key("asset-type", "id")
}

// sameLinks compares what is stored of linked records.
func sameLinks(a, b unsafe.Pointer) bool {
	return slices.EqualFunc(*(*[]Linked)(a), *(*[]Linked)(b), sameLink)
}

func sameLink(a, b Linked) bool { return a.Item == b.Item && a.ID == b.ID }

// InOrder returns linked records as a store reads them: each once, in the order
// of kinds and ids. Where there is one kind, documents do not name it.
func InOrder(targets []*Schema, l []Linked) []Linked {
	for i := range l {
		if len(targets) == 1 {
			l[i].Item = targets[0].Item
		}
	}
	place := func(item string) int { return slices.Index(items(targets), item) }
	slices.SortFunc(l, func(a, b Linked) int {
		return cmp.Or(cmp.Compare(place(a.Item), place(b.Item)), cmp.Compare(a.ID.V, b.ID.V))
	})
	return slices.CompactFunc(l, sameLink)
}

func items(targets []*Schema) (names []string) {
	for _, t := range targets {
		names = append(names, t.Item)
	}
	return names
}

// Links returns where the value of a field that Links declared is.
func (v Values) Links(f *Field) *[]Linked {
	if f.Targets == nil {
		v.mismatch(f, List)
	}
	return (*[]Linked)(v.at(f, List))
}

// target returns the kind of a linked record.
func (s *Schema) target(item string) *Schema {
	for _, t := range s.targets {
		if t.Item == item {
			return t
		}
	}
	return s.targets[0]
}

// A Resolver completes what a document refers to. Its functions return what is
// wrong, in words that follow the field's name.
type Resolver struct {
	// Person completes a person that has an id, an e-mail address or a name.
	Person func(p *Person) (fault message.Predicate, err error)
	// Ref completes a reference that has a name.
	Ref func(target *Schema, r *Ref) (fault message.Predicate, err error)
	// Links completes the linked records of a field, which have a kind and an id,
	// and come each once, in the order of kinds and ids.
	Links func(f *Field, l []Linked) (all []Linked, fault message.Predicate, err error)
	// Added returns the values that were added under a name; nil means none. It
	// is asked when a document has a value that is not declared.
	Added func(name string) ([]string, error)
}

// Resolve completes all that the document refers to.
func (p *Patch) Resolve(r Resolver) error {
	for _, f := range p.schema.Fields {
		if !p.named.has(f) {
			continue
		}
		fault, err := p.resolve(f, r)
		if err != nil {
			return err
		}
		if !fault.IsZero() {
			p.named.remove(f)
			p.faulty.add(f)
			p.faults = append(p.faults, fault.Of(f.Word()))
		}
	}
	return nil
}

// resolve completes what one field refers to.
func (p *Patch) resolve(f *Field, r Resolver) (fault message.Predicate, err error) {
	switch {
	case f.Type == PersonRef && *p.values.Person(f) != (Person{}):
		return r.Person(p.values.Person(f))
	case f.Type == RecordRef && *p.values.Ref(f) != (Ref{}):
		return r.Ref(f.Target, p.values.Ref(f))
	case f.Targets != nil:
		links := p.values.Links(f)
		*links, fault, err = r.Links(f, InOrder(f.Targets, slices.Clone(*links)))
	case f.Added != "" && r.Added != nil && *p.values.Text(f) != "" && !slices.Contains(f.OneOf, *p.values.Text(f)):
		return fault, p.add(f, r)
	}
	return fault, err
}

// add makes the values known that were added to those of a field, and spells
// the document's like one of them.
func (p *Patch) add(f *Field, r Resolver) error {
	values, err := r.Added(f.Added)
	if err != nil {
		return err
	}
	if p.added == nil {
		p.added = map[string][]string{}
	}
	p.added[f.Added] = values
	text := p.values.Text(f)
	*text = f.with(values).canonical(*text)
	return nil
}
