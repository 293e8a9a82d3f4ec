package page

import (
	"cmp"
	"net/http"
	"strconv"
	"strings"
	"time"

	"muster/internal/desk/jobs"
	"muster/internal/front"
	"muster/internal/inventory"
	"muster/internal/store/queue"
	"muster/internal/web/lang"
)

// Paths of jobs.
const (
	JobsPath    = "/jobs"
	OwnJobsPath = "/jobs/mine"
)

// JobPath returns what the paths of a job are below.
func JobPath(id int64) string { return JobsPath + "/" + strconv.FormatInt(id, 10) }

// jobOf returns the id of the job that a path names.
func jobOf(c *Call) (int64, error) {
	id, err := strconv.ParseInt(c.PathValue("id"), 10, 64)
	if err != nil {
		return 0, front.Fault(http.StatusNotFound, "there is no job %q", c.PathValue("id"))
	}
	return id, nil
}

// StopJob ends a job, and leads back to where the person saw it.
func StopJob(c *Call) (*Answer, error) {
	id, err := jobOf(c)
	if err != nil {
		return nil, err
	}
	if err := c.App.Jobs.Stop(c.Context(), c.Who(), id); err != nil {
		return nil, err
	}
	return c.GoTo(OwnPath(c.URL.Query().Get("back")))
}

// RetryJob lets a job go on at once, and leads back to where the person saw it.
func RetryJob(c *Call) (*Answer, error) {
	id, err := jobOf(c)
	if err != nil {
		return nil, err
	}
	if err := c.App.Jobs.Retry(c.Context(), c.Who(), id); err != nil {
		return nil, err
	}
	return c.GoTo(OwnPath(c.URL.Query().Get("back")))
}

// jobStates are the states of jobs in a word.
var jobStates = map[queue.State]string{
	queue.Draft: lang.Msg("waits for a person"), queue.Waiting: lang.Msg("waiting"), queue.Running: lang.Msg("running"),
	queue.Done: lang.Msg("done"), queue.Failed: lang.Msg("failed"), queue.Stopped: lang.Msg("stopped"),
}

// A JobView is a job as pages show it.
type JobView struct {
	ID      int64
	Title   string
	Path    string // of its page
	Handler string
	State   queue.State
	Word    string // of the state
	Held    bool
	Far     string // how far it is, "" where that says nothing
	Done    int64
	Total   int64 // 0 where it is not known
	By      string
	Own     bool
	Lasts   string // for how long it has run, or ran; "" before
	Left    string // for how long it is expected to run, "" where that is not known
	Node    string
	Tries   string
	Said    string
	Failed  bool // it has failed, or waits for its next try after that
	Created *Moment
	Started *Moment
	Due     *Moment // when it is to begin
	Ended   *Moment
	Stop    bool // it can be stopped
	GiveUp  bool // it has failed, and can be given up
	Retry   bool
	File    *JobFile // that the person may have, nil for none
}

// ViewJob returns a job as pages show it; people are the users whose jobs there are.
func (c *Call) ViewJob(j *queue.Job, people map[int64]*inventory.User, held bool) JobView {
	s := c.App.Jobs
	v := JobView{
		ID: j.ID, Title: c.Fault(s.Title(j)), Path: JobPath(j.ID), Handler: j.Handler, State: j.State,
		Word: c.T(jobStates[j.State]), Done: j.Done, Total: j.Total,
		By: c.jobOwner(j, people), Own: j.UserID == c.User.ID, Said: c.Fault(s.Said(j)),
		Created: c.Moment(j.Created), Started: c.Moment(j.Started), Ended: c.Moment(j.Ended),
		Held: held && j.State == queue.Waiting && s.Outside(j),
	}
	v.Node, _, _ = strings.Cut(j.Node, "/")
	if j.Tries > 0 {
		v.Tries = c.T("%s of %s tries", c.Number(int(j.Tries)), c.Number(jobs.MostTries))
	}
	v.Failed = j.State == queue.Failed || j.State == queue.Waiting && j.Tries > 0 && j.Fault != nil
	v.Stop = (j.State == queue.Running || j.State == queue.Waiting) && !j.Stopping
	v.GiveUp = j.State == queue.Failed
	v.Retry = v.Failed || j.State == queue.Stopped
	if j.State == queue.Waiting {
		v.Due = c.Moment(j.DueAt)
	}
	c.measureJob(j, &v)
	v.File = c.fileOf(j)
	return v
}

