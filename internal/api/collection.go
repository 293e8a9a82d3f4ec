package api

import (
	"context"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"muster/internal/desk"
	"muster/internal/desk/agents"
	"muster/internal/desk/merge"
	"muster/internal/front"
	"muster/internal/inventory"
	"muster/internal/kind"
)

// A collection serves the records of one kind. There is one for all kinds.
type collection struct {
	api  *API
	kind *kind.Schema
}

// list answers with one page of records.
func (c collection) list(r *call) (*answer, error) {
	q, err := c.query(r)
	if err != nil {
		return nil, err
	}
	page, err := c.api.Desk.Renderer().List(r.Context(), r.who, c.listed(r, q.Include), &q.Query)
	if err != nil {
		return nil, err
	}
	return c.page(r, q, page, "/"+c.kind.Path()), nil
}

// listed returns the form of the items of a list, with what they include.
func (c collection) listed(r *call, include string) *kind.Form {
	return c.kind.Including(include).Listed(r.format)
}

// query reads the query of a list call.
func (c collection) query(r *call) (*listing, error) {
	q, err := c.api.listings.read(query{c.kind, r.URL.RawQuery}, c.api.Now())
	if err != nil || q.Sized {
		return q, err
	}
	sized := *q
	sized.PerPage = c.api.Desk.Settings().PageSize()
	if q.Include != "" {
		sized.PerPage = min(sized.PerPage, kind.MaxIncluding)
	}
	return &sized, nil
}

// page returns one page of the list at a path.
func (c collection) page(r *call, q *listing, page kind.Document, path string) *answer {
	return &answer{status: http.StatusOK, records: &page, header: c.pageHeader(r, q, &page, path)}
}

// pageHeader returns the headers with the place of a page in its list.
func (c collection) pageHeader(r *call, q *listing, page *kind.Document, path string) header {
	last := max(1, (page.Total+page.PerPage-1)/page.PerPage)
	h := make(header, 0, maxFields)
	h.add("X-Total-Count", strconv.Itoa(page.Total))
	h.add("X-Total-Pages", strconv.Itoa(last))
	h.add("X-Per-Page", strconv.Itoa(page.PerPage))
	if !q.ByID {
		h.add("X-Current-Page", strconv.Itoa(page.Number))
	}
	address := r.base + path + r.format.Extension()
	h.add("Link", string(r.write(func(b []byte) []byte { return q.appendLinks(b, address, page, last) })))
	return h
}

// get answers with one record.
func (c collection) get(r *call) (*answer, error) {
	id, err := pathID(r, "id", c.kind)
	if err != nil {
		return nil, err
	}
	include, err := c.kind.ParseInclude(r.URL.RawQuery)
	if err != nil {
		return nil, err
	}
	doc, err := c.api.Desk.Renderer().One(r.Context(), r.who, c.kind.Including(include).Single(r.format), id)
	if err != nil {
		return nil, err
	}
	return oneRecord(http.StatusOK, doc), nil
}

// create makes a record from the document sent.
func (c collection) create(r *call) (*answer, error) { return c.createIn(r, nil) }

// createIn makes a record from the document sent, in a place if it is not nil.
func (c collection) createIn(r *call, in *desk.Place) (*answer, error) {
	if err := noQuery(r); err != nil {
		return nil, err
	}
	once, err := r.once()
	if err != nil {
		return nil, err
	}
	rec, replayed, err := c.api.Desk.Create(r.Context(), r.who,
		desk.New{Kind: c.kind.Stored(), Document: r.patch(c.kind), Once: once, Under: in})
	if err != nil {
		return nil, err
	}
	out := c.document(r, http.StatusCreated, rec)
	path := c.kind.PathOf(rec)
	if in != nil && in.Ties() { // the record was there before
		path = in.Parent.PathTo(in.ID, 0) + path
	}
	out.header = madeHeader(r.base+path, replayed)
	return out, nil
}

// update changes a record as the document sent says.
func (c collection) update(r *call) (*answer, error) {
	id, err := c.target(r)
	if err != nil {
		return nil, err
	}
	rec, err := c.api.Desk.Update(r.Context(), r.who, c.change(r, id), r.patch(c.kind))
	if err != nil {
		return nil, err
	}
	out := c.document(r, http.StatusOK, rec)
	if user, ok := rec.(*inventory.User); ok && user.Password != "" {
		out.header.add("X-Tokens-Revoked", strconv.FormatInt(user.TokensRevoked.V, 10))
	}
	return out, nil
}

