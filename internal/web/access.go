package web

import (
	"context"
	"net/url"
	"strings"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/kind"
)

// sessionsPath is where administrators see who is signed in.
const sessionsPath = "/sessions"

// accessRoutes are the pages of all sessions, and of what is ended for a whole person.
func (w *Web) accessRoutes() {
	w.route(sessionsPath, admins, verbs{"GET": (*call).showSessions})
	w.route("/sessions/{id}/end", admins, verbs{"POST": (*call).endSession})
	w.route("/sessions/end", admins, verbs{"GET": (*call).askEndSessions, "POST": (*call).endSessions})
	w.route("/tokens/end", admins, verbs{"GET": (*call).askEndTokens, "POST": (*call).endTokens})
}

// accessTabs are the links between the pages of sessions and of tokens.
func (c *call) accessTabs(here string) []viewTab {
	return []viewTab{
		{Title: c.t("Sessions"), Href: sessionsPath, Current: here == sessionsPath}, {Title: c.t("Tokens"), Href: tokensPath, Current: here == tokensPath},
	}
}

// An accessView is one page of the sessions or tokens of all people, or of some.
type accessView struct {
	Tabs   []viewTab
	Path   string // of the page
	Find   string // what the names or addresses of the people have
	Person *inventory.User
	Total  int
	Pager  pager
	Change bool   // who looks may end them
	EndAll string // where all of the person are ended, "" for nowhere
}

// accesses returns a page of sessions or tokens, the last used first, and its records.
// It leads elsewhere when there is no such page.
func (c *call) accesses(k *kind.Schema, path string) (*accessView, []any, *answer, error) {
	v := &accessView{Tabs: c.accessTabs(path), Path: path, Find: strings.TrimSpace(c.URL.Query().Get("user")), Change: !c.user.ReadOnly.V}
	q, err := c.accessQuery(k, v)
	if err != nil {
		return nil, nil, nil, err
	}
	found, err := c.web.Desk.ListAccess(c.Context(), c.who(), k, q)
	if err != nil {
		return nil, nil, nil, err
	}
	if a := c.lastPage(found.Position, len(found.Records)); a != nil {
		return nil, nil, a, nil
	}
	if v.Person != nil && v.Change && found.Total > 0 {
		v.EndAll = path + "/end" + ofUser(v.Person.Email)
	}
	v.Total, v.Pager = found.Total, c.newPager(found.Position, path, without(c.URL.Query(), "page"))
	return v, found.Records, nil, nil
}

// accessQuery returns the query of a page: of the one person whose address is looked
// for, else of all whose name or address has it.
func (c *call) accessQuery(k *kind.Schema, v *accessView) (*kind.Query, error) {
	values := url.Values{}
	if v.Find != "" {
		var err error
		if v.Person, err = c.userNamed(v.Find); err != nil {
			return nil, err
		}
		text := strings.ReplaceAll(v.Find, "*", `\*`)
		if v.Person == nil {
			text = "*" + text + "*"
		}
		values.Set("user", text)
	}
	q, err := k.ParseQuery(values.Encode(), c.web.Now())
	if err != nil {
		return nil, err
	}
	q.Page, q.PerPage = c.place(defaultRows)
	q.Sort, q.Desc = k.Field("last-used"), true
	return q, nil
}

// userNamed returns the user with an address, nil when there is none.
func (c *call) userNamed(email string) (*inventory.User, error) {
	k := inventory.Users.Schema
	q, err := k.ParseQuery(url.Values{"email": {strings.ReplaceAll(email, "*", `\*`)}}.Encode(), c.web.Now())
	if err != nil {
		return nil, err
	}
	found, err := c.web.Desk.List(c.Context(), c.who(), k, q)
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
	device
	Person   cell
	Email    string
	SignedIn string // the address from which the person signed in, "" when it is the same
}

// showSessions shows who is signed in, and where.
func (c *call) showSessions() (*answer, error) {
	v, found, elsewhere, err := c.accesses(inventory.Sessions.Schema, sessionsPath)
	if elsewhere != nil || err != nil {
		return elsewhere, err
	}
	p := sessionsPage{accessView: v}
	for _, rec := range found {
		p.Rows = append(p.Rows, c.sessionRow(rec.(*inventory.Session)))
	}
	return c.show("sessions", page{Title: c.t("Sessions"), Here: sessionsPath, Data: p})
}

func (c *call) sessionRow(s *inventory.Session) sessionRow {
	row := sessionRow{
		device: device{
			ID: s.ID, Name: c.browserName(s.Browser), Address: s.Address, Current: c.session.ID == s.ID,
			LastUsed: c.moment(s.LastUsed), Since: c.moment(s.CreatedAt),
		},
		Person: c.holder(sessionsPath, &s.User), Email: s.User.Email,
	}
	if s.SignedIn != s.Address {
		row.SignedIn = s.SignedIn
	}
	return row
}

