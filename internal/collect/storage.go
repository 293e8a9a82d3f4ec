package collect

import (
	"os"
	"regexp"
	"strconv"
	"strings"
)

const blockFolder = "sys/block"

// storages adds disks and drives for discs. It skips devices without hardware, which are made of others or of
// memory.
func (m *Machine) storages(d *document) {
	for _, name := range m.names(blockFolder) {
		sectors, _ := strconv.ParseUint(m.text(blockFolder, name, "size"), 10, 64)
		optical := strings.HasPrefix(name, "sr")
		switch {
		case !m.has(blockFolder, name, "device"), partsOfDisks.MatchString(name), sectors == 0 &&
			!optical: // a reader without a card, too
			continue
		case optical:
			sectors = 0 // of the disc that happens to be in it
		}
		model := m.text(blockFolder, name, "device/model")
		d.row("STORAGES",
			field{"DESCRIPTION", m.connection(name)},
			field{"DISKSIZE", whole(sectors * 512 / 1_000_000)},
			field{"MANUFACTURER", diskMaker(m.text(blockFolder, name, "device/vendor"), model)},
			field{"MODEL", first(model, m.text(blockFolder, name, "device/name"))},
			field{"NAME", name},
			field{"TYPE", map[bool]string{false: "disk", true: "cd"}[optical]},
		)
	}
}

// partsOfDisks matches what has a device but is no disk: floppies, and the areas of a memory card that only start the
// computer.
var partsOfDisks = regexp.MustCompile(`^(fd[0-9]|mmcblk[0-9]+(boot[0-9]|rpmb))`)

// connection returns how a disk is connected, by its place among the kernel's devices.
func (m *Machine) connection(name string) string {
	place, _ := os.Readlink(m.path(blockFolder, name))
	for _, known := range []struct{ part, name string }{
		{"/nvme", "NVMe"}, {"/usb", "USB"}, {"/mmc", "MMC"}, {"/ata", "ATA"}, {"/virtio", "virtio"}, {"/host", "SCSI"},
	} {
		if strings.Contains(place, known.part) {
			return known.name
		}
	}
	return ""
}

// diskMakers are how the models of makers begin, who do not name themselves.
var diskMakers = []struct {
	model *regexp.Regexp
	name  string
}{
	{regexp.MustCompile(`(?i)^(samsung|mz[-a-z0-9])`), "Samsung"},
	{regexp.MustCompile(`(?i)^(wdc?\b|western digital)`), "Western Digital"},
	{regexp.MustCompile(`(?i)^(seagate|st[0-9])`), "Seagate"},
	{regexp.MustCompile(`(?i)^intel`), "Intel"},
	{regexp.MustCompile(`(?i)^toshiba`), "Toshiba"},
	{regexp.MustCompile(`(?i)^kioxia`), "Kioxia"},
	{regexp.MustCompile(`(?i)^(hgst|hitachi|ic25|hts|hds|hdt)`), "Hitachi"},
	{regexp.MustCompile(`(?i)^(crucial|ct[0-9])`), "Crucial"},
	{regexp.MustCompile(`(?i)^micron`), "Micron"},
	{regexp.MustCompile(`(?i)^kingston`), "Kingston"},
	{regexp.MustCompile(`(?i)^sandisk`), "SanDisk"},
	{regexp.MustCompile(`(?i)^(sk ?hynix|hfs[0-9])`), "SK hynix"},
	{regexp.MustCompile(`(?i)^fujitsu`), "Fujitsu"},
	{regexp.MustCompile(`(?i)^qemu`), "QEMU"},
}

// diskMaker returns who made a disk. Its bus, and numbers, stand for the maker at times.
func diskMaker(vendor, model string) string {
	if vendor != "" && vendor != "ATA" && !strings.HasPrefix(vendor, "0x") {
		return vendor
	}
	for _, maker := range diskMakers {
		if maker.model.MatchString(model) {
			return maker.name
		}
	}
	return ""
}
