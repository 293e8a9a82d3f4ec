package kind

import (
	"bytes"
	"strings"
	"sync"
	"unicode/utf8"

	"muster/internal/markup"
	"muster/internal/message"
)

// limits bound the documents of records.
var limits = markup.Limits{Depth: 64, Elements: 10_000}

// maxFaults is how many faults of one document are reported.
const maxFaults = 50

// Decode reads the document of a record, which must be UTF-8. A document that is not well-formed is a
// *markup.SyntaxError, another root an *Invalid. Faults of single fields are kept in the patch, and Check
// returns them.
func (s *Schema) Decode(doc []byte) (*Patch, error) {
	d := decoders.Get().(*decoder)
	defer d.release()
	d.reader.Reset(doc, limits)
	d.texts.Grow(len(doc) / 4) // about what the values of a document of ours take
	if _, err := d.reader.Next(); err != nil {
		return nil, err
	}
	if !sameName(d.reader.Name(), s.Item) {
		return nil, d.wrongRoot(s.Item)
	}
	rec := s.many(1)[0]
	p := &Patch{schema: s, values: s.Values(rec)}
	d.patch = p
	if _, err := d.fields(s, p.values, &p.named); err != nil {
		return nil, err
	}
	if _, err := d.reader.Next(); err != nil { // what follows the root
		return nil, err
	}
	return p, nil
}

// A decoder reads one document into a patch.
type decoder struct {
	reader *markup.Reader
	patch  *Patch
	at     place // the item of a nested collection that is being read
	texts  strings.Builder
}

var decoders = sync.Pool{New: func() any { return &decoder{reader: markup.NewReader(nil, limits)} }}

func (d *decoder) release() {
	d.reader.Reset(nil, limits)
	d.patch, d.at = nil, place{}
	d.texts.Reset()
	decoders.Put(d)
}

// wrongRoot returns the error of a document with another root than want, once the
// document proved to be well-formed.
func (d *decoder) wrongRoot(want string) error {
	name := string(d.reader.Name())
	if err := d.reader.Skip(); err != nil {
		return err
	}
	if _, err := d.reader.Next(); err != nil {
		return err
	}
	return NewInvalid(message.New("the document's root is %s, want <%s>", tag(name), want))
}

// fault notes what is wrong with a field.
func (d *decoder) fault(words string, fault message.Predicate) {
	if len(d.patch.faults) == maxFaults {
		return
	}
	d.patch.faults = append(d.patch.faults, d.at.fault(words, fault))
}

// fields reads the children of a record or item up to its end, adds those that are present to named, and
// reports whether any has a value.
func (d *decoder) fields(s *Schema, v Values, named *fieldSet) (filled bool, err error) {
	next := 0 // documents mostly come in our own order
	for {
		token, err := d.reader.Tag()
		if err != nil {
			return filled, err
		}
		if !blank(d.reader.Text()) {
			d.fault(Words(s.Item), message.Says("holds text outside its fields"))
		}
		if token == markup.End {
			return filled, nil
		}
		f := s.find(d.reader.Name(), next)
		if f == nil || f.Hidden {
			if err := d.unknown(s); err != nil {
				return filled, err
			}
			continue
		}
		next = f.index + 1
		value, err := d.field(f, v, named)
		if err != nil {
			return filled, err
		}
		filled = filled || value
	}
}

// unknown refuses the current element.
func (d *decoder) unknown(s *Schema) error {
	name := string(d.reader.Name())
	d.fault(Words(cut(name, maxShown)), message.Says("is not a field of %s (element %s)", s.Item, tag(name)))
	return d.reader.Skip()
}

// field reads one field of a document.
func (d *decoder) field(f *Field, v Values, named *fieldSet) (filled bool, err error) {
	switch {
	case f.Type == ID && f.schema.byID && d.at.list == nil:
		return false, d.chosen(f)
	case !f.Editable():
		return false, d.reader.Skip()
	case named.has(f):
		d.fault(f.Words(), message.Says("is given more than once"))
		return false, d.reader.Skip()
	}
	named.add(f)
	var fault message.Predicate
	switch {
	case f.Type == List && !sameName(d.reader.Name(), f.Name):
		_, err = d.item(f, v, 1) // a lone item
		return true, err
	case d.reader.Nil():
		return false, d.reader.Skip()
	case f.Type == List:
		return true, d.list(f, v)
	case f.Type == PersonRef:
		fault, err = d.person(v.Person(f))
	default:
		filled, fault, err = d.scalar(f, v)
	}
	if !fault.IsZero() {
		named.remove(f)
		if d.at.list == nil {
			d.patch.faulty.add(f)
		}
		d.fault(f.Words(), fault)
	}
	return filled, err
}

// chosen reads the id of the record that the document means.
func (d *decoder) chosen(f *Field) error {
	text, child, err := d.text()
	switch {
	case err != nil:
		return err
	case child != "":
		d.fault(f.Words(), notPlain(child))
		return d.leave(2)
	case d.patch.id.Valid:
		d.fault(f.Words(), message.Says("is given more than once"))
		return nil
	case blank(text):
		return nil
	}
	n, fault := parseInt(d.trimmed(text))
	if !fault.IsZero() {
		d.fault(f.Words(), fault)
		return nil
	}
	d.patch.id = Some(n)
	return nil
}

