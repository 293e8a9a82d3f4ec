package collect_test

import (
	"net/netip"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"muster/internal/collect"
	"muster/internal/disk"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/report"
)

// laptop is a machine with something in every part.
func laptop() files {
	dmi, pci, usb := "sys/class/dmi/id/", "sys/bus/pci/devices/", "sys/bus/usb/devices/"
	return files{
		"etc/os-release":  "NAME=\"Debian GNU/Linux\"\nVERSION_ID=\"12\"\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\n",
		"etc/resolv.conf": "nameserver 192.0.2.53\nsearch other.example\n",
		"proc/meminfo":    "MemTotal:       16238744 kB\nMemFree: 1 kB\nSwapTotal:       999420 kB\n",
		"proc/cpuinfo":    "processor\t: 0\nmodel name\t: 13th Gen Intel(R) Core(TM) i5-1335U\ncpu MHz\t\t: 400.000\nflags\t\t: fpu vme\n",

		dmi + "sys_vendor": "LENOVO\n", dmi + "product_name": "21HES00000\n",
		dmi + "product_version": "ThinkPad L13 Gen 4\n", dmi + "product_serial": "PF0EXAMPLE\n",
		dmi + "product_uuid": "4c4c4544-0050-4610-8031-b8c04f303030\n", dmi + "board_vendor": "LENOVO\n",
		dmi + "board_serial": "L1HF000000A\n",
		dmi + "bios_vendor":  "LENOVO\n", dmi + "bios_version": "N3XET52W (1.27 )\n", dmi + "bios_date": "04/18/2024\n",
		dmi + "chassis_type": "10\n", dmi + "chassis_asset_tag": "IT-004711\n",
		"sys/firmware/dmi/tables/DMI": laptopTable(),

		"run/systemd/users/0":    "NAME=root\nSTATE=active\n",
		"run/systemd/users/1001": "NAME=remote\nSTATE=online\n",
		"run/systemd/users/1002": "NAME=ana\nSTATE=active\n",

		"sys/block/nvme0n1": "-> ../devices/pci0000:00/0000:00:06.0/nvme/nvme0/nvme0n1",
		"sys/devices/pci0000:00/0000:00:06.0/nvme/nvme0/nvme0n1/size":         "1000215216\n",
		"sys/devices/pci0000:00/0000:00:06.0/nvme/nvme0/nvme0n1/device/model": "SAMSUNG MZVL4512HBLU-00BLL              \n",
		"sys/block/sda/size": "7866368\n", "sys/block/sda/device/vendor": "SanDisk \n",
		"sys/block/sda/device/model": "Ultra Fit\n",
		"sys/block/sdb/size":         "0\n", "sys/block/sdb/device/model": "Card Reader\n",
		"sys/block/sr0/size": "2097151\n", "sys/block/sr0/device/vendor": "HL-DT-ST\n",
		"sys/block/sr0/device/model": "DVDRAM GUD1N\n",
		"sys/block/mmcblk0/size":     "61071360\n", "sys/block/mmcblk0/device/name": "SD32G\n",
		"sys/block/mmcblk0boot0/size": "8192\n", "sys/block/mmcblk0boot0/device/name": "SD32G\n",
		"sys/block/sdc/size": "1953525168\n", "sys/block/sdc/device/vendor": "ATA     \n",
		"sys/block/sdc/device/model": "WDC WD10EZEX-08W\n",
		"sys/block/loop0/size":       "8\n", "sys/block/zram0/size": "8\n", "sys/block/dm-0/size": "1000\n",

		"proc/self/mountinfo": strings.Join([]string{
			`22 1 0:21 / /proc rw,nosuid shared:5 - proc proc rw`,
			`29 1 254:1 /lib /snap/lib rw,relatime shared:1 - ext4 /dev/mapper/root rw`,
			`28 1 254:1 / / rw,relatime shared:1 - ext4 /dev/mapper/root rw,errors=remount-ro`,
			`30 28 259:1 / /boot/efi rw - vfat /dev/nvme0n1p1 rw`,
			`31 28 254:2 / /srv/my\040data rw - xfs /dev/mapper/data rw`,
			`32 28 0:50 / /mnt/dead rw - nfs4 server:/export rw`,
			`33 28 0:51 / /home/ana/remote rw - fuse.sshfs ana@host: rw`,
			`34 28 0:52 / /tmp rw - tmpfs tmpfs rw`,
			`35 28 0:53 / /var/lib/docker/overlay2/x/merged rw - overlay overlay rw`,
			`nonsense`, ``}, "\n"),

		"proc/net/route": "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT\n" +
			"wlan0\t00000000\t" + routed(192, 0, 2, 129) + "\t0003\t0\t0\t600\t00000000\t0\t0\t0\n" +
			"eth0\t00000000\t" + routed(192, 0, 2, 1) + "\t0003\t0\t0\t100\t00000000\t0\t0\t0\n" +
			"eth0\t" + routed(192, 0, 2, 0) + "\t00000000\t0001\t0\t0\t100\t" + routed(255, 255, 255,
			128) + "\t0\t0\t0\n",
		"sys/class/net/lo/address": "00:00:00:00:00:00\n", "sys/class/net/lo/type": "772\n",
		"sys/class/net/eth0/address": "54:05:db:00:00:01\n", "sys/class/net/eth0/type": "1\n",
		"sys/class/net/eth0/carrier": "1\n", "sys/class/net/eth0/ifindex": "2\n",
		"sys/class/net/eth0/device/uevent": "DRIVER=e1000e\nPCI_ID=8086:1A1C\n",
		"sys/class/net/wlan0/address":      "7e:11:22:33:44:55\n", "sys/class/net/wlan0/type": "1\n",
		"sys/class/net/wlan0/carrier":             "0\n",
		"sys/class/net/wlan0/phy80211/macaddress": "a4:c3:f0:12:34:56\n",
		"sys/class/net/wlan0/device/uevent":       "DRIVER=iwlwifi\n",
		"sys/class/net/office0/address":           "54:05:db:00:00:09\n", // made by software
		"sys/class/net/tun0/address":              "\n", "sys/class/net/tun0/type": "65534\n",
		"sys/class/net/tun0/carrier":     "1\n",
		"sys/class/net/veth12ab/address": "02:42:00:00:00:01\n", "sys/class/net/veth12ab/type": "1\n",
		"sys/class/net/br-0123456789ab/address":  "02:42:00:00:00:02\n",
		"sys/class/net/bonding_masters":          "\n",
		"run/systemd/netif/leases/2":             "# This is private data. Do not parse.\nADDRESS=192.0.2.44\nSERVER_ADDRESS=192.0.2.67\n",
		"var/lib/dhcp/dhclient.leases":           "lease {\n  interface \"wlan0\";\n  option dhcp-server-identifier 192.0.2.68;\n}\n",
		"usr/share/misc/pci.ids":                 "# list\n8086  Intel Corporation\n\ta7a1  Raptor Lake-P [Iris Xe Graphics]\n\t\t17aa 22d8  Some board\n\t51ed  Alder Lake PCH USB 3.2 xHCI Host Controller\n\t51ca  Raptor Lake-P/U/H cAVS\n8087  Other\n\t51ed  Not this\nC 03  Display controller\n\t00  VGA\n",
		pci + "0000:00:02.0/class":               "0x030000\n",
		pci + "0000:00:02.0/vendor":              "0x8086\n",
		pci + "0000:00:02.0/device":              "0xa7a1\n",
		pci + "0000:00:02.0/revision":            "0x04\n",
		pci + "0000:00:02.0/resource":            "0x000000601c000000 0x000000601cffffff 0x0000000000140204\n0x0000000000000000 0x0000000000000000 0x0000000000000000\n0x0000004000000000 0x000000400fffffff 0x000000000014220c\n",
		pci + "0000:00:14.0/class":               "0x0c0330\n",
		pci + "0000:00:14.0/vendor":              "0x8086\n",
		pci + "0000:00:14.0/device":              "0x51ed\n",
		pci + "0000:00:14.0/revision":            "0x00\n",
		pci + "0000:00:1f.3/class":               "0x040380\n",
		pci + "0000:00:1f.3/vendor":              "0x8086\n",
		pci + "0000:00:1f.3/device":              "0x51ca\n",
		pci + "0000:00:1f.3/revision":            "0x01\n",
		pci + "0000:01:00.0/class":               "0x030200\n",
		pci + "0000:01:00.0/vendor":              "0x10de\n",
		pci + "0000:01:00.0/device":              "0x25a2\n",
		pci + "0000:01:00.0/mem_info_vram_total": "4294967296\n",
		pci + "0000:00:1f.0/class":               "0x060100\n",
		usb + "usb1/idVendor":                    "1d6b\n",
		usb + "usb1/idProduct":                   "0002\n",
		usb + "usb1/bDeviceClass":                "09\n",
		usb + "1-1/idVendor":                     "046d\n",
		usb + "1-1/idProduct":                    "c31c\n",
		usb + "1-1/bDeviceClass":                 "00\n",
		usb + "1-1/bcdDevice":                    "6402\n",
		usb + "1-1/manufacturer":                 "Logitech\n",
		usb + "1-1/product":                      "USB Keyboard\n",
		usb + "1-1/1-1:1.0/bInterfaceClass":      "03\n",
		usb + "1-2/idVendor":                     "0781\n",
		usb + "1-2/idProduct":                    "5583\n",
		usb + "1-2/bDeviceClass":                 "00\n",
		usb + "1-2/bcdDevice":                    "0100\n",
		usb + "1-2/1-2:1.0/bInterfaceClass":      "08\n",
		usb + "1-1:1.0/bInterfaceClass":          "03\n",
		"var/lib/usbutils/usb.ids":               "0781  SanDisk Corp.\n\t5583  Ultra Fit\n",
		"sys/devices/pci/usb1/1-1/idVendor":      "046d\n",
		"sys/devices/pci/usb1/1-1/manufacturer":  "Logitech\n",
		"proc/bus/input/devices":                 inputDevices,
		"sys/class/drm/card0/":                   "",
		"sys/class/drm/card0-DP-1/edid": monitor("LEN", 0x01010101,
			map[byte]string{0xfc: "T24i-30", 0xff: "V30EXAMP"}),
		"sys/class/drm/card0-DP-2/edid": monitor("LEN", 0x01010101,
			map[byte]string{0xfc: "T24i-30", 0xff: "V30EXAMP"}),
		"sys/class/drm/card0-DP-3/edid":      "",
		"sys/class/drm/card0-HDMI-A-1/edid":  "no such data",
		"sys/class/drm/card0-eDP-1/edid":     monitor("XYZ", 0x01010101, map[byte]string{0xfe: "NV133\x07WUM-N61"}),
		"sys/class/drm/card1-VGA-1/edid":     monitor("DEL", 1234567890, nil),
		"proc/asound/cards":                  " 0 [sofhdadsp      ]: sof-hda-dsp - sof-hda-dsp\n                      LENOVO-21HES00000\n 1 [E20            ]: USB-Audio - Jabra EVOLVE 20\n                      Jabra EVOLVE 20 at usb-0000:00:14.0-2, full speed\n",
		"etc/cups/printers.conf":             "# Printer configuration file\n<Printer office>\nUUID urn:uuid:x\nInfo Office\nMakeModel HP LaserJet, driverless\nDeviceURI ipps://ana:p@ss/w@192.0.2.200:631/ipp/print?token=hush\nState Idle\n</Printer>\n<DefaultPrinter local>\nInfo At my desk\nDeviceURI usb://HP/DeskJet?serial=123\n</DefaultPrinter>\n",
		"var/lib/dpkg/status":                debStatus,
		"var/lib/dpkg/info/libc6:amd64.list": "",
		"var/lib/dpkg/info/bash.list":        "",
		"usr/lib/apk":                        "-> ../../lib/apk",
		"lib/apk/db/installed":               "C:Q1x\nP:musl\nV:1.2.5-r0\nA:x86_64\nU:https://musl.libc.org/\nT:the musl c library\nF:lib\nR:ld-musl-x86_64.so.1\n\nP:busybox\nV:1.36.1-r29\n\n",
	}
}

