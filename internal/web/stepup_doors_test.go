//go:build full

package web_test

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"muster/internal/desk/agents"
	"muster/internal/inventory"
	"muster/internal/mustertest"
	"muster/internal/server"
)

// A guardedChange is one that gives access, through each door that it has.
type guardedChange struct {
	name string
	// path and form are those of the web application.
	path string
	form url.Values
	// method, document and target are those of the API, "" for none.
	method, target, document string
	// command makes it through the socket, nil for none.
	command func() error
	// silent says that the trail does not record it.
	silent bool
}

// A stepUpWorld has an administrator, one with a second factor, and people to change.
type stepUpWorld struct {
	algorithms string // of digest authentication
	*mustertest.Server
	t       *testing.T
	counter *mustertest.Client // that counts audit records
	made    int
	secret  string // of the second factor
	api     string // password of who has it
}

// Administrators: one with a second factor, and one without who uses pages.
const (
	factored = "factor@example.com"
	paged    = "pages@example.com"
)

func newStepUpWorld(t *testing.T, db mustertest.Database) *stepUpWorld {
	w := &stepUpWorld{Server: mustertest.Start(t, mustertest.Options{On: db}), t: t}
	w.Settings(server.SettingCommand{Do: "set", Name: "backup-keep", Value: "366 daily, 4 weekly"})
	w.AddUser(factored, inventory.Administrator, false)
	w.AddUser(paged, inventory.Administrator, false)
	w.counter = w.Admin()
	v := w.SignIn(factored)
	w.secret = between(t, v.Post("/app/profile/second-factor", url.Values{}).Body, `name="secret" value="`, `"`)
	wants(t, "second factor", v.Post("/app/profile/second-factor/confirm", url.Values{"code": {w.code()}}),
		http.StatusOK)
	w.api = between(t, v.Post("/app/profile/api/password", url.Values{}).Body, `id="secret-0">`, "<")
	return w
}

// code returns the next code of the second factor.
func (w *stepUpWorld) code() string {
	w.Clock.Advance(time.Minute)
	return mustertest.Code(w.t, w.secret, w.Clock.Now())
}

// signInWithCode returns who has a second factor, signed in.
func (w *stepUpWorld) signInWithCode() *mustertest.Visitor {
	w.t.Helper()
	v := w.Visitor()
	goes(w.t, "password", v.Post("/app/signin",
		url.Values{"email": {factored}, "password": {mustertest.AdminPassword}}), "/signin/code?to=%2F")
	goes(w.t, "code", v.Post("/app/signin/code", url.Values{"code": {w.code()}}), "/")
	return v
}

// user makes a user, and returns their address and id.
func (w *stepUpWorld) user(role string, readOnly bool) (email string, id int64) {
	w.t.Helper()
	w.made++
	email = fmt.Sprintf("person%d@example.com", w.made)
	w.AddUser(email, role, readOnly)
	for _, u := range w.User(server.UserCommand{Do: "list"}).Users {
		if u.Email == email {
			id = u.ID
		}
	}
	return email, id
}

// do gives a command to the server.
func (w *stepUpWorld) do(c server.UserCommand) func() error {
	return func() error {
		_, err := w.Do(context.Background(), c)
		return err
	}
}

