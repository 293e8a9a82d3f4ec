package desk

import (
	"muster/internal/inventory"
	"muster/internal/kind"
)

// visible returns the conditions that narrow a list to what the user may see,
// or a refusal when that is nothing of the kind.
func visible(user *inventory.User, k *kind.Schema) ([]kind.Cond, error) {
	switch {
	case user.Role != inventory.Requester:
		return nil, nil
	case k == inventory.Computers.Schema:
		own := kind.Test{Range: true, Min: user.ID, Max: user.ID}
		return []kind.Cond{{Field: k.Field("owner"), Any: []kind.Test{own}}}, nil
	}
	return nil, refuse(Forbidden, "you may not see %s records", k.Noun)
}

// sees reports whether the user may see a record.
func sees(user *inventory.User, rec any) bool {
	if user.Role != inventory.Requester {
		return true
	}
	c, ok := rec.(*inventory.Computer)
	return ok && c.Owner.ID == user.ID
}

// mayChange returns a refusal when the user may not create, change or delete
// records of the kind; that they may see the record is checked before.
func mayChange(user *inventory.User, k *kind.Schema) error {
	switch {
	case user.Disabled.V:
		return refuse(Forbidden, "the user %s is disabled", user.Email)
	case user.ReadOnly.V:
		return refuse(Forbidden, "the user %s may only read", user.Email)
	case user.Role == inventory.Administrator:
		return nil
	case user.Role == inventory.Technician && k != inventory.Users.Schema:
		return nil
	}
	return refuse(Forbidden, "a %s may not change %s records", user.Role, k.Noun)
}
