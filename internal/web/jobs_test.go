package web_test

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"muster/internal/desk"
	"muster/internal/desk/jobs"
	"muster/internal/inventory"
	"muster/internal/message"
	"muster/internal/mustertest"
	"muster/internal/server"
	"muster/internal/store"
	"muster/internal/store/queue"
)

// A jobHouse is a server with jobs that do as a test says.
type jobHouse struct {
	*mustertest.Server
	goes chan bool   // lets the one that runs end
	well atomic.Bool // nothing fails any more
}

// handlers are of a job that runs until it may end, of one that fails, of one that is refused, and of one that reaches
// outside.
func (h *jobHouse) handlers() []*jobs.Handler {
	title := func(text string) func([]byte) message.Text {
		return func([]byte) message.Text { return message.Plain(text) }
	}
	return []*jobs.Handler{
		{Name: "long", Title: title("Count the chairs"), Do: func(ctx context.Context, r *jobs.Run) error {
			err := r.Update(ctx, func(tx *store.Tx, _ desk.Caller) error { return r.Progress(ctx, tx, 61, 100) })
			if err != nil {
				return err
			}
			select {
			case <-h.goes:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		}},
		{Name: "fails", Title: title("Send the letter"), Do: func(context.Context, *jobs.Run) error {
			if h.well.Load() {
				return nil
			}
			return errors.New("the letter box is away")
		}},
		{Name: "refused", Title: title("Print the list"), Do: func(context.Context, *jobs.Run) error {
			if h.well.Load() {
				return nil
			}
			return desk.Refuse(desk.Conflict, "there is no paper")
		}},
		{Name: "outside", Title: title("Call the neighbours"), Outside: true,
			Do: func(context.Context, *jobs.Run) error { return nil }},
	}
}

// startJobs starts a server with such jobs.
func startJobs(t *testing.T, o mustertest.Options) *jobHouse {
	t.Helper()
	h := &jobHouse{goes: make(chan bool)}
	change := o.Change
	o.Change = func(cfg *server.Config) {
		cfg.Handlers = h.handlers()
		if change != nil {
			change(cfg)
		}
	}
	h.Server = mustertest.Start(t, o)
	return h
}

// add adds a job of a user, as a change would.
func (h *jobHouse) add(t *testing.T, handler string, user int64) {
	t.Helper()
	ctx := context.Background()
	err := h.Store().Update(ctx, func(tx *store.Tx) error {
		_, err := queue.Add(ctx, tx, &queue.Job{Handler: handler, UserID: user, Origin: "web", Payload: []byte("null"),
			Created: h.Clock.Now(), DueAt: h.Clock.Now()})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// awaitPage waits until a page has some texts.
func awaitPage(t *testing.T, v *mustertest.Visitor, path string, texts ...string) string {
	t.Helper()
	var body string
	mustertest.Eventually(t, path+" has "+strings.Join(texts, ", "), func() bool {
		body = v.Get(path).Body
		for _, text := range texts {
			if !strings.Contains(body, text) {
				return false
			}
		}
		return true
	})
	return body
}

// TestJobPages shows to each person their own jobs and to administrators all, what fails with its reason, and lets them
// stop and retry them.
func TestJobPages(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		h := startJobs(t, mustertest.Options{On: db})
		h.AddUser("tech@example.com", inventory.Technician, false)
		const tech = 2 // after the administrator
		admin, v := h.SignIn(server.Administrator), h.SignIn("tech@example.com")
		awaitPage(t, admin, "/app/jobs", "Nothing is running", "Next:") // the server plans it after its start
		awaitPage(t, admin, "/app/jobs/scheduled", "every day at", "not yet", "Run now: Remove old jobs")
		lacks(t, "no chip", v.Get("/app/"), `id="job-chip"`)

		h.add(t, "long", tech)
		h.add(t, "refused", tech)
		h.add(t, "fails", 0)
		awaitPage(t, v, "/app/jobs/mine", "Count the chairs", "61 of 100", "tech@example.com, you", "Stop: Count the chairs")
		awaitPage(t, v, "/app/computers", `aria-label="Your jobs: 1 running · 61`, `stroke-dasharray="61 100"`)
		awaitPage(t, admin, "/app/jobs", "Count the chairs", "tech@example.com")
		failed := awaitPage(t, admin, "/app/jobs/failed", "there is no paper", "the letter box is away", "1 of 20 tries", "no further try")
		if strings.Count(failed, "<details") != 2 {
			t.Errorf("failed: got %s, want two", failed)
		}
		own := awaitPage(t, v, "/app/jobs/mine/failed", "there is no paper")
		if strings.Contains(own, "letter box") {
			t.Error("a technician sees the jobs of others")
		}
		page := jobPath(t, own, "Print the list")
		contains(t, "the page of a job", v.Get(page), "Print the list", "there is no paper", "Try now", "<code>refused</code>")
		other := jobPath(t, failed, "Send the letter")
		expect(t, "of somebody else", v.Get(other), http.StatusNotFound)
		expect(t, "stop that of somebody else", v.Post(other+"/stop", nil), http.StatusNotFound)

		h.well.Store(true)
		expect(t, "retry", v.Post(page+"/retry?back=/jobs/mine", nil), http.StatusSeeOther)
		awaitPage(t, v, "/app/jobs/mine/done", "Print the list", "done")
		expect(t, "give up", admin.Post(other+"/stop", nil), http.StatusSeeOther)
		awaitPage(t, admin, "/app/jobs/done?by=itself", "Send the letter", "stopped", "the letter box is away")
		awaitPage(t, admin, "/app/jobs/failed", "No job has failed")

		long := jobPath(t, awaitPage(t, v, "/app/jobs/mine", "Count the chairs"), "Count the chairs")
		h.Clock.Advance(time.Second)
		expect(t, "stop", v.Post(long+"/stop?back=/jobs/mine", nil), http.StatusSeeOther)
		awaitPage(t, v, long, "It was stopped")
		contains(t, "the news", v.Get("/app/jobs/chip?of="+strings.TrimPrefix(long, "/app/jobs/")+",77,x"),
			"Count the chairs: stopped", `aria-label="Your jobs: stopped"`)
		expect(t, "run now", admin.Post("/app/jobs/scheduled/tidy/run", nil), http.StatusSeeOther)
		awaitPage(t, admin, "/app/jobs/done?by=all", "Remove old jobs")
		expect(t, "run what is none", admin.Post("/app/jobs/scheduled/long/run", nil), http.StatusNotFound)
		for _, path := range []string{"/app/jobs", "/app/jobs/done", "/app/jobs/failed", "/app/jobs/scheduled"} {
			expect(t, path+" for a technician", v.Get(path), http.StatusForbidden)
		}
		expect(t, "no job", v.Get("/app/jobs/x"), http.StatusNotFound)
	})
}

// jobPath returns where a link with a text leads.
func jobPath(t *testing.T, body, text string) string {
	t.Helper()
	before, _, found := strings.Cut(body, ">"+text+"</a>")
	if !found {
		t.Fatalf("got %s, want a link %q", body, text)
	}
	path := before[strings.LastIndex(before, `href="`)+len(`href="`):]
	return path[:strings.Index(path, `"`)]
}

// TestJobsHeldPages: while jobs are held, all pages tell administrators, one of whom lets them go on.
func TestJobsHeldPages(t *testing.T) {
	t.Parallel()
	h := startJobs(t, mustertest.Options{})
	if err := h.Store().Update(context.Background(), func(tx *store.Tx) error {
		return jobs.Hold(context.Background(), tx)
	}); err != nil {
		t.Fatal(err)
	}
	h.AddUser("tech@example.com", inventory.Technician, false)
	h.add(t, "outside", 2)
	admin, v := h.SignIn(server.Administrator), h.SignIn("tech@example.com")
	const banner = "held until you let them go on"
	contains(t, "to an administrator", admin.Get("/app/computers"), banner)
	lacks(t, "to a technician", v.Get("/app/computers"), banner)
	contains(t, "the job", v.Get("/app/jobs/mine"), "Call the neighbours", "held")
	expect(t, "a technician", v.Post("/app/jobs/resume", nil), http.StatusForbidden)
	goes(t, "resume", admin.Post("/app/jobs/resume", url.Values{"to": {"/computers"}}), "/computers")
	lacks(t, "afterwards", admin.Get("/app/computers"), banner)
	awaitPage(t, v, "/app/jobs/mine/done", "Call the neighbours")
}
