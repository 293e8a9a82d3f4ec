package kind

// A Name identifies a record. The kind of persons is nil.
type Name struct {
	Kind *Schema
	ID   int64
}

// Embeds appends the other records of which the form shows something with rec:
// those that it refers to and those that it is linked to.
func (f *Form) Embeds(others []Name, rec any) []Name {
	return f.plan.embeds(others, f.schema.Values(rec))
}

func (p *plan) embeds(others []Name, v Values) []Name {
	if v.schema.targets != nil {
		l := (*Linked)(v.base)
		return append(others, Name{v.schema.target(l.Item), l.ID.V})
	}
	for i := range p.steps {
		st := &p.steps[i]
		switch st.typ {
		case PersonRef:
			if person := v.Person(st.field); person.ID != 0 {
				others = append(others, Name{nil, person.ID})
			}
		case RecordRef:
			if ref := v.Ref(st.field); ref.ID != 0 {
				others = append(others, Name{st.field.Target.Stored(), ref.ID})
			}
		case List:
			l := v.list(st.field)
			for i := range l.n {
				others = st.items.embeds(others, l.item(i))
			}
		}
	}
	return others
}
