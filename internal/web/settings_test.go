package web_test

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"muster/internal/inventory"
	"muster/internal/mustertest"
	"muster/internal/server"
	"muster/internal/store"
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

// TestAbout shows the installation, and verifies the audit trail: as a job, whose finding any node shows, also of a trail
// that somebody has changed behind its back.
func TestAbout(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := mustertest.Start(t, mustertest.Options{On: db})
		s.AddUser("tech@example.com", inventory.Technician, false)
		s.AddUser("reader@example.com", inventory.Administrator, true)
		tech, admin, reader := s.SignIn("tech@example.com"), s.SignIn(server.Administrator), s.SignIn("reader@example.com")
		wants(t, "page", admin.Get("/app/about"), http.StatusOK, "v0.0.0-test", "Not verified in the last 30 days")
		goes(t, "verify", reader.Post("/app/about/verify", url.Values{}), "/about")
		awaitPage(t, admin, "/app/about", "records fit, verified", "vouches for the end")
		first := jobPath(t, awaitPage(t, reader, "/app/jobs/mine/done", "Verify the audit trail"), "Verify the audit trail")
		contains(t, "the job", reader.Get(first), "Verify the audit trail", "audit records fit<")
		wants(t, "not theirs", tech.Post("/app/about/verify", url.Values{}), http.StatusForbidden)

		spoil(t, s)
		goes(t, "verify again", admin.Post("/app/about/verify", url.Values{}), "/about")
		awaitPage(t, reader, "/app/about", "audit record 3 does not fit: its hash does not follow from its content")
		awaitPage(t, admin, "/app/jobs/failed", "Verify the audit trail", "audit record 3 does not fit", "no further try")
		lacks(t, "the first one", reader.Get(first), "does not fit")
		s.Quit()
		late := mustertest.Start(t, mustertest.Options{Data: s.Data, Database: s.Database, Clock: s.Clock,
			Change: func(cfg *server.Config) { cfg.Jobs = 0 }})
		admin = late.SignIn(server.Administrator)
		contains(t, "after a restart", admin.Get("/app/about"), "audit record 3 does not fit")
		goes(t, "once more", admin.Post("/app/about/verify", url.Values{}), "/about")
		goes(t, "twice", admin.Post("/app/about/verify", url.Values{}), "/about")
		contains(t, "it waits", admin.Get("/app/about"), "Verification begins")
		if n := strings.Count(admin.Get("/app/jobs").Body, ">Verify the audit trail</a>"); n != 1 {
			t.Errorf("got %d at a time, want 1", n)
		}
		last := jobPath(t, admin.Get("/app/about").Body, "Show the job")
		goes(t, "stop", admin.Post(last+"/stop?back=/about", nil), "/about")
		contains(t, "stopped", admin.Get("/app/about"), "The verification was stopped")
	})
}

// spoil changes an audit record with SQL, behind the back of the server.
func spoil(t *testing.T, s *mustertest.Server) {
	t.Helper()
	drop := "DROP TRIGGER audits_update"
	if store.IsPostgres(s.Database) {
		drop = "DROP TRIGGER audits_kept ON audits"
	}
	ctx := context.Background()
	err := s.Store().Update(ctx, func(tx *store.Tx) error {
		if err := tx.Exec(ctx, drop); err != nil {
			return err
		}
		return tx.Exec(ctx, "UPDATE audits SET message = 'nothing' WHERE id = 3")
	})
	if err != nil {
		t.Fatal(err)
	}
}
