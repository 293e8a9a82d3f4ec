package collect

import (
	"context"
	"strconv"
	"strings"
	"time"
)

// A software is an installed package. It has the name, version and publisher that OCS gives it, so that computers with
// either agent have the same software.
type software struct {
	name, version, publisher, from string
	installed                      time.Time // zero when unknown
}

func (s *software) write(d *document) {
	date := ""
	if !s.installed.IsZero() {
		date = s.installed.Format("2006/01/02 15:04:05")
	}
	d.row("SOFTWARES",
		field{"FROM", s.from}, field{"INSTALLDATE", date}, field{"NAME", s.name}, field{"PUBLISHER", s.publisher},
		field{"VERSION", s.version})
}

// stanzas calls a function with the fields of each block of a text. Blocks end with an empty line, and lines
// are a name, a colon and a value; what goes on on further lines, which are indented, is not needed.
func stanzas(text string, each func(map[string]string)) {
	values := map[string]string{}
	for line := range strings.Lines(text + "\n\n") {
		line = strings.TrimRight(line, "\r\n")
		if name, value, ok := strings.Cut(line, ":"); ok {
			values[name] = strings.TrimSpace(value)
		}
		if line == "" && len(values) > 0 {
			each(values)
			clear(values)
		}
	}
}

const debFolder = "var/lib/dpkg"

// debs adds the packages of Debian and its descendants.
func (m *Machine) debs(d *document) {
	status := m.text(debFolder, "status")
	native := ""
	stanzas(status, func(p map[string]string) {
		if p["Package"] == "dpkg" {
			native = p["Architecture"]
		}
	})
	stanzas(status, func(p map[string]string) {
		words := strings.Fields(p["Status"])
		if len(words) != 3 || words[2] != "installed" {
			return
		}
		s := software{name: p["Package"], version: p["Version"], publisher: p["Homepage"], from: "deb"}
		arch, same := p["Architecture"], p["Multi-Arch"] == "same"
		if same { // only such a package has a file for each architecture
			s.installed = m.changed(debFolder, "info", s.name+":"+arch+".list")
		} else {
			s.installed = m.changed(debFolder, "info", s.name+".list")
		}
		if same || arch != native && arch != "all" {
			s.name += ":" + arch
		}
		s.write(d)
	})
}

// apks adds the packages of Alpine, which does not store when they were installed.
func (m *Machine) apks(d *document) {
	for _, file := range []string{"lib/apk/db/installed", "usr/lib/apk/db/installed"} {
		text := m.text(file)
		stanzas(text, func(p map[string]string) {
			s := software{name: p["P"], version: p["V"], publisher: p["U"], from: "apk"}
			s.write(d)
		})
		if text != "" {
			return // the second may be the first by another way
		}
	}
}

// rpmFiles are what the database of RPM may be, of which a system has one.
var rpmFiles = []string{"rpmdb.sqlite", "Packages", "Packages.db"}

// rpms adds the packages of Red Hat, SUSE and their descendants.
func (m *Machine) rpms(ctx context.Context, d *document) {
	for _, folder := range []string{"usr/lib/sysimage/rpm", "var/lib/rpm", "usr/share/rpm"} {
		for _, file := range rpmFiles {
			if m.has(folder, file) {
				m.rpmsIn(ctx, d, folder)
				return
			}
		}
	}
}

// rpmsIn adds the packages in a database. OCS separates version and release by a hyphen, and leaves the epoch
// out.
func (m *Machine) rpmsIn(ctx context.Context, d *document, folder string) {
	out := m.program(ctx, "rpm packages", time.Minute, "rpm", "--dbpath", m.path(folder), "-qa",
		"--queryformat", `%{NAME}\t%{VERSION}-%{RELEASE}\t%{INSTALLTIME}\t%{VENDOR}\n`)
	for line := range strings.Lines(string(out)) {
		words := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if len(words) != 4 {
			continue
		}
		s := software{name: words[0], version: words[1], publisher: words[3], from: "rpm"}
		if s.publisher == "(none)" {
			s.publisher = ""
		}
		if seconds, err := strconv.ParseInt(words[2], 10, 64); err == nil {
			s.installed = time.Unix(seconds, 0)
		}
		s.write(d)
	}
}
