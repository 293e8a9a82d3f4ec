package collect

import (
	"regexp"
	"strconv"
	"strings"
)

// A firmware is what the computer's firmware reports.
type firmware struct {
	maker, product, version, serial, uuid string
	board, boardSerial                    string
	biosMaker, biosVersion, biosDate      string
	chassis, assetTag                     string
	processor                             struct {
		name  string
		speed int // MHz
	}
	table []structure
}

// firmware reads what the kernel has taken from the firmware. Serial numbers, the UUID and the table are for
// root alone.
func (m *Machine) firmware() *firmware {
	id := func(name string) string { return said(m.text("sys/class/dmi/id", name)) }
	f := &firmware{
		maker: id("sys_vendor"), product: id("product_name"), version: id("product_version"),
		serial: id("product_serial"), uuid: id("product_uuid"),
		board: id("board_vendor"), boardSerial: id("board_serial"),
		biosMaker: id("bios_vendor"), biosVersion: id("bios_version"), biosDate: id("bios_date"),
		assetTag: id("chassis_asset_tag"),
		table:    structures(m.bytes("sys/firmware/dmi/tables/DMI")),
	}
	if n, err := strconv.ParseUint(id("chassis_type"), 10, 8); err == nil {
		f.chassis = word(chassisTypes, int(n))
	}
	if f.product == "" { // a small computer without such firmware
		const tree = "sys/firmware/devicetree/base"
		f.product, f.serial = m.text(tree, "model"), m.text(tree, "serial-number")
	}
	for i := range f.table {
		if s := &f.table[i]; s.kind == processorKind && f.processor.name == "" {
			f.processor.name, f.processor.speed = s.text(0x10), int(s.word(0x16))
		}
	}
	return f
}

// chassisTypes are the words of the specification for what a computer looks like.
var chassisTypes = []string{
	3: "Desktop", "Low Profile Desktop", "Pizza Box", "Mini Tower", "Tower", "Portable", "Laptop", "Notebook",
	"Hand Held", "Docking Station",
	"All In One", "Sub Notebook", "Space-saving", "Lunch Box", "Main Server Chassis", "Expansion Chassis",
	"Sub Chassis", "Bus Expansion Chassis",
	"Peripheral Chassis", "RAID Chassis", "Rack Mount Chassis", "Sealed-case PC", "Multi-system", "CompactPCI",
	"AdvancedTCA", "Blade",
	"Blade Enclosing", "Tablet", "Convertible", "Detachable", "IoT Gateway", "Embedded PC", "Mini PC", "Stick PC",
}

// families are beginnings of the names by which Lenovo's computers are known; the firmware has those as
// version, and the number of the model as product.
var families = regexp.MustCompile(`^(Think|Idea|Yoga|Netfinity|Netvista|Intelli)`)

// bios adds the firmware and the computer that it is made for, as OCS does: the name of a Lenovo in place of
// its number, and the board's serial number where the computer has none.
func (f *firmware) bios(d *document) {
	model := f.product
	if strings.EqualFold(f.maker, "LENOVO") && families.MatchString(f.version) {
		model = f.version
	}
	d.row("BIOS",
		field{"ASSETTAG", f.assetTag},
		field{"BDATE", f.biosDate},
		field{"BMANUFACTURER", f.biosMaker},
		field{"BVERSION", f.biosVersion},
		field{"MMANUFACTURER", f.board},
		field{"SMANUFACTURER", f.maker},
		field{"SMODEL", model},
		field{"SSN", first(f.serial, f.boardSerial)},
		field{"TYPE", f.chassis},
	)
}
