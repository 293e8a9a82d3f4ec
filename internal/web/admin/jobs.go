package admin

import (
	"net/http"
	"net/url"
	"strconv"
	"time"

	"muster/internal/desk/jobs"
	"muster/internal/front"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/store/queue"
	"muster/internal/web/lang"
	"muster/internal/web/page"
	"muster/internal/web/records"
)

// A jobTab is a part of the page of jobs.
type jobTab struct {
	part        queue.Part
	path, title string // the path below that of the page
	counted     bool
	all         bool // it is of what happens by itself too, so people do not have it of their own
}

// jobTabs are the parts of the page of jobs.
var jobTabs = []jobTab{
	{queue.Current, "", lang.Msg("Now"), true, false},
	{queue.Planned, "/scheduled", lang.Msg("Scheduled"), true, true},
	{queue.Troubled, "/failed", lang.Msg("Failed"), true, false},
	{queue.Over, "/done", lang.Msg("Done"), false, false},
}

// A jobTabLink leads to a part.
type jobTabLink struct {
	records.ViewTab
	Count *int
	Bad   bool
}

// A jobsPage is a part of all jobs, or of the person's own.
type jobsPage struct {
	Title    string
	Own      bool
	Part     queue.Part
	Running  bool // something is under way, so that the page looks often
	Tabs     []jobTabLink
	Rows     []page.JobView
	Files    bool // some have one
	Routines []routineRow
	Next     *page.JobView // what is to begin next
	By       []records.ViewTab
	Back     string // the address of the page, to which its forms lead back
	Change   bool   // the person may change something
	Pager    page.Pager
	Pages    bool
}

// A routineRow is what happens by itself.
type routineRow struct {
	Handler, Title, When string
	On                   bool
	Last                 *page.JobView
	Next                 *page.JobView
}

// ShowJobs shows a part of all jobs.
func ShowJobs(part queue.Part) page.Handler {
	return func(c *page.Call) (*page.Answer, error) { return showJobs(c, part, false) }
}

// ShowOwnJobs shows a part of the person's own jobs.
func ShowOwnJobs(part queue.Part) page.Handler {
	return func(c *page.Call) (*page.Answer, error) { return showJobs(c, part, true) }
}

func showJobs(c *page.Call, part queue.Part, own bool) (*page.Answer, error) {
	p := jobsPage{Title: c.T("Jobs"), Own: own, Part: part, Back: c.URL.RequestURI(), Change: own || !c.User.ReadOnly.V}
	path, whose := page.JobsPath, queue.Anybodys
	if own {
		p.Title, path, whose = c.T("Your jobs"), page.OwnJobsPath, queue.Whose(c.User.ID)
	}
	if part == queue.Over && !own {
		whose = p.addBy(c)
	}
	number, rows := c.Place(records.DefaultRows)
	found, err := c.App.Jobs.Slice(c.Context(), c.Who(), part, whose, (number-1)*rows, rows)
	if err != nil {
		return nil, err
	}
	at := kind.Position{Number: number, PerPage: rows, Total: found.Totals[part]}
	if a := c.LastPage(at, len(found.Jobs)); a != nil {
		return a, nil
	}
	for _, j := range found.Jobs {
		row := c.ViewJob(&j, found.People, found.Held)
		p.Rows, p.Files = append(p.Rows, row), p.Files || row.File != nil
	}
	p.Tabs, p.Running = tabsOf(c, path, part, found, own), found.Totals[queue.Current] > 0
	p.Pager = c.NewPager(at, c.URL.Path, page.Without(c.URL.Query(), "page"))
	p.Pages = p.Pager.Pages > 1
	if err := p.complete(c); err != nil {
		return nil, err
	}
	return c.Show("jobs", page.Page{Title: p.Title, Here: path, Scripts: []string{"jobs.js"}, Data: p})
}

// tabsOf returns the links to the parts.
func tabsOf(c *page.Call, path string, part queue.Part, found jobs.Slice, own bool) (links []jobTabLink) {
	for _, tab := range jobTabs {
		if tab.all && own {
			continue
		}
		link := jobTabLink{ViewTab: records.ViewTab{Title: c.T(tab.title), Href: path + tab.path, Current: tab.part == part}}
		if n := found.Totals[tab.part]; tab.counted {
			link.Count, link.Bad = &n, tab.part == queue.Troubled && n > 0
		}
		links = append(links, link)
	}
	return links
}

