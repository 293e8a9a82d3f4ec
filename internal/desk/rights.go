package desk

import (
	"muster/internal/inventory"
	"muster/internal/kind"
)

// owners name the person whose record it is: the field by which a requester
// sees records of a kind. Of kinds that are not here they see none.
var owners = map[*kind.Schema]*kind.Field{
	inventory.Computers.Schema: inventory.Computers.Field("owner"),
}

// visible returns the conditions that narrow a list to what the user may see,
// or a refusal when that is nothing of the kind.
func visible(user *inventory.User, k *kind.Schema) ([]kind.Cond, error) {
	switch user.Role {
	case inventory.Administrator, inventory.Technician:
		return nil, nil
	case inventory.Requester:
		if owner := owners[k]; owner != nil {
			own := kind.Test{Range: true, Min: user.ID, Max: user.ID}
			return []kind.Cond{{Field: owner, Any: []kind.Test{own}}}, nil
		}
	}
	return nil, refuse(Forbidden, "a %s may not see %s records", user.Role, k.Noun)
}

// sees reports whether the user may see a record: whether it meets the
// conditions of visible.
func sees(user *inventory.User, k *kind.Schema, rec any) bool {
	conds, err := visible(user, k)
	if err != nil {
		return false
	}
	for _, c := range conds {
		if k.Values(rec).Person(c.Field).ID != c.Any[0].Min {
			return false
		}
	}
	return true
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