// fileOf returns the file that a job has made for the person, nil where there is none.
func (c *Call) fileOf(j *queue.Job) *JobFile {
	f := c.App.Exports.FileOf(j)
	if f == nil || j.UserID != c.User.ID {
		return nil
	}
	size := c.T("%s KB", c.Number(int((f.Bytes+1023)>>10)))
	if f.Bytes >= 1<<20 {
		size = c.Megabytes(f.Bytes >> 20)
	}
	return &JobFile{JobPath(j.ID) + "/file", size, c.Moment(f.Until)}
}

// measureJob says how far a job is, and how long it takes.
func (c *Call) measureJob(j *queue.Job, v *JobView) {
	switch {
	case j.Total > 0:
		v.Far = c.T("%s of %s", c.Number(int(j.Done)), c.Number(int(j.Total)))
	case j.Done > 0:
		v.Far = c.Number(int(j.Done))
	}
	if j.Started.IsZero() || j.State == queue.Waiting {
		return
	}
	end := j.Ended
	if end.IsZero() {
		end = c.App.Now()
	}
	took := max(0, end.Sub(j.Started))
	v.Lasts = c.Lasted(took)
	if j.State == queue.Running && j.Tries == 1 && j.Done > 0 && j.Total > j.Done && took >= 2*time.Second {
		v.Left = c.T("about %s left", c.Lasted(took*time.Duration(j.Total-j.Done)/time.Duration(j.Done)))
	}
}

// jobOwner returns on whose behalf a job is done.
func (c *Call) jobOwner(j *queue.Job, people map[int64]*inventory.User) string {
	switch user := people[j.UserID]; {
	case j.UserID == 0:
		return c.T("by itself")
	case user == nil:
		return c.T("a deleted user")
	case user.ID == c.User.ID:
		return c.T("%s, you", cmp.Or(user.Name, user.Email))
	default:
		return cmp.Or(user.Name, user.Email)
	}
}

// Lasted returns a length of time in words.
func (c *Call) Lasted(d time.Duration) string {
	switch {
	case d < time.Minute:
		return c.T("%s s", c.Number(int(max(1, d.Round(time.Second)/time.Second))))
	case d < time.Hour:
		return c.TN(int(d.Round(time.Minute)/time.Minute), "%s min", "%s min")
	default:
		return c.T("%s h %s min", c.Number(int(d/time.Hour)), c.Number(int(d%time.Hour/time.Minute)))
	}
}

// A jobChip says in the frame of each page how the person's jobs are.
type jobChip struct {
	Running, Waiting int
	Percent          string // of all that run, "" where it is not known
	Share            int    // the same as a number
	Jobs             []JobView
	IDs              string // of those that have not ended, with commas
	Failed           bool   // nothing is under way, and one of those shown has failed
	Stopped          bool   // nothing is under way, and the last one was stopped
	Name             string // for those who do not see it
	All              string // path of all that the person may see
	Address          string // of the page around it
}

// shownEnded is for how long a job is shown after its end beside others, and how many of them are.
const (
	shownEnded = 10 * time.Minute
	mostShown  = 5
)

// newJobChip returns what the frame says of the person's jobs, nil where they have none under way and were not told of any.
func (c *Call) newJobChip(sum queue.Sum, told bool) (*jobChip, error) {
	if sum.Running+sum.Waiting == 0 && !told {
		return nil, nil
	}
	chip := &jobChip{Running: int(sum.Running), Waiting: int(sum.Waiting), All: OwnJobsPath, Address: c.URL.RequestURI()}
	if Admins.Allows(c.User) {
		chip.All = JobsPath
	}
	if sum.Total > 0 {
		chip.Share = int(100 * min(sum.Done, sum.Total) / sum.Total)
		chip.Percent = c.Percent(chip.Share)
	}
	if err := c.fillJobChip(chip); err != nil {
		return nil, err
	}
	chip.Name = c.T("Your jobs: %s", chip.words(c))
	return chip, nil
}

