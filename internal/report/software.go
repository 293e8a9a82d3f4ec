package report

import "strings"

// noteMacOS adds the entry for the build of Apple's system, which has no patches of its own.
func (c *collector) noteMacOS() {
	h, system := c.of("HARDWARE"), c.of("OPERATINGSYSTEM")
	name, version := oneLine(system.text("FULL_NAME")), system.text("VERSION")
	if name == "" {
		name, version = oneLine(h.text("OSNAME")), h.text("OSVERSION")
	}
	if !startsFold(name, "macos") && !startsFold(name, "mac os") {
		return
	}
	r := row{section: software}
	for field, text := range map[string]string{
		"NAME": name, "VERSION": version, "PUBLISHER": "Apple", "SYSTEM_CATEGORY": "system",
	} {
		r.values[r.index(field)] = text
	}
	c.program(&r)
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
	releaseTypes     = map[string]bool{
		"security update": true, "update": true, "hotfix": true, "service pack": true, "update rollup": true,
	}
)

// packaged reports whether software comes from a package manager of Linux or another Unix.
func packaged(from string) bool {
	switch from {
	case "deb", "rpm", "apk", "pacman", "gentoo", "slackware", "snap", "flatpak", "nix", "guix", "bsd", "pkg":
		return true
	}
	return false
}

// namesPatch reports whether a name contains the number of a patch for Windows, such as KB5044285, as a word.
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
