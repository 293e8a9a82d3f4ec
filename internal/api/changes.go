package api

import (
	"maps"
	"net/http"
	"slices"

	"muster/internal/desk/trail"
	"muster/internal/front"
	"muster/internal/inventory"
	"muster/internal/kind"
)

// changes answers with one page of the changes of an audit record, which may be more
// than a document of the record shows. They are in the order of the record, and have
// no ids: there are pages, but no filters.
func (c collection) changes(r *call) (*answer, error) {
	id, err := pathID(r, "parent", c.kind)
	if err != nil {
		return nil, err
	}
	items := collection{c.api, inventory.Audits.Field("changes").Items}
	for _, name := range slices.Sorted(maps.Keys(r.URL.Query())) {
		if name != "page" && name != "per_page" {
			return nil, front.Fault(http.StatusBadRequest, "unknown parameter %s", name)
		}
	}
	q, err := items.query(r)
	if err != nil {
		return nil, err
	}
	page, err := trail.Changes(r.Context(), c.api.Desk, r.who, id, &q.Query)
	if err != nil {
		return nil, err
	}
	at := kind.Document{Position: page.Position}
	header := items.pageHeader(r, q, &at, c.kind.PathTo(id, 0)+"/"+items.kind.Path())
	return &answer{status: http.StatusOK, header: header, body: items.kind.AppendList(nil, r.format, r.base, page)}, nil
}