// fillJobChip adds the jobs that the chip lists: those under way, and those that have ended a moment ago.
func (c *Call) fillJobChip(chip *jobChip) error {
	own, now := queue.Whose(c.User.ID), c.App.Now()
	under, err := c.App.Jobs.Slice(c.Context(), c.Who(), queue.Current, own, 0, mostShown)
	if err != nil {
		return err
	}
	ended, _, err := c.App.Jobs.List(c.Context(), c.Who(),
		queue.Filter{Ended: true, UserID: c.User.ID, After: now.Add(-shownEnded), Most: mostShown})
	if err != nil {
		return err
	}
	var ids []string
	for _, j := range under.Jobs {
		ids = append(ids, strconv.FormatInt(j.ID, 10))
		chip.Jobs = append(chip.Jobs, c.ViewJob(&j, under.People, under.Held))
	}
	for _, j := range ended {
		chip.Jobs = append(chip.Jobs, c.ViewJob(&j, under.People, under.Held))
		chip.Failed = chip.Failed || j.State == queue.Failed
	}
	chip.Failed = chip.Failed && len(ids) == 0
	chip.Stopped = len(ids) == 0 && len(ended) > 0 && ended[0].State == queue.Stopped
	chip.IDs = strings.Join(ids, ",")
	return nil
}

// words say in a few words how the jobs are.
func (chip *jobChip) words(c *Call) string {
	switch {
	case chip.Running > 0 && chip.Percent != "":
		return c.T("%s running", c.Number(chip.Running)) + " · " + chip.Percent
	case chip.Running > 0:
		return c.T("%s running", c.Number(chip.Running))
	case chip.Waiting > 0:
		return c.T("%s waiting", c.Number(chip.Waiting))
	case chip.Failed:
		return c.T("failed")
	case chip.Stopped:
		return c.T("stopped")
	}
	return c.T("done")
}

// A jobNews is what has become of the person's jobs, for the script of the chip.
type jobNews struct {
	Chip   *jobChip
	Toasts []*frame
}

// mostAsked is how many jobs a script asks about at most.
const mostAsked = 20

// TellJobs answers with the chip as it is now, and with what became of the jobs that a script names.
func TellJobs(c *Call) (*Answer, error) {
	glance, err := c.App.Jobs.Glance(c.Context(), c.User.ID)
	if err != nil {
		return nil, err
	}
	var news jobNews
	if news.Chip, err = c.newJobChip(glance.Sum, true); err != nil {
		return nil, err
	}
	news.Chip.Address = OwnPath(c.URL.Query().Get("back"))
	for i, text := range strings.Split(c.URL.Query().Get("of"), ",") {
		id, bad := strconv.ParseInt(text, 10, 64)
		if bad != nil || i >= mostAsked {
			continue
		}
		toast, err := c.jobToast(id)
		if err != nil {
			return nil, err
		}
		if toast != nil {
			news.Toasts = append(news.Toasts, &frame{Toast: toast})
		}
	}
	var out strings.Builder
	err = c.Templates().ExecuteTemplate(&out, "job-news", news)
	return &Answer{Status: http.StatusOK, Kind: "text/html; charset=utf-8", Body: []byte(out.String())}, err
}

// jobToast says what became of a job of the person's own that has ended, nil for any other.
func (c *Call) jobToast(id int64) (*Toast, error) {
	j, err := c.App.Jobs.Of(c.Context(), c.Who(), id)
	if jobs.IsRefusal(err) || err == nil && (!j.State.Ended() || j.UserID != c.User.ID) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	v := c.ViewJob(&j, nil, false)
	said := cmp.Or(v.Said, v.Word)
	toast := &Toast{Text: c.T("%s: %s", v.Title, said), Warn: j.State == queue.Failed}
	if v.File != nil {
		toast.File = v.File.Path
	}
	return toast, nil
}

// ResumeJobs lets held jobs go on.
func ResumeJobs(c *Call) (*Answer, error) {
	if err := c.App.Jobs.Resume(c.Context(), c.Who()); err != nil {
		return nil, err
	}
	c.Toast = &Toast{Text: c.T("Held jobs go on")}
	return c.GoTo(OwnPath(c.Form.Get("to")))
}
