package admin

import (
	"muster/internal/agentsetup"
	"muster/internal/desk"
	"muster/internal/desk/trail"
	"muster/internal/store/queue"
	"muster/internal/web/account"
	"muster/internal/web/page"
	"muster/internal/web/records"
)

// AboutPath is the page about the installation.
const AboutPath = "/about"

// An aboutPage is what the page about the installation shows.
type aboutPage struct {
	Version, Database, Size string
	Begun                   *page.Moment
	Records                 []records.ViewTab // lists with their totals
	Included                []included
	API                     string
	desk.Installation
	Trail trailState
}

// A trailState is how the last verification of the audit trail went, or how far it is.
type trailState struct {
	trail.Verification
	Path        string // of its job
	Running     bool
	Stopped     bool
	Misfit, Why string // as people read it
	Began, Over *page.Moment
}

// trailOf returns how the last verification went.
func trailOf(c *page.Call) (s trailState, err error) {
	s.Verification, err = c.App.Verifier.Last(c.Context())
	s.Path, s.Running, s.Stopped = page.JobPath(s.Job), s.Job != 0 && !s.State.Ended(), s.State == queue.Stopped
	s.Misfit, s.Why = c.Fault(s.Finding.Misfit), c.Fault(s.Fault)
	s.Began, s.Over = c.Moment(s.Begun), c.Moment(s.Ended)
	return s, err
}

// ShowAbout shows the version and state of the installation and of its audit trail.
func ShowAbout(c *page.Call) (*page.Answer, error) {
	in, err := c.App.Desk.Installation(c.Context(), c.Who())
	if err != nil {
		return nil, err
	}
	verification, err := trailOf(c)
	if err != nil {
		return nil, err
	}
	p := aboutPage{
		Version: c.App.Version, Database: in.Database, Size: c.Megabytes(max(1, in.Bytes>>20)),
		Begun: c.Moment(c.App.Begun), Installation: in,
		Trail:    verification,
		Included: includedSoftware(), API: account.Curl(c, "--digest --user "+agentsetup.ShellQuote(c.User.Email)),
	}
	for _, s := range records.SectionsOf(c.App) {
		total, err := s.Total(c, nil)
		if err != nil {
			return nil, err
		}
		p.Records = append(p.Records, records.ViewTab{Title: c.T(s.Title), Href: "/" + s.Path, Total: total})
	}
	return c.Show("about", page.Page{Title: c.T("About"), Here: AboutPath, Scripts: []string{"about.js"}, Data: p})
}

// VerifyTrail begins to verify the audit trail.
func VerifyTrail(c *page.Call) (*page.Answer, error) {
	if err := c.App.Verifier.Start(c.Context(), c.Who()); err != nil {
		return nil, err
	}
	return c.GoTo(AboutPath) // without a part of it, since a page that is refreshed at one is not asked for again
}
