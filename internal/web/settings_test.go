package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"muster/internal/inventory"
	"muster/internal/mustertest"
	"muster/internal/server"
)

// TestSettings sets a setting, and shows at its field what is not allowed.
func TestSettings(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := mustertest.Start(t, mustertest.Options{On: db})
		admin := s.SignIn(server.Administrator)
		wants(t, "page", admin.Get("/app/settings"), http.StatusOK, "page-size", "Who must have a second factor",
			"Default: Nobody (optional for everyone)")
		wants(t, "wrong", admin.Post("/app/settings", url.Values{"name": {"page-size"}, "value": {"many"}}),
			http.StatusUnprocessableEntity, "Records on a page must be", `value="many"`)
		goes(t, "right", admin.Post("/app/settings", url.Values{"name": {"page-size"}, "value": {"30"}}), "/settings")
		wants(t, "page after it", admin.Get("/app/settings"), http.StatusOK, `value="30"`, "Changed")
		wants(t, "activity", admin.Get("/app/activity"), http.StatusOK, "Setting page-size changed from")
		wants(t, "unknown", admin.Post("/app/settings", url.Values{"name": {"nothing"}, "value": {"1"}}),
			http.StatusNotFound)
	})
}

// TestAbout shows the installation, and verifies the audit trail.
func TestAbout(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := mustertest.Start(t, mustertest.Options{On: db})
		s.AddUser("tech@example.com", inventory.Technician, false)
		admin := s.SignIn(server.Administrator)
		wants(t, "page", admin.Get("/app/about"), http.StatusOK, "v0.0.0-test", "Not verified since")
		goes(t, "verify", admin.Post("/app/about/verify", url.Values{}), "/about")
		mustertest.Eventually(t, "the trail is verified",
			func() bool { return strings.Contains(admin.Get("/app/about").Body, "records fit, verified") })
		wants(t, "not theirs", s.SignIn("tech@example.com").Post("/app/about/verify", url.Values{}),
			http.StatusForbidden)
	})
}
