package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"text/tabwriter"

	"muster/internal/server"
)

type jobCmd struct {
	List   jobListCmd   `cmd:"" help:"List the jobs that wait, run or have failed."`
	Run    jobRunCmd    `cmd:"" help:"Start what happens by itself now, besides its next time."`
	Retry  jobRetryCmd  `cmd:"" help:"Let jobs that have failed, were stopped or wait for their next try go on now, from where they were."`
	Stop   jobStopCmd   `cmd:"" help:"Stop jobs, or give up those that have failed. What they have done stays."`
	Resume jobResumeCmd `cmd:"" help:"Let the jobs go on that are held since the database was restored, because they reach outside."`
}

// job carries out a command about jobs on the installation.
func (p *place) job(cmd server.JobCommand) (*server.JobResult, error) {
	where := p.place(newLog(slog.LevelWarn))
	return where.Job(context.Background(), cmd)
}

type jobListCmd struct {
	Failed bool `help:"List only the jobs that have failed."`
	All    bool `help:"List also the jobs that are done or were stopped, in the last 30 days."`
	JSON   bool `name:"json" help:"Print the jobs as JSON, for scripts."`
	place
}

// Run lists jobs.
func (c *jobListCmd) Run() error {
	res, err := c.job(server.JobCommand{Do: "list", Failed: c.Failed, All: c.All})
	if err != nil {
		return err
	}
	if c.JSON {
		return jobsJSON(os.Stdout, res)
	}
	return jobsTable(os.Stdout, res)
}

// jobsJSON prints jobs for programs.
func jobsJSON(w io.Writer, res *server.JobResult) error {
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	out.SetIndent("", "  ")
	return out.Encode(map[string]any{"jobs": append([]server.JobInfo{}, res.Jobs...), "left": res.Left, "held": res.Held})
}

// jobsTable prints one line a job.
func jobsTable(to io.Writer, res *server.JobResult) error {
	w := tabwriter.NewWriter(to, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, "ID\tNAME\tSTATE\tDONE\tTRIES\tUSER\tTIME\tWHAT")
	for _, j := range res.Jobs {
		fmt.Fprintf(w, "%d\t%s\t%s\t%s\t%d\t%s\t%s\t%s\n", j.ID, j.Handler, jobState(j), jobDone(j), j.Tries,
			shown(j.User), jobTime(j), jobText(j))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if res.Left > 0 {
		fmt.Fprintf(to, "There are %d more.\n", res.Left)
	}
	if res.Held {
		fmt.Fprintln(to, "Jobs that reach outside are held since the database was restored: muster job resume lets them go on.")
	}
	return nil
}

// jobState returns the state of a job in a word.
func jobState(j server.JobInfo) string {
	if j.Held {
		return "held"
	}
	return j.State
}

// jobDone returns how far a job is.
func jobDone(j server.JobInfo) string {
	if j.Total == 0 {
		return fmt.Sprint(j.Done)
	}
	return fmt.Sprintf("%d of %d", j.Done, j.Total)
}

// jobTime returns when a job is to begin, has ended, or else was asked for.
func jobTime(j server.JobInfo) string {
	return cmp.Or(j.Due, j.Ended, &j.Created).Format("2006-01-02 15:04 UTC")
}

// jobText returns what a job does, and what became of it.
func jobText(j server.JobInfo) string {
	if j.Said == "" {
		return j.Title
	}
	return j.Title + ": " + j.Said
}

type jobRunCmd struct {
	Name string `arg:"" help:"Name of what happens by itself, such as tidy."`
	place
}

// Run starts what happens by itself.
func (c *jobRunCmd) Run() error {
	res, err := c.job(server.JobCommand{Do: "run", Name: c.Name})
	if err != nil {
		return err
	}
	fmt.Printf("Job %d (%s) is begun as soon as a server has a place for it: muster job list shows it.\n", res.Jobs[0].ID,
		res.Jobs[0].Title)
	return nil
}

// jobsArgs name the jobs that are changed.
type jobsArgs struct {
	Job []string `arg:"" help:"Id of a job, as listed by muster job list."`
	place
}

// change changes jobs, and prints what becomes of each.
func (c *jobsArgs) change(do string, becomes func(server.JobInfo) string) error {
	res, err := c.job(server.JobCommand{Do: do, Which: c.Job})
	if err != nil {
		return err
	}
	for _, j := range res.Jobs {
		fmt.Printf("Job %d (%s) %s.\n", j.ID, j.Title, becomes(j))
	}
	return nil
}

type jobRetryCmd struct{ jobsArgs }

// Run lets jobs go on.
func (c *jobRetryCmd) Run() error {
	return c.change("retry", func(server.JobInfo) string { return "goes on" })
}

type jobStopCmd struct{ jobsArgs }

// Run stops jobs.
func (c *jobStopCmd) Run() error {
	return c.change("stop", func(j server.JobInfo) string {
		if j.State == "running" {
			return "stops soon"
		}
		return "was stopped"
	})
}

type jobResumeCmd struct{ place }

// Run lets held jobs go on.
func (c *jobResumeCmd) Run() error {
	if _, err := c.job(server.JobCommand{Do: "resume"}); err != nil {
		return err
	}
	fmt.Println("No job is held.")
	return nil
}
