package web

import (
	"net/url"
	"slices"
	"strings"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/kind"
)

// softwareName returns the name of a program with its version.
func softwareName(rec any) string {
	program := rec.(*inventory.Software)
	return strings.TrimSpace(program.Name + " " + program.Version)
}

// softwareRelations are the licences of a program.
func softwareRelations(*call) []related {
	return []related{{of: sectionOf(desk.Licences.Kind), title: msg("Licences"), path: desk.Licences.Name, relation: desk.Licences}}
}

// softwareRelated adds the other versions of a program.
func softwareRelated(_ *call, s *section, rec any, usual []related) []related {
	return append(usual, related{of: s, title: msg("Versions of this name"), query: url.Values{"name": {rec.(*inventory.Software).Name}}})
}

// contractRelations are the computers that use a licence, as it counts them, and the
// programs that it covers.
func contractRelations(c *call) []related {
	use := related{of: sectionOf(desk.Using.Kind), title: msg("Computers that use it"), path: desk.Using.Name, relation: desk.Using}
	if c != nil {
		gone := func(status string) bool { return slices.Contains(inventory.Gone, status) }
		all := slices.Clone(c.web.Desk.Allowed(inventory.Computers.Field("status")))
		use.query = url.Values{"status": slices.DeleteFunc(all, gone)}
	}
	return []related{use, {of: sectionOf(desk.Licensed.Kind), title: msg("Programs covered"), path: desk.Licensed.Name, relation: desk.Licensed}}
}

// contractRelated leaves these lists out of contracts that are no licences.
func contractRelated(_ *call, _ *section, rec any, usual []related) []related {
	if rec.(*inventory.Contract).Type == inventory.SoftwareLicense {
		return usual
	}
	return slices.DeleteFunc(usual, func(r related) bool { return r.relation == desk.Using || r.relation == desk.Licensed })
}

// userRelated adds the tickets and assets of a person.
func userRelated(_ *call, _ *section, rec any, usual []related) []related {
	mail := []string{rec.(*inventory.User).Email}
	of := func(k *kind.Schema, title, filter string) related {
		return related{of: sectionOf(k), title: title, query: url.Values{filter: mail}}
	}
	return append(usual,
		of(inventory.Tickets.Schema, msg("Tickets asked for"), "requester"), of(inventory.Tickets.Schema, msg("Tickets assigned"), "assignee"),
		of(inventory.Computers.Schema, msg("Computers"), "owner"), of(inventory.OtherAssets.Schema, msg("Other assets"), "owner"))
}

// contractInput explains the items of a licence.
func (c *call) contractInput(in *input, f *kind.Field) {
	if f.Name == "items" {
		in.Hint = c.t("Of a software licence, the name is that of the program whose installations count, as the software list has it, and the quantity is the number of seats.")
	}
}

// articleInput lets the text of an article be written in Markdown.
func (c *call) articleInput(in *input, f *kind.Field) { in.Markdown = f.Name == "description" }
