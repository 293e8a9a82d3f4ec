package page

import (
	"strconv"

	"muster/internal/kind"
)

// A Place is where the application shows the records of a kind.
type Place struct {
	Kind   *kind.Schema
	Path   string // below Root, such as computers
	Icon   string
	Title  string // what people call the records
	Add    string // on the button that makes one, "" where people make none
	Group  string // of the navigation
	Access Access
	Lead   string // the field that names a record
}

// Name returns what a record is called.
func (p *Place) Name(rec any) string {
	if name := p.Kind.Values(rec).Format(p.Kind.Field(p.Lead)); name != "" {
		return name
	}
	return p.Kind.Noun + " " + strconv.FormatInt(p.Kind.Meta(rec).ID, 10)
}

// RecordPath returns the path of a record.
func (p *Place) RecordPath(id int64) string { return "/" + p.Path + "/" + strconv.FormatInt(id, 10) }

// Place returns where the records of a kind are shown, nil for nowhere.
func (w *App) Place(k *kind.Schema) *Place {
	for _, p := range w.Places {
		if p.Kind == k.Stored() {
			return p
		}
	}
	return nil
}
