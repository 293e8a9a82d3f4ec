package demo

import (
	"strconv"

	"muster/internal/inventory"
	"muster/internal/kind"
)

// bios returns the firmware. Agents on Windows write its date in the American
// order.
func (d *draft) bios() inventory.BIOS {
	maker := d.model.maker
	year := strconv.Itoa(d.model.Year + d.below(3))
	month, day := padded(1+d.below(12), 2), padded(1+d.below(28), 2)
	date := year + "-" + month + "-" + day
	if d.family == windows {
		date = month + "/" + day + "/" + year
	}
	return inventory.BIOS{
		Date: date, Manufacturer: maker.Name, Model: d.model.Name,
		SSN: d.serial(), Version: d.fill(maker.Version),
	}
}

// slotNames are the names of memory slots.
var slotNames = [...]string{
	"DIMM 1", "DIMM 2", "DIMM 3", "DIMM 4", "DIMM 5", "DIMM 6",
	"DIMM 7", "DIMM 8", "DIMM 9", "DIMM 10", "DIMM 11", "DIMM 12",
}

// memories sets the memory modules, a power of two of them and alike, and the
// memory that they make. The firmware keeps a little for itself.
func (d *draft) memories() {
	size, slots := pick(&d.dice, d.class.Memory), d.within(d.class.Slots)
	used := 1
	for used*2 <= slots && (d.model.Soldered || d.chance(70)) {
		used *= 2
	}
	d.Memories = make([]inventory.Memory, slots)
	for i := range d.Memories {
		m := &d.Memories[i]
		*m = inventory.Memory{Name: slotNames[i], Purpose: "System Memory", Slot: kind.Some(int64(i + 1))}
		if i >= used {
			m.Description = "Empty slot"
			continue
		}
		m.Capacity, m.Type, m.Speed = kind.Some(size), d.model.Memory, d.model.Speed
		m.Description = d.class.Module
	}
	total := size * int64(used)
	d.Memory = kind.Some(total - int64(d.below(200)))
	if d.class.Owned > 0 || d.chance(60) {
		d.Swap = kind.Some(total/4 + int64(d.below(4096)))
	}
}

// desk sets what is plugged in or stands beside the computer.
func (d *draft) desk() {
	c := d.class
	d.usbs(d.within(c.USBs))
	d.Keyboards = d.inputs("keyboard", d.within(c.Keyboards))
	d.Mice = d.inputs("mouse", d.within(c.Mice))
	d.Ports = row(&d.dice, data().connectors[c.Connectors], d.within(c.Ports))
	d.Sounds = row(&d.dice, data().sounds, d.within(c.Sounds))
	d.displays(d.within(c.Displays))
	d.printers(d.within(c.Printers))
}

// usbs sets n controllers and devices; servers have no devices.
func (d *draft) usbs(n int) {
	controllers := (n + 2) / 3
	if d.class.Owned == 0 {
		controllers = n
	}
	devices := row(&d.dice, data().usbs["device"], n-controllers)
	if n > 0 {
		d.USBs = append(append(make([]inventory.USB, 0, n), data().usbs["controller"][:controllers]...), devices...)
	}
}

// inputs returns n keyboards or mice, of which a laptop's first is built in.
func (d *draft) inputs(group string, n int) []inventory.Input {
	out := row(&d.dice, data().inputs[group], n)
	if d.class.Name == laptop {
		out[0] = data().inputs[group+" "+families[d.family]][0]
	}
	return out
}

// displays sets n displays. The panel of a laptop often hides its serial
// number; the monitors beside it are of one type.
func (d *draft) displays(n int) {
	if n == 0 {
		return
	}
	d.Displays = make([]inventory.Display, n)
	monitor := pick(&d.dice, data().displays["monitor"])
	for i := range d.Displays {
		s := &d.Displays[i]
		*s = monitor
		if i == 0 && d.class.Name == laptop {
			if *s = pick(&d.dice, data().displays["panel"]); d.chance(60) {
				continue
			}
		}
		s.SerialNumber = code("CN0", d.index*4+i, 6)
	}
}

