package trail

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/kind"
)

// ErrNotYet is the answer for a time at which a computer was not known.
var ErrNotYet = errors.New("the computer was not known then")

// pastPages is how many pages of a computer's audit records are read at most, of
// kind.ReadAtOnce records each. What is older is not taken back: the computer is then
// returned as it was before the oldest that were read.
const pastPages = 50

// ComputerAt returns a computer with its software as it was at a time, as far as
// audit records say: they are taken back from the present, the latest first. What
// changes all the time and is in none of them, such as free space, is as now. It
// returns ErrNotYet for a time before the computer was known.
func ComputerAt(
	ctx context.Context, d *desk.Desk, who desk.Caller, id int64, at time.Time,
) (*inventory.Computer, error) {
	rec, err := d.Get(ctx, who, inventory.Computers.Schema, id)
	if err != nil {
		return nil, err
	}
	p := newPast(rec.(*inventory.Computer))
	if p.software, err = installedOn(ctx, d, who, id); err != nil {
		return nil, err
	}
	q := &kind.Query{Sort: inventory.Audits.Field("id"), Desc: true, PerPage: kind.ReadAtOnce,
		Today: kind.Today(d.Now())}
	for q.Page = 1; q.Page <= pastPages; q.Page++ {
		page, err := d.ListOf(ctx, who, desk.Place{Relation: &desk.OwnAudits, ID: id}, q)
		if err != nil {
			return nil, err
		}
		for _, one := range page.Records {
			a := one.(*inventory.Audit)
			if !a.CreatedAt.After(at) {
				return p.computer(), nil
			}
			if a.RecordType == inventory.Computers.Item && a.RecordID.V == id {
				if a.Action == inventory.Created {
					return nil, ErrNotYet
				}
				if a, err = wholeAudit(ctx, d, who, a); err != nil {
					return nil, err
				}
				p.takeBack(a)
			}
		}
		if len(page.Records) < q.PerPage {
			break
		}
	}
	return p.computer(), nil
}

// A past is a computer whose changes are taken back.
type past struct {
	now   *inventory.Computer
	form  url.Values            // the values of fields that were others
	lists map[string][]pastItem // the items of collections that were others

	software []inventory.Software
}

// A pastItem is an item of a collection: its values by their names.
type pastItem map[string]string

func newPast(c *inventory.Computer) *past {
	return &past{now: c, form: url.Values{}, lists: map[string][]pastItem{}}
}

// takeBack takes back what an audit record says, the last of it first.
func (p *past) takeBack(a *inventory.Audit) {
	for _, c := range slices.Backward(a.Changes) {
		f := inventory.Computers.Field(c.Field)
		switch {
		case c.Field == inventory.Softwares.Plural:
			p.takeBackSoftware(c.From, c.To)
		case f == nil || !f.Editable():
		case f.Type != kind.List:
			p.form.Set(c.Field, c.From)
		default:
			p.takeBackItem(f, c.From, c.To)
		}
	}
}

// takeBackItem takes back the change of an item. One that cannot be read, as the
// order of all, is left as it is.
func (p *past) takeBackItem(f *kind.Field, from, to string) {
	was, okFrom := parseItem(from)
	is, okTo := parseItem(to)
	if !okFrom || !okTo {
		return
	}
	items := p.items(f)
	at := len(items)
	if is != nil {
		if i := slices.IndexFunc(items, func(item pastItem) bool { return sameItem(f, item, is) }); i >= 0 {
			items, at = slices.Delete(items, i, i+1), i
		}
	}
	if was != nil {
		items = slices.Insert(items, at, was)
	}
	p.lists[f.Name] = items
}

// items returns the items of a collection as they are by now.
func (p *past) items(f *kind.Field) []pastItem {
	if items, ok := p.lists[f.Name]; ok {
		return items
	}
	var items []pastItem
	for v := range inventory.Computers.Values(p.now).Items(f) {
		item := pastItem{}
		for _, sub := range f.Items.Fields {
			if text := v.Format(sub); text != "" {
				item[sub.Name] = text
			}
		}
		items = append(items, item)
	}
	return items
}

// sameItem reports whether two items are one: their keys are the same, or all of
// them if they have none.
func sameItem(f *kind.Field, a, b pastItem) bool {
	keyed := false
	for _, name := range f.Key {
		if a[name] != b[name] {
			return false
		}
		keyed = keyed || a[name] != ""
	}
	if keyed {
		return true
	}
	for _, sub := range f.Items.Fields {
		if a[sub.Name] != b[sub.Name] {
			return false
		}
	}
	return true
}

// parseItem reads an item as changes show it, nil for none; not ok for what is
// none.
func parseItem(text string) (item pastItem, ok bool) {
	if text == "" {
		return nil, true
	}
	item = pastItem{}
	for text != "" {
		name, rest, found := strings.Cut(text, ": ")
		quoted, err := strconv.QuotedPrefix(rest)
		if !found || err != nil {
			return nil, false
		}
		value, err := strconv.Unquote(quoted)
		if err != nil {
			return nil, false
		}
		item[name] = value
		if text = rest[len(quoted):]; text != "" {
			if text, found = strings.CutPrefix(text, ", "); !found {
				return nil, false
			}
		}
	}
	return item, true
}

// computer returns the computer as it was.
func (p *past) computer() *inventory.Computer {
	for name, items := range p.lists {
		p.form.Set(name, "")
		for i, item := range items {
			for field, value := range item {
				p.form.Set(name+"."+strconv.Itoa(i)+"."+field, value)
			}
		}
	}
	k := inventory.Computers.Schema
	was := k.Copy(p.now).(*inventory.Computer)
	k.ReadForm(p.form).Apply(was)
	was.Softwares = p.software
	slices.SortStableFunc(was.Softwares, func(a, b inventory.Software) int {
		return strings.Compare(desk.ProgramKey(&a),
			desk.ProgramKey(&b))
	})
	return was
}
