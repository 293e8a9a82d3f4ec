package web

import (
	"net/url"
	"slices"
	"strings"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/web/lang"
	"muster/internal/web/page"
	"muster/internal/web/records"
)

// softwareName returns the name of a program with its version.
func softwareName(rec any) string {
	program := rec.(*inventory.Software)
	return strings.TrimSpace(program.Name + " " + program.Version)
}

// softwareRelations are the licences of a program.
func softwareRelations(w *page.App) []records.Related {
	return []records.Related{
		{Of: records.SectionOf(w, desk.Licences.Kind), Title: lang.Msg("Licences"), Path: desk.Licences.Name,
			Relation: desk.Licences},
	}
}

// softwareRelated adds the other versions of a program.
func softwareRelated(_ *page.Call, s *records.Section, rec any, usual []records.Related) []records.Related {
	return append(usual, records.Related{Of: s, Title: lang.Msg("Versions of this name"), Query: url.Values{
		"name": {rec.(*inventory.Software).Name},
	}})
}

// contractRelations are the computers that use a licence, as it counts them, and the
// programs that it covers.
func contractRelations(w *page.App) []records.Related {
	use := records.Related{Of: records.SectionOf(w, desk.Using.Kind), Title: lang.Msg("Computers that use it"),
		Path: desk.Using.Name, Relation: desk.Using}
	gone := func(status string) bool { return slices.Contains(inventory.Gone, status) }
	all := slices.Clone(w.Desk.Settings().Allowed(inventory.Computers.Field("status")))
	use.Query = url.Values{"status": slices.DeleteFunc(all, gone)}
	return []records.Related{
		use, {Of: records.SectionOf(w, desk.Licensed.Kind), Title: lang.Msg("Programs covered"),
			Path: desk.Licensed.Name, Relation: desk.Licensed},
	}
}

// contractRelated leaves these lists out of contracts that are not licences.
func contractRelated(_ *page.Call, _ *records.Section, rec any, usual []records.Related) []records.Related {
	if rec.(*inventory.Contract).Type == inventory.SoftwareLicense {
		return usual
	}
	return slices.DeleteFunc(usual, func(r records.Related) bool {
		return r.Relation == desk.Using ||
			r.Relation == desk.Licensed
	})
}

// userRelated adds the tickets and assets of a person.
func userRelated(c *page.Call, _ *records.Section, rec any, usual []records.Related) []records.Related {
	mail := []string{rec.(*inventory.User).Email}
	of := func(k *kind.Schema, title, filter string) records.Related {
		return records.Related{Of: records.SectionOf(c.App, k), Title: title, Query: url.Values{filter: mail}}
	}
	return append(usual,
		of(inventory.Tickets.Schema, lang.Msg("Tickets requested"), "requester"),
		of(inventory.Tickets.Schema, lang.Msg("Tickets assigned"), "assignee"),
		of(inventory.Computers.Schema, lang.Msg("Computers"), "owner"),
		of(inventory.OtherAssets.Schema, lang.Msg("Other assets"), "owner"))
}

// userAddress returns by what filters ask for a person.
func userAddress(rec any) string { return rec.(*inventory.User).Email }

// userTitle returns by what forms name a person.
func userTitle(rec any) string {
	p := rec.(*inventory.User).Person()
	return p.Title()
}

// contractInput explains the items of a licence.
func contractInput(c *page.Call, in *records.Input, f *kind.Field) {
	if f.Name == "items" {
		in.Hint = c.T("For a software licence, the name must be that of the program in the software list, and the quantity is the number of seats.")
	}
}

// articleInput lets the text of an article be written in Markdown.
func articleInput(c *page.Call, in *records.Input, f *kind.Field) {
	in.Markdown = f.Name == "description"
}
