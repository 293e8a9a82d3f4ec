package access

import (
	"crypto/rand"
	"strings"
	"unicode/utf8"

	"muster/internal/desk"
	"muster/internal/guess"
	"muster/internal/inventory"
	"muster/internal/message"
)

// maxOrganisation is the longest name of an organisation in characters.
const maxOrganisation = 200

// organisation is whose the installation is: passwords must not contain its name.
var organisation = desk.NewSetting("organisation",
	"name of the organisation, which no new password may hold; several are separated by commas",
	func(text string) (any, string, error) {
		name := strings.TrimSpace(text)
		switch {
		case name != "" && !desk.IsLine(name):
			return nil, "", message.Says("must be text of one line in UTF-8")
		case utf8.RuneCountInString(name) > maxOrganisation:
			return nil, "", message.Says("is too long (maximum is %d characters)", maxOrganisation)
		}
		return name, name, nil
	})

// guessFault returns why a new password of a user would be guessed soon, nothing if it would not.
func (p *passwords) guessFault(user *inventory.User, password string) (fault message.Predicate) {
	name, domain, _ := strings.Cut(user.Email, "@")
	if dot := strings.LastIndexByte(domain, '.'); dot > 0 {
		domain = domain[:dot]
	}
	owner, _ := p.desk.Settings().Value(&organisation).(string)
	if part := guess.Holds(password, user.FirstName, user.LastName, name, domain, owner); part != "" {
		return message.Says("must not hold %q: names, addresses and organisations are guessed first", part)
	}
	if guess.IsCommon(password) {
		return message.Says("is among those that are guessed first, whatever digits and marks it has: " +
			"take a few words that have nothing to do with each other")
	}
	return fault
}

// generate returns a password for a user that nobody guesses.
func (p *passwords) generate(user *inventory.User) string {
	for {
		if password := rand.Text(); p.guessFault(user, password).IsZero() { // by chance it may contain a short name
			return password
		}
	}
}
