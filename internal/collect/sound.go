package collect

import (
	"regexp"
	"strings"
)

// soundCard is a line such as " 1 [Headset        ]: USB-Audio - Jabra EVOLVE 20".
var soundCard = regexp.MustCompile(`^ *[0-9]+ \[[^\]]*\]: (\S+) - (.+)$`)

// sounds adds sound cards that are not on the PCI bus, such as headsets; pciDevices adds the others.
func (m *Machine) sounds(d *document) {
	for line := range strings.Lines(m.text("proc/asound/cards")) {
		card := soundCard.FindStringSubmatch(strings.TrimRight(line, "\n"))
		if card == nil || strings.HasPrefix(card[1], "HDA-") || strings.HasPrefix(card[1], "sof-") {
			continue
		}
		d.row("SOUNDS", field{"DESCRIPTION", card[1]}, field{"NAME", card[2]})
	}
}
