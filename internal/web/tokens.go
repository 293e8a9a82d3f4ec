package web

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"muster/internal/desk"
	"muster/internal/door"
	"muster/internal/message"
)

// A tokenRow is a token as lists show it.
type tokenRow struct {
	ID        int64
	Name      string
	User      string // whose rights it has
	Person    cell   // the same, where it leads to all of theirs
	Address   string // from which it was last used
	ReadOnly  bool
	State     string // why it is good for nothing, "" when it is good
	CreatedAt *moment
	Expires   *moment
	LastUsed  *moment
}

// tokenRows returns tokens as lists show them.
func (c *call) tokenRows(tokens []*desk.Token) (rows []tokenRow) {
	for _, t := range tokens {
		row := tokenRow{
			ID: t.ID, Name: t.Name, User: t.Email, ReadOnly: t.ReadOnly || t.Reader, Address: t.Address,
			CreatedAt: c.moment(t.CreatedAt), Expires: c.moment(t.Expires), LastUsed: c.moment(t.LastUsed),
		}
		switch {
		case t.Ended(c.web.Now()):
			row.State = c.t("Ended")
		case t.Disabled:
			row.State = c.t("User disabled")
		}
		rows = append(rows, row)
	}
	return rows
}

// A tokenForm asks for a new token.
type tokenForm struct {
	Action   string
	Inputs   []input
	ReadOnly bool
	Fault    string
}

// tokenDays are the times that tokens are made for, in days; 0 is for ever.
var tokenDays = []int{30, 90, 365, 0}

// tokenForm returns the form of a new token, with what was sent before.
func (c *call) tokenForm(action string, forUser bool, fault string) tokenForm {
	f := tokenForm{Action: action, ReadOnly: c.form.Get("read-only") == "true", Fault: fault}
	if forUser {
		f.Inputs = append(f.Inputs, input{ID: "token-user", Name: "user", Label: c.t("User"), Look: "text", Value: c.form.Get("user"), Required: true, Hint: c.t("Email address of the user whose rights it has")})
	}
	f.Inputs = append(f.Inputs, input{ID: "token-name", Name: "name", Label: c.t("Name"), Look: "text", Value: c.form.Get("name"), Required: true, Hint: c.t("What it is for, such as “nightly export”"), First: fault != ""})
	days := input{ID: "token-days", Name: "days", Label: c.t("Good for"), Look: "select", Required: true}
	for i, n := range tokenDays {
		value := strconv.Itoa(n)
		days.Options = append(days.Options, option{value, c.tokenTime(n), value == c.form.Get("days") || i == 1 && !c.form.Has("days")})
	}
	f.Inputs = append(f.Inputs, days)
	return f
}

// tokenTime tells for how many days a token is good.
func (c *call) tokenTime(days int) string {
	switch days {
	case 0:
		return c.t("Always, until it is revoked")
	case 365:
		return c.t("A year")
	}
	return c.tn(days, "%s day", "%s days")
}

// newToken reads the form of a new token.
func (c *call) newToken(email string) (n desk.NewToken, err error) {
	n = desk.NewToken{Email: email, Name: c.form.Get("name"), ReadOnly: c.form.Get("read-only") == "true"}
	days, err := strconv.Atoi(c.form.Get("days"))
	if err != nil || days < 0 || days > 3650 {
		return n, door.Fault(http.StatusBadRequest, "%s must be a number up to %d", message.Word("days"), 3650)
	}
	if days > 0 {
		n.Expires = c.web.Now().Add(time.Duration(days) * 24 * time.Hour)
	}
	return n, nil
}

// showToken shows the secret of a new token.
func (c *call) showToken(here, back string, n desk.NewToken, secret string) (*answer, error) {
	return c.showOnce(here, oncePage{
		Title: c.t("Token %s", strings.TrimSpace(n.Name)), Back: back, Secrets: []string{secret},
		About: c.t("Copy it now: it is shown this once and kept nowhere. Whoever has it can do with the API what %s may.", n.Email),
		Lines: []onceLine{{"line-curl", c.t("Try it"), c.curl("--oauth2-bearer " + secret)}},
	})
}

// curl returns a line that asks the API for computers.
func (c *call) curl(credentials string) string {
	return "curl " + credentials + c.trust() + " " + c.web.Hosts.Base(c.Request) + "/hardwares.xml"
}

// askRevoke asks before a token is revoked, of those that the person may see. They
// are below a path, and their list is at another.
func (c *call) askRevoke(here, below, list string) (*answer, error) {
	tokens, err := c.web.Desk.Tokens(c.Context(), c.who(), "")
	if err != nil {
		return nil, err
	}
	for _, t := range tokens {
		if strconv.FormatInt(t.ID, 10) == c.PathValue("id") {
			return c.confirm(here, confirmPage{
				Title: c.t("Revoke the token %s?", t.Name), Do: c.t("Revoke token"), Keep: c.t("Keep"), Back: list,
				Action: below + "/" + c.PathValue("id") + "/revoke",
				Texts:  []string{c.t("Programs that use it are refused from then on. It acts for %s. This cannot be undone; a new token can be made.", t.Email)},
			})
		}
	}
	return nil, c.web.missing(c.Request)
}

// revoke ends the token of the path.
func (c *call) revoke(list string) (*answer, error) {
	if _, err := strconv.ParseInt(c.PathValue("id"), 10, 64); err != nil {
		return nil, c.web.missing(c.Request)
	}
	if err := c.web.Desk.RevokeTokens(c.Context(), c.who(), []string{c.PathValue("id")}); err != nil {
		return nil, err
	}
	c.say(c.t("The token was revoked"))
	return c.goTo(list)
}