// ofUser returns the query of the sessions or tokens of one person.
func ofUser(email string) string { return "?user=" + url.QueryEscape(email) }

// holder returns whose a session or token is; it leads to all of theirs.
func (c *call) holder(path string, p *kind.Person) cell {
	return cell{Look: "name", Text: personName(p), Href: path + ofUser(p.Email)}
}

// endSession signs a person out in one browser.
func (c *call) endSession() (*answer, error) {
	k := inventory.Sessions.Schema
	id, err := c.id(k)
	if err != nil {
		return nil, err
	}
	rec, err := c.web.Desk.EndAccess(c.Context(), c.who(), desk.Target{Kind: k, ID: id})
	if err != nil {
		return nil, err
	}
	c.say(c.t("The session of %s was ended", personName(&rec.(*inventory.Session).User)))
	return c.goTo(c.backTo(sessionsPath))
}

// backTo returns the path of the page of people from which a form came.
func (c *call) backTo(path string) string {
	if email := c.form.Get("user"); email != "" {
		path += ofUser(email)
	}
	return path
}

// askEndSessions asks before all sessions of a person are ended.
func (c *call) askEndSessions() (*answer, error) {
	user, err := c.wholePerson()
	if err != nil {
		return nil, err
	}
	return c.confirm(sessionsPath, confirmPage{
		Title: c.t("End all sessions of %s?", userName(user)), Do: c.t("End all sessions"), Back: sessionsPath + ofUser(user.Email), Action: "/sessions/end", Fields: []pair{{"user", user.Email}},
		Texts: []string{c.t("They are signed out in all browsers at once, and can sign in again. Their tokens stay good.")},
	})
}

// endSessions signs a person out everywhere.
func (c *call) endSessions() (*answer, error) {
	return c.ofPerson(sessionsPath, msg("%s is signed out on all devices"), c.web.Desk.SignOutUser)
}

// askEndTokens asks before all tokens of a person are revoked.
func (c *call) askEndTokens() (*answer, error) {
	user, err := c.wholePerson()
	if err != nil {
		return nil, err
	}
	return c.confirm(sessionsPath, confirmPage{
		Title: c.t("Revoke all tokens of %s?", userName(user)), Do: c.t("Revoke all tokens"), Back: tokensPath + ofUser(user.Email), Action: "/tokens/end", Fields: []pair{{"user", user.Email}},
		Texts: []string{c.t("Programs that use them are refused from then on. This cannot be undone; new tokens can be made.")},
	})
}

// endTokens revokes all tokens of a person.
func (c *call) endTokens() (*answer, error) {
	return c.ofPerson(tokensPath, msg("All tokens of %s were revoked"), func(ctx context.Context, who desk.Caller, email string) error {
		_, err := c.web.Desk.RevokeTokensOf(ctx, who, email)
		return err
	})
}

// ofPerson does something with the person whom a form names.
func (c *call) ofPerson(list, done string, do func(context.Context, desk.Caller, string) error) (*answer, error) {
	user, err := c.wholePerson()
	if err != nil {
		return nil, err
	}
	if err := do(c.Context(), c.who(), user.Email); err != nil {
		return nil, err
	}
	c.say(c.t(done, userName(user)))
	return c.goTo(list)
}

// wholePerson returns the person whom a form or an address names.
func (c *call) wholePerson() (*inventory.User, error) {
	email := c.form.Get("user")
	if c.form == nil {
		email = c.URL.Query().Get("user")
	}
	if email == "" {
		return nil, c.web.missing(c.Request)
	}
	user, err := c.userNamed(email)
	if err == nil && user == nil {
		err = c.web.missing(c.Request)
	}
	return user, err
}

// allTokenRows returns tokens of all people as their page shows them.
func (c *call) allTokenRows(found []any) (rows []tokenRow) {
	for _, rec := range found {
		t := rec.(*inventory.Token)
		row := tokenRow{
			ID: t.ID, Name: t.Name, User: t.User.Email, Person: c.holder(tokensPath, &t.User), ReadOnly: t.ReadOnly.V, Address: t.Address,
			CreatedAt: c.moment(t.CreatedAt), Expires: c.moment(t.Expires), LastUsed: c.moment(t.LastUsed),
		}
		switch {
		case !t.Expires.IsZero() && !c.web.Now().Before(t.Expires):
			row.State = c.t("Ended")
		case c.web.Desk.Disabled(t.User.Email):
			row.State = c.t("User disabled")
		}
		rows = append(rows, row)
	}
	return rows
}
