package kind

// A Tally counts the changes of one field: those of a collection by what became
// of its items.
type Tally struct {
	Field                   string
	Added, Removed, Changed int
}

// Tallies counts changes by their fields, in the order in which these come.
func Tallies(changes []Change) (all []*Tally) {
	byField := map[string]*Tally{}
	for _, c := range changes {
		t := byField[c.Field]
		if t == nil {
			t = &Tally{Field: c.Field}
			byField[c.Field], all = t, append(all, t)
		}
		switch {
		case c.From == "":
			t.Added++
		case c.To == "":
			t.Removed++
		default:
			t.Changed++
		}
	}
	return all
}
