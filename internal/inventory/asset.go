package inventory

import "muster/internal/kind"

// An OtherAsset is a thing that is not a computer: a projector, a phone, a
// rack.
type OtherAsset struct {
	kind.Record
	Name, AssetID, AssetType          string
	Status                            string
	Manufacturer, Model, SerialNumber string
	Description, Notes                string
	IP                                string
	Site, Department, Category, Tag   string
	Owner, User                       kind.Person
}

// OtherAssets is the kind of other assets.
var OtherAssets = kind.Define("other-asset", "other-assets", "Other Assets List", func(a *OtherAsset, f *kind.Fields) {
	f.Record(&a.Record)
	f.Text("name", &a.Name).Required().Filter().Rare()
	f.Text("asset-id", &a.AssetID).Filter().Rare()
	f.Text("asset-type", &a.AssetType).Filter()
	f.Text("status", &a.Status).Required().OneOf(Statuses...).Added(StatusSetting).Default(Statuses[0]).Filter()
	f.Text("manufacturer", &a.Manufacturer).Filter()
	f.Text("model", &a.Model).Filter()
	f.Text("serial-number", &a.SerialNumber).Filter().Rare()
	f.LongText("description", &a.Description)
	f.LongText("notes", &a.Notes)
	f.Text("ip", &a.IP).Label("IP address").Filter().Rare()
	f.Text("site", &a.Site).Named().Filter()
	f.Text("department", &a.Department).Named().Filter()
	f.Text("category", &a.Category).Filter()
	f.Text("tag", &a.Tag).Filter()
	f.Person("owner", &a.Owner).Filter()
	f.Person("user", &a.User).Filter()
	f.Stamps(&a.Record)
})