// addBy adds the choice whose jobs are shown, and returns whose are.
func (p *jobsPage) addBy(c *page.Call) queue.Whose {
	choices := []struct {
		value, title string
		whose        queue.Whose
	}{
		{"", lang.Msg("By people"), queue.Peoples},
		{"itself", lang.Msg("By themselves"), queue.Nobodys},
		{"all", lang.Msg("All"), queue.Anybodys},
	}
	asked := page.OneOf(c.URL.Query().Get("by"), "itself", "all")
	whose := queue.Peoples
	for _, one := range choices {
		values := url.Values{}
		if one.value != "" {
			values.Set("by", one.value)
		}
		p.By = append(p.By, records.ViewTab{Title: c.T(one.title), Href: page.Address(c.URL.Path, values),
			Current: one.value == asked})
		if one.value == asked {
			whose = one.whose
		}
	}
	return whose
}

// complete adds what is beside the jobs: what happens by itself, and what is to begin next.
func (p *jobsPage) complete(c *page.Call) error {
	if p.Own || p.Part != queue.Planned && p.Part != queue.Current {
		return nil
	}
	planned, err := c.App.Jobs.Slice(c.Context(), c.Who(), queue.Planned, queue.Anybodys, 0, kind.MaxPerPage)
	if err != nil {
		return err
	}
	next := map[string]*page.JobView{}
	for i := len(planned.Jobs) - 1; i >= 0; i-- {
		v := c.ViewJob(&planned.Jobs[i], planned.People, planned.Held)
		next[v.Handler], p.Next = &v, &v
	}
	if p.Part == queue.Current {
		return nil
	}
	return p.addRoutines(c, next)
}

// addRoutines adds what happens by itself; what else is planned follows it.
func (p *jobsPage) addRoutines(c *page.Call, next map[string]*page.JobView) error {
	routines, err := c.App.Jobs.Routines(c.Context())
	if err != nil {
		return err
	}
	own := map[string]bool{}
	for _, r := range routines {
		own[r.Handler] = true
		p.Routines = append(p.Routines, newRoutineRow(c, r, next[r.Handler]))
	}
	rest := p.Rows[:0]
	for _, row := range p.Rows {
		if !own[row.Handler] {
			rest = append(rest, row)
		}
	}
	p.Rows = rest
	return nil
}

// hour returns a time of the day of the server as it is with the person.
func hour(c *page.Call, sinceMidnight time.Duration) string {
	now := c.App.Now()
	at := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, int(sinceMidnight/time.Second), 0, now.Location())
	return c.Clock(at.In(c.Zone()))
}

func newRoutineRow(c *page.Call, r jobs.Routine, next *page.JobView) routineRow {
	row := routineRow{Handler: r.Handler, Title: c.Fault(r.Title), On: r.On, When: c.T("switched off")}
	if r.On {
		row.Next = next
		row.When = c.T("every day at %s", hour(c, r.At))
	}
	if r.Last.ID != 0 {
		last := c.ViewJob(&r.Last, nil, false)
		row.Last = &last
	}
	return row
}

// RunJob starts what happens by itself now.
func RunJob(c *page.Call) (*page.Answer, error) {
	j, err := c.App.Jobs.RunNow(c.Context(), c.Who(), c.PathValue("name"))
	if err != nil {
		return nil, err
	}
	c.Notify(c.T("%s: begun", c.Fault(c.App.Jobs.Title(&j))))
	return c.GoTo(page.JobsPath)
}

// A jobPage is one job.
type jobPage struct {
	page.JobView
	All    string // path of the list that it is in
	Back   string
	Change bool
	Result string // the page on which its handler shows what becomes of it, "" for none
	Live   bool
}

// ShowJob shows one job: everybody their own, administrators all.
func ShowJob(c *page.Call) (*page.Answer, error) {
	id, err := strconv.ParseInt(c.PathValue("id"), 10, 64)
	if err != nil {
		return nil, front.Fault(http.StatusNotFound, "there is no job %q", c.PathValue("id"))
	}
	j, err := c.App.Jobs.Of(c.Context(), c.Who(), id)
	if err != nil {
		return nil, err
	}
	people, err := c.App.Jobs.People(c.Context(), []queue.Job{j})
	if err != nil {
		return nil, err
	}
	held, err := c.App.Jobs.Held(c.Context())
	if err != nil {
		return nil, err
	}
	p := jobPage{JobView: c.ViewJob(&j, people, held), All: page.OwnJobsPath, Back: c.URL.RequestURI(),
		Change: j.UserID == c.User.ID || !c.User.ReadOnly.V, Live: !j.State.Ended()}
	if c.User.Role == inventory.Administrator {
		p.All = page.JobsPath
	}
	if show := c.App.JobResults[j.Handler]; show != nil && p.Own {
		p.Result = show(&j)
	}
	return c.Show("job", page.Page{Title: p.Title, Here: p.All, Scripts: []string{"jobs.js"}, Data: p})
}
