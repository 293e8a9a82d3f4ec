package inventory

import "muster/internal/kind"

// A Vendor is who sells something.
type Vendor struct {
	kind.Record
	Name, VendorType                        string
	URL, Telephone                          string
	ContactName, ContactEmail, ContactPhone string
	Address, City, Region, Zip, Country     string
	Note                                    string
}

// Vendors is the kind of vendors.
var Vendors = kind.Define("vendor", "vendors", "Vendors List", func(v *Vendor, f *kind.Fields) {
	f.Record(&v.Record)
	f.Text("name", &v.Name).Required().Unique().Filter()
	f.Text("vendor-type", &v.VendorType).Filter()
	f.Text("url", &v.URL).Label("URL")
	f.Text("telephone", &v.Telephone)
	f.Text("contact-name", &v.ContactName)
	f.Text("contact-email", &v.ContactEmail)
	f.Text("contact-phone", &v.ContactPhone)
	f.LongText("address", &v.Address)
	f.Text("city", &v.City)
	f.Text("region", &v.Region)
	f.Text("zip", &v.Zip)
	f.Text("country", &v.Country)
	f.LongText("note", &v.Note)
	f.Stamps(&v.Record)
	f.Link("contracts-href", "/contracts")
})
