package records

import (
	"net/url"
	"strings"

	"muster/internal/desk"
	"muster/internal/kind"
	"muster/internal/web/lang"
	"muster/internal/web/page"
)

// Usual returns the section of a kind about which nothing is known but its
// declaration.
func Usual(k *kind.Schema) *Section {
	s := &Section{Place: page.Place{Kind: k}}
	s.Complete()
	s.Bulk, s.Identities = usualBulk(s), usualIdentities(s)
	if lead := k.Field(s.Lead); lead.Type == kind.Text && lead.Sortable() {
		s.Sort = "sort_by=" + lead.Column()
	}
	if state := k.Field(s.State); state != nil && state.OneOf != nil {
		s.Views = []View{{Title: lang.Msg("All")}}
		for _, value := range state.OneOf {
			s.Views = append(s.Views, View{Title: value, Query: url.Values{state.Column(): {value}}.Encode()})
		}
	}
	return s
}

// Complete sets defaults for what the section leaves empty: the place, the names, the
// right to see it, the columns and the text of an empty list.
func (s *Section) Complete() {
	k := s.Kind
	setTo(&s.Path, k.Plural)
	setTo(&s.Title, kind.Words(k.Nouns))
	setTo(&s.Lead, usualLead(k))
	setTo(&s.State, usualState(k))
	if !k.Given {
		setTo(&s.Add, "Add "+k.Noun)
	}
	s.Access = page.Staff
	if desk.ForAdministrators(k) {
		s.Access = page.Admins
	}
	if s.Columns == nil {
		s.Columns = usualColumns(s)
	}
	if s.Facts == nil && s.Add != "" { // else all are details
		s.Facts = []FactGroup{{kind.Words(k.Noun), usualFacts(k)}}
	}
	if s.Begin.Title == "" {
		s.Begin = usualBeginning(s)
	}
}

// setTo sets a text that is not set.
func setTo(text *string, usual string) {
	if *text == "" {
		*text = usual
	}
}

// usualLead returns the field that names a record: its name, or else the first text
// that a list has, or its number.
func usualLead(k *kind.Schema) string {
	if f := k.Field("name"); f != nil && isColumn(f) {
		return f.Name
	}
	for _, f := range k.Fields {
		if f.Type == kind.Text && isColumn(f) {
			return f.Name
		}
	}
	return "id"
}

// usualState returns the name of the field with a record's status or state, "" for none.
func usualState(k *kind.Schema) string {
	for _, name := range []string{"status", "state"} {
		if f := k.Field(name); f != nil && (f.OneOf != nil || f.Days != nil) {
			return name
		}
	}
	return ""
}

// isColumn reports whether a list can have a column of a field.
func isColumn(f *kind.Field) bool { return !f.Detail && !f.Long && Shown(f) }

// Where columns stand on a card, by their order after the name and the state, see
// Column; those after them are left out there.
var (
	cardPlaces      = []string{"cap second", "right second", "cap third", "right third"}
	cardPlacesState = []string{"right second", "cap third", "right third"}
)

// maxUsualColumns is how many columns a list has beside the name and the state.
const maxUsualColumns = 5

// usualColumns returns the name, the state and the first of the other fields.
func usualColumns(s *Section) []Column {
	columns, places := []Column{{s.Lead, "lead cap"}}, cardPlaces
	if s.State != "" && s.State != s.Lead {
		columns, places = append(columns, Column{s.State, "state"}), cardPlacesState
	}
	for _, f := range s.Kind.Fields {
		if f.Name == s.Lead || f.Name == s.State || !isColumn(f) || isStamp(f) {
			continue
		}
		class := "cap drop"
		if len(places) > 0 {
			class, places = places[0], places[1:]
		}
		if f.Type == kind.Integer || f.Type == kind.Amount {
			class = strings.TrimPrefix(class, "cap ") + " end"
		}
		if columns = append(columns, Column{f.Name, class}); len(columns) == maxUsualColumns+2 {
			break
		}
	}
	return columns
}

// isStamp reports whether a field is a time that every kind has.
func isStamp(f *kind.Field) bool { return f.Name == "created-at" || f.Name == "updated-at" }

// usualFacts returns the fields of a record that are not lists, in their order.
func usualFacts(k *kind.Schema) (names []string) {
	for _, f := range k.Fields {
		if f.Type != kind.List && (Shown(f) || Editable(f)) {
			names = append(names, f.Name)
		}
	}
	return names
}

// usualBulk returns the fields that many records have the same value of.
func usualBulk(s *Section) (names []string) {
	for _, f := range s.Kind.Fields {
		many := f.OneOf != nil || f.Type == kind.PersonRef || f.Type == kind.Text && f.Filtered && !f.Rare
		if s.Add != "" && f.Name != s.Lead && isColumn(f) && Editable(f) && many {
			names = append(names, f.Name)
		}
	}
	return names
}

// usualIdentities returns the filters whose values few records have in common.
func usualIdentities(s *Section) (params []string) {
	for _, f := range s.Kind.Filters {
		if f.In == nil && f.Field.Rare && f.Field.Type == kind.Text && f.Field.Name != s.Lead &&
			f.Param == f.Field.Column() {
			params = append(params, f.Param)
		}
	}
	return params
}

// usualBeginning returns what an empty list says.
func usualBeginning(s *Section) BeginningText {
	b := BeginningText{Title: "No " + s.Kind.Nouns + " yet", Text: lang.Msg("What is added or imported stands here.")}
	if s.Add != "" {
		b.Steps = []page.NavEntry{{Path: "/" + s.Path + "/new", Title: s.Add, Access: s.Access}}
	}
	return b
}