// printers sets n printers: those of the site, and on Windows some that write
// files.
func (d *draft) printers(n int) {
	files := 0
	if d.family == windows {
		files = min(n/2, len(data().filePrinters))
	}
	if n > 0 {
		d.Printers = append(row(&d.dice, data().sitePrinters[d.site.index], n-files), data().filePrinters[:files]...)
	}
}

// storages sets the disks.
func (d *draft) storages() {
	group := d.class.Disks
	if d.model.Maker == apple {
		group = apple
	}
	disks := row(&d.dice, data().disks[group], d.within(d.class.Storages))
	d.Storages = make([]inventory.Storage, len(disks))
	for i, disk := range disks {
		s := &d.Storages[i]
		*s = inventory.Storage{
			Description: disk.Bus, Manufacturer: disk.Maker, Model: disk.Model,
			Name: d.diskName(disk.Bus, i), Size: kind.Some(disk.Size), Type: "disk",
		}
		if d.family == windows {
			s.Description, s.Manufacturer, s.Type = "Disk drive", "(Standard disk drives)", "Fixed hard disk media"
		}
	}
}

// diskName returns what the system calls its n-th disk.
func (d *draft) diskName(bus string, n int) string {
	switch {
	case d.family == windows:
		return `\\.\PHYSICALDRIVE` + strconv.Itoa(n)
	case d.family == macOS:
		return "disk" + strconv.Itoa(n)
	case bus == "NVMe":
		return "nvme" + strconv.Itoa(n) + "n1"
	case bus == "virtio":
		return "vd" + string(rune('a'+n))
	}
	return "sd" + string(rune('a'+n))
}

// drives sets the file systems on the first disk.
func (d *draft) drives() {
	shapes := data().volumes[families[d.family]][:d.within(d.class.Drives)]
	// Disks count in units of 1000, file systems in units of 1024.
	size := d.Storages[0].Size.V * 953 / 1000
	d.Drives = make([]inventory.Drive, len(shapes))
	rest := size
	for i := len(shapes) - 1; i >= 0; i-- {
		v := &shapes[i]
		total := size * v.Part / 100
		if rest -= total; i == 0 {
			total = rest
		}
		d.Drives[i] = inventory.Drive{Name: v.Name, DriveName: v.Label, Type: v.Type}
		if total > 0 {
			d.Drives[i].TotalSpace = kind.Some(total)
			d.Drives[i].FreeSpace = kind.Some(total * int64(3+d.below(88)) / 100)
		}
	}
}

// networks sets the network adapters, one of which is up: the first, or the
// cable of a laptop. Servers have fixed addresses.
func (d *draft) networks() {
	d.Networks = make([]inventory.Network, d.within(d.class.Nets))
	up := 0
	if d.class.Name == laptop && d.chance(35) {
		up = 1
	}
	for i := range d.Networks {
		choice := data().adapters[d.class.Adapters[i]]
		a := &choice[d.below(len(choice))]
		d.Networks[i] = inventory.Network{Description: a.name(d.family), MAC: d.mac(a, i), Status: "Down"}
	}
	n := &d.Networks[up]
	host := addressOf(d.site.index, d.index)
	n.Status, n.IP, n.Gateway = "Up", d.IP, host.at(1).String()
	if d.class.Owned > 0 {
		n.DHCP = host.at(254).String()
	}
}

func (a *adapter) name(f family) string {
	return [...]string{windows: a.Windows, unix: a.Unix, macOS: a.MacOS}[f]
}

// mac returns the MAC address of the computer's n-th adapter.
func (d *draft) mac(a *adapter, n int) string {
	if a.MAC == "" || d.model.Maker == apple {
		return mac(d.model.maker.MAC, d.index, n)
	}
	return mac(a.MAC, d.index, n)
}
