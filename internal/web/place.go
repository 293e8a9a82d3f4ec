package web

import (
	"strconv"

	"muster/internal/kind"
)

// A place is where the application shows the records of a kind.
type place struct {
	kind   *kind.Schema
	path   string // below Root, such as computers
	icon   string
	title  string // what people call the records
	add    string // on the button that makes one, "" where people make none
	group  string // of the navigation
	access access
	lead   string // the field that names a record
}

// name returns what a record is called.
func (p *place) name(rec any) string {
	if name := p.kind.Values(rec).Format(p.kind.Field(p.lead)); name != "" {
		return name
	}
	return p.kind.Noun + " " + strconv.FormatInt(p.kind.Meta(rec).ID, 10)
}

// recordPath returns the path of a record.
func (p *place) recordPath(id int64) string { return "/" + p.path + "/" + strconv.FormatInt(id, 10) }

// place returns where the records of a kind are shown, nil for nowhere.
func (w *Web) place(k *kind.Schema) *place {
	for _, p := range w.places {
		if p.kind == k.Stored() {
			return p
		}
	}
	return nil
}
