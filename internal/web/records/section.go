// Package records shows the records of all kinds: lists with their filters, columns
// and views, single records, forms, search, exports, and bulk changes. It names no
// kind: what a kind has beyond others is in its Section, which package web passes in.
package records

import (
	"net/url"
	"slices"

	"muster/internal/kind"
	"muster/internal/web/activity"
	"muster/internal/web/page"
)

// A Section shows the records of one kind.
type Section struct {
	page.Place
	State     string   // the field with its status or state, "" for none
	Columns   []Column // that lists show at first
	Sort      string   // the query by which lists are sorted at first, "" for the order of ids
	Views     []View
	Facts     []FactGroup // of a record's page and its form; fields that none names come last
	Bulk      []string    // the fields that can be changed of many records at once
	Buttons   []string    // the fields that buttons on a record's page set
	ShortName bool        // the names of records are single words, so that other columns get the room
	People    bool        // the records are those that Person fields refer to
	// Identities are the filters by which a text in the search names a record exactly,
	// number for those that a number names.
	Identities []string
	// Headings are what lists call some fields, where the field's own label says less.
	Headings map[string]string
	Widths   map[string]string
	TabPaths []string              // the lists that a record's page has as tabs, by the paths of their sections
	Among    map[string]url.Values // the users that are suggested for a field, by its name
	Begin    BeginningText         // what an empty list says
	Special
}

// A Special is what the pages of a kind have beyond those of others. What is nil is
// as usual.
type Special struct {
	// ListColumns returns the columns of a list with some filters.
	ListColumns func(usual []Column, values url.Values) []Column
	// ListCell returns a cell of a row.
	ListCell func(c *page.Call, v kind.Values, f *kind.Field, usual page.Cell) page.Cell
	// Feed returns a list in place of a table.
	Feed func(c *page.Call, records []any) []activity.FeedDay

	// RowName returns the name of a record beside others.
	RowName func(rec any) string
	// NameFor returns the name of a record in the person's language.
	NameFor func(c *page.Call, rec any) string
	// FilterName returns by what filters ask for a record.
	FilterName func(rec any) string
	// InputName returns by what forms name a record.
	InputName func(rec any) string

	// Record adds to the page of a record.
	Record func(c *page.Call, p *RecordPage, rec any)
	// Releasable reports whether a person has set a field that reports may set again.
	Releasable func(rec any, f *kind.Field) bool
	// Relations returns further lists of a record, with addresses of their own.
	Relations func(w *page.App) []Related
	// Related returns the lists of one record.
	Related func(c *page.Call, s *Section, rec any, usual []Related) []Related

	// Input changes the input of a field.
	Input func(c *page.Call, in *Input, f *kind.Field)
	// NewForm returns the page of a new record.
	NewForm func(c *page.Call, status int, p *FormPage) (*page.Answer, error)
}

// A BeginningText is what a section without records says: why there is none, and
// what to do first.
type BeginningText struct {
	Title, Text string
	Steps       []page.NavEntry
}

// A Column is a field that lists show.
type Column struct {
	Field string
	// class is that of its cells, which decides where they go on narrow screens:
	// a card has the lead and the state, and one cell each at the left and at the
	// right of a second and a third line; in long lists the state is the left one of
	// the second line.
	Class string
}

// A View is a list that people often want.
type View struct {
	Title string
	Query string // as in the address; {department} is the person's
}

// A FactGroup is a part of a record's page.
type FactGroup struct {
	Title  string
	Fields []string
}

// Sections are those of an application, in the order of the navigation.
type Sections []*Section

// Of returns the section that shows records of a kind, nil for none.
func (all Sections) Of(k *kind.Schema) *Section {
	for _, s := range all {
		if s.Kind == k.Stored() {
			return s
		}
	}
	return nil
}

// people returns the section of the records that Person fields refer to.
func (all Sections) people() *Section {
	return all[slices.IndexFunc(all, func(s *Section) bool { return s.People })]
}

// SectionsOf returns the sections of an application.
func SectionsOf(w *page.App) Sections { return w.Sections.(Sections) }

// SectionOf returns the section of an application that shows records of a kind, nil
// for none.
func SectionOf(w *page.App, k *kind.Schema) *Section { return SectionsOf(w).Of(k) }

// SectionAt returns the section with a path that the program names.
func SectionAt(w *page.App, path string) *Section {
	for _, s := range SectionsOf(w) {
		if s.Path == path {
			return s
		}
	}
	panic("there is no section " + path)
}
