package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/goreleaser/nfpm/v2"
	_ "github.com/goreleaser/nfpm/v2/deb" // registers the format
	_ "github.com/goreleaser/nfpm/v2/rpm" // registers the format
)

// zshFolders are where each family of systems keeps completion that packages bring.
var zshFolders = map[string]string{"deb": "/usr/share/zsh/vendor-completions", "rpm": "/usr/share/zsh/site-functions"}

// packages makes the Debian and the RPM package of a target.
func (r *release) packages(t target) error {
	for _, format := range []string{"deb", "rpm"} {
		if err := r.pack(t, format); err != nil {
			return fmt.Errorf("%s: %w", format, err)
		}
	}
	return nil
}

func (r *release) pack(t target, format string) error {
	text, err := os.ReadFile(filepath.Join(r.root, "packaging", "nfpm.yaml"))
	if err != nil {
		return err
	}
	values := map[string]string{
		"VERSION": packageVersion(r.version), "ARCH": t.arch, "STAGE": r.stageOf(t),
		"FILES": filepath.Join(r.root, "packaging", "files"), "ZSH": zshFolders[format],
	}
	config, err := nfpm.Parse(strings.NewReader(os.Expand(string(text),
		func(name string) string { return values[name] })))
	if err != nil {
		return err
	}
	info, err := config.Get(format)
	if err != nil {
		return err
	}
	info.MTime = r.time
	packager, err := nfpm.Get(format)
	if err != nil {
		return err
	}
	info = nfpm.WithDefaults(info)
	out, err := os.Create(filepath.Join(r.out, packager.ConventionalFileName(info)))
	if err != nil {
		return err
	}
	if err := packager.Package(info, out); err != nil {
		return err
	}
	return out.Close()
}

var described = regexp.MustCompile(`-([0-9]+)-g([0-9a-f]+)`)

// packageVersion returns a version under which one that git describes, so many commits after a tag, comes after the
// tag's own and not before it.
func packageVersion(version string) string {
	return strings.Replace(described.ReplaceAllString(version, "+$1.g$2"), "-dirty", ".dirty", 1)
}
