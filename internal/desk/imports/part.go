package imports

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"muster/internal/desk"
	"muster/internal/kind"
	"muster/internal/message"
	"muster/internal/sheet"
)

// Of the collections that people keep, such as the items of a contract, a row has
// one part each. Rows with the same key are about one record: the first makes or
// changes it, and each of the others adds a part, or changes the one that is called
// so. No row takes a part away.

// partLists returns the collections of a kind that a table can add to. What agents
// report is none of it: it would be kept from their reports.
func partLists(k *kind.Schema) (lists []*kind.Field) {
	for _, f := range k.Fields {
		if f.Packed() && f.Editable() && !f.Reported {
			lists = append(lists, f)
		}
	}
	return lists
}

// PartsOf returns the collection whose parts have a field that a column can be, nil
// for a field of the record itself.
func PartsOf(k *kind.Schema, f *kind.Field) *kind.Field {
	for _, list := range partLists(k) {
		if slices.Contains(list.Items.Fields, f) {
			return list
		}
	}
	return nil
}

// Name returns the name of a field that a column can be, which no other has:
// of that of a part with its collection, such as items.name.
func Name(k *kind.Schema, f *kind.Field) string {
	if list := PartsOf(k, f); list != nil {
		return list.Name + "." + f.Name
	}
	return f.Name
}

// Label returns how people read the name of a field that a column can be, such
// as Item name.
func Label(k *kind.Schema, f *kind.Field) string {
	if list := PartsOf(k, f); list != nil {
		return kind.Words(list.Items.Noun) + " " + strings.ToLower(f.Label)
	}
	return f.Label
}

// columnNames returns what columns of a field are called, without what spellings
// differ in. One of a part may be called without it where nothing else is called so,
// and where it does not say which part is meant.
func columnNames(k *kind.Schema, f *kind.Field) []string {
	list := PartsOf(k, f)
	if list == nil {
		return []string{bare(f.Label), bare(f.Name), bare(f.Words())}
	}
	names := []string{bare(list.Items.Noun + f.Label), bare(list.Items.Noun + f.Name), bare(list.Name + f.Name)}
	other := func(g *kind.Field) bool { return g != f && g.Name == f.Name }
	if k.Field(f.Name) == nil && !slices.Contains(list.Key, f.Name) && !slices.ContainsFunc(Fields(k), other) {
		names = append(names, bare(f.Label), bare(f.Name))
	}
	return names
}

// begin finds out which columns are of parts, and which rows are about one record.
func (i *Import) begin() {
	i.seen, i.made, i.before, i.leads, i.followed = map[string]int{}, map[int]any{}, map[int]int{}, map[int]int{},
		map[int]bool{}
	i.lists, i.parts = make([]*kind.Field, len(i.Fields)), nil
	for column, f := range i.Fields {
		if f == nil {
			continue
		}
		if i.lists[column] = PartsOf(i.Kind, f); i.lists[column] != nil && !slices.Contains(i.parts, i.lists[column]) {
			i.parts = append(i.parts, i.lists[column])
		}
	}
	if i.parts == nil {
		return
	}
	first, last := map[string]int{}, map[string]int{}
	for at := range i.Table.Rows {
		key, filled := i.joined(at, i.Key)
		before, known := last[key]
		switch {
		case !filled || known && !slices.ContainsFunc(i.parts, func(list *kind.Field) bool { return i.has(at, list) }):
			continue // it is about a record of its own, or there is no reason to say it twice
		case known:
			i.before[at], i.leads[at], i.followed[before] = before, first[key], true
		default:
			first[key] = at
		}
		last[key] = at
	}
}

// lead returns the first row that is about the record of a row.
func (i *Import) lead(at int) int {
	if lead, follows := i.leads[at]; follows {
		return lead
	}
	return at
}

// has reports whether a row says anything of a part of a collection.
func (i *Import) has(at int, list *kind.Field) bool {
	for column, of := range i.lists {
		if of == list && strings.TrimSpace(i.Table.Rows[at].Cell(column)) != "" {
			return true
		}
	}
	return false
}

