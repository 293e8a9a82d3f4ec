package inventory

import (
	"strings"
	"time"

	"muster/internal/kind"
)

// A Software is one version of a program that computers have.
type Software struct {
	kind.Record
	Name, Version, Manufacturer string
	Category, Tag               string
	Vendor                      kind.Ref
	Hidden                      kind.Bool // system software, patches and service packs
	Installs                    kind.Int  // computers that have it
	FirstDetectedAt             time.Time // when the first computer had it

	InstallDate time.Time // on the computer below which it is listed
	InstallPath string
}

// Softwares is the kind of software, and Installations the same as a computer
// has it. No two have the same name, version and manufacturer.
var (
	Softwares = kind.Define("software", "softwares", "Software List", func(s *Software, f *kind.Fields) {
		s.fields(f)
		f.Skip(&s.InstallDate)
		f.Skip(&s.InstallPath)
	})
	Installations = Softwares.Variant(func(s *Software, f *kind.Fields) {
		s.fields(f)
		f.Date("install-date", &s.InstallDate).InTie()
		f.Text("install-path", &s.InstallPath).InTie()
		f.ByID()
		f.View("system", "hidden")
	})
)

func (s *Software) fields(f *kind.Fields) {
	f.Nouns("programs")
	f.Record(&s.Record)
	f.Text("name", &s.Name).Required().Filter().Rare()
	f.Text("version", &s.Version).Filter().Rare()
	f.Text("manufacturer", &s.Manufacturer).Filter()
	f.Text("category", &s.Category).Filter()
	f.Ref("vendor", &s.Vendor, Vendors.Schema).Filter()
	f.Text("tag", &s.Tag).Filter()
	f.Bool("hidden", &s.Hidden).Filter()
	f.Int("installs", &s.Installs).Kept()
	f.Link("hardwares-href", "/hardwares")
	f.Time("first-detected-at", &s.FirstDetectedAt).Kept()
	f.Stamps(&s.Record)
	f.UniqueTogether("name", "version", "manufacturer")
	kind.Settle(f, (*Software).settle)
}

// settle gives what is never null a value.
func (s *Software) settle(*Software) { s.Hidden.Valid, s.Installs.Valid = true, true }

// Title returns what people call the software: its name and version.
func (s *Software) Title() string { return strings.TrimSpace(s.Name + " " + s.Version) }
