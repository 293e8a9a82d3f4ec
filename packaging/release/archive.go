package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// A file is an entry of an archive.
type file struct {
	name   string      // from the archive's folder
	source string      // path in the repository, "" for what is made
	mode   fs.FileMode // 0 for 0644
	data   []byte
}

func (f file) permissions() fs.FileMode {
	if f.mode == 0 {
		return 0o644
	}
	return f.mode
}

// own returns the files of the repository that go with the program.
func (r *release) own(t target) ([]file, error) {
	names := []string{"LICENSE", "README.md", "CHANGELOG.md"}
	for _, pattern := range []string{"doc/*.md", "doc/design/*.md", "packaging/examples/*"} {
		found, err := filepath.Glob(filepath.Join(r.root, pattern))
		if err != nil {
			return nil, err
		}
		for _, file := range found {
			names = append(names, path.Dir(pattern)+"/"+filepath.Base(file))
		}
	}
	var files []file
	for _, name := range names {
		files = append(files, file{name: name, source: name})
	}
	if t.os == "linux" {
		files = append(files,
			file{name: "systemd/muster.service", source: "packaging/files/muster.service"},
			file{name: "systemd/muster.env", source: "packaging/files/muster.env"},
			file{name: "systemd/muster-agent.service", source: "packaging/files/muster-agent.service"},
			file{name: "systemd/agent.env", source: "packaging/files/agent.env"},
			file{name: "systemd/musterctl", source: "packaging/files/musterctl", mode: 0o755},
			file{name: "man/musterctl.8", source: "packaging/files/musterctl.8"})
	}
	for i := range files {
		data, err := os.ReadFile(filepath.Join(r.root, files[i].source))
		if err != nil {
			return nil, err
		}
		files[i].data = data
	}
	return files, nil
}

// stage writes the files of a target into a folder of their own, from which packages and images are made.
func (r *release) stage(t target, files []file) error {
	for _, f := range files {
		path := filepath.Join(r.stageOf(t), f.name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, f.data, f.permissions()); err != nil {
			return err
		}
	}
	return nil
}

// stageName is the folder, in that of the release, of the files before they are packed.
const stageName = "stage"

func (r *release) stageOf(t target) string { return filepath.Join(r.out, stageName, t.os+"_"+t.arch) }

// archive packs the files of a target: as zip for Windows, which can open no other.
func (r *release) archive(t target, files []file) error {
	slices.SortFunc(files, func(a, b file) int { return strings.Compare(a.name, b.name) })
	pack, ending := r.tarball, ".tar.gz"
	if t.os == "windows" {
		pack, ending = r.zip, ".zip"
	}
	packed, err := pack(r.name(t), files)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(r.out, r.name(t)+ending), packed, 0o644)
}

func (r *release) tarball(folder string, files []file) ([]byte, error) {
	var packed bytes.Buffer
	zipped, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	w := tar.NewWriter(zipped)
	for _, f := range files {
		header := &tar.Header{
			Name: folder + "/" + f.name, Mode: int64(f.permissions()), Size: int64(len(f.data)), ModTime: r.time,
		}
		if err := w.WriteHeader(header); err != nil {
			return nil, err
		}
		if _, err := w.Write(f.data); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	if err := zipped.Close(); err != nil {
		return nil, err
	}
	return packed.Bytes(), nil
}

func (r *release) zip(folder string, files []file) ([]byte, error) {
	var packed bytes.Buffer
	w := zip.NewWriter(&packed)
	for _, f := range files {
		header := &zip.FileHeader{Name: folder + "/" + f.name, Method: zip.Deflate, Modified: r.time}
		header.SetMode(f.permissions())
		out, err := w.CreateHeader(header)
		if err != nil {
			return nil, err
		}
		if _, err := out.Write(f.data); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return packed.Bytes(), nil
}