// partKey returns the columns by which parts of a collection are told apart, as far
// as the table has them.
func (i *Import) partKey(list *kind.Field) (fields []*kind.Field) {
	for _, f := range i.Fields {
		if f != nil && slices.Contains(list.Items.Fields, f) && slices.Contains(list.Key, f.Name) {
			fields = append(fields, f)
		}
	}
	return fields
}

// addParts adds the parts of a row to the form of a record, with those that it has.
func (i *Import) addParts(form url.Values, at int, old any) error {
	i.places = map[*kind.Field]int{}
	for _, list := range i.parts {
		if !i.has(at, list) {
			continue
		}
		place, err := i.keepParts(form, at, list, old)
		if err != nil {
			return err
		}
		i.places[list] = place
		for column, f := range i.Fields {
			if text := i.Table.Rows[at].Cell(column); i.lists[column] == list &&
				(i.Clear || strings.TrimSpace(text) != "") {
				form.Set(partInput(list, place, f), i.spelled(f, sheet.Plain(text)))
			}
		}
	}
	return nil
}

// keepParts adds the parts that a record has to its form, and returns the place of
// the one that a row is about, which is behind them when it is new.
func (i *Import) keepParts(form url.Values, at int, list *kind.Field, old any) (place int, err error) {
	form.Set(list.Name, "")
	if old == nil {
		return 0, nil
	}
	number, place := 0, -1
	for item := range i.Kind.Values(old).Items(list) {
		for _, f := range list.Items.Fields {
			form.Set(partInput(list, number, f), item.Format(f))
		}
		if i.isPart(at, list, item) {
			if place >= 0 {
				return 0, desk.Refuse(desk.Conflict,
					"the record has several %s that are called so: change them on its page",
					message.Word(strings.ToLower(list.Label)))
			}
			place = number
		}
		number++
	}
	if place < 0 {
		place = number
	}
	return place, nil
}

// isPart reports whether a row is about a part that a record has.
func (i *Import) isPart(at int, list *kind.Field, item kind.Values) bool {
	for _, f := range i.partKey(list) {
		if !strings.EqualFold(item.Format(f), i.cell(at, f)) {
			return false
		}
	}
	return true
}

// partInput returns the name of a part's field in a form.
func partInput(list *kind.Field, place int, f *kind.Field) string {
	return list.Name + "." + strconv.Itoa(place) + "." + f.Name
}

// partFault returns the column that a fault of the part of a row is about, and the
// fault without its place, since a row has but one; -1 for another fault.
func (i *Import) partFault(fault message.Text) (int, message.Text) {
	number, of := kind.ItemFault(fault)
	for list, place := range i.places {
		if place+1 != number || string(fault.Subject()) != list.Words() {
			continue
		}
		for column, f := range i.Fields {
			if i.lists[column] == list && string(of.Subject()) == strings.ToLower(f.Words()) {
				return column, i.named(of, column)
			}
		}
	}
	return -1, fault
}

// partTwice refuses a row that says of a part once more what becomes of it.
func (i *Import) partTwice(at int, row *Row) {
	key, filled := i.joined(at, i.Key)
	for _, list := range i.parts {
		if !filled || !i.has(at, list) {
			continue
		}
		part, _ := i.joined(at, i.partKey(list))
		text := list.Name + "\x00" + key + part
		if first, ok := i.seen[text]; ok {
			row.refuse(i, message.New("row %d tells of the same %s", first, message.Word(list.Items.Noun)))
			continue
		}
		i.seen[text] = i.Table.Rows[at].Number
	}
}

// otherwise refuses a row that says something else of a record than the first row
// that is about it.
func (i *Import) otherwise(at int, row *Row) {
	lead := i.leads[at]
	for column, f := range i.Fields {
		if f == nil || i.lists[column] != nil {
			continue
		}
		if text := i.cell(at, f); text != "" && !strings.EqualFold(text, i.cell(lead, f)) {
			row.refuse(i, message.New("%s is another one than in row %d, which is about the same record",
				f.Word(), i.Table.Rows[lead].Number))
		}
	}
}
