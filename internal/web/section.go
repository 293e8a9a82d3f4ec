package web

import (
	"net/url"

	"muster/internal/kind"
)

// A section shows the records of one kind.
type section struct {
	place
	state     string   // the field that tells how it is, "" for none
	columns   []column // that lists show at first
	sort      string   // the query by which lists are sorted at first, "" for the order of ids
	views     []view
	facts     []factGroup // of a record's page and its form; fields that none names come last
	bulk      []string    // the fields that can be changed of many records at once
	buttons   []string    // the fields that buttons on a record's page set
	shortName bool        // the names of records are single words, so that other columns get the room
	widths    map[string]string
	tabPaths  []string              // the lists that a record's page has as tabs, by the paths of their sections
	among     map[string]url.Values // the users that are suggested for a field, by its name
	begin     beginningText         // what an empty list says
	special
}

// A special is what the pages of a kind have beyond those of others. What is nil is
// as usual.
type special struct {
	listColumns func(usual []column, values url.Values) []column              // of a list with some filters
	listCell    func(c *call, v kind.Values, f *kind.Field, usual cell) cell  // of a row
	rowName     func(rec any) string                                          // of a record beside others
	record      func(c *call, p *recordPage, rec any)                         // adds to the page of a record
	relations   func(c *call) []related                                       // further lists of a record with addresses of their own; c may be nil
	related     func(c *call, s *section, rec any, usual []related) []related // the lists of one record
	input       func(c *call, in *input, f *kind.Field)                       // changes the input of a field
	newForm     func(c *call, status int, p *formPage) (*answer, error)       // the page of a new record
}

// A beginningText is what a section without records says: why there is none, and
// what to do first.
type beginningText struct {
	title, text string
	steps       []navEntry
}

// A column is a field that lists show.
type column struct {
	field string
	// class is that of its cells, which tells what becomes of them on narrow screens:
	// a card has the lead and the state, and one cell each at the left and at the
	// right of a second and a third line; in long lists the state is the left one of
	// the second line.
	class string
}

// A view is a list that people often want.
type view struct {
	title string
	query string // as in the address; {department} is the person's
}

// A factGroup is a part of a record's page.
type factGroup struct {
	title  string
	fields []string
}

// sections are all kinds that the application shows, in the order of the
// navigation.
var sections []*section

// sectionOf returns the section that shows records of a kind, nil for none.
func sectionOf(k *kind.Schema) *section {
	for _, s := range sections {
		if s.kind == k.Stored() {
			return s
		}
	}
	return nil
}
