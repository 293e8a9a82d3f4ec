package api_test

import (
	"net/http"
	"strings"
	"testing"

	"muster/internal/inventory"
	"muster/internal/mustertest"
	"muster/internal/server"
)

// TestGuessedFirst refuses passwords that are guessed first, through the API and by
// command, and lets stay what people have.
func TestGuessedFirst(t *testing.T) {
	t.Parallel()
	const common, holds = "Password is among those that are guessed first", "Password must not hold "
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		c := s.Admin()
		set := func(name string) {
			t.Helper()
			s.Settings(server.SettingCommand{Do: "set", Name: "organisation", Value: name})
		}
		s.AddUser("anna.berg@nordwind.example.com", inventory.Requester, false)
		c.Do("PUT", "/users/2", "<user><first-name>Anna</first-name><last-name>Bergström</last-name></user>")
		set("Kontor Süd, Hafen AG")
		for password, want := range map[string]string{
			"Password1234!": common, "Sommer2026!!": common, "qwertzuiop12": common, "111111111111": common,
			"IchLiebeDich":    common,
			"anna has a lamp": holds + `"anna"`, "my Bergstrom lamp": holds + `"berg`,
			"Nordwind 4 lamps": holds + `"nordwind"`, "lamps in Examples": holds + `"example"`,
			"a kontor of lamps": holds + `"kontor"`, "hafenlampe blau": holds + `"hafen"`,
			"quiet lamp tower": "", mustertest.AdminPassword: "",
		} {
			r := c.Do("PUT", "/users/2", "<user><password>"+password+"</password></user>")
			_, err := s.Server.Do(t.Context(),
				server.UserCommand{Do: "passwd", Email: "anna.berg@nordwind.example.com", Password: password})
			if want == "" {
				equal(t, password, []any{r.Status, err}, []any{http.StatusOK, error(nil)})
				continue
			}
			refused(t, password, r, http.StatusUnprocessableEntity, want)
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s by command: got %v, want %s", password, err, want)
			}
		}
		refused(t, "a new user",
			c.Do("POST", "/users", "<user><email>clara@example.org</email><password>clara and lamps</password></user>"), http.StatusUnprocessableEntity, holds+`"clara"`)
		s.User(server.UserCommand{Do: "passwd", Email: "anna.berg@nordwind.example.com", Password: "hollow tree lamps"})
		set("Hollow Trees")
		equal(t, "what was chosen before",
			s.Client("anna.berg@nordwind.example.com", "hollow tree lamps").Get("/users/2").Status, http.StatusOK)
		_, err := s.Server.Setting(t.Context(),
			server.SettingCommand{Do: "set", Name: "organisation", Value: "two\nlines"})
		if err == nil || !strings.Contains(err.Error(), "organisation must be text of one line") {
			t.Errorf("two lines: got %v, want them refused", err)
		}
	})
}
