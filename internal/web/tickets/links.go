package tickets

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/web/page"
	"muster/internal/web/records"
)

// A linkGroup is the computers or the other assets of a ticket.
type linkGroup struct {
	Title   string
	Field   string
	Rows    []linkRow
	Offered []records.Option // the requester's, which are not linked yet
	Add     string           // the label of the input that links another
}

// A linkRow is a record that is linked with a ticket.
type linkRow struct {
	ID    int64
	Name  string
	Href  string
	Sub   string
	State page.Cell
}

// linkGroups returns the computers and other assets of a ticket.
func linkGroups(c *page.Call, t *inventory.Ticket) ([]linkGroup, error) {
	computers := linkGroup{Title: c.T("Computers"), Field: "hardwares", Add: c.T("Name or asset id of a computer")}
	assets := linkGroup{Title: c.T("Other assets"), Field: "other-assets", Add: c.T("Name or asset id of an asset")}
	if err := fill(c, &computers, inventory.Computers.Schema, t.Computers, &t.Requester); err != nil {
		return nil, err
	}
	err := fill(c, &assets, inventory.OtherAssets.Schema, t.OtherAssets, &t.Requester)
	return []linkGroup{computers, assets}, err
}

// maxOffered is how many records of the requester are offered to be linked.
const maxOffered = 10

// fill sets the records of a group, and those of the requester that could be in
// it.
func fill(c *page.Call, g *linkGroup, k *kind.Schema, links []kind.Linked, owner *kind.Person) error {
	linked := kind.Cond{Field: k.Field("id")}
	for _, l := range links {
		linked.Any = append(linked.Any, kind.Test{Range: true, Min: l.ID.V, Max: l.ID.V})
	}
	if len(linked.Any) > 0 {
		recs, err := First(c, k, maxLinked, linked)
		if err != nil {
			return err
		}
		for _, rec := range recs {
			g.Rows = append(g.Rows, newLinkRow(c, k, rec))
		}
	}
	own, err := First(c, k, maxOffered,
		kind.Cond{Field: k.Field("owner"), Any: []kind.Test{{Range: true, Min: owner.ID, Max: owner.ID}}})
	for _, rec := range own {
		id := k.Meta(rec).ID
		if !slices.ContainsFunc(links, func(l kind.Linked) bool { return l.ID.V == id }) {
			g.Offered = append(g.Offered,
				records.Option{Value: strconv.FormatInt(id, 10), Label: k.Values(rec).Format(k.Field("name"))})
		}
	}
	return err
}

// maxLinked is how many linked records a ticket's page shows.
const maxLinked = 50

// First returns the first n records that meet all conditions.
func First(c *page.Call, k *kind.Schema, n int, conds ...kind.Cond) ([]any, error) {
	found, err := c.App.Desk.List(c.Context(), c.Who(), k,
		&kind.Query{Conds: conds, Page: 1, PerPage: n, Today: kind.Today(c.App.Now())})
	return found.Records, err
}

// newLinkRow returns a linked record with its status or state.
func newLinkRow(c *page.Call, k *kind.Schema, rec any) linkRow {
	v, id := k.Values(rec), k.Meta(rec).ID
	row := linkRow{
		ID: id, Name: v.Format(k.Field("name")), Href: c.RecordPath(k, id), State: c.Cell(v, k.Field("status")),
	}
	switch rec := rec.(type) {
	case *inventory.Computer:
		row.Sub = rec.OperatingSystem
		if at := c.Moment(rec.DetectedAt); at != nil {
			row.Sub = strings.TrimPrefix(row.Sub+" · "+at.Short, " · ")
		}
	case *inventory.OtherAsset:
		row.Sub = strings.TrimSpace(rec.AssetType + " " + rec.Model)
	}
	return row
}

// Link links a computer or another asset with a ticket, or takes the link
// away.
func Link(c *page.Call) (*page.Answer, error) { return linkTicketAs(c, c.Form) }

// UndoLink sets all that were linked with a ticket before.
func UndoLink(c *page.Call) (*page.Answer, error) { return linkTicketAs(c, undoForm(c)) }

func linkTicketAs(c *page.Call, form url.Values) (*page.Answer, error) {
	t, err := Ticket(c)
	if err != nil {
		return nil, err
	}
	for name, of := range map[string]linking{
		"hardwares":    {inventory.Computers.Schema, t.Computers},
		"other-assets": {inventory.OtherAssets.Schema, t.OtherAssets},
	} {
		if form.Has(name) {
			return changeTicket(c, form, url.Values{name: form[name]})
		}
		if form.Get("field") != name {
			continue
		}
		linked, fault, err := linked(c, of, form)
		if err != nil {
			return nil, err
		}
		if fault != "" {
			return ticketAnswer(c, http.StatusUnprocessableEntity, form, func(p *ticketPage) { p.Fault = fault })
		}
		// one more or one less, whatever was linked meanwhile
		seen := page.With(form, "version", strconv.FormatInt(t.Version, 10))
		return changeTicket(c, seen, url.Values{name: linked})
	}
	return ticketAnswer(c, http.StatusUnprocessableEntity, form,
		func(p *ticketPage) { p.Fault = c.T("The form names nothing that can be changed here.") })
}

// undoForm returns the form of an undo button: only the page that it is on, since the
// address has the rest.
func undoForm(c *page.Call) url.Values {
	form := c.URL.Query()
	maps.Copy(form, cameFrom(c.Form.Get("to")))
	return form
}

// A linking is the records of a kind that a ticket is linked with.
type linking struct {
	kind  *kind.Schema
	links []kind.Linked
}

// linked returns the ids that a form leaves of linked records: with one more,
// or without one.
func linked(c *page.Call, of linking, form url.Values) (all []string, fault string, err error) {
	all = ids(of.links)
	if gone := form.Get("remove"); gone != "" {
		return slices.DeleteFunc(all, func(id string) bool { return id == gone }), "", nil
	}
	if id := form.Get("id"); id != "" {
		return append(all, id), "", nil
	}
	id, fault, err := called(c, of.kind, strings.TrimSpace(form.Get("name")))
	return append(all, strconv.FormatInt(id, 10)), fault, err
}

// called returns the record that people call so: by its name or its asset id.
func called(c *page.Call, k *kind.Schema, name string) (id int64, fault string, err error) {
	if name == "" {
		return 0, c.T("Enter the name or the asset id first."), nil
	}
	return only(c, k, name, c.T("There are several called %s: enter the asset id instead.", name),
		equals(k, "asset-id", name), equals(k, "name", name))
}

// equals is the condition that a text is exactly that.
func equals(k *kind.Schema, field, text string) kind.Cond {
	return kind.Cond{Field: k.Field(field), Any: []kind.Test{{Text: []string{text}}}}
}

// only returns the record that the first of some conditions finds that finds any;
// several is the fault when it is not the only one.
func only(c *page.Call, k *kind.Schema, name, several string, by ...kind.Cond) (id int64, fault string, err error) {
	for _, cond := range by {
		recs, err := First(c, k, 2, cond)
		if err != nil {
			return 0, "", err
		}
		switch len(recs) {
		case 1:
			return k.Meta(recs[0]).ID, "", nil
		case 2:
			return 0, several, nil
		}
	}
	return 0, c.T("Nothing is called %s.", name), nil
}
