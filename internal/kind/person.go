package kind

import (
	"strconv"
	"strings"

	"muster/internal/markup"
	"muster/internal/message"
)

// person reads a reference to a user: the first of id, email and name that has
// a value decides. Plain text is an e-mail address or a name. What it finds is
// looked up when the patch is applied. The fault is what is wrong.
func (d *decoder) person(p *Person) (fault message.Predicate, err error) {
	var ref Person
	var id string
	children, keys := 0, 0
	for {
		token, err := d.reader.Next()
		switch {
		case err != nil || token == markup.End && !fault.IsZero():
			return fault, err
		case token == markup.End && children > 0 && keys == 0:
			return message.Says("must be named by id, email or name"), nil
		case token == markup.End:
			return p.refer(id, ref), nil
		case token == markup.Text:
			ref.plain(d.trimmed(d.reader.Text()))
			continue
		}
		children++
		keys++
		var to *string
		switch string(d.reader.Name()) {
		case "id":
			to = &id
		case "email":
			to = &ref.Email
		case "name":
			to = &ref.Name
		default:
			keys--
		}
		child, err := d.part(to)
		if err != nil {
			return fault, err
		}
		if child != "" {
			fault = message.Says("must be named by plain text, not %s", tag(child))
		}
	}
}

// plain takes the text of a person without children.
func (p *Person) plain(text string) {
	switch {
	case text == "":
	case strings.Contains(text, "@"):
		p.Email = text
	default:
		p.Name = text
	}
}

// part reads the current element into to, or skips it when to is nil. It returns
// the name of an element that stands where text is expected.
func (d *decoder) part(to *string) (child string, err error) {
	if to == nil || d.reader.Nil() {
		return "", d.reader.Skip()
	}
	text, child, err := d.text()
	if child != "" {
		return child, d.leave(2)
	}
	*to = d.trimmed(text)
	return "", err
}

// refer sets by what the person is named, or returns what is wrong with it.
func (p *Person) refer(id string, ref Person) (fault message.Predicate) {
	switch {
	case id != "":
		n, err := strconv.ParseInt(id, 10, 64)
		if err != nil || n < 1 {
			return message.Says("has an id that is not a number: %s", short(id))
		}
		*p = Person{ID: n}
	case ref.Email != "":
		*p = Person{Email: ref.Email}
	default:
		*p = Person{Name: ref.Name}
	}
	return fault
}

// names reports whether a reference, by id, e-mail address or name, is one to
// the other person.
func (p *Person) names(other *Person) bool {
	switch {
	case p.ID != 0:
		return p.ID == other.ID
	case p.Email != "":
		return strings.EqualFold(p.Email, other.Email)
	}
	return strings.EqualFold(p.Name, other.Name)
}
