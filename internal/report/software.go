package report

import (
	"cmp"
	"slices"
	"strings"
)

// software takes in an installed program.
func (c *collector) software(r *row) {
	s := Installed{
		Name: r.text("NAME", "GUID"), Version: r.text("VERSION"), Manufacturer: r.text("PUBLISHER"),
		InstallPath: r.text("FOLDER"), Hidden: hidden(r),
	}
	if s.Name == "" {
		return
	}
	if date := r.text("INSTALLDATE"); date != "" {
		s.InstallDate = day(date)
	}
	if c.installs == nil {
		c.installs = make([]Installed, 0, c.size/300+16) // about as many as there will be
	}
	c.installs = append(c.installs, s)
}

// softwares returns the installed programs, sorted and each once.
func (c *collector) softwares() []Installed {
	all := c.installs
	if build, ok := c.macOS(); ok {
		all = append(all, build)
	}
	order := make([]int32, len(all)) // which is cheaper to move about than what it stands for
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(i, j int32) int { return compare(&all[i], &all[j]) })
	sorted := make([]Installed, 0, len(all))
	for _, i := range order {
		if n := len(sorted); n == 0 || !same(&sorted[n-1], &all[i]) {
			sorted = append(sorted, all[i])
		}
	}
	return sorted
}

func same(a, b *Installed) bool {
	return a.Name == b.Name && a.Manufacturer == b.Manufacturer && a.Version == b.Version
}

// compare orders software by what tells one from another, then by the rest, so that the order does not depend on that of
// the report.
func compare(a, b *Installed) int {
	if c := strings.Compare(a.Name, b.Name); c != 0 {
		return c
	}
	if c := strings.Compare(a.Manufacturer, b.Manufacturer); c != 0 {
		return c
	}
	if c := strings.Compare(a.Version, b.Version); c != 0 {
		return c
	}
	if a.Hidden != b.Hidden {
		if a.Hidden {
			return 1
		}
		return -1
	}
	return cmp.Or(a.InstallDate.Compare(b.InstallDate), strings.Compare(a.InstallPath, b.InstallPath))
}

// macOS returns the entry for the build of Apple's system, which has no patches of its own.
func (c *collector) macOS() (build Installed, ok bool) {
	h, system := c.of("HARDWARE"), c.of("OPERATINGSYSTEM")
	name, version := oneLine(system.text("FULL_NAME")), system.text("VERSION")
	if name == "" {
		name, version = oneLine(h.text("OSNAME")), h.text("OSVERSION")
	}
	if !startsFold(name, "macos") && !startsFold(name, "mac os") {
		return Installed{}, false
	}
	return Installed{Name: name, Version: version, Manufacturer: "Apple", Hidden: true}, true
}

// hidden reports whether a row of software is a patch or a part of the system. Packages of Linux are neither.
func hidden(r *row) bool {
	name := r.text("NAME")
	switch from := r.text("FROM"); {
	case packaged(from):
		return false
	case strings.EqualFold(from, "WMI"):
		return true
	}
	if category := r.text("SYSTEM_CATEGORY"); category != "" && systemCategories[strings.ToLower(category)] {
		return true
	}
	if release := r.text("RELEASE_TYPE"); release != "" && releaseTypes[strings.ToLower(release)] {
		return true
	}
	return namesPatch(name) || namesServicePack(name) || strings.Contains(name, "Update for ")
}

var (
	systemCategories = words("update security_update hotfix system_component system")
	releaseTypes     = map[string]bool{"security update": true, "update": true, "hotfix": true, "service pack": true, "update rollup": true}
)

// packaged reports whether software comes from a package manager of Linux or another Unix.
func packaged(from string) bool {
	switch from {
	case "deb", "rpm", "apk", "pacman", "gentoo", "slackware", "snap", "flatpak", "nix", "guix", "bsd", "pkg":
		return true
	}
	return false
}

// namesPatch reports whether a name holds the number of a patch for Windows, such as KB5044285, as a word.
func namesPatch(name string) bool {
	for {
		i := strings.Index(name, "KB")
		if i < 0 {
			return false
		}
		before := i > 0 && wordPart(name[i-1])
		name = name[i+2:]
		n := 0
		for n < len(name) && name[n] >= '0' && name[n] <= '9' {
			n++
		}
		if !before && n >= 5 && n <= 8 && (n == len(name) || !wordPart(name[n])) {
			return true
		}
	}
}

func wordPart(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || lower(c) >= 'a' && lower(c) <= 'z'
}

// namesServicePack reports whether a name says Service Pack and a number.
func namesServicePack(name string) bool {
	_, number, _ := strings.Cut(name, "Service Pack ")
	return number != "" && number[0] >= '0' && number[0] <= '9'
}
