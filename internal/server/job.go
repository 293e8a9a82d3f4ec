package server

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"muster/internal/desk/jobs"
	"muster/internal/inventory"
	"muster/internal/store/queue"
)

// A JobCommand lists jobs, or changes what becomes of some.
type JobCommand struct {
	Do     string   // list, run, retry, stop or resume
	Which  []string // ids of jobs
	Name   string   // of what happens by itself, for run
	Failed bool     // list those alone that have failed
	All    bool     // list those too that are done or were stopped
}

// A JobResult is the outcome of a JobCommand.
type JobResult struct {
	Jobs []JobInfo // that there are, or that were changed
	Left int64     // further ones that are not listed
	Held bool      // jobs that reach outside are held
}

// A JobInfo is what a list says of a job.
type JobInfo struct {
	ID      int64      `json:"id"`
	Handler string     `json:"handler"`
	Title   string     `json:"title"`
	State   string     `json:"state"`
	Held    bool       `json:"held"`
	Done    int64      `json:"done"`
	Total   int64      `json:"total"` // 0 where it is not known
	Tries   int64      `json:"tries"`
	User    string     `json:"user"` // address of who asked for it, "" for nobody
	Node    string     `json:"node"`
	Created time.Time  `json:"created-at"`
	Due     *time.Time `json:"due-at"`   // of one that waits
	Ended   *time.Time `json:"ended-at"` // of one that has ended
	Said    string     `json:"said"`     // what became of it, or why it failed
}

// Job carries out a command about jobs, whether or not a server runs on the data folder.
func (p *Place) Job(ctx context.Context, cmd JobCommand) (*JobResult, error) { return do(ctx, p, cmd) }

// Job carries out a command about jobs on the running server.
func (s *Server) Job(ctx context.Context, cmd JobCommand) (*JobResult, error) {
	return cmd.carryOut(ctx, s.installation)
}

func (c JobCommand) path() string { return "/jobs" }

func (c JobCommand) first() bool { return false }

func (c JobCommand) carryOut(ctx context.Context, h *installation) (*JobResult, error) {
	switch c.Do {
	case "list":
		return c.list(ctx, h.jobs)
	case "run":
		j, err := h.jobs.RunNow(ctx, origin, c.Name)
		return &JobResult{Jobs: []JobInfo{newJobInfo(h.jobs, &j)}}, err
	case "retry":
		return c.change(ctx, h.jobs, func(id int64) error { return h.jobs.Retry(ctx, origin, id) })
	case "stop":
		return c.change(ctx, h.jobs, func(id int64) error { return h.jobs.Stop(ctx, origin, id) })
	case "resume":
		return &JobResult{}, h.jobs.Resume(ctx, origin)
	}
	return nil, fmt.Errorf("unknown command %q", c.Do)
}

// mostListed is how many jobs of a sort are listed at most.
const mostListed = 1000

// filters return which jobs are meant.
func (c JobCommand) filters() (all []queue.Filter) {
	if !c.Failed {
		all = append(all, queue.Filter{Oldest: true, Most: mostListed})
	}
	ended := queue.Filter{Ended: true, State: queue.Failed, Most: mostListed}
	if c.All {
		ended.State = ""
	}
	return append(all, ended)
}

// list returns the jobs that are meant.
func (c JobCommand) list(ctx context.Context, s *jobs.Service) (*JobResult, error) {
	if c.Failed && c.All {
		return nil, errors.New("--failed and --all exclude each other: give one of them")
	}
	held, err := s.Held(ctx)
	if err != nil {
		return nil, err
	}
	res := &JobResult{Held: held}
	for _, f := range c.filters() {
		found, total, err := s.List(ctx, origin, f)
		if err != nil {
			return nil, err
		}
		people, err := s.People(ctx, found)
		if err != nil {
			return nil, err
		}
		for _, j := range found {
			info := newJobInfo(s, &j)
			info.User, info.Held = email(people[j.UserID]), held && j.State == queue.Waiting && s.Outside(&j)
			res.Jobs = append(res.Jobs, info)
		}
		res.Left += total - int64(len(found))
	}
	return res, nil
}

// email returns the address of a user, "" for nobody.
func email(user *inventory.User) string {
	if user == nil {
		return ""
	}
	return user.Email
}

// newJobInfo returns what a list says of a job.
func newJobInfo(s *jobs.Service, j *queue.Job) JobInfo {
	info := JobInfo{ID: j.ID, Handler: j.Handler, Title: s.Title(j).String(), State: string(j.State), Done: j.Done,
		Total: j.Total, Tries: j.Tries, Node: j.Node, Created: j.Created.UTC()}
	if said := s.Said(j); !said.IsZero() {
		info.Said = said.String()
	}
	if j.State == queue.Waiting {
		info.Due = new(j.DueAt.UTC())
	}
	if !j.Ended.IsZero() {
		info.Ended = new(j.Ended.UTC())
	}
	return info
}

// change does something with the jobs that have the given ids.
func (c JobCommand) change(ctx context.Context, s *jobs.Service, do func(id int64) error) (*JobResult, error) {
	res := &JobResult{}
	if len(c.Which) == 0 {
		return nil, errors.New("which jobs? Give their ids: muster job list shows them")
	}
	for _, which := range c.Which {
		id, err := strconv.ParseInt(which, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("%q is not the id of a job: muster job list shows them", which)
		}
		if err := do(id); err != nil {
			return nil, err
		}
		j, err := s.Of(ctx, origin, id)
		if err != nil {
			return nil, err
		}
		res.Jobs = append(res.Jobs, newJobInfo(s, &j))
	}
	return res, nil
}
