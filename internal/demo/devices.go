package demo

import (
	"muster/internal/inventory"
	"muster/internal/kind"
)

// Graphics that are added to what the processor brings.
var (
	laptopCards = []inventory.Video{
		{Chipset: "DisplayLink Corp.", Name: "DisplayLink USB Device"},
		{Chipset: "NVIDIA GeForce MX550", Memory: kind.Some[int64](2048), Name: "NVIDIA GeForce MX550"},
	}
	desktopCards = []inventory.Video{
		{Chipset: "NVIDIA RTX A2000 12GB", Memory: kind.Some[int64](12288), Name: "NVIDIA RTX A2000 12GB"},
		{Chipset: "NVIDIA T1000 8GB", Memory: kind.Some[int64](8192), Name: "NVIDIA T1000 8GB"},
		{Chipset: "AMD Radeon Pro W6600", Memory: kind.Some[int64](8192), Name: "AMD Radeon Pro W6600"},
	}
)

// usbControllers and usbDevices make the USBs; no two have one name. Every
// computer has the first controllers.
var (
	usbControllers = []inventory.USB{
		{ControllerType: "USB", Description: "USB xHCI Compliant Host Controller", Manufacturer: "Generic USB xHCI Host Controller", Name: "Intel(R) USB 3.20 eXtensible Host Controller", Version: "3.2"},
		{ControllerType: "USB", Description: "USB Root Hub (USB 3.0)", Manufacturer: "(Standard USB HUBs)", Name: "USB Root Hub (USB 3.0)", Version: "3.0"},
		{ControllerType: "USB", Description: "Generic SuperSpeed USB Hub", Manufacturer: "VIA Labs, Inc.", Name: "Generic SuperSpeed USB Hub", Version: "3.1"},
		{ControllerType: "USB", Description: "Generic USB Hub", Manufacturer: "VIA Labs, Inc.", Name: "Generic USB Hub", Version: "2.1"},
		{ControllerType: "USB", Description: "USB4 host router", Manufacturer: "Intel Corporation", Name: "USB4(TM) Host Router", Version: "4.0"},
	}
	usbDevices = []inventory.USB{
		{ControllerType: "USB device", Description: "USB Composite Device", Manufacturer: "Logitech, Inc.", Name: "Logi Bolt Receiver", Version: "2.0"},
		{ControllerType: "USB device", Description: "Integrated webcam", Manufacturer: "Chicony Electronics Co., Ltd", Name: "Integrated Camera", Version: "2.0"},
		{ControllerType: "USB device", Description: "Bluetooth wireless interface", Manufacturer: "Intel Corp.", Name: "Intel(R) Wireless Bluetooth(R)", Version: "2.0"},
		{ControllerType: "USB device", Description: "Fingerprint sensor", Manufacturer: "Synaptics, Inc.", Name: "Synaptics UWP WBDI"},
		{ControllerType: "USB device", Description: "Ethernet adapter of the dock", Manufacturer: "Realtek Semiconductor Corp.", Name: "Realtek USB GbE Family Controller", Version: "3.0"},
		{ControllerType: "USB device", Description: "Headset", Manufacturer: "GN Netcom A/S", Name: "Jabra Evolve2 65"},
		{ControllerType: "USB device", Description: "Smart card reader", Manufacturer: "Identiv", Name: "SCR3310 v2.0 USB SC Reader", Version: "2.0"},
		{ControllerType: "USB device", Description: "Security key", Manufacturer: "Yubico.com", Name: "YubiKey OTP+FIDO+CCID", Version: "2.0"},
		{ControllerType: "USB device", Description: "Mass storage", Manufacturer: "Kingston Technology", Name: "DataTraveler 3.0", Version: "3.0"},
		{ControllerType: "USB device", Description: "Card reader", Manufacturer: "Genesys Logic, Inc.", Name: "Generic MassStorageClass"},
	}
)

