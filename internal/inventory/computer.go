package inventory

import (
	"slices"
	"strings"
	"time"

	"muster/internal/kind"
)

// StatusSetting is the setting by which administrators add to the Statuses.
const StatusSetting = "statuses"

// Statuses are the values of the status of a computer or another asset.
var Statuses = []string{"Operational", "Broken", "In Repair", "Spare", "Disposed", "Lost"}

// Gone are the statuses of computers that no licence counts any more.
var Gone = Statuses[4:]

// A Computer is one machine, as its agent or a person described it.
type Computer struct {
	kind.Record
	AssetID, Name, Status, Category string
	OperatingSystem, CPU, IP        string
	Site, Department, Domain, Tag   string
	Memory, ProcessorSpeed, Swap    kind.Int
	Username, Description, Notes    string
	TechnicalContact                kind.Person

	Videos          []Video
	Memories        []Memory
	Printers        []LocalPrinter
	USBs            []USB
	Keyboards, Mice []Input
	Displays        []Display
	Storages        []Storage
	BIOSes          []BIOS
	Ports           []Port
	Sounds          []Sound
	Networks        []Network
	Drives          []Drive

	DetectedAt                        time.Time // last report of its agent
	SerialNumber, Manufacturer, Model string    // as shown: set by a person, else from the BIOS
	SetSerialNumber                   string
	SetManufacturer, SetModel         string
	ReportedManufacturer              string // by its agent, which knows more makers than the BIOS has
	SetFields                         string // names of the fields that a person has set, which no report changes
	Owner                             kind.Person
	FreeSpaces                        string     // of drives by the last report, see SetFreeSpaces
	SoftwaresLeftOut                  kind.Int   // programs of the last report that were dropped by a limit
	ClaimedAt                         time.Time  // the last report that waits to be accepted
	Softwares                         []Software // what is installed, when somebody asks for it
}

// Computers is the kind of computers.
var Computers = kind.Define("hardware", "hardwares", "Computers List", func(c *Computer, f *kind.Fields) {
	f.Noun("computer")
	f.Record(&c.Record)
	f.Text("asset-id", &c.AssetID).Unique().Label("Asset id").Filter()
	f.Text("name", &c.Name).Required().Filter().Rare().Reported()
	f.Text("status", &c.Status).Required().OneOf(Statuses...).Added(StatusSetting).Default(Statuses[0]).Filter()
	f.Text("category", &c.Category).Filter().Reported()
	f.Text("operating-system", &c.OperatingSystem).Filter().Reported()
	f.Text("cpu", &c.CPU).Label("CPU").Padded().FilterAs("processor").Reported()
	f.Text("ip", &c.IP).Label("IP address").Filter().Rare().Reported()
	f.Text("site", &c.Site).Named().Filter()
	f.Text("department", &c.Department).Named().Filter()
	f.Text("domain", &c.Domain).Filter().Reported()
	f.Text("tag", &c.Tag).Filter()
	f.Stamps(&c.Record)
	f.Link("softwares-href", "/softwares")
	f.Link("hidden-softwares-href", "/softwares?view=system")
	f.Link("tickets-href", "/tickets")
	f.Link("risks-href", "/risks")
	f.Link("audits-href", "/audits")

	f.Detail()
	f.Int("memory", &c.Memory).Unit("MB").Reported()
	f.Int("processor-speed", &c.ProcessorSpeed).Unit("MHz").Reported()
	f.Int("swap", &c.Swap).Unit("MB").Reported()
	f.Text("username", &c.Username).Filter().Rare().Reported()
	f.LongText("description", &c.Description).Reported()
	f.LongText("notes", &c.Notes).Staff()
	f.Person("technical-contact", &c.TechnicalContact).Shows("email", "first-name",
		"last-name").ShowsStaff("last-login", "phone")
	kind.Many(f, "videos", "video", &c.Videos, (*Video).fields).Key("name").Reported()
	kind.Many(f, "memories", "memory", &c.Memories, (*Memory).fields).Key("slot").Reported()
	kind.Many(f, "printers", "printer", &c.Printers, (*LocalPrinter).fields).Key("name", "port").Reported()
	kind.Many(f, "usbs", "usb", &c.USBs, (*USB).fields).Label("USBs").Key("name").Reported()
	kind.Many(f, "keyboards", "keyboard", &c.Keyboards, (*Input).fields).Key("name").Reported()
	kind.Many(f, "displays", "display", &c.Displays, (*Display).fields).Key("name").Reported()
	kind.Many(f, "storages", "storage", &c.Storages, (*Storage).fields).Key("model", "name").Reported()
	kind.Many(f, "bioses", "biose", &c.BIOSes, (*BIOS).fields).Label("BIOSes").Key("ssn").ItemAlias("bio").Reported()
	kind.Many(f, "ports", "port", &c.Ports, (*Port).fields).Key("name").Unsearched().Reported()
	kind.Many(f, "sounds", "sound", &c.Sounds, (*Sound).fields).Key("name").Reported()
	kind.Many(f, "mice", "mouse", &c.Mice, (*Input).fields).Key("name").Reported()
	kind.Many(f, "networks", "network", &c.Networks, (*Network).fields).Key("mac-address", "description").Reported()
	kind.Many(f, "drives", "drive", &c.Drives, (*Drive).fields).Key("name").ItemAlias("drife").Reported()

	f.Listed()
	f.Time("detected-at", &c.DetectedAt).Label("Last report").Apart()
	f.Text("serial-number", &c.SerialNumber).Filter().Rare()
	f.Text("manufacturer", &c.Manufacturer).Filter()
	f.Text("model", &c.Model).Filter()
	f.Person("owner", &c.Owner).Filter()
	f.Text("set-serial-number", &c.SetSerialNumber).Hidden()
	f.Text("set-manufacturer", &c.SetManufacturer).Hidden()
	f.Text("set-model", &c.SetModel).Hidden()
	f.Text("reported-manufacturer", &c.ReportedManufacturer).Hidden()
	f.LongText("set-fields", &c.SetFields).Hidden()
	f.LongText("free-spaces", &c.FreeSpaces).Hidden().Apart()
	f.Detail()
	f.Int("softwares-left-out", &c.SoftwaresLeftOut).Label("Software left out").Apart()
	f.Time("claimed-at", &c.ClaimedAt).Hidden().Apart().Filter()
	f.Listed()
	kind.Included(f, &c.Softwares, Installations)

	f.Within("recently_added", "created-at")
	f.NotWithin("not_reporting", "detected-at", "created-at")
	f.NotWithin("not_reported", "detected-at", "created-at")
	kind.Settle(f, (*Computer).settle)
	kind.Loaded(f, (*Computer).loaded)
})

