package api_test

import (
	"net/http"
	"strings"
	"testing"

	"muster/internal/inventory"
	"muster/internal/mustertest"
	"muster/internal/server"
)

func user(fields string) string { return "<user>" + fields + "</user>" }

// TestPasswordEndsTokens changes a password with and without keeping the tokens: the
// old password opens nothing any more, and the answer says how many tokens ended.
func TestPasswordEndsTokens(t *testing.T) {
	t.Parallel()
	const first, second, third = "first long password", "second long password", "third long password"
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		c := s.Admin()
		equal(t, "POST", c.Do("POST", "/users",
			user("<email>anna@example.com</email><password>"+first+"</password>")).Status, http.StatusCreated)
		script := s.Bearer(server.TokenCommand{Email: "anna@example.com", Name: "script"})
		for _, test := range []struct {
			name, document, revoked, password string
			token                             int
		}{
			{"another field", user("<title>Dr</title>"), "", first, http.StatusOK},
			{"nothing but to keep them", user("<keep-tokens>true</keep-tokens>"), "", first, http.StatusOK},
			{"kept", user("<password>" + second + "</password><keep-tokens>true</keep-tokens>"), "0", second,
				http.StatusOK},
			{"not kept", user("<password>" + third + "</password>"), "1", third, http.StatusUnauthorized},
		} {
			r := c.Do("PUT", "/users/2", test.document)
			equal(t, test.name+": status", r.Status, http.StatusOK)
			equal(t, test.name+": X-Tokens-Revoked", r.Header.Get("X-Tokens-Revoked"), test.revoked)
			equal(t, test.name+": the token", script.Get("/users/2").Status, test.token)
			for _, password := range []string{first, second, third} {
				want := http.StatusUnauthorized
				if password == test.password {
					want = http.StatusOK
				}
				equal(t, test.name+": with "+password, s.Client("anna@example.com", password).Get("/users/2").Status,
					want)
			}
			if strings.Contains(r.Body, "keep-tokens") {
				t.Errorf("%s: the answer shows what was to be done: %s", test.name, r.Body)
			}
		}
	})
}

// TestUsers makes, changes and deletes a user. Passwords go in and never come
// out.
func TestUsers(t *testing.T) {
	t.Parallel()
	const first, second = "first long password", "zweites Paßwort"
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		c := s.Admin()
		r := c.Do("POST", "/users",
			user("<email> Anna@Example.com </email><first-name>Anna</first-name><last-name>Berg</last-name><password>"+
				first+"</password>"))
		equal(t, "POST: status", r.Status, http.StatusCreated)
		equal(t, "email", value(t, r.Body, "email"), "anna@example.com")
		equal(t, "name", value(t, r.Body, "name"), "Anna Berg")
		equal(t, "role", value(t, r.Body, "role"), inventory.Requester)
		anna := s.Client("anna@example.com", first)
		equal(t, "signing in", anna.Get("/users/2").Status, http.StatusOK)
		equal(t, "what a requester sees", ids(t, anna.Get("/users").Body), "2")

		refused(t, "another address without the password",
			c.Do("PUT", "/users/2", user("<email>berg@example.com</email>")),
			http.StatusUnprocessableEntity, "Email can't be changed without the password")
		equal(t, "another case", c.Do("PUT", "/users/2", user("<email>ANNA@example.com</email>")).Status, http.StatusOK)
		r = c.Do("PUT", "/users/2", user("<email>berg@example.com</email><password>"+second+"</password>"))
		equal(t, "another address", r.Status, http.StatusOK)
		equal(t, "the old address", anna.Get("/api").Status, http.StatusUnauthorized)
		berg := s.Client("berg@example.com", second)
		equal(t, "the new address", berg.Get("/api").Status, http.StatusOK)

		before := len(s.Audits())
		equal(t, "the whole document again", c.Do("PUT", "/users/2", c.Get("/users/2").Body).Status, http.StatusOK)
		equal(t, "audit records of it", len(s.Audits())-before, 0)
		equal(t, "the password alone", c.Do("PUT", "/users/2", user("<password>"+first+"</password>")).Status,
			http.StatusOK)
		audits := s.Audits()
		last := audits[len(audits)-1]
		equal(t, "its message", last.Message, "Password changed")
		equal(t, "its changes", last.Changes, []inventory.AuditChange{{Field: "password"}})
		equal(t, "the old password", berg.Get("/api").Status, http.StatusUnauthorized)

		for _, target := range []string{"/users", "/users/2", "/users/2.json", "/audits"} {
			if body := c.Get(target).Body; strings.Contains(body, first) || strings.Contains(body, second) ||
				target != "/audits" && strings.Contains(body, "password") {
				t.Errorf("GET %s shows a password: %s", target, body)
			}
		}
		r = c.Do("DELETE", "/users/2", "")
		equal(t, "DELETE: status", r.Status, http.StatusOK)
		equal(t, "DELETE: document", value(t, r.Body, "email"), "berg@example.com")
		equal(t, "one who is gone", s.Client("berg@example.com", first).Get("/api").Status, http.StatusUnauthorized)
	})
}

