package demo

import (
	"cmp"

	"muster/internal/inventory"
)

// A member is a person of the organisation. The mailbox is what stands before the @ of the address.
type member struct {
	Mailbox, First, Last, Title string
	Department, Site            string
	Account                     string // what is special about it
	site                        *site
}

// roles are those of accounts that are not requesters'.
var roles = map[string]string{"technician": inventory.Technician, "administrator": inventory.Administrator}

// user returns the account of a member, who is the i-th.
func (m *member) user(i int) *inventory.User {
	extension := padded(10+i, 2)
	u := inventory.Users.New()
	u.Email = m.email()
	u.FirstName, u.LastName, u.Title = m.First, m.Last, m.Title
	u.Department, u.Site = m.Department, m.Site
	u.Phone = m.site.Phone + extension
	if i%2 == 0 && m.site.Mobile != "" {
		u.MobilePhone = m.site.Mobile + extension
	}
	u.Role = cmp.Or(roles[m.Account], u.Role)
	u.ReadOnly.V, u.Disabled.V = m.Account == "read-only", m.Account == "disabled"
	inventory.Users.Settle(u, nil)
	return u
}

func (m *member) email() string { return m.Mailbox + "@" + domain }