// routed returns an address as the kernel shows it in its table of routes.
func routed(a, b, c, d byte) string {
	return strings.ToUpper(hexNative(a, b, c, d))
}

const inputDevices = `I: Bus=0019 Vendor=0000 Product=0001 Version=0000
N: Name="Power Button"
P: Phys=PNP0C0C/button/input0
S: Sysfs=/devices/LNXSYSTM:00/LNXSYBUS:00/PNP0C0C:00/input/input0
H: Handlers=kbd event0
B: EV=3

I: Bus=0011 Vendor=0001 Product=0001 Version=ab54
N: Name="AT Translated Set 2 keyboard"
P: Phys=isa0060/serio0/input0
S: Sysfs=/devices/platform/i8042/serio0/input/input1
H: Handlers=sysrq kbd event1 leds
B: EV=120013

I: Bus=0003 Vendor=046d Product=c31c Version=0110
N: Name="Logitech USB Keyboard"
S: Sysfs=/devices/pci/usb1/1-1/1-1:1.0/0003:046D:C31C.0001/input/input2
H: Handlers=sysrq kbd event2 leds
B: EV=120013

I: Bus=0003 Vendor=046d Product=c31c Version=0110
N: Name="Logitech USB Keyboard"
S: Sysfs=/devices/pci/usb1/1-1/1-1:1.1/0003:046D:C31C.0002/input/input3
H: Handlers=kbd event3
B: EV=12001f

I: Bus=0018 Vendor=04f3 Product=3104 Version=0100
N: Name="ELAN0670:00 04F3:3104 Touchpad"
S: Sysfs=/devices/pci0000:00/i2c/input/input4
H: Handlers=mouse0 event4
B: EV=1b

I: Bus=0006 Vendor=0001 Product=0001 Version=0001
N: Name="virtual thing"
H: Handlers=kbd mouse1 event5
B: EV=120013
`

