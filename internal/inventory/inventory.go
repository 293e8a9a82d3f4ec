// Package inventory declares the kinds of record of the product, one file
// each: what a computer or a user is, and the rules that concern a record
// alone. A kind is declared once; documents, tables, filters, routes and
// reference follow from it.
package inventory

import "muster/internal/kind"

// Served holds the kinds that the API serves, in the order of the entry-point
// document.
func Served() []*kind.Schema {
	return []*kind.Schema{
		Computers.Schema,
	}
}

// All holds every kind that is stored. Users come first: other kinds refer to
// them. Audit records are written from the first day; neither is served yet.
func All() []*kind.Schema {
	return append([]*kind.Schema{Users.Schema, Audits.Schema}, Served()...)
}
