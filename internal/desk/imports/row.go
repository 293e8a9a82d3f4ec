package imports

import (
	"context"
	"errors"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"muster/internal/desk"
	"muster/internal/kind"
	"muster/internal/message"
	"muster/internal/sheet"
)

// cell returns what a row says of a field, "" when it says nothing.
func (i *Import) cell(at int, f *kind.Field) string {
	column := slices.Index(i.Fields, f)
	if column < 0 {
		return ""
	}
	return strings.TrimSpace(sheet.Plain(i.Table.Rows[at].Cell(column)))
}

// patch returns what a row says of a record that is there, or of a new one. What a
// row before has said of it is not said again.
func (i *Import) patch(ctx context.Context, w *desk.Work, at int) (*kind.Patch, error) {
	form, wrong := url.Values{}, map[*kind.Field][]message.Predicate{}
	_, follows := i.before[at]
	for column, f := range i.Fields {
		if f == nil || follows || i.lists[column] != nil || !f.Editable() {
			continue
		}
		text := sheet.Plain(i.Table.Rows[at].Cell(column))
		switch {
		case strings.TrimSpace(text) == "" && !i.Clear, i.says(w.Old, f, text):
		case f.Targets != nil:
			links, faults, err := linksNamed(ctx, w, f, text)
			if err != nil {
				return nil, err
			}
			form[f.Name], wrong[f] = append(links, ""), faults
		default:
			form.Set(f.Name, i.spelled(f, text))
		}
	}
	if err := i.addParts(form, at, w.Old); err != nil {
		return nil, err
	}
	patch := i.Kind.ReadForm(form)
	for _, f := range i.Fields {
		for _, fault := range wrong[f] {
			patch.Refuse(f, fault)
		}
	}
	return patch, nil
}

// words that tables have for truth values.
var truths = map[string]string{
	"yes": "true", "y": "true", "x": "true", "on": "true", "no": "false", "n": "false", "off": "false",
}

// dotted is a date as it is written in much of Europe. Those with slashes could
// be of two meanings.
var dotted = regexp.MustCompile(`^\d{1,2}\.\d{1,2}\.\d{4}$`)

// says reports whether a cell says of a record that is there what an export would: of
// people and records that are called alike, or of an hour that a day has twice, it
// would not say which.
func (i *Import) says(old any, f *kind.Field, text string) bool {
	return old != nil && i.Spelling != nil && i.Spelling.Says(i.Kind.Values(old), f, text)
}

// spelled returns the text that documents have for what a cell says. A workbook has
// numbers as documents have them, however it shows them.
func (i *Import) spelled(f *kind.Field, text string) string {
	if i.Spelling != nil && !(i.Table.Workbook && documentNumber.MatchString(text)) {
		text = i.Spelling.Plain(f, text)
	}
	return usualSpelling(f, text)
}

// documentNumber is a number as documents have it.
var documentNumber = regexp.MustCompile(`^-?[0-9]+(\.[0-9]+)?$`)

// usualSpelling returns the text that documents have for what tables write in
// other ways, whatever the language.
func usualSpelling(f *kind.Field, text string) string {
	bare := strings.TrimSpace(text)
	switch {
	case f.Type == kind.Boolean && truths[strings.ToLower(bare)] != "":
		return truths[strings.ToLower(bare)]
	case f.Type == kind.Date && dotted.MatchString(bare):
		if day, err := time.Parse("2.1.2006", bare); err == nil {
			return day.Format(time.DateOnly)
		}
	case f.Type == kind.Date && len(bare) == len("2006-01-02T15:04:05") && strings.HasSuffix(bare, "T00:00:00"):
		return bare[:len(time.DateOnly)]
	}
	return text
}

// row does what a row says, or with a dry work finds out what it would do. A
// mistake in it is no error, but makes the row one that is refused.
func (i *Import) row(ctx context.Context, w *desk.Work, at int) (row Row, err error) {
	i.places = nil
	if w.Dry && i.followed[at] {
		i.made[at] = i.madeBefore(at) // unless the row changes it; it is looked at again when its transaction is
	}
	if fault := i.Table.Rows[at].Fault; !fault.IsZero() {
		row.refuse(i, fault)
		return row, nil
	}
	if row, err = i.try(ctx, w, at); err == nil {
		return row, nil
	}
	if e, ok := errors.AsType[*kind.Invalid](err); ok {
		row.refuse(i, e.Faults...)
		return row, nil
	}
	if e, ok := errors.AsType[*desk.Error](err); ok {
		row.refuse(i, e.Text)
		return row, nil
	}
	return row, err
}

