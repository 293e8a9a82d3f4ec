package demo

import (
	"slices"
	"strings"
	"time"

	"muster/internal/inventory"
)

// A release is one version of a product.
type release struct {
	*product
	version int
}

// InstalledOn returns the software of the i-th computer, as its agent reports it
// at a time: of each product that its system and its people call for, the
// present version or an older one.
func InstalledOn(i int, c *inventory.Computer, at time.Time) []inventory.Software {
	return installations(releasesOn(i, c), c, at)
}

// releasesOn decides what the i-th computer has. One that never reported has
// nothing.
func releasesOn(i int, c *inventory.Computer) (all []release) {
	var d dice
	d.Seed(seed, scatter(uint64(i), 61))
	for _, p := range data().products {
		has, version := d.chance(p.Percent), 0
		if len(p.Versions) > 1 && d.chance(30) {
			version = 1
		}
		if has && p.fits(c) && !c.DetectedAt.IsZero() {
			all = append(all, release{p, version})
		}
	}
	return all
}

// fits reports whether a computer may have the product.
func (p *product) fits(c *inventory.Computer) bool {
	server := c.Category == "Server" || c.Category == "Virtual Machine"
	return slices.Contains(p.Families, familyOf(c)) && p.Servers == server &&
		(p.Department == "" || p.Department == c.Department)
}

// familyOf returns the family of a computer's operating system.
func familyOf(c *inventory.Computer) family {
	switch {
	case strings.Contains(c.OperatingSystem, "Windows"):
		return windows
	case strings.Contains(c.OperatingSystem, "macOS"):
		return macOS
	}
	return unix
}

// installations returns releases as a computer has them that got them at a time.
func installations(releases []release, c *inventory.Computer, at time.Time) (all []inventory.Software) {
	for _, r := range releases {
		s := *r.software(r.version)
		s.InstallDate, s.InstallPath = at.Truncate(24*time.Hour), r.folder(familyOf(c))
		all = append(all, s)
	}
	return all
}

// folder is where a product is installed, "" where reports do not say so: that
// of system software, and of packages.
func (p *product) folder(on family) string {
	switch {
	case p.Hidden || on == unix:
		return ""
	case on == macOS:
		return "/Applications/" + p.Name + ".app"
	}
	return `C:\Program Files\` + p.Name
}

// installSoftware notes what the agents reported: what computers had when they
// came, and what they have since the present versions were rolled out. One that
// has not reported since then has the old ones.
func (s *story) installSoftware() {
	for i, c := range s.computers {
		came := s.computers[i-i%delivery].CreatedAt.Add(delivery * unpacking)
		rolled, present := s.ago(12+i%60, 11*i%600), releasesOn(i, c)
		if !came.Before(rolled) {
			s.report(c, came, present)
			continue
		}
		s.report(c, came, beforeRollout(i, c, present))
		if !c.DetectedAt.Before(rolled) {
			s.report(c, rolled, present)
		}
	}
}

// report notes that the agent of a computer found software.
func (s *story) report(c *inventory.Computer, at time.Time, found []release) {
	if len(found) > 0 {
		step := Step{
			At: at, Origin: "agent", Kind: inventory.Computers.Schema, Of: c, Software: installations(found, c, at),
		}
		s.steps = append(s.steps, step)
	}
}

// unwanted is what the help desk removes where it finds it.
const unwanted = "TeamViewer Host"

// beforeRollout returns what the i-th computer had before the present versions
// were rolled out: older ones, no updates, and on some what is unwanted.
func beforeRollout(i int, c *inventory.Computer, present []release) (all []release) {
	for _, r := range present {
		if r.Category != "Update" {
			all = append(all, release{r.product, len(r.Versions) - 1})
		}
	}
	for _, p := range data().products {
		if i%9 == 4 && p.Name == unwanted && p.fits(c) {
			all = append(all, release{p, 0})
		}
	}
	return all
}
