// Command release builds what people download: for each system an archive with the program and a list of its
// components, for Linux also packages, and the checksums of all. Two builds of one commit are identical to the
// byte, wherever they are made: nothing but the sources, the version, the commit and its time may go in. Publishing
// the files does not belong here.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A release is one version for all its targets.
type release struct {
	root    string // of the repository
	out     string // folder of what is made; emptied first
	version string // as v1.2.3
	commit  string
	time    time.Time
	targets []target
}

// A target is a system that the program is built for.
type target struct{ os, arch string }

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run() error {
	r := &release{}
	flag.StringVar(&r.root, "root", ".", "folder of the repository")
	flag.StringVar(&r.out, "out", "dist", "folder of what is made, which is emptied first")
	flag.StringVar(&r.version, "version", "", "version, as v1.2.3")
	flag.StringVar(&r.commit, "commit", "", "commit that is built")
	seconds := flag.Int64("epoch", 0, "time of the commit, in seconds since 1970")
	targets := flag.String("targets", "linux/amd64 linux/arm64 windows/amd64 darwin/amd64 darwin/arm64",
		"systems to build for")
	flag.Parse()
	r.time = time.Unix(*seconds, 0).UTC()
	for _, name := range strings.Fields(*targets) {
		system, arch, ok := strings.Cut(name, "/")
		if !ok {
			return fmt.Errorf("the target %q must be like linux/amd64", name)
		}
		r.targets = append(r.targets, target{system, arch})
	}
	if r.version == "" || *seconds <= 0 {
		return fmt.Errorf("give the version and the time of the commit, with -version and -epoch")
	}
	return r.make()
}

// make builds everything.
func (r *release) make() (err error) {
	if r.root, err = filepath.Abs(r.root); err != nil {
		return err
	}
	if r.out, err = filepath.Abs(r.out); err != nil {
		return err
	}
	if err := r.clear(); err != nil {
		return err
	}
	pages, err := r.pages()
	if err != nil {
		return err
	}
	for _, t := range r.targets {
		if err := r.makeTarget(t, pages); err != nil {
			return fmt.Errorf("%s/%s: %w", t.os, t.arch, err)
		}
	}
	return r.sums()
}

// clear removes what an earlier release left, and nothing else.
func (r *release) clear() error {
	entries, err := os.ReadDir(r.out)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	staged := slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == stageName })
	if len(entries) > 0 && !staged {
		return fmt.Errorf("%s has files that no release has made: name another folder with -out", r.out)
	}
	return os.RemoveAll(r.out)
}

// makeTarget builds all that is for one system.
func (r *release) makeTarget(t target, pages []file) error {
	program, err := r.build(t)
	if err != nil {
		return err
	}
	parts, err := r.parts(t)
	if err != nil {
		return err
	}
	files, err := r.own(t)
	if err != nil {
		return err
	}
	files = append(files, pages...)
	files = append(files, file{name: t.program(), data: program, mode: 0o755},
		file{name: "THIRD-PARTY.txt", data: notices(parts)})
	if err := r.stage(t, files); err != nil {
		return err
	}
	if err := r.writeInventory(t, parts); err != nil {
		return err
	}
	if err := r.archive(t, files); err != nil {
		return err
	}
	if t.os != "linux" {
		return nil
	}
	return r.packages(t)
}

// name returns the name of a target's files without their extensions.
func (r *release) name(t target) string {
	return fmt.Sprintf("muster_%s_%s_%s", strings.TrimPrefix(r.version, "v"), t.os, t.arch)
}

// program returns the file name of the program.
func (t target) program() string {
	if t.os == "windows" {
		return "muster.exe"
	}
	return "muster"
}