const debStatus = `Package: dpkg
Status: install ok installed
Architecture: amd64
Multi-Arch: foreign
Version: 1.21.22
Homepage: https://wiki.debian.org/Teams/Dpkg

Package: bash
Status: hold ok installed
Maintainer: Matthias Klose <doko@debian.org>
Architecture: amd64
Version: 5.2.15-2+b8
Description: GNU Bourne Again SHell
 Homepage: not this one
 .
Homepage: http://tiswww.case.edu/php/chet/bash/bashtop.html

Package: libc6
Status: install ok installed
Architecture: amd64
Multi-Arch: same
Version: 2.36-9+deb12u14

Package: wine32
Status: install ok installed
Architecture: i386
Multi-Arch: foreign
Version: 8.0~repack-4

Package: tzdata
Status: install ok installed
Architecture: all
Version: 2025b-0+deb12u1

Package: gone
Status: deinstall ok config-files
Architecture: amd64
Version: 1

Package: half
Status: install ok half-installed
Architecture: amd64
Version: 1
`

// laptopMachine is the laptop with addresses and disks.
func laptopMachine(t *testing.T) *collect.Machine {
	m := laptop().machine(t)
	m.Addresses = func(adapter string) []netip.Prefix {
		return map[string][]netip.Prefix{
			"eth0": {netip.MustParsePrefix("fe80::1/64"), netip.MustParsePrefix("192.0.2.44/25"),
				netip.MustParsePrefix("2001:db8::44/64")},
			"wlan0": {netip.MustParsePrefix("fe80::2/64"), netip.MustParsePrefix("2001:db8:1::45/64")},
			"tun0":  {netip.MustParsePrefix("198.51.100.9/32")},
		}[adapter]
	}
	asked := m.Space
	m.Space = func(folder string) (disk.Space, error) {
		switch strings.TrimPrefix(folder, m.Root) {
		case "", "/":
			return disk.Space{Free: 100<<30 + 5, Total: 400 << 30}, nil
		case "/boot/efi":
			return disk.Space{Free: 0, Total: 511 << 20}, nil
		case "/srv/my data":
			return disk.Space{Free: 1 << 20, Total: 10 << 20}, nil
		}
		t.Errorf("asked for the room on %s, which may take for ever", folder)
		return asked(folder)
	}
	for name, day := range map[string]int{"bash": 5, "libc6:amd64": 20} {
		when := time.Date(2025, time.January, day, 12, 0, 0, 0, time.Local)
		if err := os.Chtimes(m.Root+"/var/lib/dpkg/info/"+name+".list", when, when); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

// TestLaptop: what the server takes from the document is what the machine has.
func TestLaptop(t *testing.T) {
	r := read(t, laptopMachine(t))
	want := inventory.Computer{
		Name: "lis-lt-0044", AssetID: "IT-004711", Category: "Laptop",
		OperatingSystem: "Debian GNU/Linux 12 (bookworm)",
		CPU:             "13th Gen Intel(R) Core(TM) i5-1335U", ProcessorSpeed: some(1300), Memory: some(15858),
		Swap: some(975),
		IP:   "192.0.2.44", Domain: "muster.example", Username: "ana",
		BIOSes: []inventory.BIOS{
			{Date: "04/18/2024", Manufacturer: "LENOVO", Model: "ThinkPad L13 Gen 4", SSN: "PF0EXAMPLE",
				Version: "N3XET52W (1.27 )"},
		},
		Memories: []inventory.Memory{
			{Capacity: some(8192), Description: "SODIMM (Multi-bit ECC)", Type: "DDR5", Name: "DIMM A",
				Purpose: "System Memory", Slot: some(0), Speed: "4800"},
			{Capacity: some(65536), Description: "DIMM (Multi-bit ECC)", Type: "DDR4", Name: "DIMM B",
				Purpose: "System Memory", Slot: some(1), Speed: "70000"},
			{Description: "SODIMM", Name: "DIMM C", Purpose: "System Memory", Slot: some(2)},
			{Capacity: some(2), Description: "DIMM (Multi-bit ECC)", Type: "SDRAM", Purpose: "System Memory",
				Slot: some(3)},
		},
		Ports: []inventory.Port{
			{Name: "J1", Description: "Access Bus (USB)", Type: "USB"},
			{Name: "Ethernet", Description: "RJ-45", Type: "Network Port"},
		},
		Storages: []inventory.Storage{
			{Model: "SD32G", Name: "mmcblk0", Size: some(31268), Type: "disk"},
			{Description: "NVMe", Manufacturer: "Samsung", Model: "SAMSUNG MZVL4512HBLU-00BLL", Name: "nvme0n1",
				Size: some(512110), Type: "disk"},
			{Manufacturer: "SanDisk", Model: "Ultra Fit", Name: "sda", Size: some(4027), Type: "disk"},
			{Manufacturer: "Western Digital", Model: "WDC WD10EZEX-08W", Name: "sdc", Size: some(1000204),
				Type: "disk"},
			{Manufacturer: "HL-DT-ST", Model: "DVDRAM GUD1N", Name: "sr0", Type: "cd"},
		},
		Drives: []inventory.Drive{
			{Name: "/", DriveName: "/dev/mapper/root", Type: "ext4", FreeSpace: some(102400), TotalSpace: some(409600)},
			{Name: "/boot/efi", DriveName: "/dev/nvme0n1p1", Type: "vfat", FreeSpace: some(0), TotalSpace: some(511)},
			{Name: "/srv/my data", DriveName: "/dev/mapper/data", Type: "xfs", FreeSpace: some(1),
				TotalSpace: some(10)},
		},
		Networks: []inventory.Network{
			{Description: "eth0", DHCP: "192.0.2.67", Gateway: "192.0.2.1", IP: "192.0.2.44", MAC: "54:05:DB:00:00:01",
				Status: "Up"},
			{Description: "office0", MAC: "54:05:DB:00:00:09", Status: "Down"},
			{Description: "tun0", IP: "198.51.100.9", Status: "Up"},
			{Description: "wlan0", IP: "2001:db8:1::45", MAC: "A4:C3:F0:12:34:56", Status: "Down"},
		},
		Videos: []inventory.Video{
			{Chipset: "VGA compatible controller", Memory: some(256),
				Name: "Intel Corporation Raptor Lake-P [Iris Xe Graphics]"},
			{Chipset: "3D controller", Memory: some(4096), Name: "10de:25a2"},
		},
		USBs: []inventory.USB{
			{ControllerType: "USB", Description: "USB controller", Manufacturer: "Intel Corporation",
				Name: "Alder Lake PCH USB 3.2 xHCI Host Controller"},
			{ControllerType: "Human Interface Device", Description: "USB Keyboard", Manufacturer: "Logitech",
				Name: "USB Keyboard", Version: "64.02"},
			{ControllerType: "Mass Storage", Description: "Ultra Fit", Manufacturer: "SanDisk Corp.",
				Name: "Ultra Fit", Version: "1.00"},
		},
		Keyboards: []inventory.Input{{Type: "PS/2", Name: "AT Translated Set 2 keyboard"}, {
			Type: "USB", Manufacturer: "Logitech", Name: "Logitech USB Keyboard",
		}},
		Mice: []inventory.Input{{Type: "I2C", Name: "ELAN0670:00 04F3:3104 Touchpad"}},
		Displays: []inventory.Display{
			{Name: "T24i-30", Description: "33/2023", Manufacturer: "Lenovo", SerialNumber: "V30EXAMP"},
			{Name: "NV133WUM-N61", Description: "33/2023", Manufacturer: "XYZ"},
			{Name: "DEL 61AB", Description: "2023", Manufacturer: "Dell", SerialNumber: "1234567890"},
		},
		Sounds: []inventory.Sound{
			{Name: "Audio device", Description: "rev 01", Manufacturer: "Intel Corporation Raptor Lake-P/U/H cAVS"},
			{Name: "Jabra EVOLVE 20", Description: "USB-Audio"},
		},
		Printers: []inventory.LocalPrinter{
			{Driver: "HP LaserJet, driverless", Name: "office", Port: "ipps://192.0.2.200:631/ipp/print"},
			{Driver: "At my desk", Name: "local", Port: "usb://HP/DeskJet"},
		},
	}
	if diff := cmp.Diff(want, r.Computer); diff != "" {
		t.Errorf("the computer (- want, + got):\n%s", diff)
	}
	day := func(n int) time.Time { return time.Date(2025, time.January, n, 0, 0, 0, 0, time.UTC) }
	softwares := []report.Installed{
		{Name: "bash", Version: "5.2.15-2+b8", Manufacturer: "http://tiswww.case.edu/php/chet/bash/bashtop.html",
			InstallDate: day(5)},
		{Name: "busybox", Version: "1.36.1-r29"},
		{Name: "dpkg", Version: "1.21.22", Manufacturer: "https://wiki.debian.org/Teams/Dpkg"},
		{Name: "libc6:amd64", Version: "2.36-9+deb12u14", InstallDate: day(20)},
		{Name: "musl", Version: "1.2.5-r0", Manufacturer: "https://musl.libc.org/"},
		{Name: "tzdata", Version: "2025b-0+deb12u1"},
		{Name: "wine32:i386", Version: "8.0~repack-4"},
	}
	_, installed := r.Programs.All()
	if diff := cmp.Diff(softwares, installed); diff != "" {
		t.Errorf("the software (- want, + got):\n%s", diff)
	}
	if n := strings.Count(string(document(t, laptopMachine(t))), "<NAME>musl</NAME>"); n != 1 {
		t.Errorf("got %d packages with the name musl, want 1", n)
	}
	identity := []string{r.Identity.DeviceID, r.Identity.Program, r.Identity.ProgramVersion, r.Identity.Serial,
		r.Identity.Manufacturer, r.Identity.UUID}
	if want := []string{
		sender.DeviceID, report.Own, "1.2.3", "PF0EXAMPLE", "LENOVO", "4c4c4544-0050-4610-8031-b8c04f303030",
	}; !slices.Equal(identity, want) {
		t.Errorf("the identity: got %q, want %q", identity, want)
	}
	good := map[string]bool{}
	for _, a := range r.Identity.Adapters {
		good[a.Description] = a.Good()
	}
	if want := map[string]bool{"eth0": true, "office0": false, "tun0": false, "wlan0": true}; !cmp.Equal(good, want) {
		t.Errorf("adapters that tell whose report it is: got %v, want %v", good, want)
	}
}

// mapped are the fields that the server keeps something of, by section.
var mapped = map[string]string{
	"HARDWARE": "NAME VMSYSTEM OSNAME OSVERSION PROCESSORT PROCESSORS MEMORY SWAP DEFAULTGATEWAY WORKGROUP UUID",
	"BIOS":     "ASSETTAG BDATE BMANUFACTURER BVERSION MMANUFACTURER SMANUFACTURER SMODEL SSN TYPE",
	"USERS":    "LOGIN", "VIDEOS": "CHIPSET MEMORY NAME",
	"MEMORIES": "CAPACITY DESCRIPTION TYPE CAPTION PURPOSE NUMSLOTS SPEED",
	"PRINTERS": "DRIVER NAME PORT", "CONTROLLERS": "TYPE DESCRIPTION MANUFACTURER NAME VERSION",
	"USBDEVICES": "TYPE DESCRIPTION MANUFACTURER NAME VERSION",
	"INPUTS":     "INTERFACE TYPE MANUFACTURER CAPTION", "MONITORS": "CAPTION DESCRIPTION MANUFACTURER SERIAL",
	"STORAGES": "DESCRIPTION MANUFACTURER MODEL NAME DISKSIZE TYPE", "PORTS": "NAME DESCRIPTION CAPTION TYPE",
	"SOUNDS":    "NAME DESCRIPTION MANUFACTURER",
	"NETWORKS":  "DESCRIPTION IPDHCP IPGATEWAY IPADDRESS MACADDR STATUS TYPE DRIVER VIRTUALDEV",
	"DRIVES":    "VOLUMN TYPE FILESYSTEM FREE TOTAL",
	"SOFTWARES": "NAME VERSION PUBLISHER INSTALLDATE FROM",
}

// TestOnlyMapped: nothing leaves the computer that the server does not keep, least of all a secret.
func TestOnlyMapped(t *testing.T) {
	text := string(document(t, laptopMachine(t)))
	section := ""
	for _, tag := range regexp.MustCompile(`<(/?)([A-Z0-9_]+)>`).FindAllStringSubmatch(text, -1) {
		name, end := tag[2], tag[1] != ""
		switch {
		case section == "" && mapped[name] != "":
			section = name
		case name == section && end:
			section = ""
		case section == "" && !slices.Contains(strings.Fields("REQUEST CONTENT VERSIONCLIENT DEVICEID QUERY"), name),
			section != "" && !slices.Contains(strings.Fields(mapped[section]), name):
			t.Errorf("the document has <%s> in %q, which nobody needs", name, section)
		}
	}
	for _, secret := range []string{"hush", "ss/w", "ana:", "serial=123", "token"} {
		if strings.Contains(text, secret) {
			t.Errorf("the document tells %q", secret)
		}
	}
}

func some(n int64) kind.Int { return kind.Some(n) }
