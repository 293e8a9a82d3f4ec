package report

import (
	"encoding/json"
	"io"
	"slices"
	"strings"
	"unicode"
)

// readJSON reads a message of the form {"action":…,"deviceid":…,"content":{…}}, its keys in any order.
func readJSON(r io.Reader, c *collector) error {
	j := jsonMessage{dec: json.NewDecoder(&spaced{r: r}), to: c}
	j.dec.UseNumber()
	if t, err := j.next(); err != nil {
		return err
	} else if t != json.Delim('{') {
		return malformed("it is not a JSON object")
	}
	if err := j.object(j.part); err != nil {
		return err
	}
	switch _, err := j.dec.Token(); err {
	case io.EOF:
		return nil
	case nil:
		return malformed("something follows the JSON object")
	default:
		return err
	}
}

// A spaced reader refuses a long run of blanks: the decoder would look at it again with every piece that it
// reads, and so spend minutes on some megabytes.
type spaced struct {
	r   io.Reader
	run int
}

const maxBlanks = 4 << 10

func (s *spaced) Read(b []byte) (int, error) {
	n, err := s.r.Read(b)
	for _, c := range b[:n] {
		if c != ' ' && c != '\n' && c != '\t' && c != '\r' {
			s.run = 0
		} else if s.run++; s.run > maxBlanks {
			return 0, malformed("it has more than %d blanks in a row", maxBlanks)
		}
	}
	return n, err
}

// A jsonMessage reads a message in JSON into a collector. A text may be written as a number or a truth value, and a
// section as one object or as a list of them.
type jsonMessage struct {
	dec    *json.Decoder
	to     *collector
	depth  int
	tokens int
}

// next returns the next token, within the limits.
func (j *jsonMessage) next() (json.Token, error) {
	t, err := j.dec.Token()
	if err != nil {
		return nil, err
	}
	if j.tokens++; j.tokens > 2*maxElements { // a key and its value are an element
		return nil, tooLarge("more than %d elements", maxElements)
	}
	switch t {
	case json.Delim('{'), json.Delim('['):
		if j.depth++; j.depth > maxDepth {
			return nil, malformed("it nests deeper than %d levels", maxDepth)
		}
	case json.Delim('}'), json.Delim(']'):
		j.depth--
	}
	return t, nil
}

// object calls a function for each key of the open object, which must read the key's value.
func (j *jsonMessage) object(read func(key string) error) error {
	for {
		t, err := j.next()
		if err != nil {
			return err
		}
		key, ok := t.(string)
		if !ok {
			return nil // the object's end
		}
		if err := read(key); err != nil {
			return err
		}
	}
}

// part reads a value of the message.
func (j *jsonMessage) part(key string) error {
	switch key {
	case "action":
		return j.text(&j.to.query)
	case "deviceid":
		return j.text(&j.to.deviceID)
	case "itemtype":
		return j.text(&j.to.itemType)
	case "tag":
		return j.text(&j.to.tag)
	case "partial":
		var partial string
		err := j.text(&partial)
		j.to.partial = j.to.partial || partial == "true" || partial == "1"
		return err
	case "content":
		return j.each(func() error { return j.object(j.content) })
	}
	return j.skip()
}

// accessLog reads when the report was made.
func (j *jsonMessage) accessLog(key string) error {
	if key == "logdate" {
		return j.text(&j.to.logDate)
	}
	return j.skip()
}

// content reads a section, or one of the values that stand among them.
func (j *jsonMessage) content(key string) error {
	switch key {
	case "versionclient":
		return j.text(&j.to.client)
	case "old_deviceid":
		return j.text(&j.to.oldDeviceID)
	case "accesslog":
		return j.each(func() error { return j.object(j.accessLog) })
	}
	s := sections[strings.ToUpper(key)]
	if s == nil {
		return j.skip()
	}
	j.to.present[s.id] = true // also when it is an empty list
	return j.each(func() error { return j.row(s) })
}

// each reads the next value, and calls a function for it if it is an object, or for each object if it is a list. The
// function must read up to the object's end.
func (j *jsonMessage) each(read func() error) error {
	t, err := j.next()
	switch {
	case err != nil:
		return err
	case t == json.Delim('{'):
		return read()
	case t != json.Delim('['):
		return nil
	}
	for {
		switch t, err := j.next(); {
		case err != nil:
			return err
		case t == json.Delim(']'):
			return nil
		case t == json.Delim('{'):
			if err := read(); err != nil {
				return err
			}
		case t == json.Delim('['):
			if err := j.close(); err != nil {
				return err
			}
		}
	}
}

// row reads the fields of a row that we keep.
func (j *jsonMessage) row(s *section) error {
	r, err := j.to.begin(s)
	if err != nil {
		return err
	}
	err = j.object(func(key string) error {
		i := slices.Index(s.json, key)
		if i < 0 {
			return j.skip()
		}
		text, err := j.value()
		if err == nil && r.values[i] == "" {
			r.values[i] = j.to.keep([]byte(text), s.forms[i])
		}
		return err
	})
	if err == nil {
		j.to.end(s)
	}
	return err
}

// text reads a text, unless there has been one before.
func (j *jsonMessage) text(to *string) error {
	text, err := j.value()
	if err == nil && *to == "" {
		*to = j.to.keep([]byte(text), plain)
	}
	return err
}

// value returns the next value as text: "" for null, and for an object or a list, which it skips.
func (j *jsonMessage) value() (string, error) {
	t, err := j.next()
	if err != nil {
		return "", err
	}
	switch t := t.(type) {
	case string:
		return clean(t), nil
	case json.Number:
		return t.String(), nil
	case bool:
		if t {
			return "true", nil
		}
		return "false", nil
	case json.Delim:
		return "", j.close()
	}
	return "", nil
}

// skip reads past the next value.
func (j *jsonMessage) skip() error {
	_, err := j.value()
	return err
}

// close reads past the end of the open object or list.
func (j *jsonMessage) close() error {
	for depth := j.depth; j.depth >= depth; {
		if _, err := j.next(); err != nil {
			return err
		}
	}
	return nil
}

// clean returns text with the characters that XML forbids replaced by U+FFFD.
func clean(text string) string {
	return strings.Map(func(c rune) rune {
		if c < ' ' && c != '\t' && c != '\n' && c != '\r' || c == 0xFFFE || c == 0xFFFF {
			return unicode.ReplacementChar
		}
		return c
	}, text)
}
