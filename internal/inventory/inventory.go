// Package inventory declares the kinds of record, one file each. A kind that is listed here has its table,
// documents, filters, validation, audit and tests; one that is served has its addresses too. What all kinds
// share does not belong here, but in package kind; nor do rules about changes, which are in package desk.
package inventory

import "muster/internal/kind"

// Served returns every kind that has its own addresses, in the order of the entry point.
func Served() []*kind.Schema {
	return []*kind.Schema{
		Computers.Schema, Tickets.Schema, Risks.Schema, Contracts.Schema, Softwares.Schema, Solutions.Schema,
		OtherAssets.Schema, Vendors.Schema, Printers.Schema, Audits.Schema, Incidents.Schema, Users.Schema,
		AgentClaims.Schema,
	}
}

// All returns every kind that is stored, each after those that it refers to.
func All() []*kind.Schema {
	return []*kind.Schema{
		Users.Schema, Audits.Schema, Computers.Schema, OtherAssets.Schema, Vendors.Schema, Printers.Schema,
		Softwares.Schema,
		Tickets.Schema, Comments.Schema, Risks.Schema, Contracts.Schema, Solutions.Schema, AgentClaims.Schema,
	}
}

// Find returns the stored kind whose records have an element name, nil when there is none.
func Find(item string) *kind.Schema {
	for _, k := range All() {
		if k.Item == item {
			return k
		}
	}
	return nil
}
