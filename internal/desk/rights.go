// What each role may see and do, and the words in which it is refused.

package desk

import (
	"slices"
	"strings"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/message"
)

// A Verb is what somebody wants to do with records of a kind.
type Verb uint8

// What may be done.
const (
	Creating Verb = iota
	Changing
	Deleting
)

// A grant is what requesters may do with records of a kind. Administrators may
// do everything, technicians all but what adminOnly names.
type grant struct {
	// sees returns the conditions of which one must hold for a record that they
	// see; nil when they see none.
	sees func(u *inventory.User) []kind.Cond
	// create and change are the fields that they may set.
	create, change []string
	// values are those that a field may be changed to.
	values map[string][]string
}

// grants has a row for each kind that requesters may see something of. Their lists of
// such a kind are narrowed to what they see; those of any other are refused.
var grants = map[*kind.Schema]grant{
	inventory.Computers.Schema: {sees: named(inventory.Computers.Schema, "owner")},
	inventory.Tickets.Schema: {
		sees:   named(inventory.Tickets.Schema, "requester", "created-by"),
		create: []string{"name", "description", "category", "subcategory", "priority", "hardwares"},
		change: []string{"state"},
		values: map[string][]string{"state": {inventory.TicketClosed, inventory.TicketNew}},
	},
	inventory.Comments.Schema: { // of a ticket that they see
		sees:   having(inventory.Comments.Schema, "is-private", kind.Test{Range: true}),
		create: []string{"body"},
	},
	inventory.Solutions.Schema: {
		sees: having(inventory.Solutions.Schema, "state", kind.Test{Text: []string{inventory.SolutionPublished}}),
	},
	inventory.Users.Schema: {sees: func(u *inventory.User) []kind.Cond {
		return []kind.Cond{{Field: inventory.Users.Field("id"), Any: []kind.Test{OnlyID(u.ID)}}}
	}},
}

// adminOnly are the kinds that administrators alone change. The pages of these are for
// administrators alone as well: Section.Complete in internal/web/records/usual.go.
var adminOnly = append(inventory.Accesses(), inventory.Users.Schema)

// ForAdministrators reports whether administrators alone change records of a kind.
func ForAdministrators(k *kind.Schema) bool { return slices.Contains(adminOnly, k) }

// named returns the condition that one of the fields names the user.
func named(k *kind.Schema, fields ...string) func(*inventory.User) []kind.Cond {
	return func(u *inventory.User) (conds []kind.Cond) {
		for _, name := range fields {
			conds = append(conds, kind.Cond{Field: k.Field(name), Any: []kind.Test{OnlyID(u.ID)}})
		}
		return conds
	}
}

// having returns the condition that a field passes a test.
func having(k *kind.Schema, field string, test kind.Test) func(*inventory.User) []kind.Cond {
	return func(*inventory.User) []kind.Cond {
		return []kind.Cond{{Field: k.Field(field), Any: []kind.Test{test}}}
	}
}

// OnlyID is the test for one id.
func OnlyID(id int64) kind.Test { return kind.Test{Range: true, Min: id, Max: id} }

// Limited reports whether a user may only see and do what grants allow. A nil user is the
// program itself, which is not limited.
func Limited(user *inventory.User) bool {
	return user != nil && user.Role != inventory.Administrator && user.Role != inventory.Technician
}

// Visible returns the conditions of which one holds for each record that the
// user may see, none for all, or a refusal when they may see nothing of the
// kind.
func Visible(user *inventory.User, k *kind.Schema) ([]kind.Cond, error) {
	if !Limited(user) {
		return nil, nil
	}
	if g, ok := grants[k]; ok {
		return g.sees(user), nil
	}
	return nil, Refuse(Forbidden, "a %s may not see %s", message.Word(user.Role), message.Word(RecordsOf(k)))
}

// sees reports whether the user may see a record.
func sees(user *inventory.User, k *kind.Schema, rec any) bool {
	conds, err := Visible(user, k)
	if err != nil {
		return false
	}
	return len(conds) == 0 || slices.ContainsFunc(conds, func(c kind.Cond) bool { return k.Matches(c, rec) })
}

// May returns a refusal when the user may not do something with any record of
// the kind; that they may see the record is checked before.
func May(user *inventory.User, v Verb, k *kind.Schema) error {
	g := grants[k]
	switch {
	case user.Disabled.V:
		return Refuse(Forbidden, "the user %s is disabled", user.Email)
	case user.ReadOnly.V:
		return Refuse(Forbidden, "the user %s may only read", user.Email)
	case user.Role == inventory.Administrator,
		user.Role == inventory.Technician && !ForAdministrators(k),
		user.Role == inventory.Requester && (v == Creating && g.create != nil || v == Changing && g.change != nil):
		return nil
	}
	role, some := message.Word(user.Role), message.Word(RecordsOf(k))
	switch v {
	case Creating:
		return Refuse(Forbidden, "a %s may not create %s", role, some)
	case Changing:
		return Refuse(Forbidden, "a %s may not change %s", role, some)
	}
	return Refuse(Forbidden, "a %s may not delete %s", role, some)
}

// RecordsOf returns what people call the records of a kind.
func RecordsOf(k *kind.Schema) string { return strings.TrimSuffix(k.Noun, " record") + " records" }

// maySet returns a refusal when a document sets a field that the user may not
// set. It says the same whatever the document refers to: whether there is such
// a person is nothing that a refusal may reveal.
func maySet(user *inventory.User, k *kind.Schema, patch *kind.Patch, isNew bool) error {
	g := grants[k]
	allowed := g.change
	if isNew {
		allowed = g.create
	}
	for _, f := range patch.Named() {
		if isNew && patch.Clears(f) {
			continue // an empty value is none
		}
		if !slices.Contains(allowed, f.Name) {
			return Refuse(Forbidden, "a %s may not set %s of a %s", message.Word(user.Role), message.Word(f.Name),
				message.Word(k.Noun))
		}
		if values, to := g.values[f.Name], patch.Format(f); values != nil && to != "" && !slices.Contains(values, to) {
			return Refuse(Forbidden, "a %s may not set %s of a %s to %s", message.Word(user.Role),
				message.Word(f.Name), message.Word(k.Noun), message.Word(to))
		}
	}
	return nil
}
