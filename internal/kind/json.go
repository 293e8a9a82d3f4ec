package kind

import (
	"unicode/utf8"
)

// jsonPlan returns the plan of a record's object, without its fields.
func jsonPlan() plan {
	return plan{format: JSON, open: "{", close: "}", between: ","}
}

// jsonStep returns how a field is written; the first of an object has no comma
// before it.
func jsonStep(f *Field, first bool) step {
	st := step{frame: jsonFrame(f.Name, f.quoted(), first)}
	switch f.Type {
	case List:
		st.open += "["
		st.close = "]"
		st.null = st.open + st.close
		st.items = f.Items.plan(JSON, 0, func(f *Field) bool { return !f.Hidden })
	case PersonRef:
		st.open += "{"
		st.close = "}"
		for i, name := range f.Shows {
			st.parts = append(st.parts, jsonFrame(name, name != "id", i == 0))
		}
	}
	return st
}

// quoted reports whether values of the field are strings in JSON.
func (f *Field) quoted() bool {
	return f.Type == Text || f.Type == RecordRef || f.Type == Time || f.Type == Date || f.Type == Link ||
		f.Type == Address
}

// jsonFrame returns the member around a value.
func jsonFrame(name string, quoted, first bool) frame {
	open := `"` + underscored(name) + `":`
	if !first {
		open = "," + open
	}
	f := frame{open: open, null: open + "null"}
	if quoted {
		f.open, f.close = open+`"`, `"`
	}
	return f
}

func appendJSONServices(b []byte, services []Service) []byte {
	b = append(b, `{"services":[`...)
	for i, s := range services {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendJSON(append(b, `{"href":"`...), s.Href)
		b = appendJSON(append(b, `","name":"`...), s.Name)
		b = append(b, `"}`...)
	}
	return append(b, "]}\n"...)
}

func appendJSONErrors(b []byte, faults []string) []byte {
	b = append(b, `{"errors":[`...)
	for i, fault := range faults {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(appendJSON(append(b, '"'), fault), '"')
	}
	return append(b, "]}\n"...)
}

// appendJSON appends s as the inside of a JSON string. Bytes that are not UTF-8
// become U+FFFD.
func appendJSON(b []byte, s string) []byte {
	from := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= ' ' && c < utf8.RuneSelf && c != '"' && c != '\\' {
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if size > 1 {
			i += size
			continue
		}
		b = append(b, s[from:i]...)
		b = append(b, escapeJSON(r)...)
		i++
		from = i
	}
	return append(b, s[from:]...)
}

// escapeJSON returns what stands for a character that cannot be written as it
// is.
func escapeJSON(r rune) string {
	const digits = "0123456789abcdef"
	switch {
	case r == '"' || r == '\\':
		return `\` + string(r)
	case r == '\n':
		return `\n`
	case r == '\r':
		return `\r`
	case r == '\t':
		return `\t`
	case r < ' ':
		return `\u00` + string(digits[r>>4]) + string(digits[r&15])
	}
	return "\uFFFD"
}
