//go:build full && browser

package web_test

import (
	"bytes"
	"fmt"
	"net/url"
	"testing"

	"muster/internal/desk/exports"
	"muster/internal/inventory"
	"muster/internal/mustertest"
	"muster/internal/server"
)

// TestBrowserJobs reads why a job has failed and retries it, and sees in the top bar how another goes on and ends.
func TestBrowserJobs(t *testing.T) {
	t.Parallel()
	eachLook(t, looks, func(t *testing.T, l look) {
		h := startJobs(t, mustertest.Options{})
		h.add(t, "refused", 1)
		h.add(t, "long", 1)
		awaitPage(t, h.SignIn(server.Administrator), "/app/jobs", "61 of 100")
		b := l.visit(t, h.Server, server.Administrator)
		b.Open("/app/jobs/failed")
		b.WaitText("there is no paper")
		b.ClickOn("main details > summary")
		b.WaitText("Asked for by")
		inspect(t, b, "jobs-failed")
		h.well.Store(true)
		b.Click("Try now: Print the list")
		b.WaitText("No job has failed")

		b.Open("/app/jobs")
		b.WaitText("Count the chairs")
		inspect(t, b, "jobs-now")
		b.Click("Your jobs: 1 running · 61%")
		inspect(t, b.In("#my-jobs"), "jobs-chip")
		b.Press("Escape")
		b.Open("/app/computers")
		b.Wait("#job-chip[data-ids]")
		close(h.goes)
		b.WaitText("Count the chairs: done")
		b.Wait(`#job-chip[data-ids=""]`)
		b.Open("/app/jobs/done")
		b.WaitText("Print the list")
		inspect(t, b, "jobs-done")
		b.Open("/app/jobs/scheduled")
		b.Click("Run now: Remove old jobs")
		b.WaitText("Remove old jobs: begun")
	})
}

// TestBrowserJobsRestart: a change of many records outlives its server. Its chip is there afterwards, on another device too.
func TestBrowserJobsRestart(t *testing.T) {
	t.Parallel()
	eachLook(t, looks, func(t *testing.T, l look) {
		first := mustertest.Start(t, mustertest.Options{Change: func(cfg *server.Config) { cfg.Jobs = 0 }})
		form := url.Values{"field": {"site"}, "to-site": {"Bonn"}}
		for i := range 60 {
			mustertest.Insert(first, inventory.Computers, &inventory.Computer{Name: fmt.Sprint("pc-", i)})
			form.Add("id", fmt.Sprint(i+1))
		}
		first.SignIn(server.Administrator).Post("/app/computers/bulk", form)
		// A page that asks for nothing is what is left open while a server is away.
		ask := func(device look, s *mustertest.Server) {
			b := device.visit(t, s, server.Administrator)
			b.Click("Your jobs: 1 waiting")
			b.In("#my-jobs").WaitText("Set Site to Bonn for 60 records")
			b.Open("/healthz")
		}
		ask(l, first)
		first.Quit()

		again := func(n int) *mustertest.Server {
			return mustertest.Start(t, mustertest.Options{Data: first.Data, Database: first.Database, Clock: first.Clock,
				Change: func(cfg *server.Config) { cfg.Jobs = n }})
		}
		second := again(0)
		for _, device := range []look{l, phone} {
			ask(device, second)
		}
		second.Quit()

		b := l.visit(t, again(4), server.Administrator)
		b.Open("/app/jobs/mine/done")
		b.WaitText("60 records changed")
		b.Open("/app/computers?site=Bonn")
		if got := b.Text("h1 .n"); got != "60 of 60" {
			t.Errorf("got %s computers that are changed, want all 60", got)
		}
	})
}

// TestBrowserExport lets a job export a long list, and is offered the file where the person is by then.
func TestBrowserExport(t *testing.T) {
	t.Parallel()
	eachLook(t, looks, func(t *testing.T, l look) {
		s := mustertest.Start(t, mustertest.Options{})
		fillVendors(s)
		b := l.visit(t, s, server.Administrator)
		b.Open("/app/vendors")
		openTool(b, "Export")
		inspect(t, b, "export-long")
		b.In("#export").Click("CSV")
		b.WaitText("The file is being written")
		b.Open("/app/tickets")
		b.WaitText("Export vendors-2026-01-31.csv: 10,001 rows exported")
		file, content := b.Download(func() { b.In(".toasts").Click("Download") })
		if file != "vendors-2026-01-31.csv" || bytes.Count(content, []byte("\n")) != exports.AtOnce+2 {
			t.Errorf("got the file %s of %d lines", file, bytes.Count(content, []byte("\n")))
		}
		b.Wait(`#job-chip[data-ids=""]`)
		b.Click("Your jobs: done")
		inspect(t, b, "export-chip")
		b.Press("Escape")
		b.Open("/app/jobs/mine/done")
		b.WaitText("Download")
		inspect(t, b, "export-done")
		if again, _ := b.Download(func() { b.In("table").ClickOn("td .btn") }); again != file {
			t.Errorf("the page of the jobs: got the file %s, want %s", again, file)
		}
		b.Click("Export vendors-2026-01-31.csv")
		b.WaitText("kept until")
		inspect(t, b, "export-job")
	})
}