// try does what a row says.
func (i *Import) try(ctx context.Context, w *desk.Work, at int) (row Row, err error) {
	if w.Old, err = i.load(ctx, w, at); err != nil {
		return row, err
	}
	w.Rec = i.Kind.New()
	if w.Old != nil {
		row.Fate, row.ID = RowChanged, i.Kind.Meta(w.Old).ID
		w.Rec = i.Kind.Copy(w.Old)
	}
	patch, err := i.patch(ctx, w, at)
	if err != nil {
		return row, err
	}
	if w.Dry {
		err = i.examine(ctx, w, patch)
	} else {
		err = i.store(ctx, w, patch)
	}
	if err != nil {
		return row, err
	}
	if w.Dry && i.followed[at] {
		i.made[at] = w.Rec
	}
	if w.Old == nil {
		row.ID = i.Kind.Meta(w.Rec).ID
		return row, nil
	}
	if i.Kind.Same(w.Rec, w.Old) {
		row.Fate = RowSame
		return row, nil
	}
	diff := i.Kind.Diff(w.Old, w.Rec)
	row.Says, row.Changes = diff.Message(), diff.Changes
	return row, nil
}

// examine checks what a row says, and stores nothing. What others have taken is reported
// with all that is wrong with the row itself.
func (i *Import) examine(ctx context.Context, w *desk.Work, patch *kind.Patch) error {
	err := w.Prepare(ctx, patch)
	wrong, invalid := errors.AsType[*kind.Invalid](err)
	if err != nil && !invalid {
		return err
	}
	err = desk.Unique(ctx, w.Tx, i.Kind, w.Rec, w.Old)
	if taken, refused := errors.AsType[*desk.Error](err); invalid && refused {
		return &kind.Invalid{Faults: append(wrong.Faults, taken.Text)}
	}
	if invalid && err == nil {
		return wrong
	}
	return err
}

// store makes or changes the record of a row.
func (i *Import) store(ctx context.Context, w *desk.Work, patch *kind.Patch) error {
	if w.Old == nil {
		return w.CreateFrom(ctx, patch)
	}
	if err := w.Apply(ctx, patch); err != nil {
		return err
	}
	return w.Replace(ctx)
}

// load returns the record that a row is about, nil for a new one. When nothing is
// stored, it is as the rows before would make it.
func (i *Import) load(ctx context.Context, w *desk.Work, at int) (rec any, err error) {
	_, follows := i.before[at]
	if follows && w.Dry {
		rec = i.madeBefore(at)
	} else {
		id, err := i.find(ctx, w, at)
		if err != nil {
			return nil, err
		}
		if id != 0 {
			if rec, err = w.Load(ctx, w.Tx, w.Who.User, i.Kind, id); err != nil {
				return nil, err
			}
		}
	}
	if follows && rec == nil {
		return nil, desk.Refuse(desk.Conflict, "row %d, which is about the same record, is refused",
			i.Table.Rows[i.leads[at]].Number)
	}
	return rec, nil
}

// madeBefore returns the record as it would be before a row, nil when no row before
// is about it or the first of them is refused.
func (i *Import) madeBefore(at int) any {
	before, follows := i.before[at]
	if !follows {
		return nil
	}
	return i.made[before]
}

// find returns the id of the record that a row is about, 0 for a new one.
func (i *Import) find(ctx context.Context, w *desk.Work, at int) (int64, error) {
	if _, filled := i.joined(at, i.Key); !filled {
		return 0, nil
	}
	for _, f := range i.Key {
		if !kind.IsText(i.cell(at, f)) {
			return 0, kind.NewInvalid(message.Says("holds characters that are no text").Of(f.Word()))
		}
	}
	if len(i.Key) > 1 {
		sought := i.Kind.Empty(1)[0]
		for _, f := range i.Key {
			*i.Kind.Values(sought).Text(f) = i.cell(at, f)
		}
		return w.Tx.TakenTogether(ctx, i.Kind, sought)
	}
	f := i.Key[0]
	text := i.cell(at, f)
	test := kind.Test{Text: []string{text}}
	if f.Type != kind.Text {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || n < 1 {
			return 0, kind.NewInvalid(message.New("%s is not a number: %q", f.Word(), text))
		}
		test = desk.OnlyID(n)
	}
	total, ids, err := w.Tx.Find(ctx, i.Kind,
		&kind.Query{Page: 1, PerPage: 2, Conds: []kind.Cond{{Field: f, Any: []kind.Test{test}}}})
	switch {
	case err != nil:
		return 0, err
	case total == 0 && f.Type != kind.Text:
		return 0, desk.Refuse(desk.NotFound, "%s is that of no %s: %s", message.Word(f.Words()),
			message.Word(i.Kind.Noun), text)
	case total == 0:
		return 0, nil
	case total > 1:
		return 0, desk.Refuse(desk.Conflict, "%s is that of %d %s: recognise them by something else",
			message.Word(f.Words()), total, message.Word(desk.RecordsOf(i.Kind)))
	}
	return ids[0], nil
}
