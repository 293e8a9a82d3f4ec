package report

import (
	"strings"

	"muster/internal/inventory"
)

// add appends a part from the present row, unless it is empty.
func add[T comparable](c *collector, parts *[]T, part T) {
	if part == *new(T) {
		return
	}
	if *parts == nil {
		*parts = make([]T, 0, c.expected())
	}
	*parts = append(*parts, part)
}

func (c *collector) video(r *row) {
	add(c, &c.computer.Videos,
		inventory.Video{Chipset: r.text("CHIPSET"), Memory: number(r.text("MEMORY")), Name: r.text("NAME")})
}

func (c *collector) memory(r *row) {
	add(c, &c.computer.Memories, inventory.Memory{
		Capacity: number(r.text("CAPACITY")), Description: r.text("DESCRIPTION"), Type: r.text("TYPE"),
		Name:    r.text("CAPTION"),
		Purpose: r.text("PURPOSE"), Slot: number(r.text("NUMSLOTS")), Speed: r.text("SPEED"),
	})
}

func (c *collector) printer(r *row) {
	p := inventory.LocalPrinter{Driver: r.text("DRIVER"), Name: r.text("NAME"), Port: r.text("PORT")}
	add(c, &c.computer.Printers, p)
	if serial := r.text("SERIAL"); serial != "" {
		if c.printerSerials == nil {
			c.printerSerials = map[inventory.LocalPrinter]string{}
		}
		c.printerSerials[p] = serial
	}
}

// controller takes in a controller if it is one for USB: by its type, by its PCI class, or by the class that OCS writes
// behind the name.
func (c *collector) controller(r *row) {
	const class = "0c03"
	if hasFold(r.text("TYPE"), "usb") || strings.EqualFold(r.text("PCICLASS"), class) ||
		hasFold(r.text("NAME"), "["+class+"]") {
		add(c, &c.computer.USBs, usb(r))
	}
}

// usbDevice takes in what is plugged in; it comes behind the controllers.
func (c *collector) usbDevice(r *row) {
	device := usb(r)
	if device.Name == "" {
		device.Name = r.text("CAPTION")
	}
	add(c, &c.usbs, device)
}

func usb(r *row) inventory.USB {
	return inventory.USB{
		ControllerType: r.text("TYPE"), Description: r.text("DESCRIPTION", "CAPTION"),
		Manufacturer: r.text("MANUFACTURER"),
		Name:         r.text("NAME"), Version: r.text("VERSION", "REV"),
	}
}

// input takes in a keyboard or a mouse.
func (c *collector) input(r *row) {
	point, connection := known(r.text("POINTTYPE")), known(r.text("INTERFACE"))
	part := inventory.Input{Type: r.text("TYPE"), Manufacturer: r.text("MANUFACTURER"), Name: r.text("CAPTION")}
	list := &c.computer.Keyboards
	if point != "" || strings.EqualFold(part.Type, "pointing") {
		list = &c.computer.Mice
	}
	for _, kind := range []string{point, connection} {
		if kind != "" {
			part.Type = kind
		}
	}
	add(c, list, part)
}

// known returns a value, or "" for the words by which agents say that there is none.
func known(value string) string {
	if strings.EqualFold(value, "N/A") || strings.EqualFold(value, "None") {
		return ""
	}
	return value
}

func (c *collector) monitor(r *row) {
	add(c, &c.computer.Displays, inventory.Display{
		Name: r.text("CAPTION"), Description: r.text("DESCRIPTION"), Manufacturer: r.text("MANUFACTURER"),
		SerialNumber: r.text("SERIAL"),
	})
}

func (c *collector) storage(r *row) {
	add(c, &c.computer.Storages, inventory.Storage{
		Description: r.text("DESCRIPTION"), Manufacturer: r.text("MANUFACTURER"), Model: r.text("MODEL"),
		Name: r.text("NAME"),
		Size: number(r.text("DISKSIZE")), Type: r.text("TYPE"),
	})
}

func (c *collector) port(r *row) {
	description := known(r.text("DESCRIPTION"))
	fill(&description, r.text("CAPTION"))
	add(c, &c.computer.Ports, inventory.Port{Name: r.text("NAME"), Description: description, Type: r.text("TYPE")})
}

func (c *collector) sound(r *row) {
	add(c, &c.computer.Sounds,
		inventory.Sound{Name: r.text("NAME"), Description: r.text("DESCRIPTION"), Manufacturer: r.text("MANUFACTURER")})
}

// drive takes in a volume. Windows has letters and labels, other systems mount points and devices.
func (c *collector) drive(r *row) {
	d := inventory.Drive{Name: driveName(r), DriveName: r.text("VOLUMN"), Type: r.text("FILESYSTEM")}
	if r.text("LETTER") != "" {
		d.DriveName, d.Type = r.text("VOLUMN", "LABEL"), r.text("TYPE")
	}
	d.FreeSpace, d.TotalSpace = number(r.text("FREE")), number(r.text("TOTAL"))
	add(c, &c.computer.Drives, d)
}

// driveName returns the name that a volume has, by its letter or where it is mounted.
func driveName(r *row) string { return r.text("LETTER", "TYPE") }

// firmware returns the computer's BIOS, if the report has one.
func (c *collector) firmware() []inventory.BIOS {
	r := c.of("BIOS")
	bios := inventory.BIOS{
		Date: r.text("BDATE"), Manufacturer: r.text("SMANUFACTURER", "BMANUFACTURER"), Model: r.text("SMODEL"),
		SSN:     r.text("SSN"),
		Version: r.text("BVERSION"),
	}
	if bios == (inventory.BIOS{}) {
		return nil
	}
	return []inventory.BIOS{bios}
}
