package kind

// A Count is a value of a field, and how many records of a list have it.
type Count struct {
	Value   string // as the field's filter takes it, "" for no value
	Label   string // as people read it: a person's name, else the value
	Records int
}

// Countable reports whether the records of lists can be counted by the values of
// the field: one that a filter asks for by its value.
func (f *Field) Countable() bool {
	switch f.Type {
	case Text, Integer, Boolean, PersonRef, RecordRef:
		return f.Filtered && !f.Hidden && (f.Stored() || f.Days != nil)
	}
	return false
}
