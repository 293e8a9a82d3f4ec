package inventory

import "muster/internal/kind"

// A Printer is one that people have entered or computers have reported.
type Printer struct {
	kind.Record
	Name, Driver, Port                string
	Shared                            kind.Bool
	Status                            string
	Manufacturer, Model, SerialNumber string
	IP, AssetID                       string
	Site, Department, Tag             string
	Notes                             string
	TechnicalContact                  kind.Person
}

// Printers is the kind of printers.
var Printers = kind.Define("printer", "printers", "Printers List", func(p *Printer, f *kind.Fields) {
	f.Record(&p.Record)
	f.Text("name", &p.Name).Required().Filter().Rare()
	f.Text("driver", &p.Driver)
	f.Text("port", &p.Port)
	f.Bool("shared", &p.Shared).Filter()
	f.Text("status", &p.Status).Filter()
	f.Text("manufacturer", &p.Manufacturer).Filter()
	f.Text("model", &p.Model).Filter()
	f.Text("serial-number", &p.SerialNumber).Filter().Rare()
	f.Text("ip", &p.IP).Label("IP address").Filter().Rare()
	f.Text("asset-id", &p.AssetID).Filter().Rare()
	f.Text("site", &p.Site).Named().Filter()
	f.Text("department", &p.Department).Named().Filter()
	f.Text("tag", &p.Tag).Filter()
	f.LongText("notes", &p.Notes)
	f.Person("technical-contact", &p.TechnicalContact)
	f.Stamps(&p.Record)
	f.Link("hardwares-href", "/hardwares")
})
