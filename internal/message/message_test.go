package message

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"testing"
)

func TestText(t *testing.T) {
	t.Parallel()
	own := Says("can't be blank").Of("Name")
	for _, test := range []struct {
		text    Text
		want    string
		subject Word
	}{
		{Text{}, "", ""},
		{Text{Format: "100% of it"}, "100% of it", ""},
		{Plain("100% of it"), "100% of it", ""},
		{own, "Name can't be blank", "Name"},
		{own.WithSubject(Word("Bezeichnung")), "Bezeichnung can't be blank", "Bezeichnung"},
		{own.WithSubject("Bezeichnung"), "Bezeichnung can't be blank", ""},
		{New("there is no user %s", "Anna").WithSubject("x"), "there is no user Anna", ""},
		{New("%s has no token", "Anna"), "Anna has no token", ""},
		{New("%s item %d: %s", Word("Drives"), 2, own), "Drives item 2: Name can't be blank", "Drives"},
		{New("%s and %s", Count{1, "computer"}, Count{2, "other asset"}), "1 computer and 2 other assets", ""},
		{Joined([]Text{own, Plain("x")}, "; "), "Name can't be blank; x", ""},
	} {
		if got := test.text.String(); got != test.want || test.text.Subject() != test.subject {
			t.Errorf("%#v: got %q of %q, want %q of %q", test.text, got, test.text.Subject(), test.want, test.subject)
		}
	}
	if got := own.String(); got != "Name can't be blank" {
		t.Errorf("another subject has changed the text itself to %q", got)
	}
}

func TestOf(t *testing.T) {
	t.Parallel()
	cause := errors.New("end of file")
	err := error(&Error{Text: New("it is damaged: %s", Of(cause)), Cause: cause})
	if got := Of(fmt.Errorf("read: %w", err)); !reflect.DeepEqual(got,
		New("it is damaged: %s", Plain("end of file"))) || !errors.Is(err, cause) {
		t.Errorf("got %#v, which is %v", got, err)
	}
}

// TestJSON keeps all that texts are made of, and reads the strings of former versions.
func TestJSON(t *testing.T) {
	t.Parallel()
	for _, want := range []Text{
		New("nothing"),
		New("%s has %s, %d and %d", Word("state"), "own \"words\"", 7, int64(1)<<60),
		New("%s: %s, %s", New("there is no %s", Word("computer")), Count{0, "computer"}, New("x")),
	} {
		stored, err := json.Marshal(want)
		var got Text
		if err := errors.Join(err, json.Unmarshal(stored, &got)); err != nil || got.Format != want.Format ||
			got.String() != want.String() || len(got.Args) != len(want.Args) {
			t.Fatalf("%s: got %#v, error %v", stored, got, err)
		}
		for i, arg := range want.Args {
			if _, number := arg.(int); number {
				continue // it is read as an int64
			}
			if reflect.TypeOf(got.Args[i]) != reflect.TypeOf(arg) {
				t.Errorf("%s: got %T, want %T", stored, got.Args[i], arg)
			}
		}
	}
	var former Text
	if err := json.Unmarshal([]byte(`"100% of it"`), &former); err != nil || former.String() != "100% of it" {
		t.Errorf("a string: got %q, error %v", former, err)
	}
	if err := json.Unmarshal([]byte(`{"args":[{"word":7}]}`), &former); err == nil {
		t.Errorf("a wrong argument: got %v, want an error", former)
	}
}
