package collect

import (
	"bufio"
	"os"
	"strings"
)

// A catalogue has the names of makers and devices, by their numbers in lower case: of a maker "8086", of a device
// "8086:0d57".
type catalogue map[string]string

// catalogues are where systems keep the lists of names.
var catalogues = []string{"usr/share/misc", "usr/share/hwdata", "var/lib/usbutils"}

// catalogue reads a list, such as pci.ids, of the makers in the set. Without the list there are no names.
func (m *Machine) catalogue(list string, wanted map[string]bool) catalogue {
	for _, folder := range catalogues {
		f, err := os.Open(m.path(folder, list))
		if err != nil {
			continue
		}
		defer f.Close()
		return readCatalogue(bufio.NewScanner(f), wanted)
	}
	return catalogue{}
}

// readCatalogue reads a list whose lines have a number and a name; those of devices are indented below their maker's.
func readCatalogue(lines *bufio.Scanner, wanted map[string]bool) catalogue {
	names, maker := catalogue{}, ""
	for lines.Scan() {
		line := lines.Text()
		number, name, ok := strings.Cut(strings.TrimLeft(line, "\t"), "  ")
		indent := len(line) - len(strings.TrimLeft(line, "\t"))
		switch {
		case !ok || strings.HasPrefix(line, "#"):
		case indent == 0:
			if maker = ""; wanted[number] {
				maker, names[number] = number, strings.TrimSpace(name)
			}
		case indent == 1 && maker != "": // deeper are the boards that a device may be on
			names[maker+":"+number] = strings.TrimSpace(name)
		}
	}
	return names
}

// maker returns the name of a maker, its number when there is no name.
func (c catalogue) maker(vendor string) string { return first(c[vendor], vendor) }

// device returns the name of a device, both numbers when there is no name.
func (c catalogue) device(vendor, device string) string {
	return first(c[vendor+":"+device], vendor+":"+device)
}

// whole returns maker and device in one text.
func (c catalogue) whole(vendor, device string) string {
	switch {
	case c[vendor] == "":
		return vendor + ":" + device
	case c[vendor+":"+device] == "":
		return c[vendor] + " Device " + device
	}
	return c[vendor] + " " + c[vendor+":"+device]
}