// changes are all that ask for step-up, each on people of its own.
func (w *stepUpWorld) changes() []guardedChange {
	w.made++
	name := fmt.Sprintf("made %d", w.made)
	raised, raisedID := w.user(inventory.Technician, false)
	_, readerID := w.user(inventory.Administrator, true)
	gone, goneID := w.user(inventory.Administrator, false)
	if err := w.do(server.UserCommand{Do: "disable", Email: gone})(); err != nil {
		w.t.Fatal(err)
	}
	other, otherID := w.user(inventory.Requester, false)
	_, movedID := w.user(inventory.Requester, false)
	boss, person, moved := fmt.Sprintf("boss%d@example.com", w.made), fmt.Sprintf("new%d@example.com", w.made),
		fmt.Sprintf("moved%d@example.com", w.made)
	user := func(id int64) string { return fmt.Sprintf("/users/%d", id) }
	w.algorithms = map[string]string{"": "sha-256", "sha-256": "sha-256,md5", "sha-256,md5": "sha-256"}[w.algorithms]
	return []guardedChange{
		{name: "a setting about coming in", path: "/settings", form: url.Values{
			"name": {"digest-algorithms"}, "value": {w.algorithms},
		}},
		{name: "fewer backups", path: "/settings", form: url.Values{
			"name": {"backup-keep"}, "value": {fmt.Sprintf("%d daily, 4 weekly", 366-w.made)},
		}},
		{name: "own token", path: "/profile/api/tokens", form: url.Values{"name": {name}, "days": {"30"}}},
		{
			name: "another's token", path: "/tokens",
			form: url.Values{"user": {raised}, "name": {name}, "days": {"30"}},
			command: func() error {
				_, err := w.Token(context.Background(),
					server.TokenCommand{Do: "add", Email: raised, Name: name + " by command"})
				return err
			},
		},
		{name: "API password", path: "/profile/api/password", form: url.Values{}},
		{
			name: "agent token", path: "/agents/tokens", form: url.Values{"name": {name}, "site": {"Lyon"}},
			command: func() error {
				_, err := w.AgentToken(context.Background(),
					server.AgentTokenCommand{Do: "add", New: agents.NewToken{Name: name + " by command"}})
				return err
			},
		},
		{
			name: "new administrator", path: "/users/new",
			form:   url.Values{"email": {boss}, "role": {"administrator"}, "key": {boss}},
			method: http.MethodPost, target: "/users.xml",
			document: "<user><email>" + boss + "</email><role>ADMINISTRATOR</role></user>",
			command: w.do(server.UserCommand{
				Do: "add", Email: "command" + boss, Role: inventory.Administrator, Password: typedPassword,
			}),
		},
		{
			name: "role raised", path: user(raisedID) + "/edit", form: url.Values{"role": {"administrator"}},
			method: http.MethodPut, target: user(raisedID) + ".xml",
			document: "<user><role>administrator</role></user>",
		},
		{
			name: "administrator who may change again", path: user(readerID) + "/edit",
			form:   url.Values{"read-only": {"false"}},
			method: http.MethodPut, target: user(readerID) + ".xml",
			document: "<user><read-only>false</read-only></user>",
		},
		{
			name: "administrator enabled", path: user(goneID) + "/enable", form: url.Values{},
			method: http.MethodPut, target: user(goneID) + ".xml", document: "<user><disabled>false</disabled></user>",
			command: w.do(server.UserCommand{Do: "enable", Email: gone}),
		},
		{
			name: "new user with a password", path: "/users/new",
			form:   url.Values{"email": {person}, "password": {typedPassword}, "key": {person}},
			method: http.MethodPost, target: "/users.xml",
			document: "<user><email>" + person + "</email><password>" + typedPassword + "</password></user>",
			command: w.do(server.UserCommand{
				Do: "add", Email: "command" + person, Role: inventory.Requester, Password: typedPassword,
			}),
		},
		{
			name: "another's password", path: user(otherID) + "/password",
			form:   url.Values{"password": {typedPassword}},
			method: http.MethodPut, target: user(otherID) + ".xml",
			document: "<user><password>" + typedPassword + "</password></user>",
			command:  w.do(server.UserCommand{Do: "passwd", Email: other, Password: typedPassword}),
		},
		{
			name: "another's address", path: user(movedID) + "/edit",
			form:   url.Values{"email": {moved}, "password": {typedPassword}},
			method: http.MethodPut, target: user(movedID) + ".xml",
			document: "<user><email>" + moved + "</email><password>" + typedPassword + "</password></user>",
		},
	}
}

// records returns how many audit records there are.
func (w *stepUpWorld) records() string {
	w.t.Helper()
	got := w.counter.Get("/audits.xml?per_page=1")
	if got.Status != http.StatusOK {
		w.t.Fatalf("audit records: got %d: %s", got.Status, got.Body)
	}
	return got.Header.Get("X-Total-Count")
}

// wantsChange makes a change, and fails unless it was made, or was not.
func (w *stepUpWorld) wantsChange(what string, made bool, change func()) {
	w.t.Helper()
	before := w.records()
	change()
	if after := w.records(); (after != before) != made {
		w.t.Errorf("%s: got %s audit records after %s, want a change: %v", what, after, before, made)
	}
}

// TestStepUp makes each change that gives access through each door. In a fresh
// session it is made, in an older one after the password was given; by digest it is
// made, unless the user has a second factor; by a token never; by a command always.
func TestStepUp(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		w := newStepUpWorld(t, db)
		token := w.Bearer(server.TokenCommand{Email: server.Administrator, Name: "script"})
		for _, c := range w.changes() {
			v := w.SignIn(paged)
			w.Clock.Advance(10*time.Minute - time.Second)
			w.wantsChange("web fresh, "+c.name, true, func() { w.wantsDone(c, v.Post("/app"+c.path, c.form)) })
		}
		for _, c := range w.changes() {
			v := w.SignIn(paged)
			w.Clock.Advance(10 * time.Minute)
			w.wantsStale(v, c, mustertest.AdminPassword, "")
		}
		for door, client := range map[string]*mustertest.Client{
			"digest": w.Admin(), "digest with a second factor": w.Client(factored, w.api), "token": token,
		} {
			for _, c := range w.changes() {
				if c.method != "" {
					w.wantsByAPI(door, c, client)
				}
			}
		}
		for _, c := range w.changes() {
			if c.command == nil {
				continue
			}
			w.wantsChange("socket, "+c.name, true, func() {
				if err := c.command(); err != nil {
					t.Errorf("socket, %s: %v", c.name, err)
				}
			})
		}
		w.ownFactor()
	})
}