// TestUserFaults: the answer to an invalid user says what is wrong.
func TestUserFaults(t *testing.T) {
	t.Parallel()
	tests := []struct {
		method, target, fields string
		status                 int
		text                   string
	}{
		{"POST", "/users", "<first-name>Anna</first-name>", 422, "Email can't be blank"},
		{"POST", "/users", "<email>nobody</email>", 422, "Email must be an e-mail address"},
		{"POST", "/users", "<email>ADMIN@localhost</email>", 409, "Email has already been taken"},
		{"POST", "/users", "<email>a@b.c</email><role>king</role>", 422, "Role must be one of"},
		{"POST", "/users", "<email>a@b.c</email><password>12345678901</password>", 422,
			"Password is too short (minimum is 12 characters)"},
		{"POST", "/users", "<email>a@b.c</email><password>" + strings.Repeat("x", 256) + "</password>", 422,
			"Password is too long"},
		{"POST", "/users", "<email>a@b.c</email><sign-in>x</sign-in><digest>x</digest>", 422, "Sign in is not a field"},
		{"PUT", "/users/1", "<disabled>true</disabled>", 409, "admin@localhost is the last enabled administrator"},
		{"PUT", "/users/1", "<role>technician</role>", 409, "admin@localhost is the last enabled administrator"},
		{"PUT", "/users/1", "<read-only>true</read-only>", 409, "admin@localhost is the last enabled administrator"},
		{"PUT", "/users/1", "<email/>", 422, "Email can't be blank"},
		{"DELETE", "/users/1", "", 409, "admin@localhost is the last enabled administrator"},
		{"DELETE", "/users/9", "", 404, "there is no user with the id 9"},
	}
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		c := s.Admin()
		// who has no password, and so cannot take over
		idle := user("<email>idle@example.com</email><role>administrator</role>")
		equal(t, "an administrator without a password", c.Do("POST", "/users", idle).Status, http.StatusCreated)
		before := len(s.Audits())
		for _, test := range tests {
			body := ""
			if test.method != "DELETE" {
				body = user(test.fields)
			}
			refused(t, test.method+" "+test.target+" "+test.fields, c.Do(test.method, test.target, body), test.status,
				test.text)
		}
		equal(t, "audit records", len(s.Audits()), before)
		equal(t, "the administrator", c.Get("/api").Status, http.StatusOK)
	})
}

// TestDisabling ends all access of a user by the API, and gives it back.
func TestDisabling(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		c, bert := s.Admin(), s.AddUser("bert@example.com", inventory.Administrator, false)
		equal(t, "before", bert.Get("/hardwares").Status, http.StatusOK)
		equal(t, "disabling", c.Do("PUT", "/users/2", user("<disabled>true</disabled>")).Status, http.StatusOK)
		equal(t, "reading", bert.Get("/hardwares").Status, http.StatusUnauthorized)
		equal(t, "writing", bert.Do("POST", "/hardwares", hardware("<name>a</name>")).Status, http.StatusUnauthorized)
		refused(t, "the last one", c.Do("DELETE", "/users/1", ""), http.StatusConflict, "last enabled administrator")
		equal(t, "enabling", c.Do("PUT", "/users/2", user("<disabled>false</disabled>")).Status, http.StatusOK)
		equal(t, "again", bert.Get("/hardwares").Status, http.StatusOK)
		refused(t, "what refers to the other", bert.Do("DELETE", "/users/1", ""), http.StatusConflict,
			"disable the user instead")
		equal(t, "disabling oneself", bert.Do("PUT", "/users/2", user("<disabled>true</disabled>")).Status,
			http.StatusOK)
		equal(t, "afterwards", bert.Get("/hardwares").Status, http.StatusUnauthorized)
	})
}

// TestPasswordInTheOpen is refused: others may have read it.
func TestPasswordInTheOpen(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db, func(c *server.Config) { c.PlainHTTP = true })
		c := s.Admin()
		doc := user("<email>a@example.com</email><password>correct horse battery</password>")
		refused(t, "POST", c.Do("POST", "/users", doc), http.StatusUnprocessableEntity,
			"Password is accepted over HTTPS alone")
		equal(t, "without it", c.Do("POST", "/users", user("<email>a@example.com</email>")).Status, http.StatusCreated)
	})
}