// A Merging is a document that only has the id of a computer: the one that another is merged with.
type Merging struct{ kind.Record }

// Mergings is the kind of these documents.
var Mergings = kind.Define(Computers.Item, Computers.Plural, "", func(m *Merging, f *kind.Fields) {
	f.Noun(Computers.Noun)
	f.Record(&m.Record)
	f.ByID()
})

// A Splitting is a document that only has the id of an agent: the one that gets a computer of its own.
type Splitting struct{ kind.Record }

// Splittings is the kind of these documents.
var Splittings = kind.Define("agent", "agents", "", func(s *Splitting, f *kind.Fields) {
	f.Noun("agent")
	f.Record(&s.Record)
	f.ByID()
})

// A fromBIOS is a field that shows the value of the BIOS, unless a person sets it.
type fromBIOS struct {
	field string
	shown *string
	set   *string // by a person, "" for not
	bios  string  // by the BIOS
}

func (c *Computer) fromBIOS() [3]fromBIOS {
	var bios BIOS
	if len(c.BIOSes) > 0 {
		bios = c.BIOSes[0]
	}
	maker := bios.Manufacturer
	if c.ReportedManufacturer != "" {
		maker = c.ReportedManufacturer
	}
	return [...]fromBIOS{
		{"serial-number", &c.SerialNumber, &c.SetSerialNumber, bios.SSN},
		{"manufacturer", &c.Manufacturer, &c.SetManufacturer, maker},
		{"model", &c.Model, &c.SetModel, bios.Model},
	}
}

// FromBIOS returns the BIOS's value of a field that shows it unless a person sets it. It is not ok for other
// fields.
func (c *Computer) FromBIOS(f *kind.Field) (value string, ok bool) {
	for _, one := range c.fromBIOS() {
		if one.field == f.Name {
			return one.bios, true
		}
	}
	return "", false
}

// settle sets the shown serial number, manufacturer and model.
func (c *Computer) settle(old *Computer) {
	if old == nil {
		old = &Computer{}
	}
	was := old.fromBIOS()
	for i, one := range c.fromBIOS() {
		settleShown(one.shown, one.set, *was[i].shown, one.bios)
	}
}

// settleShown updates a value that a person may set and that otherwise comes from the BIOS: a value that
// differs from what was shown is set, and stays until it is cleared. A new record's value that equals the
// BIOS's is not set.
func settleShown(shown, set *string, was, bios string) {
	switch {
	case *shown == was:
	case was == "" && *shown == bios:
		*set = ""
	default:
		*set = *shown
	}
	if *shown = *set; *shown == "" {
		*shown = bios
	}
}

// SetByPerson reports whether a person has overridden a field that agents report or that comes from the BIOS.
func (c *Computer) SetByPerson(f *kind.Field) bool {
	for _, one := range c.fromBIOS() {
		if one.field == f.Name {
			return *one.set != ""
		}
	}
	return c.KeptFromReports(f)
}

// KeptFromReports reports whether a person has set a field, so that no report changes it.
func (c *Computer) KeptFromReports(f *kind.Field) bool { return c.sets(f.Name) }

func (c *Computer) sets(field string) bool {
	return slices.Contains(strings.Fields(c.SetFields), field)
}

// Set records whether a person has set a field.
func (c *Computer) Set(f *kind.Field, is bool) {
	names := slices.DeleteFunc(strings.Fields(c.SetFields), func(name string) bool { return name == f.Name })
	if is {
		names = append(names, f.Name)
	}
	slices.Sort(names)
	c.SetFields = strings.Join(names, " ")
}

// Gone reports whether no licence counts the computer any more.
func (c *Computer) Gone() bool { return slices.Contains(Gone, c.Status) }