// What is built into laptops, by the system that names it.
var (
	builtInKeyboard = [...]inventory.Input{
		windows: {Type: "PS/2", Manufacturer: "(Standard keyboards)", Name: "Standard PS/2 Keyboard"},
		unix:    {Type: "Keyboard", Name: "AT Translated Set 2 keyboard"},
		macOS:   {Type: "SPI", Manufacturer: "Apple Inc.", Name: "Apple Internal Keyboard"},
	}
	builtInMouse = [...]inventory.Input{
		windows: {Type: "Touch Pad", Manufacturer: "Synaptics", Name: "Synaptics TouchPad"},
		unix:    {Type: "Pointing", Manufacturer: "Synaptics", Name: "SynPS/2 Synaptics TouchPad"},
		macOS:   {Type: "SPI", Manufacturer: "Apple Inc.", Name: "Apple Internal Trackpad"},
	}
)

var (
	keyboards = []inventory.Input{
		{Type: "USB", Name: "HID Keyboard Device"},
		{Type: "USB", Manufacturer: "Logitech", Name: "Logitech K270"},
		{Type: "USB", Manufacturer: "CHERRY GmbH", Name: "CHERRY Stream Keyboard"},
	}
	mice = []inventory.Input{
		{Type: "USB", Manufacturer: "Microsoft", Name: "HID-compliant mouse"},
		{Type: "USB", Manufacturer: "Logitech", Name: "Logitech M185"},
		{Type: "Mouse", Manufacturer: "Logitech", Name: "Logitech MX Anywhere 3"},
	}
)

// panels are built-in displays; monitors stand beside the computer.
var (
	panels = []inventory.Display{
		{Manufacturer: "AU Optronics", Name: "AUO B140UAN02.1"},
		{Description: "Digital (21/2022)", Manufacturer: "BOE Technology", Name: "BOE NV140WUM-N41"},
		{Description: "Digital (8/2023)", Manufacturer: "LG Display", Name: "LGD 140WU1"},
		{Manufacturer: "Chimei Innolux", Name: "CMN N140HCA"},
	}
	monitors = []inventory.Display{
		{Description: "Digital (33/2023)", Manufacturer: "Lenovo Group Limited", Name: "LEN T24i-30"},
		{Description: "Digital (12/2022)", Manufacturer: "Dell Inc.", Name: "DELL U2723QE"},
		{Description: "Digital (47/2020)", Manufacturer: "Dell Inc.", Name: "DELL P2419H"},
		{Description: "Digital (5/2024)", Manufacturer: "Hewlett Packard", Name: "HP E27 G5"},
		{Manufacturer: "Eizo Nanao Corporation", Name: "EIZO EV2480"},
		{Description: "Digital (19/2021)", Manufacturer: "Iiyama North America", Name: "PL2493H"},
	}
)

// clientPorts are connectors; no two have one name.
var clientPorts = []inventory.Port{
	{Description: "USB Type-C", Name: "USB 1", Type: "USB"},
	{Description: "Access Bus (USB)", Name: "USB 2", Type: "USB"},
	{Description: "HDMI", Name: "HDMI 1", Type: "Video Port"},
	{Description: "RJ-45", Name: "LAN", Type: "Network Port"},
	{Description: "Mini Jack (headphones)", Name: "Headphone", Type: "Audio Port"},
	{Description: "Access Bus (USB)", Name: "USB 3", Type: "USB"},
	{Description: "DisplayPort", Name: "DP 1", Type: "Video Port"},
	{Description: "USB Type-C", Name: "Thunderbolt 1", Type: "USB"},
	{Description: "DisplayPort", Name: "DP 2", Type: "Video Port"},
	{Description: "DB-9 male", Name: "COM 1", Type: "Serial Port 16550A Compatible"},
	{Description: "Access Bus (USB)", Name: "USB 4", Type: "USB"},
	{Description: "RJ-45", Name: "LAN 2", Type: "Network Port"},
}

