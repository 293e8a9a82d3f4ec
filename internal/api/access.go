package api

import (
	"maps"
	"net/http"
	"slices"
	"strings"

	"muster/internal/front"
	"muster/internal/inventory"
)

// An accessList serves the sessions or the tokens of all users to administrators.
type accessList struct{ collection }

// accessRoutes are the paths of sessions and tokens, which are made elsewhere and can
// only be ended here.
func (a *API) accessRoutes() {
	for _, k := range inventory.Accesses() {
		c, path := accessList{collection{a, k}}, "/"+k.Path()
		a.route(path, verbs{"GET": c.list})
		a.route(path+"/{id}", verbs{"GET": c.get, "DELETE": c.end})
	}
}

// accessParams are the parameters of such a list. It has no search and is ordered by id.
var accessParams = []string{"after", "page", "per_page", "user"}

// list answers with one page of sessions or tokens.
func (c accessList) list(r *call) (*answer, error) {
	for _, name := range slices.Sorted(maps.Keys(r.URL.Query())) {
		if !slices.Contains(accessParams, strings.TrimSuffix(name, "[]")) {
			return nil, front.Fault(http.StatusBadRequest, "unknown parameter %s", name)
		}
	}
	q, err := c.query(r)
	if err != nil {
		return nil, err
	}
	page, err := c.api.Access.List(r.Context(), r.who, c.kind, &q.Query)
	if err != nil {
		return nil, err
	}
	return c.page(r, q, c.listed(r, "").Page(page), "/"+c.kind.Path()), nil
}

// get answers with one session or token.
func (c accessList) get(r *call) (*answer, error) {
	id, err := c.target(r)
	if err != nil {
		return nil, err
	}
	rec, err := c.api.Access.Get(r.Context(), r.who, c.kind, id)
	if err != nil {
		return nil, err
	}
	return c.document(r, http.StatusOK, rec), nil
}

// end ends a session or revokes a token, and answers with its last document.
func (c accessList) end(r *call) (*answer, error) {
	id, err := c.target(r)
	if err != nil {
		return nil, err
	}
	rec, err := c.api.Access.End(r.Context(), r.who, c.change(r, id))
	if err != nil {
		return nil, err
	}
	return c.document(r, http.StatusOK, rec), nil
}
