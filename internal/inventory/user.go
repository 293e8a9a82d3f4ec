package inventory

import (
	"strings"
	"time"

	"muster/internal/kind"
)

// Roles of users.
const (
	Administrator = "administrator"
	Technician    = "technician"
	Requester     = "requester"
)

// A User is a person, or a program, that may sign in.
type User struct {
	kind.Record
	Email               string // also the user name, in lower case
	FirstName, LastName string
	Name                string // derived from the names, else the address
	Phone, MobilePhone  string
	Title               string
	Department, Site    string
	Role                string
	ReadOnly, Disabled  kind.Bool
	LastLogin           time.Time
	Password            string    // to be set, else ""
	KeepTokens          kind.Bool // with the password
	TokensRevoked       kind.Int  // with the password, set by the desk
}

// Users is the kind of users.
var Users = kind.Define("user", "users", "Users List", func(u *User, f *kind.Fields) {
	f.Record(&u.Record)
	f.Text("email", &u.Email).Required().Unique().Filter()
	f.Text("first-name", &u.FirstName).Filter().Rare()
	f.Text("last-name", &u.LastName).Filter().Rare()
	f.Text("name", &u.Name).ReadOnly()
	f.Text("phone", &u.Phone)
	f.Text("mobile-phone", &u.MobilePhone)
	f.Text("title", &u.Title)
	f.Text("department", &u.Department).Named().Filter()
	f.Text("site", &u.Site).Named().Filter()
	f.Text("role", &u.Role).Required().OneOf(Administrator, Technician, Requester).Default(Requester).Filter()
	f.Bool("read-only", &u.ReadOnly).Filter()
	f.Bool("disabled", &u.Disabled).Filter()
	f.Time("last-login", &u.LastLogin).ReadOnly()
	f.Stamps(&u.Record)
	f.Text("password", &u.Password).Secret()
	f.Bool("keep-tokens", &u.KeepTokens).Secret()
	f.Int("tokens-revoked", &u.TokensRevoked).Hidden().Computed()
	kind.Settle(f, (*User).settle)
})

// settle derives the name, and gives each flag a value.
func (u *User) settle(*User) {
	u.Email = strings.ToLower(strings.TrimSpace(u.Email))
	u.Name = strings.TrimSpace(strings.TrimSpace(u.FirstName) + " " + strings.TrimSpace(u.LastName))
	if u.Name == "" {
		u.Name = u.Email
	}
	u.ReadOnly.Valid, u.Disabled.Valid = true, true
}

// Person returns the reference to the user.
func (u *User) Person() kind.Person {
	return kind.Person{
		ID: u.ID, Email: u.Email, Name: u.Name,
		FirstName: u.FirstName, LastName: u.LastName, Phone: u.Phone, LastLogin: u.LastLogin,
	}
}
