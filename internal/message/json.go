package message

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// A stored is how a Text or one of its arguments is kept in JSON: texts, words and counts are objects, people's own
// words are strings, and numbers are numbers.
type stored struct {
	Format string `json:"format,omitempty"`
	Args   []any  `json:"args,omitempty"`
	Word   Word   `json:"word,omitempty"`
	Noun   string `json:"noun,omitempty"`
	Count  int64  `json:"count,omitempty"`
}

// MarshalJSON returns the text as UnmarshalJSON reads it.
func (t Text) MarshalJSON() ([]byte, error) {
	s := stored{Format: t.Format}
	for _, arg := range t.Args {
		switch arg := arg.(type) {
		case Text, string, int, int64:
			s.Args = append(s.Args, arg)
		case Word:
			s.Args = append(s.Args, stored{Word: arg})
		case Count:
			s.Args = append(s.Args, stored{Noun: arg.Noun, Count: arg.N})
		default:
			s.Args = append(s.Args, fmt.Sprint(arg))
		}
	}
	return json.Marshal(s)
}

// UnmarshalJSON reads a text. Former versions wrote it as a string in English.
func (t *Text) UnmarshalJSON(data []byte) error {
	if bytes.HasPrefix(data, []byte(`"`)) {
		var words string
		err := json.Unmarshal(data, &words)
		*t = Plain(words)
		return err
	}
	var s struct {
		Format string            `json:"format"`
		Args   []json.RawMessage `json:"args"`
	}
	if err := json.Unmarshal(data, &s); err != nil {
		return err
	}
	*t = Text{Format: s.Format}
	for _, one := range s.Args {
		arg, err := readArgument(one)
		if err != nil {
			return err
		}
		t.Args = append(t.Args, arg)
	}
	return nil
}

// readArgument reads an argument of a text.
func readArgument(data []byte) (any, error) {
	switch {
	case bytes.HasPrefix(data, []byte(`"`)):
		var own string
		err := json.Unmarshal(data, &own)
		return own, err
	case !bytes.HasPrefix(data, []byte(`{`)):
		var n int64
		err := json.Unmarshal(data, &n)
		return n, err
	}
	var s struct {
		stored
		Format *string `json:"format"` // nil for none
	}
	if err := json.Unmarshal(data, &s); err != nil {
		return nil, err
	}
	switch {
	case s.Format != nil:
		var t Text
		err := json.Unmarshal(data, &t)
		return t, err
	case s.Noun != "":
		return Count{s.Count, s.Noun}, nil
	}
	return s.Word, nil
}
