package imports

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"muster/internal/desk"
	"muster/internal/kind"
	"muster/internal/message"
)

// Of the names in a cell: how many commas one may have, and how many are looked up.
const (
	maxCommas  = 3
	maxLookups = 4000
)

// A linkReader reads a cell that names linked records: by their ids, or by what they
// are called, as exports do.
type linkReader struct {
	work    *desk.Work
	field   *kind.Field
	text    string
	old     []kind.Linked // which the record is tied to already; others may be called alike
	lookups int
}

// A linkPart is what a cell has between two marks.
type linkPart struct {
	text       string
	start, end int // in the cell
}

// linksNamed returns the linked records that a cell names, as forms have them, and
// all that is wrong with it.
func linksNamed(ctx context.Context, w *desk.Work, f *kind.Field,
	text string) (links []string, faults []message.Predicate, err error) {
	r := &linkReader{work: w, field: f, text: text}
	if w.Old != nil {
		r.old = slices.Clone(*w.Kind.Values(w.Old).Links(f))
	}
	if !kind.IsText(text) {
		return nil, []message.Predicate{message.Says("holds characters that are no text")}, nil
	}
	for parts := r.parts(); len(parts) > 0 && r.lookups <= maxLookups; {
		link, n, err := r.next(ctx, parts)
		if fault, wrong := errors.AsType[message.Predicate](err); wrong {
			faults = append(faults, fault)
		} else if err != nil {
			return nil, nil, err
		}
		links, parts = append(links, link), parts[n:]
	}
	return links, faults, nil
}

// parts cuts the cell at commas, semicolons and line ends, and at spaces where they
// part ids alone: names have some.
func (r *linkReader) parts() (all []linkPart) {
	start := 0
	for start <= len(r.text) {
		end := len(r.text)
		if i := strings.IndexAny(r.text[start:], ",;\n"); i >= 0 {
			end = start + i
		}
		piece := r.text[start:end]
		if fields := strings.Fields(piece); len(fields) > 1 &&
			!slices.ContainsFunc(fields, func(t string) bool { return !r.isID(t) }) {
			for _, id := range fields {
				all = append(all, linkPart{id, start, end})
			}
		} else if bare := strings.TrimSpace(piece); bare != "" {
			all = append(all, linkPart{bare, start, end})
		}
		start = end + 1
	}
	return all
}

// isID reports whether a text names a record by its id, with its kind where the field
// links several.
func (r *linkReader) isID(text string) bool {
	item, number, several := strings.Cut(text, ":")
	if !several {
		number = item
	} else if len(r.field.Targets) == 1 ||
		!slices.ContainsFunc(r.field.Targets, func(k *kind.Schema) bool { return k.Item == item }) {
		return false
	}
	return number != "" && strings.Trim(number, "0123456789") == ""
}

// next returns the record that the first parts name, and how many these are, also when
// they name none: the most that are a name, since one may have commas.
func (r *linkReader) next(ctx context.Context, parts []linkPart) (link string, n int, err error) {
	first := parts[0].text
	if r.isID(first) {
		link, err = r.byID(ctx, first)
		return link, 1, err
	}
	for n := min(len(parts), maxCommas+1); n > 0; n-- {
		name := strings.TrimSpace(r.text[parts[0].start:parts[n-1].end])
		if at := slices.IndexFunc(r.old,
			func(l kind.Linked) bool { return strings.EqualFold(strings.TrimSpace(l.Name), name) }); at >= 0 {
			link = r.field.LinkInput(r.old[at].Item, r.old[at].ID.V)
			r.old = slices.Delete(r.old, at, at+1)
			return link, n, nil
		}
		links, err := r.named(ctx, name)
		switch {
		case err != nil:
			return "", n, err
		case len(links) > 1:
			return "", n, message.Says("is not clear: several records have the name %s, name one by its id",
				kind.Brief(name))
		case len(links) == 1:
			return links[0], n, nil
		}
	}
	noun := "record"
	if len(r.field.Targets) == 1 {
		noun = r.field.Targets[0].Noun
	}
	return "", 1, message.Says("names a %s that does not exist: %s", message.Word(noun), kind.Brief(first))
}

// byID returns the record with an id, or the one that is called like it when there is
// none.
func (r *linkReader) byID(ctx context.Context, id string) (string, error) {
	links, err := r.named(ctx, id)
	if err != nil || len(links) == 0 || slices.Equal(links, []string{id}) {
		return id, err
	}
	n, err := strconv.ParseInt(id, 10, 64)
	if err != nil || len(r.field.Targets) > 1 {
		return links[0], nil // it is no id here
	}
	recs, err := r.work.Tx.Rows(ctx, r.field.Targets[0], []int64{n})
	if err != nil {
		return "", err
	}
	if len(recs) == 0 && len(links) == 1 {
		return links[0], nil
	}
	return "", message.Says("is not clear: %s is the id of one record and the name of another", id)
}

// named returns the records with a name that can be linked, two at most of a kind.
func (r *linkReader) named(ctx context.Context, name string) (links []string, err error) {
	if r.lookups++; r.lookups > maxLookups {
		return nil, message.Says("has more than %d items", maxLookups/(maxCommas+1))
	}
	for _, target := range r.field.Targets {
		_, ids, err := r.work.Tx.Find(ctx, target, &kind.Query{Page: 1, PerPage: 2, Conds: []kind.Cond{
			{Field: target.Field("name"), Any: []kind.Test{{Text: []string{name}}}},
		}})
		if err != nil {
			return nil, err
		}
		for _, id := range ids {
			links = append(links, r.field.LinkInput(target.Item, id))
		}
	}
	return links, nil
}
