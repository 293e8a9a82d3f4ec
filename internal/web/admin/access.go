package admin

import (
	"context"
	"net/url"
	"strings"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/web/account"
	"muster/internal/web/lang"
	"muster/internal/web/page"
	"muster/internal/web/records"
)

// SessionsPath is where administrators see who is signed in.
const SessionsPath = "/sessions"

// accessTabs are the links between the pages of sessions and of tokens.
func accessTabs(c *page.Call, here string) []records.ViewTab {
	return []records.ViewTab{
		{Title: c.T("Sessions"), Href: SessionsPath, Current: here == SessionsPath},
		{Title: c.T("Tokens"), Href: TokensPath, Current: here == TokensPath},
	}
}

// An accessView is one page of the sessions or tokens of all people, or of some.
type accessView struct {
	Tabs   []records.ViewTab
	Path   string // of the page
	Find   string // what the names or addresses of the people have
	Person *inventory.User
	Total  int
	Pager  page.Pager
	Change bool   // who looks may end them
	EndAll string // where all of the person are ended, "" for nowhere
}

// accesses returns a page of sessions or tokens, the last used first, and its records.
// It returns a redirect when there is no such page.
func accesses(c *page.Call, k *kind.Schema, path string) (*accessView, []any, *page.Answer, error) {
	v := &accessView{Tabs: accessTabs(c, path), Path: path, Find: strings.TrimSpace(c.URL.Query().Get("user")),
		Change: !c.User.ReadOnly.V}
	q, err := accessQuery(c, k, v)
	if err != nil {
		return nil, nil, nil, err
	}
	found, err := c.App.Access.List(c.Context(), c.Who(), k, q)
	if err != nil {
		return nil, nil, nil, err
	}
	if a := c.LastPage(found.Position, len(found.Records)); a != nil {
		return nil, nil, a, nil
	}
	if v.Person != nil && v.Change && found.Total > 0 {
		v.EndAll = path + "/end" + ofUser(v.Person.Email)
	}
	v.Total, v.Pager = found.Total, c.NewPager(found.Position, path, page.Without(c.URL.Query(), "page"))
	return v, found.Records, nil, nil
}

// accessQuery returns the query of a page: of the one person whose address is looked
// for, else of all whose name or address has it.
func accessQuery(c *page.Call, k *kind.Schema, v *accessView) (*kind.Query, error) {
	values := url.Values{}
	if v.Find != "" {
		var err error
		if v.Person, err = userNamed(c, v.Find); err != nil {
			return nil, err
		}
		text := strings.ReplaceAll(v.Find, "*", `\*`)
		if v.Person == nil {
			text = "*" + text + "*"
		}
		values.Set("user", text)
	}
	q, err := k.ParseQuery(values.Encode(), c.App.Now())
	if err != nil {
		return nil, err
	}
	q.Page, q.PerPage = c.Place(records.DefaultRows)
	q.Sort, q.Desc = k.Field("last-used"), true
	return q, nil
}

// userNamed returns the user with an address, nil when there is none.
func userNamed(c *page.Call, email string) (*inventory.User, error) {
	k := inventory.Users.Schema
	q, err := k.ParseQuery(url.Values{"email": {strings.ReplaceAll(email, "*", `\*`)}}.Encode(), c.App.Now())
	if err != nil {
		return nil, err
	}
	found, err := c.App.Desk.List(c.Context(), c.Who(), k, q)
	if err != nil || len(found.Records) == 0 {
		return nil, err
	}
	return found.Records[0].(*inventory.User), nil
}

// A sessionsPage is what the page of all sessions shows.
type sessionsPage struct {
	*accessView
	Rows []sessionRow
}

// A sessionRow is a session as the page shows it.
type sessionRow struct {
	account.Device
	Person   page.Cell
	Email    string
	SignedIn string // the address from which the person signed in, "" when it is the same
}

// ShowSessions shows who is signed in, and where.
func ShowSessions(c *page.Call) (*page.Answer, error) {
	v, found, elsewhere, err := accesses(c, inventory.Sessions.Schema, SessionsPath)
	if elsewhere != nil || err != nil {
		return elsewhere, err
	}
	p := sessionsPage{accessView: v}
	for _, rec := range found {
		p.Rows = append(p.Rows, newSessionRow(c, rec.(*inventory.Session)))
	}
	return c.Show("sessions", page.Page{Title: c.T("Sessions"), Here: SessionsPath, Data: p})
}

func newSessionRow(c *page.Call, s *inventory.Session) sessionRow {
	row := sessionRow{
		Device: account.Device{
			ID: s.ID, Name: c.BrowserName(s.Browser), Address: s.Address, Current: c.Session.ID == s.ID,
			LastUsed: c.Moment(s.LastUsed), Since: c.Moment(s.CreatedAt),
		},
		Person: ownerCell(c, SessionsPath, &s.User), Email: s.User.Email,
	}
	if s.SignedIn != s.Address {
		row.SignedIn = s.SignedIn
	}
	return row
}