// wantsDone fails unless a form was taken.
func (w *stepUpWorld) wantsDone(c guardedChange, got *mustertest.Response) {
	w.t.Helper()
	if got.Status != http.StatusOK && got.Status != http.StatusSeeOther || strings.Contains(got.Body, confirms) {
		w.t.Errorf("%s: got %d, want it done: %s", c.name, got.Status, got.Body)
	}
}

// wantsStale fails unless a change is made once the password was given, and the code.
func (w *stepUpWorld) wantsStale(v *mustertest.Visitor, c guardedChange, password, code string) {
	w.t.Helper()
	var asked *mustertest.Response
	w.wantsChange(c.name, false, func() {
		asked = v.Post("/app"+c.path, c.form)
		wants(w.t, c.name, asked, http.StatusForbidden, confirms, "What you entered is kept", `action="/app`+c.path+`"`)
		asked = v.Post("/app"+c.path, confirming(w.t, c.name, asked, "not the password", code))
		wants(w.t, c.name+" with a wrong password", asked, http.StatusUnprocessableEntity, confirms,
			"This is not your password")
	})
	w.wantsChange(c.name+" confirmed", !c.silent,
		func() { w.wantsDone(c, v.Post("/app"+c.path, confirming(w.t, c.name, asked, password, code))) })
}

// wantsByAPI fails unless the API makes a change by digest alone, without a second
// factor.
func (w *stepUpWorld) wantsByAPI(door string, c guardedChange, client *mustertest.Client) {
	w.t.Helper()
	page := w.Base + "/app/users/new"
	if c.method == http.MethodPut {
		page = w.Base + "/app" + strings.TrimSuffix(c.target, ".xml") + "/edit"
	}
	said := map[string]string{
		"token":                       "a token is not enough",
		"digest with a second factor": "make this change in the web application: " + page + "<",
	}[door]
	w.wantsChange(door+", "+c.name, said == "", func() {
		got := client.Do(c.method, c.target, c.document)
		switch {
		case said == "" && got.Status/100 != 2:
			w.t.Errorf("%s, %s: got %d, want it done: %s", door, c.name, got.Status, got.Body)
		case said != "" && (got.Status != http.StatusForbidden || !strings.Contains(got.Body, said)):
			w.t.Errorf("%s, %s: got %d, want 403 with %q: %s", door, c.name, got.Status, said, got.Body)
		}
	})
}

// ownFactor changes second factors in sessions in which the password was given long
// ago.
func (w *stepUpWorld) ownFactor() {
	t, v := w.t, w.signInWithCode()
	w.Clock.Advance(10 * time.Minute)
	codes := guardedChange{name: "recovery codes", path: "/profile/second-factor/codes", form: url.Values{}}
	asked := v.Post("/app"+codes.path, codes.form)
	wants(t, "without a code",
		v.Post("/app"+codes.path, confirming(t, "without a code", asked, mustertest.AdminPassword, "")),
		http.StatusUnprocessableEntity, confirms, "That code is not right")
	w.wantsStale(v, codes, mustertest.AdminPassword, w.code())
	w.Clock.Advance(10 * time.Minute)
	w.wantsStale(v, guardedChange{name: "end", path: "/profile/second-factor/end", form: url.Values{}},
		mustertest.AdminPassword, w.code())
	w.Clock.Advance(10 * time.Minute)
	w.wantsStale(v, guardedChange{name: "begin", path: "/profile/second-factor", form: url.Values{}, silent: true},
		mustertest.AdminPassword, "")
	w.secret = between(t, v.Post("/app/profile/second-factor", url.Values{}).Body, `name="secret" value="`, `"`)
	w.Clock.Advance(10 * time.Minute)
	w.wantsStale(v, guardedChange{name: "turn on", path: "/profile/second-factor/confirm", form: url.Values{
		"code": {w.code()},
	}}, mustertest.AdminPassword, "")

	admin := w.SignIn(server.Administrator)
	w.Clock.Advance(10 * time.Minute)
	w.wantsStale(admin, guardedChange{
		name: "reset another's", path: "/users/2/second-factor/reset", form: url.Values{},
	}, mustertest.AdminPassword, "")
}