// delete removes a record and answers with its last document.
func (c collection) delete(r *call) (*answer, error) {
	id, err := c.target(r)
	if err != nil {
		return nil, err
	}
	rec, err := c.api.Desk.Delete(r.Context(), r.who, c.change(r, id))
	if err != nil {
		return nil, err
	}
	return c.document(r, http.StatusOK, rec), nil
}

// merge makes the computer and the one that the document sent names one, and
// answers with that.
func (c collection) merge(r *call) (*answer, error) {
	id, err := c.target(r)
	if err != nil {
		return nil, err
	}
	once, err := r.once()
	if err != nil {
		return nil, err
	}
	rec, replayed, err := c.api.Merges.Merge(r.Context(), r.who,
		merge.Merging{Target: c.change(r, id), Document: r.patch(inventory.Mergings.Schema), Once: once})
	if err != nil {
		return nil, err
	}
	out := c.document(r, http.StatusOK, rec)
	out.header = madeHeader(r.base+c.kind.PathOf(rec), replayed)
	return out, nil
}

// split gives the agent that the document sent names a computer of its own, and
// answers with that.
func (c collection) split(r *call) (*answer, error) {
	id, err := c.target(r)
	if err != nil {
		return nil, err
	}
	once, err := r.once()
	if err != nil {
		return nil, err
	}
	rec, replayed, err := c.api.Agents.Split(r.Context(), r.who,
		agents.Splitting{Target: c.change(r, id), Document: r.patch(inventory.Splittings.Schema), Once: once})
	if err != nil {
		return nil, err
	}
	out := c.document(r, http.StatusCreated, rec)
	out.header = madeHeader(r.base+c.kind.PathOf(rec), replayed)
	return out, nil
}

// answerClaim accepts or refuses a report that waits, and answers with its claim.
func (c collection) answerClaim(say func(context.Context, desk.Caller,
	desk.Target) (*inventory.AgentClaim, error)) handler {
	return func(r *call) (*answer, error) {
		id, err := c.target(r)
		if err != nil {
			return nil, err
		}
		claim, err := say(r.Context(), r.who, c.change(r, id))
		if err != nil {
			return nil, err
		}
		return c.document(r, http.StatusOK, claim), nil
	}
}

// madeHeader returns the headers with the address of a created record, and whether an
// earlier request had created it already.
func madeHeader(address string, replayed bool) (h header) {
	h.add("Location", address+".xml")
	if replayed {
		h.add("Idempotent-Replayed", "true")
	}
	return h
}

// change returns the record that is to be changed, and in which version.
func (c collection) change(r *call, id int64) desk.Target {
	return desk.Target{Kind: c.kind.Stored(), ID: id, If: expected(r.Header, id)}
}

// document answers with a record that was made, changed or deleted.
func (c collection) document(r *call, status int, rec any) *answer {
	return oneRecord(status, c.kind.Single(r.format).Document(rec))
}

// oneRecord answers with the document of one record.
func oneRecord(status int, doc kind.Document) *answer {
	return &answer{status: status, records: &doc, record: recordTag(doc.Items[0].ID, doc.Items[0].Version)}
}

// target returns the id of the record in the path.
func (c collection) target(r *call) (int64, error) {
	id, err := pathID(r, "id", c.kind)
	if err != nil {
		return 0, err
	}
	return id, noQuery(r)
}

// pathID returns the id of a record in the path. Old clients append a name, as in
// /hardwares/158-some-name.
func pathID(r *call, name string, k *kind.Schema) (int64, error) {
	digits, _, _ := strings.Cut(r.PathValue(name), "-")
	id, err := strconv.ParseUint(digits, 10, 63)
	if err != nil || id == 0 {
		return 0, front.Fault(http.StatusNotFound, "there is no %s with the id %q", k.Noun, r.PathValue(name))
	}
	return int64(id), nil
}

// noQuery refuses parameters where none means anything.
func noQuery(r *call) error {
	values, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return front.Fault(http.StatusBadRequest, "the query does not parse: %v", err)
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		return front.Fault(http.StatusBadRequest, "unknown parameter %s", name)
	}
	return nil
}
