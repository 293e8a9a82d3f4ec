package collect

import (
	"strconv"
	"strings"
)

// pciClasses are the classes of devices that are reported.
var pciClasses = map[string]string{
	"0300": "VGA compatible controller", "0301": "XGA compatible controller", "0302": "3D controller",
	"0380": "Display controller",
	"0401": "Multimedia audio controller", "0403": "Audio device", "0c03": "USB controller",
}

const pciFolder = "sys/bus/pci/devices"

// A pciDevice is one in a slot or on the board.
type pciDevice struct{ slot, class, vendor, device, revision string }

// pciDevices adds video cards, sound and USB controllers.
func (m *Machine) pciDevices(d *document) {
	var devices []pciDevice
	makers := map[string]bool{}
	for _, slot := range m.names(pciFolder) {
		hex := func(name string) string { return strings.TrimPrefix(m.text(pciFolder, slot, name), "0x") }
		p := pciDevice{slot, hex("class"), hex("vendor"), hex("device"), hex("revision")}
		if len(p.class) >= 4 && pciClasses[p.class[:4]] != "" {
			p.class = p.class[:4]
			devices, makers[p.vendor] = append(devices, p), true
		}
	}
	if devices == nil {
		return
	}
	names := m.catalogue("pci.ids", makers)
	for _, p := range devices {
		m.pciDevice(d, p, names)
	}
}

func (m *Machine) pciDevice(d *document, p pciDevice, names catalogue) {
	revision := ""
	if p.revision != "" && p.revision != "00" {
		revision = "rev " + p.revision
	}
	switch p.class[:2] {
	case "03":
		d.row("VIDEOS",
			field{"CHIPSET", pciClasses[p.class]}, field{"MEMORY", whole(m.videoMemory(p.slot))},
			field{"NAME", names.whole(p.vendor, p.device)})
	case "04":
		d.row("SOUNDS",
			field{"DESCRIPTION", revision}, field{"MANUFACTURER", names.whole(p.vendor, p.device)},
			field{"NAME", pciClasses[p.class]})
	case "0c":
		d.row("CONTROLLERS",
			field{"DESCRIPTION", pciClasses[p.class]}, field{"MANUFACTURER", names.maker(p.vendor)},
			field{"NAME", names.device(p.vendor, p.device)},
			field{"TYPE", "USB"}, field{"VERSION", revision})
	}
}

// videoMemory returns the memory of a video card in MiB: what its driver reports, otherwise the size of its
// memory windows.
func (m *Machine) videoMemory(slot string) uint64 {
	if n, err := strconv.ParseUint(m.text(pciFolder, slot, "mem_info_vram_total"), 10, 64); err == nil {
		return n >> 20
	}
	var size uint64
	lines := strings.Split(m.text(pciFolder, slot, "resource"), "\n")
	for _, line := range lines[:min(len(lines), 6)] { // the others are for the firmware's code and for bridges
		var n [3]uint64 // first address, last address, flags
		words := strings.Fields(line)
		for i := range min(len(words), len(n)) {
			n[i], _ = strconv.ParseUint(words[i], 0, 64)
		}
		const memory, prefetchable = 0x200, 0x2000
		if n[2]&memory != 0 && n[2]&prefetchable != 0 && n[1] > n[0] {
			size += n[1] - n[0] + 1
		}
	}
	return size >> 20
}
