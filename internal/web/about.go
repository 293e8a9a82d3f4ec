package web

import (
	"muster/internal/desk"
	"muster/internal/pointing"
)

// aboutPath is where the installation is told of.
const aboutPath = "/about"

// An aboutPage is what the page about the installation shows.
type aboutPage struct {
	Version, Database, Size string
	Begun                   *moment
	Records                 []viewTab // lists with their totals
	Included                []included
	API                     string
	desk.Installation
	desk.Verification
	Misfit                   string // as people read it
	VerifyBegun, VerifyEnded *moment
}

// showAbout tells what runs here, and how the audit trail is.
func (c *call) showAbout() (*answer, error) {
	in, err := c.web.Desk.Installation(c.Context(), c.who())
	if err != nil {
		return nil, err
	}
	v := c.web.Desk.Verification()
	p := aboutPage{
		Version: c.web.Version, Database: in.Database, Size: c.megabytes(max(1, in.Bytes>>20)), Begun: c.moment(c.web.begun), Installation: in,
		Verification: v, Misfit: c.fault(v.Misfit), VerifyBegun: c.moment(v.Begun), VerifyEnded: c.moment(v.Ended), Included: includedSoftware(), API: c.curl("--digest --user " + pointing.ShellQuote(c.user.Email)),
	}
	for _, s := range sections {
		total, err := s.total(c, nil)
		if err != nil {
			return nil, err
		}
		p.Records = append(p.Records, viewTab{Title: c.t(s.title), Href: "/" + s.path, Total: total})
	}
	return c.show("about", page{Title: c.t("About"), Here: aboutPath, Scripts: []string{"about.js"}, Data: p})
}

// verifyTrail begins to verify the audit trail.
func (c *call) verifyTrail() (*answer, error) {
	if err := c.web.Desk.VerifyTrail(c.who()); err != nil {
		return nil, err
	}
	return c.goTo(aboutPath) // without a part of it, since a page that is refreshed at one is not asked for again
}
