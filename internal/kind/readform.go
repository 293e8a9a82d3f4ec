package kind

import (
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"muster/internal/markup"
	"muster/internal/message"
)

// maxItems is how many items of a nested collection a form may have.
const maxItems = 1000

// ReadForm reads what a form of a web page says about a record, as Decode reads
// a document. Inputs are called like fields. Of several with one name the last
// counts, so that a box that is not ticked can say so by a hidden input before
// it. The inputs of a nested collection are called like items.0.name, and the
// name of the collection alone says that the form has it, also when there is no
// item. Linked records are ids, with the kind before them where there are
// several: hardware:12. A person is an e-mail address, a name, or both as Title
// writes them.
func (s *Schema) ReadForm(form url.Values) *Patch {
	p := &Patch{schema: s, values: s.Values(s.many(1)[0])}
	for _, f := range s.Fields {
		if !f.Editable() || !form.Has(f.Name) {
			continue
		}
		p.named.add(f)
		switch {
		case f.Targets != nil:
			p.readLinks(f, form[f.Name])
		case f.Type == List:
			p.readItems(f, form)
		default:
			p.readInput(f, p.values, last(form[f.Name]), place{})
		}
	}
	p.faults = p.faults[:min(len(p.faults), maxFaults)]
	return p
}

func last(texts []string) string { return texts[len(texts)-1] }

// fault notes what is wrong with a field of the record, and that its value is
// not known.
func (p *Patch) fault(f *Field, at place, fault message.Predicate) {
	if f.schema == p.schema {
		p.named.remove(f)
		p.faulty.add(f)
	}
	p.faults = append(p.faults, at.fault(f.Words(), fault))
}

// Refuse notes what is wrong with what was said of a field, so that its value is not
// known.
func (p *Patch) Refuse(f *Field, fault message.Predicate) { p.fault(f, place{}, fault) }

// readInput reads the text of one input of an item, or of the record itself.
func (p *Patch) readInput(f *Field, v Values, text string, at place) (filled bool) {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	switch {
	case strings.TrimSpace(text) == "":
		return false
	case !IsText(text):
		p.fault(f, at, message.Says("holds characters that are no text"))
		return true
	case f.Type == PersonRef:
		v.Person(f).named(strings.TrimSpace(text))
		return true
	}
	if f.Type != Text || !f.Padded && !f.Long {
		text = strings.TrimSpace(text)
	}
	if fault := f.parse(v, text); !fault.IsZero() {
		p.fault(f, at, fault)
	}
	return true
}

// named takes what a person is called in a form.
func (p *Person) named(text string) {
	if _, email, ok := strings.Cut(text, " ("); ok && strings.HasSuffix(email, ")") && strings.Contains(email, "@") {
		text = strings.TrimSuffix(email[strings.LastIndex(email, "(")+1:], ")")
	}
	p.plain(text)
}

// IsText reports whether documents can contain a text.
func IsText(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsFunc(text, func(r rune) bool { return !markup.IsChar(r) })
}

// LinkInput returns how forms name a record that a field links.
func (f *Field) LinkInput(item string, id int64) string {
	if len(f.Targets) == 1 {
		return strconv.FormatInt(id, 10)
	}
	return item + ":" + strconv.FormatInt(id, 10)
}

// readLinks reads the ids of linked records.
func (p *Patch) readLinks(f *Field, given []string) {
	links := p.values.Links(f)
	for _, text := range given {
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		item, id, several := strings.Cut(text, ":")
		if !several {
			item, id = "", text
		}
		n, fault := parseInt(id)
		switch {
		case !fault.IsZero():
			p.Refuse(f, fault)
			return
		case (len(f.Targets) > 1) != several || several && !slices.Contains(items(f.Targets), item):
			p.Refuse(f, message.Says("must be named by kind and id, not %s", short(text)))
			return
		}
		*links = append(*links, Linked{Item: item, ID: Some(n)})
	}
}

// readItems reads the items of a nested collection. One without any value is
// none.
func (p *Patch) readItems(f *Field, form url.Values) {
	places := map[int]bool{}
	for name := range form {
		rest, ok := strings.CutPrefix(name, f.Name+".")
		number, _, dotted := strings.Cut(rest, ".")
		if n, err := strconv.Atoi(number); ok && dotted && err == nil && n >= 0 {
			places[n] = true
		}
	}
	if len(places) > maxItems {
		p.Refuse(f, message.Says("has more than %d items", maxItems))
		return
	}
	number := 1
	for _, at := range slices.Sorted(maps.Keys(places)) {
		item, filled := p.values.grow(f), false
		for _, sub := range f.Items.Fields {
			name := f.Name + "." + strconv.Itoa(at) + "." + sub.Name
			if sub.Editable() && form.Has(name) {
				filled = p.readInput(sub, item, last(form[name]), place{f, number}) || filled
			}
		}
		if !filled {
			p.values.shrink(f)
			continue
		}
		number++
	}
}
