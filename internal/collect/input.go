package collect

import (
	"path"
	"regexp"
	"strconv"
	"strings"
)

// buses are how a keyboard or a mouse may be connected. What software makes, on the bus 0006, is none.
var buses = map[string]string{
	"0003": "USB", "0005": "Bluetooth", "0010": "ISA", "0011": "PS/2", "0018": "I2C", "0019": "Internal", "001c": "SPI",
}

var (
	inputBus   = regexp.MustCompile(`^I: Bus=([0-9a-f]{4})`)
	inputMouse = regexp.MustCompile(`\bmouse[0-9]`)
)

// inputs adds keyboards and mice.
func (m *Machine) inputs(d *document) {
	seen := map[field]bool{}
	for block := range strings.SplitSeq(m.text("proc/bus/input/devices"), "\n\n") {
		bus, kind, name, folder := inputOf(block)
		if buses[bus] == "" || kind == "" || seen[field{kind, name}] {
			continue
		}
		seen[field{kind, name}] = true
		d.row("INPUTS",
			field{"CAPTION", name}, field{"INTERFACE", buses[bus]}, field{"MANUFACTURER", m.inputMaker(folder)},
			field{"TYPE", kind})
	}
}

// inputOf returns the bus, kind, name and folder of a device, whose kind is "" when it is neither keyboard nor mouse.
func inputOf(block string) (bus, kind, name, folder string) {
	var handlers string
	var events uint64
	for line := range strings.Lines(block) {
		line = strings.TrimSpace(line)
		if found := inputBus.FindStringSubmatch(line); found != nil {
			bus = found[1]
		}
		switch key, value, _ := strings.Cut(line, "="); key {
		case "N: Name":
			name = strings.Trim(value, `"`)
		case "S: Sysfs":
			folder = value
		case "H: Handlers":
			handlers = value
		case "B: EV":
			events, _ = strconv.ParseUint(value, 16, 64)
		}
	}
	const repeats = 1 << 20 // which the keys of a keyboard do, and the buttons of a case do not
	switch {
	case inputMouse.MatchString(handlers):
		kind = "Pointing"
	case strings.Contains(handlers, "kbd") && events&repeats != 0:
		kind = "Keyboard"
	}
	return bus, kind, name, folder
}

// inputMaker returns who made the USB device that a folder of sys is in.
func (m *Machine) inputMaker(folder string) string {
	for folder = path.Clean("/" + folder); len(folder) > 1; folder = path.Dir(folder) {
		if m.has("sys", folder, "idVendor") {
			return m.text("sys", folder, "manufacturer")
		}
	}
	return ""
}
