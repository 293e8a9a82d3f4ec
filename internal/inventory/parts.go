package inventory

import "muster/internal/kind"

// A Video is a graphics adapter.
type Video struct {
	Chipset, Name string
	Memory        kind.Int
}

func (v *Video) fields(f *kind.Fields) {
	f.Text("chipset", &v.Chipset)
	f.Int("memory", &v.Memory).Unit("MB")
	f.Text("name", &v.Name)
}

// A Memory is a memory module.
type Memory struct {
	Description, Type, Name, Purpose, Speed string
	Capacity, Slot                          kind.Int
}

func (m *Memory) fields(f *kind.Fields) {
	f.Int("capacity", &m.Capacity).Unit("MB")
	f.Text("description", &m.Description)
	f.Text("memory-type", &m.Type)
	f.Text("name", &m.Name)
	f.Text("purpose", &m.Purpose).Unsearched()
	f.Int("slot", &m.Slot)
	f.Text("speed", &m.Speed).Unsearched()
}

// A LocalPrinter is a printer as one computer knows it.
type LocalPrinter struct{ Driver, Name, Port string }

func (p *LocalPrinter) fields(f *kind.Fields) {
	f.Text("driver", &p.Driver)
	f.Text("name", &p.Name).FilterAs("printer")
	f.Text("port", &p.Port)
}

// A USB is a USB controller or device.
type USB struct{ ControllerType, Description, Manufacturer, Name, Version string }

func (u *USB) fields(f *kind.Fields) {
	f.Noun("USB device")
	f.Text("controller-type", &u.ControllerType).Unsearched()
	f.Text("description", &u.Description)
	f.Text("manufacturer", &u.Manufacturer)
	f.Text("name", &u.Name)
	f.Text("version", &u.Version)
}

// An Input is a keyboard or a mouse.
type Input struct{ Type, Manufacturer, Name string }

func (i *Input) fields(f *kind.Fields) {
	f.Text("input-type", &i.Type).Unsearched()
	f.Text("manufacturer", &i.Manufacturer)
	f.Text("name", &i.Name)
}

// A Display is a monitor.
type Display struct{ Description, Manufacturer, Name, SerialNumber string }

func (d *Display) fields(f *kind.Fields) {
	f.Text("description", &d.Description)
	f.Text("manufacturer", &d.Manufacturer)
	f.Text("name", &d.Name)
	f.Text("serial-number", &d.SerialNumber)
}

// A Storage is a disk or another storage device.
type Storage struct {
	Description, Manufacturer, Model, Name, Type string
	Size                                         kind.Int
}

func (s *Storage) fields(f *kind.Fields) {
	f.Text("description", &s.Description)
	f.Text("manufacturer", &s.Manufacturer)
	f.Text("model", &s.Model)
	f.Text("name", &s.Name)
	f.Int("size", &s.Size).Unit("MB")
	f.Text("storage-type", &s.Type).Unsearched()
}

// A BIOS is the firmware of a computer; SSN is the machine's serial number.
type BIOS struct{ Date, Manufacturer, Model, SSN, Version string }

func (b *BIOS) fields(f *kind.Fields) {
	f.Noun("BIOS")
	f.Text("bios-date", &b.Date).Label("BIOS date").Unsearched()
	f.Text("manufacturer", &b.Manufacturer)
	f.Text("model", &b.Model)
	f.Text("ssn", &b.SSN).Label("Serial number")
	f.Text("version", &b.Version)
}

// A Port is a physical connector.
type Port struct{ Description, Name, Type string }

func (p *Port) fields(f *kind.Fields) {
	f.Text("description", &p.Description)
	f.Text("name", &p.Name)
	f.Text("port-type", &p.Type)
}

// A Sound is a sound card.
type Sound struct{ Description, Manufacturer, Name string }

func (s *Sound) fields(f *kind.Fields) {
	f.Text("description", &s.Description).Unsearched()
	f.Text("manufacturer", &s.Manufacturer)
	f.Text("name", &s.Name)
}

// A Network is a network adapter.
type Network struct{ Description, DHCP, Gateway, IP, MAC, Status string }

func (n *Network) fields(f *kind.Fields) {
	f.Text("description", &n.Description)
	f.Text("dhcp", &n.DHCP).Label("DHCP").Unsearched()
	f.Text("gateway", &n.Gateway).Unsearched() // all in a subnet have the same
	f.Text("ip-address", &n.IP).Label("IP address")
	f.Text("mac-address", &n.MAC).Label("MAC address").Filter()
	f.Text("status", &n.Status).OneOf("Up", "Down")
}

// A Drive is a volume with a file system.
type Drive struct {
	DriveName, Type, Name string
	FreeSpace, TotalSpace kind.Int
}

func (d *Drive) fields(f *kind.Fields) {
	f.Text("drive-name", &d.DriveName).Unsearched()
	f.Text("drive-type", &d.Type).Unsearched()
	f.Int("free-space", &d.FreeSpace).Unit("MB")
	f.Text("name", &d.Name)
	f.Int("total-space", &d.TotalSpace).Unit("MB")
}
