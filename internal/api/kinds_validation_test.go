//go:build full

package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"muster/internal/kind"
)

// A wrong is a text that a field must not have, and what is said about it.
type wrong struct{ text, says string }

// wrongs are texts that no field of the type may have.
func wrongs(f *kind.Field) []wrong {
	child := wrong{"<b>1</b>", ""}
	switch {
	case f.OneOf != nil:
		return []wrong{{"nonsense", "must be "}, child}
	case f.Type == kind.Text && f.Long:
		return []wrong{{strings.Repeat("ä", 32<<10) + "x", "is too long (maximum is 65536 bytes)"}, child}
	case f.Type == kind.Text, f.Type == kind.RecordRef:
		return []wrong{{strings.Repeat("ä", 256), "is too long (maximum is 255 characters)"}, child}
	}
	return append(map[kind.Type][]wrong{
		kind.Integer: {
			{"x", "is not a number"}, {"1.5", "is not a number"}, {"-1", "must be greater than or equal to 0"},
			{"9223372036854775808", "must be less than or equal to"},
		},
		kind.Boolean: {{"maybe", "is not true or false"}, {"2", "is not true or false"}},
		kind.Time:    {{"yesterday", "is not a timestamp"}, {"2026-02-30T00:00:00Z", "is not a timestamp"}},
		kind.Date:    {{"2026-02-30", "is not a date"}, {"2026-01-01T00:00:00Z", "is not a date"}},
		kind.Amount:  {{"1.23456", ""}, {"x", "is not a number"}, {"-0.5", "must be greater than or equal to 0"}},
		kind.PersonRef: {{"nobody@example.com", "does not exist"}, {"<id>999999</id>", "does not exist"}, {
			"<id>x</id>", "has an id that is not a number",
		}},
	}[f.Type], child)
}

// rightValues are texts that are taken as long as they are, with the longest ones.
func rightValues(f *kind.Field) []string {
	switch {
	case f.OneOf != nil:
		return []string{strings.ToUpper(f.OneOf[len(f.OneOf)-1])}
	case f.Unique, f.Secret:
		return nil
	case f.Type == kind.Text && f.Long:
		return []string{strings.Repeat("ä", 32<<10)}
	case f.Type == kind.Text, f.Type == kind.RecordRef:
		return []string{strings.Repeat("ä", 255)}
	}
	return map[kind.Type][]string{
		kind.Integer: {"9223372036854775807", " 0 "}, kind.Boolean: {"1", "False"},
		kind.Time: {"2026-01-31T10:30:00+01:00"}, kind.Date: {" 2024-02-29 "},
		kind.Amount: {"0.0001", "922337203685477.5807"}, kind.PersonRef: {"anna@example.com", "<name>Bert Öhm</name>"},
	}[f.Type]
}

// TestEveryKindValidation tries wrong values of each field of each kind, in new
// records and present ones. Nothing is changed by what is refused.
func TestEveryKindValidation(t *testing.T) {
	t.Parallel()
	eachKind(t, changeable(), func(t *testing.T, sc *scene, k *kind.Schema) {
		path, _ := sc.post(t, k, least(k, "target"))
		tag, audits, total := sc.Get(path).Header.Get("ETag"), sc.audits(),
			sc.Get("/"+k.Path()).Header.Get("X-Total-Count")
		for _, f := range k.Fields {
			sc.refuses(t, k, nil, f, path)
			if f.Type == kind.List && f.Editable() && f.Targets == nil {
				for _, sub := range f.Items.Fields {
					sc.refuses(t, k, f, sub, path)
				}
			}
			if f.Targets != nil {
				sc.refusesLinks(t, k, f, path)
			}
		}
		unknown := fmt.Sprintf("<%s><nonsense>1</nonsense></%s>", k.Item, k.Item)
		refused(t, "an unknown element", sc.Do("PUT", path, unknown), http.StatusUnprocessableEntity, "nonsense")
		refused(t, "POST of an unknown element", sc.Do("POST", "/"+k.Path(), unknown), http.StatusUnprocessableEntity,
			"nonsense")
		refused(t, "another root", sc.Do("PUT", path, "<thing/>"), http.StatusUnprocessableEntity, "want <"+k.Item+">")
		equal(t, "after refusals",
			[]string{sc.Get(path).Header.Get("ETag"), sc.audits(), sc.Get("/" + k.Path()).Header.Get("X-Total-Count")},
			[]string{tag, audits, total})
		sc.accepts(t, k, path)
	})
}

