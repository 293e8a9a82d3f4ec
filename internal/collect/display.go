package collect

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
)

// An edid is how a display describes itself (VESA E-EDID).
type edid struct {
	maker, name, serial string
	week, year          int
}

var edidStart = []byte{0x00, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x00}

// parseEDID reads the first block of a display's EDID. It is not ok for any other data.
func parseEDID(data []byte) (e edid, ok bool) {
	if len(data) < 128 || !bytes.HasPrefix(data, edidStart) {
		return e, false
	}
	code := binary.BigEndian.Uint16(data[8:])
	letters := []byte{byte(code>>10&31) + '@', byte(code>>5&31) + '@', byte(code&31) + '@'}
	e.maker = first(displayMakers[string(letters)], string(letters))
	e.week, e.year = int(data[16]), 1990+int(data[17])
	if n := binary.LittleEndian.Uint32(data[12:]); n != 0 && n != 0x01010101 {
		e.serial = whole(n)
	}
	var model string
	for at := 54; at+18 <= 126; at += 18 {
		switch d := data[at : at+18]; {
		case d[0] != 0 || d[1] != 0: // a timing
		case d[3] == 0xfc:
			e.name = edidText(d[5:])
		case d[3] == 0xff:
			e.serial = first(edidText(d[5:]), e.serial)
		case d[3] == 0xfe: // what the maker of a panel writes
			model = first(model, edidText(d[5:]))
		}
	}
	e.name = first(e.name, model, fmt.Sprintf("%s %04X", letters, binary.LittleEndian.Uint16(data[10:])))
	return e, true
}

// edidText returns a text that ends with a line feed or the space for it.
func edidText(data []byte) string {
	text, _, _ := bytes.Cut(data, []byte{'\n'})
	return strings.TrimSpace(strings.Map(func(c rune) rune {
		if c < ' ' || c > '~' {
			return -1
		}
		return c
	}, string(text)))
}

// displayMakers are the makers of most displays by their letters.
var displayMakers = map[string]string{
	"ACI": "Asus", "ACR": "Acer", "AOC": "AOC", "APP": "Apple", "AUO": "AU Optronics", "AUS": "Asus", "BNQ": "BenQ",
	"BOE": "BOE", "CMN": "Chimei Innolux",
	"CSO": "CSOT", "CSW": "CSOT", "DEL": "Dell", "ENC": "Eizo", "EIZ": "Eizo", "FUS": "Fujitsu Siemens",
	"GSM": "LG Electronics", "HPN": "HP",
	"HWP": "HP", "IBM": "IBM", "INL": "InnoLux", "IVM": "Iiyama", "LEN": "Lenovo", "LGD": "LG Display",
	"LPL": "LG Philips", "MEI": "Panasonic",
	"MSI": "MSI", "NEC": "NEC", "PHL": "Philips", "SAM": "Samsung", "SDC": "Samsung Display", "SEC": "Samsung",
	"SHP": "Sharp", "SNY": "Sony",
	"TCL": "TCL", "VSC": "ViewSonic", "XMI": "Xiaomi",
}

// displays adds the connected displays. One that is connected twice is added once.
func (m *Machine) displays(d *document) {
	const folder = "sys/class/drm"
	seen := map[edid]bool{}
	for _, connector := range m.names(folder) {
		e, ok := parseEDID(m.bytes(folder, connector, "edid"))
		if !ok || e.serial != "" && seen[e] {
			continue
		}
		seen[e] = true
		made := fmt.Sprintf("%d/%d", e.week, e.year)
		if e.week == 0 || e.week > 53 { // a year alone, of the making or of the model
			made = fmt.Sprint(e.year)
		}
		d.row("MONITORS", field{"CAPTION", e.name}, field{"DESCRIPTION", made}, field{"MANUFACTURER", e.maker},
			field{"SERIAL", e.serial})
	}
}