// ofUser returns the query of the sessions or tokens of one person.
func ofUser(email string) string { return "?user=" + url.QueryEscape(email) }

// ownerCell returns whose a session or token is; it leads to all of theirs.
func ownerCell(c *page.Call, path string, p *kind.Person) page.Cell {
	return page.Cell{Look: "name", Text: lang.PersonName(p), Href: path + ofUser(p.Email)}
}

// EndSession signs a person out in one browser.
func EndSession(c *page.Call) (*page.Answer, error) {
	k := inventory.Sessions.Schema
	id, err := c.ID(k)
	if err != nil {
		return nil, err
	}
	rec, err := c.App.Access.End(c.Context(), c.Who(), desk.Target{Kind: k, ID: id})
	if err != nil {
		return nil, err
	}
	c.Notify(c.T("The session of %s was ended", lang.PersonName(&rec.(*inventory.Session).User)))
	return c.GoTo(backTo(c, SessionsPath))
}

// backTo returns the path of the page of people from which a form came.
func backTo(c *page.Call, path string) string {
	if email := c.Form.Get("user"); email != "" {
		path += ofUser(email)
	}
	return path
}

// AskEndSessions asks before all sessions of a person are ended.
func AskEndSessions(c *page.Call) (*page.Answer, error) {
	user, err := wholePerson(c)
	if err != nil {
		return nil, err
	}
	return c.Confirm(SessionsPath, page.ConfirmPage{
		Title: c.T("End all sessions of %s?", userName(user)), Do: c.T("End all sessions"),
		Back: SessionsPath + ofUser(user.Email), Action: "/sessions/end",
		Fields: []page.Pair{{Name: "user", Value: user.Email}},
		Texts: []string{
			c.T("They are signed out in all browsers at once, and can sign in again. Their tokens stay good."),
		},
	})
}

// EndSessions signs a person out everywhere.
func EndSessions(c *page.Call) (*page.Answer, error) {
	return ofPerson(c, SessionsPath, lang.Msg("%s is signed out on all devices"), c.App.Access.SignOutUser)
}

// AskEndTokens asks before all tokens of a person are revoked.
func AskEndTokens(c *page.Call) (*page.Answer, error) {
	user, err := wholePerson(c)
	if err != nil {
		return nil, err
	}
	return c.Confirm(SessionsPath, page.ConfirmPage{
		Title: c.T("Revoke all tokens of %s?", userName(user)), Do: c.T("Revoke all tokens"),
		Back: TokensPath + ofUser(user.Email), Action: "/tokens/end",
		Fields: []page.Pair{{Name: "user", Value: user.Email}},
		Texts: []string{
			c.T("Programs that use them are refused from then on. This cannot be undone, but new tokens can be created."),
		},
	})
}

// EndTokens revokes all tokens of a person.
func EndTokens(c *page.Call) (*page.Answer, error) {
	return ofPerson(c, TokensPath, lang.Msg("All tokens of %s were revoked"),
		func(ctx context.Context, who desk.Caller, email string) error {
			_, err := c.App.Access.RevokeTokensOf(ctx, who, email)
			return err
		})
}

// ofPerson does something with the person named in a form.
func ofPerson(c *page.Call, list, done string, do func(context.Context, desk.Caller,
	string) error) (*page.Answer, error) {
	user, err := wholePerson(c)
	if err != nil {
		return nil, err
	}
	if err := do(c.Context(), c.Who(), user.Email); err != nil {
		return nil, err
	}
	c.Notify(c.T(done, userName(user)))
	return c.GoTo(list)
}

// wholePerson returns the person named in a form or an address.
func wholePerson(c *page.Call) (*inventory.User, error) {
	email := c.Form.Get("user")
	if c.Form == nil {
		email = c.URL.Query().Get("user")
	}
	if email == "" {
		return nil, c.App.Missing(c.Request)
	}
	user, err := userNamed(c, email)
	if err == nil && user == nil {
		err = c.App.Missing(c.Request)
	}
	return user, err
}

// allTokenRows returns tokens of all people as their page shows them.
func allTokenRows(c *page.Call, found []any) (rows []account.TokenRow) {
	for _, rec := range found {
		t := rec.(*inventory.Token)
		row := account.TokenRow{
			ID: t.ID, Name: t.Name, User: t.User.Email, Person: ownerCell(c, TokensPath, &t.User),
			ReadOnly: t.ReadOnly.V, Address: t.Address,
			CreatedAt: c.Moment(t.CreatedAt), Expires: c.Moment(t.Expires), LastUsed: c.Moment(t.LastUsed),
		}
		switch {
		case !t.Expires.IsZero() && !c.App.Now().Before(t.Expires):
			row.State = c.T("Ended")
		case c.App.Access.Disabled(t.User.Email):
			row.State = c.T("User disabled")
		}
		rows = append(rows, row)
	}
	return rows
}