// serverPorts are the connectors of servers.
var serverPorts = []inventory.Port{
	{Description: "DB-15 female", Name: "VGA", Type: "Video Port"},
	{Description: "RJ-45", Name: "Management", Type: "Network Port"},
	{Description: "RJ-45", Name: "LAN 1", Type: "Network Port"},
	{Description: "RJ-45", Name: "LAN 2", Type: "Network Port"},
	{Description: "DB-9 male", Name: "COM 1", Type: "Serial Port 16550A Compatible"},
	{Description: "Access Bus (USB)", Name: "USB 1", Type: "USB"},
}

var sounds = []inventory.Sound{
	{Description: "Realtek(R) Audio", Manufacturer: "Realtek", Name: "Realtek(R) Audio"},
	{Description: "Intel(R) Display Audio", Manufacturer: "Intel(R) Corporation", Name: "Intel(R) Display Audio"},
	{Description: "Intel(R) Smart Sound Technology for USB Audio", Manufacturer: "Intel(R) Corporation", Name: "Intel(R) Smart Sound Technology"},
	{Manufacturer: "GN Netcom A/S", Name: "Jabra Evolve2 65"},
}

// filePrinters are printers that write files.
var filePrinters = []inventory.LocalPrinter{
	{Driver: "Microsoft Print To PDF", Name: "Microsoft Print to PDF", Port: "PORTPROMPT:"},
	{Driver: "Send to Microsoft OneNote 16 Driver", Name: "OneNote (Desktop)", Port: "nul:"},
}

// sitePrinters are the printers of each site, the same for all its computers.
var sitePrinters = func() (all [len(sites)][]inventory.LocalPrinter) {
	shapes := []inventory.LocalPrinter{
		{Driver: "HP Universal Printing PCL 6", Name: "-1F-HP"},
		{Driver: "HP Universal Printing PCL 6", Name: "-2F-HP"},
		{Driver: "KONICA MINOLTA Universal PCL", Name: "-1F-COLOUR"},
		{Driver: "Canon Generic Plus UFR II", Name: "-3F-CANON"},
		{Driver: "ZDesigner ZD421-203dpi ZPL", Name: "-LABEL"},
	}
	for s := range sites {
		for n, p := range shapes {
			p.Name = sites[s].code + p.Name
			p.Port = address{site: s, subnet: n, host: 252}.String()
			all[s] = append(all[s], p)
		}
	}
	return all
}()

// A disk is a storage device, as its label says.
type disk struct {
	maker, model, bus string
	size              int64 // in MB
}

var (
	clientDisks = []disk{
		{"Samsung", "SAMSUNG MZVL4512HBLU-00BL7", "NVMe", 512110},
		{"Samsung", "SAMSUNG MZVL2256HCHQ-00BL7", "NVMe", 256060},
		{"SK hynix", "HFS001TEJ9X115N", "NVMe", 1024209},
		{"Western Digital", "WD PC SN740 512GB", "NVMe", 512110},
		{"Micron", "Micron 2450 NVMe 512GB", "NVMe", 512110},
		{"Crucial", "CT1000MX500SSD1", "SATA", 1000204},
		{"Seagate", "ST2000DM008-2FR102", "SATA", 2000398},
	}
	appleDisks = []disk{
		{"Apple", "APPLE SSD AP0512Z", "NVMe", 500278},
		{"Apple", "APPLE SSD AP1024Z", "NVMe", 1000555},
	}
	serverDisks = []disk{
		{"Dell", "PERC H755 Front", "RAID", 1919850},
		{"HPE", "LOGICAL VOLUME", "RAID", 3839500},
		{"Intel", "SSDSC2KB960G8", "SATA", 960197},
		{"Toshiba", "MG08ACA16TE", "SAS", 16000900},
	}
	guestDisks = []disk{
		{"VMware", "Virtual disk", "SCSI", 64424},
		{"VMware", "Virtual disk SCSI Disk Device", "SCSI", 107374},
		{"Red Hat", "VirtIO block device", "virtio", 42949},
	}
)

