package collect

import "strings"

// usbClasses are the words for what a device, or the first part of it, does.
var usbClasses = map[string]string{
	"01": "Audio", "02": "Communications", "03": "Human Interface Device", "05": "Physical Interface Device",
	"06": "Imaging", "07": "Printer",
	"08": "Mass Storage", "09": "Hub", "0a": "CDC Data", "0b": "Chip/SmartCard", "0d": "Content Security",
	"0e": "Video", "0f": "Personal Healthcare",
	"10": "Audio/Video", "11": "Billboard", "dc": "Diagnostic", "e0": "Wireless", "ef": "Miscellaneous Device",
	"fe": "Application Specific Interface",
	"ff": "Vendor Specific Class",
}

const usbFolder = "sys/bus/usb/devices"

// A usbDevice is one that is plugged in, or built in behind USB.
type usbDevice struct{ vendor, device, maker, name, class, version string }

// usbDevices adds the devices that are connected by USB, except hubs.
func (m *Machine) usbDevices(d *document) {
	var devices []usbDevice
	makers := map[string]bool{}
	for _, port := range m.names(usbFolder) {
		text := func(name string) string { return m.text(usbFolder, port, name) }
		u := usbDevice{text("idVendor"), text("idProduct"), text("manufacturer"), text("product"),
			text("bDeviceClass"), text("bcdDevice")}
		if u.vendor == "" || u.class == "09" { // a part of a device, or a hub
			continue
		}
		if u.class == "00" || u.class == "ef" { // its parts say what it does
			u.class = first(m.text(usbFolder, port, port+":1.0", "bInterfaceClass"), u.class)
		}
		devices, makers[u.vendor] = append(devices, u), true
	}
	if devices == nil {
		return
	}
	names := m.catalogue("usb.ids", makers)
	for _, u := range devices {
		name := first(u.name, names.device(u.vendor, u.device))
		d.row("USBDEVICES",
			field{"DESCRIPTION", name}, field{"MANUFACTURER", first(u.maker, names.maker(u.vendor))},
			field{"NAME", name},
			field{"TYPE", usbClasses[u.class]}, field{"VERSION", usbVersion(u.version)})
	}
}

// usbVersion returns a version of four digits as people write it.
func usbVersion(digits string) string {
	if len(digits) != 4 {
		return ""
	}
	return strings.TrimLeft(digits[:1], "0") + digits[1:2] + "." + digits[2:]
}
