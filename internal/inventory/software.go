package inventory

import (
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
	FirstDetectedAt             time.Time
}

// Softwares is the kind of software. No two have the same name, version and
// manufacturer.
var Softwares = kind.Define("software", "softwares", "Software List", func(s *Software, f *kind.Fields) {
	f.Record(&s.Record)
	f.Text("name", &s.Name).Required().Filter()
	f.Text("version", &s.Version).Filter()
	f.Text("manufacturer", &s.Manufacturer).Filter()
	f.Text("category", &s.Category).Filter()
	f.Ref("vendor", &s.Vendor, Vendors.Schema).Filter()
	f.Text("tag", &s.Tag).Filter()
	f.Bool("hidden", &s.Hidden).Filter()
	f.Int("installs", &s.Installs).ReadOnly()
	f.Link("hardwares-href", "/hardwares")
	f.Time("first-detected-at", &s.FirstDetectedAt).ReadOnly()
	f.Stamps(&s.Record)
	kind.Settle(f, (*Software).settle)
})

// settle gives what is never null a value.
func (s *Software) settle(*Software) { s.Hidden.Valid, s.Installs.Valid = true, true }
