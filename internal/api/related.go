package api

import (
	"net/http"

	"muster/internal/desk"
	"muster/internal/kind"
)

// A related serves the list of records that belong to a record of another kind.
type related struct {
	collection
	*desk.Relation
	parent *kind.Schema // as it is shown
}

// place returns the list that the path names.
func (c related) place(r *call) (p desk.Place, err error) {
	p.Relation = c.Relation
	p.ID, err = pathID(r, "parent", c.parent)
	return p, err
}

// one returns the list that the path names, and the id of a record in it.
func (c related) one(r *call) (p desk.Place, id int64, err error) {
	if p, err = c.place(r); err == nil {
		id, err = c.target(r)
	}
	return p, id, err
}

// list answers with one page of records.
func (c related) list(r *call) (*answer, error) {
	p, err := c.place(r)
	if err != nil {
		return nil, err
	}
	q, err := c.query(r)
	if err != nil {
		return nil, err
	}
	page, err := c.api.Desk.ListOf(r.Context(), r.who, p, &q.Query)
	if err != nil {
		return nil, err
	}
	return c.page(r, q, c.listed(r, q.Include).Page(page), c.parent.PathTo(p.ID, 0)+"/"+c.Name), nil
}

// get answers with one record.
func (c related) get(r *call) (*answer, error) {
	p, id, err := c.one(r)
	if err != nil {
		return nil, err
	}
	rec, err := c.api.Desk.GetOf(r.Context(), r.who, p, id)
	if err != nil {
		return nil, err
	}
	return c.document(r, http.StatusOK, rec), nil
}

// create makes a record from the document sent.
func (c related) create(r *call) (*answer, error) {
	p, err := c.place(r)
	if err != nil {
		return nil, err
	}
	return c.createIn(r, &p)
}

// delete takes a record out of the list and answers with its last document.
func (c related) delete(r *call) (*answer, error) {
	p, id, err := c.one(r)
	if err != nil {
		return nil, err
	}
	rec, err := c.api.Desk.Untie(r.Context(), r.who, p, c.change(r, id))
	if err != nil {
		return nil, err
	}
	return c.document(r, http.StatusOK, rec), nil
}