// scalar reads the value of a field that is plain text, and may be inside a
// name element if the field is Named.
func (d *decoder) scalar(f *Field, v Values) (filled bool, fault message.Predicate, err error) {
	text, child, err := d.text()
	open := 2
	if child == "name" && f.Named {
		open = 3
		if text, child, err = d.text(); child == "" && err == nil {
			text = bytes.Clone(text)
			err = d.reader.Skip()
		}
	}
	switch {
	case err != nil:
		return false, fault, err
	case child != "":
		return false, notPlain(child), d.leave(open)
	}
	if blank(text) {
		return false, fault, nil
	}
	fault = f.parse(v, d.keep(text))
	return fault.IsZero(), fault, nil
}

// trimmed returns text as a string without outer blanks.
func (d *decoder) trimmed(text []byte) string { return d.keep(bytes.TrimSpace(text)) }

// keep returns text as a string. The strings of a document share one
// allocation.
func (d *decoder) keep(text []byte) string {
	start := d.texts.Len()
	d.texts.Write(text)
	return d.texts.String()[start:]
}

// text reads the text of the current element. If another element comes before
// its end, child is that one's name, and the reader is inside it.
func (d *decoder) text() (text []byte, child string, err error) {
	token, err := d.reader.Tag()
	if token == markup.Start {
		return nil, string(d.reader.Name()), err
	}
	return d.reader.Text(), "", err
}

// leave skips to the end of so many open elements.
func (d *decoder) leave(open int) error {
	for range open {
		if err := d.reader.Skip(); err != nil {
			return err
		}
	}
	return nil
}

// list reads a nested collection.
func (d *decoder) list(f *Field, v Values) error {
	for n := 1; ; {
		token, err := d.reader.Tag()
		if err != nil {
			return err
		}
		if !blank(d.reader.Text()) {
			d.fault(f.Words(), message.Says("holds text outside its items"))
		}
		switch {
		case token == markup.End:
			return nil
		case !f.isItem(d.reader.Name()):
			d.fault(f.Words(), message.Says("holds %s, want <%s>", tag(string(d.reader.Name())), f.Items.Item))
			err = d.reader.Skip()
		default:
			n, err = d.item(f, v, n)
		}
		if err != nil {
			return err
		}
	}
}

// item reads item n of a nested collection and returns the next number. Inside an element that is itself marked
// as an array it reads items too, since a stock Ruby client writes them so. An item without any value is
// skipped.
func (d *decoder) item(f *Field, v Values, n int) (int, error) {
	if d.reader.Nil() {
		return n, d.reader.Skip()
	}
	if kind, _ := d.reader.Attr("type"); string(kind) == "array" {
		return n, d.list(f, v)
	}
	d.at = place{f, n}
	before := len(d.patch.faults)
	var named fieldSet
	item := v.grow(f)
	filled, err := d.fields(f.Items, item, &named)
	switch {
	case f.Targets != nil:
		d.linked(f, item, before)
	case !filled:
		v.shrink(f)
	}
	d.at = place{}
	return n + 1, err
}

// linked checks a linked record that was read, after so many faults: nobody is
// to look for one that is not named in full, and none is left out silently.
func (d *decoder) linked(f *Field, item Values, before int) {
	for _, sub := range f.Items.Fields {
		if fault := item.fault(sub); !fault.IsZero() && len(d.patch.faults) == before {
			d.fault(sub.Words(), fault)
		}
	}
	if len(d.patch.faults) > before || before == maxFaults {
		d.patch.named.remove(f)
		d.patch.faulty.add(f)
	}
}

func notPlain(child string) message.Predicate {
	return message.Says("must be plain text, not hold %s", tag(child))
}

// isItem reports whether an element of that name is an item of the list.
func (f *Field) isItem(name []byte) bool {
	if sameName(name, f.Items.Item) {
		return true
	}
	for _, other := range f.itemAlias {
		if string(name) == other {
			return true
		}
	}
	return false
}

// find returns the field with an element's name. It first tries the one that would be next in a document in our
// own order.
func (s *Schema) find(name []byte, next int) *Field {
	if next < len(s.Fields) && string(name) == s.Fields[next].Name {
		return s.Fields[next]
	}
	if f := s.byName[string(name)]; f != nil {
		return f
	}
	if f := s.lone[string(name)]; f != nil {
		return f
	}
	if bytes.IndexByte(name, '_') < 0 {
		return nil
	}
	return s.byName[hyphened(string(name))]
}

// sameName reports whether an element has the given name in either spelling.
func sameName(name []byte, want string) bool {
	return string(name) == want || len(name) == len(want) && hyphened(string(name)) == want
}

// blank reports whether text is white space alone.
func blank(text []byte) bool {
	for i, c := range text {
		if c > ' ' { // a quick look: most text is in the first bytes
			return c >= utf8.RuneSelf && len(bytes.TrimSpace(text[i:])) == 0
		}
	}
	return true
}
