//go:build volume

package api_test

import (
	"regexp"
	"slices"
	"strings"
)

func (n *node) name() string { return n.XMLName.Local }

// null reports whether an element says that there is no value.
func (n *node) null() bool {
	return len(n.Attrs) == 1 && n.Attrs[0].Name.Local == "nil" && n.Attrs[0].Value == "true" && n.Text == "" &&
		len(n.Nodes) == 0
}

// array reports whether an element is a nested collection.
func (n *node) array() bool {
	return len(n.Attrs) == 1 && n.Attrs[0].Name.Local == "type" && n.Attrs[0].Value == "array"
}

// plainValues are what the values of each type look like; those of other types
// are texts.
var plainValues = map[string]*regexp.Regexp{
	"integer":   regexp.MustCompile(`^[0-9]+$`),
	"decimal":   regexp.MustCompile(`^[0-9]+(\.[0-9]{1,4})?$`),
	"boolean":   regexp.MustCompile(`^(true|false)$`),
	"date":      regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}$`),
	"timestamp": regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$`),
	"address": regexp.MustCompile(`^` + regexp.QuoteMeta(crawlBase) +
		`/[a-z_]+/[0-9]+(/[a-z_]+(/[0-9]+)?)?\.xml(\?view=system)?$`),
	"string": regexp.MustCompile(`(?s).`),
}

// record compares the elements of a record with the reference, and follows its
// addresses.
func (c *crawler) record(where string, n *node, want shape) {
	var names []string
	for _, column := range want {
		names = append(names, column.name)
	}
	if got := n.names(); !slices.Equal(got, names) || len(names) == 0 {
		c.t.Fatalf("%s: %s has %q, want %q", where, n.name(), got, names)
	}
	for i, column := range want {
		c.value(where+", "+column.name, &n.Nodes[i], &column)
	}
}

// value compares one element with the reference.
func (c *crawler) value(where string, n *node, want *column) {
	switch {
	case want.typ == "collection":
		c.collection(where, n, want)
	case n.null():
	case len(n.Attrs) > 0:
		c.t.Errorf("%s: has the attributes %v", where, n.Attrs)
	case want.typ == "person":
		if !slices.Equal(n.names(), want.shows) {
			c.t.Errorf("%s: shows %q, want %q", where, n.names(), want.shows)
		}
	case len(n.Nodes) > 0 || !plainValues[want.typ].MatchString(n.Text):
		c.t.Errorf("%s: got %q with %d children, want a value of the type %s", where, n.Text, len(n.Nodes), want.typ)
	case want.typ == "address":
		c.follow(n.Text)
	}
}

// collection compares a nested collection with the reference.
func (c *crawler) collection(where string, n *node, want *column) {
	if !n.array() || strings.TrimSpace(n.Text) != "" {
		c.t.Errorf("%s: got attributes %v and text %q, want an array", where, n.Attrs, n.Text)
	}
	for i := range n.Nodes {
		if got := n.Nodes[i].name(); got != want.item {
			c.t.Errorf("%s: holds %s, want %s", where, got, want.item)
		}
		c.record(where, &n.Nodes[i], want.items)
	}
}