// A volume is a file system and its part of the first disk, in per cent. The
// first one takes what the others leave; one without a part is empty.
type volume struct {
	name, label, sort string
	part              int64
}

var volumes = [...][]volume{
	windows: {{"C:/", "Windows", "Hard Drive", 0}, {"D:/", "Data", "Hard Drive", 30}, {"E:/", "", "Removable Drive", 0}, {"F:/", "Archive", "Hard Drive", 20}},
	unix:    {{"/", "/dev/mapper/vg0-root", "ext4", 0}, {"/boot", "/dev/mapper/vg0-boot", "ext4", 1}, {"/home", "/dev/mapper/vg0-home", "ext4", 55}, {"/var", "/dev/mapper/vg0-var", "xfs", 20}},
	macOS:   {{"/", "/dev/disk3s1s1", "apfs", 0}, {"/System/Volumes/Data", "/dev/disk3s5", "apfs", 70}, {"/System/Volumes/VM", "/dev/disk3s6", "apfs", 3}, {"/Volumes/Backup", "", "apfs", 10}},
}

// An adapter is a network adapter, as the agents of each family call it, and
// what its MAC address begins with: "" is the computer's maker's.
type adapter struct{ windows, unix, mac, maker string }

var (
	wireless = []adapter{
		{"Intel(R) Wi-Fi 6E AX211 160MHz", "wlp0s20f3", "en0", "A4:C3:F0"},
		{"Intel(R) Wi-Fi 6 AX201 160MHz", "wlp0s20f3", "en0", "34:C9:3D"},
		{"MediaTek Wi-Fi 6E MT7922 (RZ616) 160MHz PCIe Adapter", "wlp2s0", "en0", "F0:A6:54"},
	}
	wired = []adapter{
		{"Intel(R) Ethernet Connection (16) I219-LM", "enp0s31f6", "en1", ""},
		{"Realtek PCIe GbE Family Controller", "enp1s0", "en1", ""},
	}
	docked    = []adapter{{"Realtek USB GbE Family Controller", "enx00e04c", "en7", "00:E0:4C"}}
	bluetooth = []adapter{{"Bluetooth Device (Personal Area Network)", "bnep0", "en5", "A4:C3:F0"}}
	tunnel    = []adapter{
		{"WireGuard Tunnel", "wg0", "utun3", "02:00:4C"},
		{"TAP-Windows Adapter V9", "tap0", "utun4", "00:FF:3A"},
	}
	bridge = []adapter{{"Hyper-V Virtual Ethernet Adapter", "virbr0", "bridge0", "00:15:5D"}}
	fast   = []adapter{
		{"Broadcom BCM57416 NetXtreme-E Dual-Media 10G", "eno1np0", "", ""},
		{"Intel(R) Ethernet Controller X710 for 10GBASE-T", "eno1", "", ""},
	}
	second = []adapter{{"Broadcom NetXtreme Gigabit Ethernet", "eno3", "", ""}}
	third  = []adapter{{"Broadcom NetXtreme Gigabit Ethernet #2", "eno4", "", ""}}
	guest  = []adapter{{"vmxnet3 Ethernet Adapter", "ens192", "", ""}, {"Ethernet Adapter", "eth0", "", ""}}
	backup = []adapter{{"vmxnet3 Ethernet Adapter #2", "ens224", "", ""}}

	laptopAdapters  = [][]adapter{wireless, wired, bluetooth, tunnel, docked}
	desktopAdapters = [][]adapter{wired, wireless, bluetooth, bridge, tunnel}
	serverAdapters  = [][]adapter{fast, second, third, bridge}
	guestAdapters   = [][]adapter{guest, backup}
)