// refuses sends wrong values of a field; in is the collection that it is in.
func (sc *scene) refuses(t *testing.T, k *kind.Schema, in, f *kind.Field, path string) {
	t.Helper()
	const status = http.StatusUnprocessableEntity
	what, words := f.Name, f.Words()
	if in != nil {
		what, words = in.Name+"/"+f.Name, in.Words()+" item 1: "+strings.ToLower(f.Words()[:1])+f.Words()[1:]
	}
	if !f.Editable() {
		if !f.Hidden {
			before := sc.Get(path).Body
			equal(t, what+" is ignored", sc.Do("PUT", path, inside(k, in, f, "2001-01-01")).Body, before)
		}
		return
	}
	if f.Type == kind.List {
		return
	}
	for _, w := range wrongs(f) {
		doc := inside(k, in, f, w.text)
		says := words + " " + w.says
		if w.says == "" {
			says = words
		}
		refused(t, "PUT "+what+" "+w.text[:min(20, len(w.text))], sc.Do("PUT", path, doc), status, says)
		refused(t, "POST "+what+" "+w.text[:min(20, len(w.text))], sc.Do("POST", "/"+k.Path(), doc), status, says)
	}
	if f.Required {
		for _, none := range []string{"", "  "} {
			refused(t, what+" cleared", sc.Do("PUT", path, inside(k, in, f, none)), status, words+" can't be blank")
		}
	}
	name := "<" + f.Name + ">"
	twice := strings.Replace(inside(k, in, f, ""), name, "<"+f.Name+"/>"+name, 1)
	refused(t, what+" twice", sc.Do("PUT", path, twice), status, words)
}

// refusesLinks sends linked records that are none.
func (sc *scene) refusesLinks(t *testing.T, k *kind.Schema, f *kind.Field, path string) {
	t.Helper()
	for _, c := range []struct{ item, says string }{
		{"<id>999999</id>", "names a "},
		{"<id>0</id>", "names a "},
		{"<id>x</id>", "item 1: id is not a number"},
		{"<id/><name>x</name>", ""},
		{"<colour>red</colour>", "colour"},
	} {
		if len(f.Targets) > 1 {
			c.item = "<asset-type>hardware</asset-type>" + c.item
		}
		doc := fmt.Sprintf("<%s><%s><%s>%s</%s></%s></%s>", k.Item, f.Name, f.Items.Item, c.item, f.Items.Item,
			f.Name, k.Item)
		if c.says == "" {
			c.says = f.Words() + " item 1: id can't be blank"
		}
		refused(t, f.Name+" "+c.item, sc.Do("PUT", path, doc), http.StatusUnprocessableEntity, c.says)
	}
	if len(f.Targets) > 1 {
		doc := fmt.Sprintf("<%s><%s><%s><id>1</id></%s></%s></%s>", k.Item, f.Name, f.Items.Item, f.Items.Item,
			f.Name, k.Item)
		refused(t, f.Name+" without a type", sc.Do("PUT", path, doc), http.StatusUnprocessableEntity,
			"asset type can't be blank")
	}
}

// accepts sends the longest and oddest values that are right.
func (sc *scene) accepts(t *testing.T, k *kind.Schema, path string) {
	t.Helper()
	for _, f := range k.Fields {
		if !f.Editable() || f.Targets != nil {
			continue
		}
		sc.takes(t, k, nil, f, path)
		if f.Type == kind.List {
			for _, sub := range f.Items.Fields {
				sc.takes(t, k, f, sub, path)
			}
		}
	}
}

// takes sends right values of a field, each of which is cleared again.
func (sc *scene) takes(t *testing.T, k *kind.Schema, in, f *kind.Field, path string) {
	t.Helper()
	for _, text := range rightValues(f) {
		r := sc.Do("PUT", path, inside(k, in, f, text))
		equal(t, f.Name+" "+text[:min(20, len(text))]+": "+r.Body[:min(200, len(r.Body))], r.Status, http.StatusOK)
		if in == nil && !f.Required {
			equal(t, f.Name+" cleared", sc.Do("PUT", path, inside(k, in, f, " ")).Status, http.StatusOK)
		}
	}
}
