package account

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"muster/internal/desk"
	"muster/internal/desk/access"
	"muster/internal/front"
	"muster/internal/message"
	"muster/internal/web/page"
	"muster/internal/web/records"
)

// A TokenRow is a token as lists show it.
type TokenRow struct {
	ID        int64
	Name      string
	User      string    // whose rights it has
	Person    page.Cell // the same, where it leads to all of theirs
	Address   string    // from which it was last used
	ReadOnly  bool
	State     string // why it is good for nothing, "" when it is good
	CreatedAt *page.Moment
	Expires   *page.Moment
	LastUsed  *page.Moment
}

// TokenRows returns tokens as lists show them.
func TokenRows(c *page.Call, tokens []*desk.Token) (rows []TokenRow) {
	for _, t := range tokens {
		row := TokenRow{
			ID: t.ID, Name: t.Name, User: t.Email, ReadOnly: t.ReadOnly || t.Reader, Address: t.Address,
			CreatedAt: c.Moment(t.CreatedAt), Expires: c.Moment(t.Expires), LastUsed: c.Moment(t.LastUsed),
		}
		switch {
		case t.Ended(c.App.Now()):
			row.State = c.T("Ended")
		case t.Disabled:
			row.State = c.T("User disabled")
		}
		rows = append(rows, row)
	}
	return rows
}

// A TokenForm asks for a new token.
type TokenForm struct {
	Action   string
	Inputs   []records.Input
	ReadOnly bool
	Fault    string
}

// tokenDays are the times that tokens are made for, in days; 0 is for ever.
var tokenDays = []int{30, 90, 365, 0}

// NewTokenForm returns the form of a new token, with what was sent before.
func NewTokenForm(c *page.Call, action string, forUser bool, fault string) TokenForm {
	f := TokenForm{Action: action, ReadOnly: c.Form.Get("read-only") == "true", Fault: fault}
	if forUser {
		f.Inputs = append(f.Inputs,
			records.Input{ID: "token-user", Name: "user", Label: c.T("User"), Look: "text", Value: c.Form.Get("user"),
				Required: true, Hint: c.T("Email address of the user whose rights it gets")})
	}
	f.Inputs = append(f.Inputs,
		records.Input{ID: "token-name", Name: "name", Label: c.T("Name"), Look: "text", Value: c.Form.Get("name"),
			Required: true, Hint: c.T("What it is for, such as “nightly export”"), First: fault != ""})
	days := records.Input{ID: "token-days", Name: "days", Label: c.T("Valid for"), Look: "select", Required: true}
	for i, n := range tokenDays {
		value := strconv.Itoa(n)
		days.Options = append(days.Options, records.Option{
			Value: value, Label: tokenTime(c, n), Chosen: value == c.Form.Get("days") || i == 1 && !c.Form.Has("days"),
		})
	}
	f.Inputs = append(f.Inputs, days)
	return f
}

// tokenTime returns for how many days a token is valid, as a text.
func tokenTime(c *page.Call, days int) string {
	switch days {
	case 0:
		return c.T("Until revoked")
	case 365:
		return c.T("A year")
	}
	return c.TN(days, "%s day", "%s days")
}

// NewToken reads the form of a new token.
func NewToken(c *page.Call, email string) (n access.NewToken, err error) {
	n = access.NewToken{Email: email, Name: c.Form.Get("name"), ReadOnly: c.Form.Get("read-only") == "true"}
	days, err := strconv.Atoi(c.Form.Get("days"))
	if err != nil || days < 0 || days > 3650 {
		return n, front.Fault(http.StatusBadRequest, "%s must be a number up to %d", message.Word("days"), 3650)
	}
	if days > 0 {
		n.Expires = c.App.Now().Add(time.Duration(days) * 24 * time.Hour)
	}
	return n, nil
}

// ShowToken shows the secret of a new token.
func ShowToken(c *page.Call, here, back string, n access.NewToken, secret string) (*page.Answer, error) {
	return c.ShowOnce(here, page.OncePage{
		Title: c.T("Token %s", strings.TrimSpace(n.Name)), Back: back, Secrets: []string{secret},
		About: c.T("Copy it now: it is shown only once and is not stored. Anyone who has it can do through the API what %s may do.", n.Email),
		Lines: []page.OnceLine{{ID: "line-curl", Where: c.T("Try it"), Text: Curl(c, "--oauth2-bearer "+secret)}},
	})
}

// Curl returns a line that asks the API for computers.
func Curl(c *page.Call, credentials string) string {
	return "curl " + credentials + c.Trust() + " " + c.App.Hosts.Base(c.Request) + "/hardwares.xml"
}

// AskRevoke asks before a token is revoked, of those that the person may see. They
// are below a path, and their list is at another.
func AskRevoke(c *page.Call, here, below, list string) (*page.Answer, error) {
	tokens, err := c.App.Access.Tokens(c.Context(), c.Who(), "")
	if err != nil {
		return nil, err
	}
	for _, t := range tokens {
		if strconv.FormatInt(t.ID, 10) == c.PathValue("id") {
			return c.Confirm(here, page.ConfirmPage{
				Title: c.T("Revoke the token %s?", t.Name), Do: c.T("Revoke token"), Keep: c.T("Keep"), Back: list,
				Action: below + "/" + c.PathValue("id") + "/revoke",
				Texts: []string{
					c.T("Programs that use it are refused from then on. It acts for %s. This cannot be undone, but a new token can be created.", t.Email),
				},
			})
		}
	}
	return nil, c.App.Missing(c.Request)
}

// Revoke ends the token of the path.
func Revoke(c *page.Call, list string) (*page.Answer, error) {
	if _, err := strconv.ParseInt(c.PathValue("id"), 10, 64); err != nil {
		return nil, c.App.Missing(c.Request)
	}
	if err := c.App.Access.RevokeTokens(c.Context(), c.Who(), []string{c.PathValue("id")}); err != nil {
		return nil, err
	}
	c.Notify(c.T("The token was revoked"))
	return c.GoTo(list)
}
