package report

import (
	"muster/internal/markup"
)

// readXML reads a message of the form
// <REQUEST><QUERY>…</QUERY><DEVICEID>…</DEVICEID><CONTENT>…</CONTENT></REQUEST>, its parts in any order.
func (d *decoder) readXML(c *collector) error {
	c.size = len(d.text)
	x := xmlMessage{d.xml, c}
	x.Reset(d.text, markup.Limits{Depth: maxDepth, Elements: maxElements, Bare: true})
	x.Replace(true)
	return x.read()
}

// An xmlMessage reads a message in XML into a collector.
type xmlMessage struct {
	*markup.Reader
	to *collector
}

func (x xmlMessage) read() error {
	if _, err := x.Tag(); err != nil {
		return err
	}
	if string(x.Name()) != "REQUEST" {
		return malformed("its root is not <REQUEST>")
	}
	if err := x.children(xmlMessage.part); err != nil {
		return err
	}
	_, err := x.Tag() // what follows the root
	return err
}

// children calls a function for each child of the open element, which must read up to the child's end.
func (x xmlMessage) children(read func(xmlMessage) error) error {
	for {
		token, err := x.Tag()
		if err != nil || token == markup.End {
			return err
		}
		if err := read(x); err != nil {
			return err
		}
	}
}

// part reads a child of the root.
func (x xmlMessage) part() error {
	switch string(x.Name()) {
	case "QUERY":
		return x.text(&x.to.query)
	case "DEVICEID":
		return x.text(&x.to.deviceID)
	case "CONTENT":
		return x.children(xmlMessage.content)
	}
	return x.Skip()
}

// accessLog reads when the report was made.
func (x xmlMessage) accessLog() error {
	if string(x.Name()) == "LOGDATE" {
		return x.text(&x.to.logDate)
	}
	return x.Skip()
}

// content reads a row of a section, or one of the values that stand among them.
func (x xmlMessage) content() error {
	switch string(x.Name()) {
	case "VERSIONCLIENT":
		return x.text(&x.to.client)
	case "OLD_DEVICEID":
		return x.text(&x.to.oldDeviceID)
	case "ACCESSLOG":
		return x.children(xmlMessage.accessLog)
	}
	s := x.to.row.section // mostly a row like the last
	if s == nil || s.name != string(x.Name()) {
		s = sections[string(x.Name())]
	}
	if s == nil {
		return x.Skip()
	}
	r, err := x.to.begin(s)
	if err != nil {
		return err
	}
	if err := x.row(r); err != nil {
		return err
	}
	x.to.end(s)
	return nil
}

// row reads the fields of a row that we keep.
func (x xmlMessage) row(r *row) error {
	for {
		if name, text, ok := x.Leaf(); ok { // as nearly all are
			if i := r.section.field(name); i >= 0 {
				x.take(r, i, text)
			}
			continue
		}
		token, err := x.Tag()
		if err != nil || token == markup.End {
			return err
		}
		switch i := r.section.field(x.Name()); {
		case i >= 0:
			err = x.value(r, i)
		case r.section.single == download && string(x.Name()) == "HISTORY":
			err = x.row(r)
		default:
			err = x.Skip()
		}
		if err != nil {
			return err
		}
	}
}

// value reads a field of a row.
func (x xmlMessage) value(r *row, i int) error {
	text, err := x.inner()
	if err == nil {
		x.take(r, i, text)
	}
	return err
}

// take takes in the text of a field of a row.
func (x xmlMessage) take(r *row, i int, text []byte) {
	switch {
	case len(text) == 0:
	case x.to.scanning:
		x.to.note(r, i, text)
	case r.values[i] == "":
		r.values[i] = x.to.keep(text, r.section.forms[i])
	}
}

// text reads the text of the current element, unless there has been one before.
func (x xmlMessage) text(to *string) error {
	text, err := x.inner()
	if err == nil && *to == "" {
		*to = x.to.keep(text, plain)
	}
	return err
}

// inner returns the text of the current element, nothing when there are elements in it.
func (x xmlMessage) inner() ([]byte, error) {
	token, err := x.Tag()
	if err != nil || token == markup.End {
		return x.Text(), err
	}
	if err := x.Skip(); err != nil { // the child
		return nil, err
	}
	return nil, x.Skip()
}
