package collect_test

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"muster/internal/collect"
	"muster/internal/disk"
	"muster/internal/report"
)

func hexNative(a, b, c, d byte) string {
	n := binary.NativeEndian.Uint32([]byte{a, b, c, d})
	return hex.EncodeToString(binary.BigEndian.AppendUint32(nil, n))
}

// TestNothing: a machine without any files is still one with a name.
func TestNothing(t *testing.T) {
	r := read(t, files{}.machine(t))
	if r.Computer.Name != "lis-lt-0044" || r.Computer.OperatingSystem != "Linux" || r.Computer.Category != "Desktop" ||
		len(r.Computer.BIOSes) > 0 || len(r.Programs.Sums) > 0 {
		t.Errorf("got %+v, want a name and nothing else", r.Computer)
	}
}

// TestProlog: the server understands the question.
func TestProlog(t *testing.T) {
	m, err := report.Read(sender.Prolog(), report.Source{})
	if err != nil || m.Action != report.Prolog || m.DeviceID != sender.DeviceID {
		t.Errorf("got %+v, %v, want a prolog of %s", m, err, sender.DeviceID)
	}
}

// TestCategory: on what a machine runs, and what it looks like.
func TestCategory(t *testing.T) {
	dmi := "sys/class/dmi/id/"
	hypervisor := "flags\t\t: fpu hypervisor lm\n"
	for name, test := range map[string]struct {
		files    files
		category string
		system   string
	}{
		"tower": {
			files{dmi + "chassis_type": "7\n", dmi + "sys_vendor": "Dell Inc.\n"}, "Desktop", "Physical",
		},
		"rack":        {files{dmi + "chassis_type": "23\n"}, "Server", "Physical"},
		"convertible": {files{dmi + "chassis_type": "31\n"}, "Laptop", "Physical"},
		"no chassis":  {files{dmi + "chassis_type": "250\n"}, "Desktop", "Physical"},
		"Surface": {
			files{dmi + "sys_vendor": "Microsoft Corporation\n", dmi + "product_name": "Surface Laptop\n",
				dmi + "chassis_type": "9\n"}, "Laptop", "Physical",
		},
		"Hyper-V": {
			files{dmi + "sys_vendor": "Microsoft Corporation\n", dmi + "product_name": "Virtual Machine\n"},
			"Virtual Machine", "Hyper-V",
		},
		"VMware":     {files{dmi + "sys_vendor": "VMware, Inc.\n"}, "Virtual Machine", "VMware"},
		"VirtualBox": {files{dmi + "product_name": "VirtualBox\n"}, "Virtual Machine", "VirtualBox"},
		"QEMU":       {files{dmi + "sys_vendor": "QEMU\n"}, "Virtual Machine", "QEMU"},
		"cloud": {files{dmi + "sys_vendor": "DigitalOcean\n", "proc/cpuinfo": hypervisor},
			"Virtual Machine", "Virtual Machine"},
		"cloud on ARM": {
			files{dmi + "sys_vendor": "Amazon EC2\n", dmi + "product_name": "m7g.large\n"}, "Virtual Machine", "KVM",
		},
		"cloud, whole": {
			files{dmi + "sys_vendor": "Amazon EC2\n", dmi + "product_name": "m7g.metal\n"}, "Desktop", "Physical",
		},
		"Xen": {files{"sys/hypervisor/type": "xen\n"}, "Virtual Machine", "Xen"},
		"Xen's first domain": {
			files{"sys/hypervisor/type": "xen\n", "proc/xen/capabilities": "control_d\n"}, "Desktop", "Physical",
		},
		"Docker":          {files{".dockerenv": ""}, "Virtual Machine", "Docker"},
		"Podman":          {files{"run/.containerenv": ""}, "Virtual Machine", "Podman"},
		"LXC":             {files{"run/systemd/container": "lxc\n"}, "Virtual Machine", "LXC"},
		"a new container": {files{"run/systemd/container": "quark\n"}, "Virtual Machine", "quark"},
	} {
		m := test.files.machine(t)
		if got := read(t, m).Computer.Category; got != test.category {
			t.Errorf("%s: got the category %q, want %q", name, got, test.category)
		}
		if text := string(document(t, m)); !strings.Contains(text, "<VMSYSTEM>"+test.system+"</VMSYSTEM>") {
			t.Errorf("%s: got\n%s\nwant that it runs on %s", name, text, test.system)
		}
	}
}

// TestProcessor: the speed is the one that the processor was made for.
func TestProcessor(t *testing.T) {
	scaling := "sys/devices/system/cpu/cpu0/cpufreq/"
	for name, test := range map[string]struct {
		files files
		cpu   string
		speed int64
	}{
		"in its name": {
			files{"proc/cpuinfo": "model name: Intel(R) Core(TM) i7-6600U CPU @ 2.60GHz\ncpu MHz: 800.1\n"},
			"Intel(R) Core(TM) i7-6600U CPU @ 2.60GHz", 2600,
		},
		"from its base": {
			files{"proc/cpuinfo": "model name: i5\ncpu MHz: 800.1\n", scaling + "base_frequency": "1300000\n",
				scaling + "cpuinfo_max_freq": "4600000\n"}, "i5", 1300,
		},
		"from its limit": {
			files{"proc/cpuinfo": "model name: ARM\n", scaling + "cpuinfo_max_freq": "1800000\n"}, "ARM", 1800,
		},
		"of a guest": {files{"proc/cpuinfo": "model name: Xeon\ncpu MHz: 1999.998\n\nmodel name: other\ncpu MHz: 1\n"},
			"Xeon", 2000},
	} {
		c := read(t, test.files.machine(t)).Computer
		if c.CPU != test.cpu || c.ProcessorSpeed.V != test.speed {
			t.Errorf("%s: got %q and %d, want %q and %d", name, c.CPU, c.ProcessorSpeed.V, test.cpu, test.speed)
		}
	}
}

// TestSmallComputer: one without firmware of the usual kind has a model and a serial number all the same.
func TestSmallComputer(t *testing.T) {
	tree := "sys/firmware/devicetree/base/"
	c := read(t, files{
		tree + "model": "Raspberry Pi 4 Model B Rev 1.4\x00", tree + "serial-number": "10000000abcdef01\x00",
	}.machine(t))
	if b := c.Computer.BIOSes; len(b) != 1 || b[0].Model != "Raspberry Pi 4 Model B Rev 1.4" ||
		c.Identity.Serial != "10000000abcdef01" {
		t.Errorf("got %+v and the serial number %q", b, c.Identity.Serial)
	}
}

// TestSerial: a computer without a serial number has that of its board.
func TestSerial(t *testing.T) {
	dmi := "sys/class/dmi/id/"
	r := read(t, files{
		dmi + "product_name": "NUC\n", dmi + "product_serial": "None\n", dmi + "board_serial": "GEWB1\n",
	}.machine(t))
	if r.Identity.Serial != "GEWB1" {
		t.Errorf("got the serial number %q, want the board's", r.Identity.Serial)
	}
}

// TestDomain: a name without a domain has the one in which the computer looks names up.
func TestDomain(t *testing.T) {
	for text, want := range map[string]string{
		"search .\n": "", "nameserver 192.0.2.53\nsearch one.example two.example\n": "one.example",
		"search one.example\ndomain own.example\n": "own.example",
	} {
		m := files{"etc/resolv.conf": text}.machine(t)
		m.Name = "short"
		if got := read(t, m).Computer.Domain; got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// TestBrokenTable: what firmware cuts off is not read beyond its end.
func TestBrokenTable(t *testing.T) {
	whole := laptopTable()
	m := files{"sys/firmware/dmi/tables/DMI": whole}.machine(t)
	for n := len(whole) - 1; n >= 0; n-- {
		if err := os.Truncate(filepath.Join(m.Root, "sys/firmware/dmi/tables/DMI"), int64(n)); err != nil {
			t.Fatal(err)
		}
		if got := len(read(t, m).Computer.Memories); got > 4 {
			t.Errorf("of %d bytes: got %d memory slots, want 4 at most", n, got)
		}
	}
}

// TestContainerDisk: a container has the disk that it is in.
func TestContainerDisk(t *testing.T) {
	m := files{
		"proc/self/mountinfo": "1 1 0:9 / / rw - overlay overlay rw\n2 1 0:10 / /inner rw - overlay overlay rw\n",
	}.machine(t)
	m.Space = func(string) (disk.Space, error) { return disk.Space{Total: 1 << 30}, nil }
	if got := read(t, m).Computer.Drives; len(got) != 1 || got[0].Name != "/" {
		t.Errorf("got %+v, want one drive", got)
	}
}

// TestLeases: the address of the DHCP server, wherever the system keeps it; of several leases the last one counts.
func TestLeases(t *testing.T) {
	lease := func(adapter, server string) string {
		return "lease {\n  interface \"" + adapter +
			"\";\n  fixed-address 192.0.2.5;\n  option dhcp-server-identifier " + server + ";\n}\n"
	}
	for name, lease := range map[string]files{
		"networkd": {"run/systemd/netif/leases/7": "SERVER_ADDRESS=192.0.2.3\n"},
		"NetworkManager": {
			"var/lib/NetworkManager/internal-a-b-eth0.lease":  "SERVER_ADDRESS=192.0.2.3\n",
			"var/lib/NetworkManager/internal-old-eth0.lease":  "SERVER_ADDRESS=192.0.2.2\n",
			"var/lib/NetworkManager/internal-a-b-xeth0.lease": "SERVER_ADDRESS=192.0.2.9\n",
		},
		"dhclient": {"var/lib/dhcp/dhclient.eth0.leases": lease("eth0", "192.0.2.2") + lease("eth0",
			"192.0.2.3") + lease("eth1", "192.0.2.4")},
	} {
		lease["sys/class/net/eth0/address"], lease["sys/class/net/eth0/ifindex"] = "54:05:db:00:00:01\n", "7\n"
		m := lease.machine(t)
		m.Addresses = func(string) []netip.Prefix { return []netip.Prefix{netip.MustParsePrefix("192.0.2.5/24")} }
		before := time.Now().Add(-time.Hour)
		// one of them has it
		_ = os.Chtimes(filepath.Join(m.Root, "var/lib/NetworkManager/internal-old-eth0.lease"), before, before)
		if got := read(t, m).Computer.Networks; len(got) != 1 || got[0].DHCP != "192.0.2.3" {
			t.Errorf("%s: got %+v, want the server 192.0.2.3", name, got)
		}
	}
}

// TestManyRows: a server refuses a report with too many rows; it gets as many as it takes.
func TestManyRows(t *testing.T) {
	var mounts strings.Builder
	for i := range 2500 {
		fmt.Fprintf(&mounts, "1 1 9:%d / /pool/%04d rw - zfs pool/%04d rw\n", i, i, i)
	}
	m := files{"proc/self/mountinfo": mounts.String()}.machine(t)
	m.Space = func(string) (disk.Space, error) { return disk.Space{Total: 1 << 30}, nil }
	if got := len(read(t, m).Computer.Drives); got != 2000 {
		t.Errorf("got %d drives, want 2000", got)
	}
}

// TestDeadDisk: nobody waits for a disk that does not answer.
func TestDeadDisk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := files{
			"proc/self/mountinfo": "1 1 9:1 / /dead rw - ext4 /dev/sdx rw\n2 1 9:2 / /live rw - ext4 /dev/sdy rw\n",
		}.machine(t)
		never := make(chan struct{})
		m.Space = func(folder string) (disk.Space, error) {
			if strings.HasSuffix(folder, "/dead") {
				<-never
			}
			return disk.Space{Total: 1 << 30}, nil
		}
		if got := read(t, m).Computer.Drives; len(got) != 1 || got[0].Name != "/live" {
			t.Errorf("got %+v, want the live disk alone", got)
		}
		close(never)
	})
}

// script puts a program in the place of all others.
func script(t *testing.T, name, text string) {
	t.Helper()
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, name), []byte("#!/bin/sh\n"+text), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", folder+":/usr/bin:/bin")
}

// TestListedPrinters: who may not read the configuration asks the printing service.
func TestListedPrinters(t *testing.T) {
	script(t, "lpstat", `[ "$*" = -v ] && echo 'device for office: ipp://user:hush@192.0.2.200/ipp/print' && echo 'lpstat: nonsense'`)
	got := read(t, files{"etc/cups/": ""}.machine(t)).Computer.Printers
	if len(got) != 1 || got[0].Name != "office" || got[0].Port != "ipp://192.0.2.200/ipp/print" {
		t.Errorf("got %+v, want the office's printer without a password", got)
	}
}

// TestFailingProgram: a part is left out when its program fails, and that is logged.
func TestFailingProgram(t *testing.T) {
	script(t, "rpm", "echo lost database >&2; exit 1\n")
	m := files{"var/lib/rpm/rpmdb.sqlite": ""}.machine(t)
	var log []string
	m.Log = func(part string, reason error) { log = append(log, part+": "+reason.Error()) }
	if got := read(t, m).Programs.Sums; len(got) != 0 || len(log) != 1 || !strings.Contains(log[0], "lost database") {
		t.Errorf("got %v and %q, want no software, and why", got, log)
	}
}

// TestStop: a program that takes its time does not keep the agent from stopping.
func TestStop(t *testing.T) {
	script(t, "rpm", "exec sleep 3600\n")
	m := files{"var/lib/rpm/rpmdb.sqlite": ""}.machine(t)
	m.Log = func(string, error) {}
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if text, err := sender.Inventory(ctx, m); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v and\n%s\nwant that the time is over", err, text)
	}
}

// TestThis: the computer on which this runs has a name and an inventory.
func TestThis(t *testing.T) {
	m := collect.This(func(part string, reason error) { t.Logf("%s left out: %v", part, reason) })
	name, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	name, _, _ = strings.Cut(name, ".")
	if got := read(t, m).Computer.Name; got != name {
		t.Errorf("got the name %q, want %q", got, name)
	}
}

// TestGateway: an adapter's gateway goes with the address in whose network it is, or with one that has no network.
func TestGateway(t *testing.T) {
	for list, want := range map[string]string{
		"203.0.113.9/32":                "203.0.113.9 192.0.2.1",
		"203.0.113.9/24":                "203.0.113.9 ",
		"192.0.2.9/24 203.0.113.9/24":   "192.0.2.9 192.0.2.1",
		"203.0.113.9/24 192.0.2.130/24": "192.0.2.130 192.0.2.1", // the address by which the computer is reached
	} {
		m := files{
			"sys/class/net/eth0/address": "54:05:db:00:00:01\n", "sys/class/net/eth0/carrier": "1\n",
			"sys/class/net/eth0/device/": "",
			"proc/net/route": "eth1\t00000000\t" + routed(192, 0, 2,
				7) + "\t0003\t0\t0\t1000\t00000000\t0\t0\t0\n" + "eth0\t00000000\t" + routed(192, 0, 2,
				1) + "\t0003\t0\t0\t200\t00000000\t0\t0\t0\n",
		}.machine(t)
		m.Addresses = func(string) (all []netip.Prefix) {
			for text := range strings.FieldsSeq(list) {
				all = append(all, netip.MustParsePrefix(text))
			}
			return all
		}
		if text := string(document(t, m)); !strings.Contains(text, "<DEFAULTGATEWAY>192.0.2.1</DEFAULTGATEWAY>") {
			t.Errorf("%s: got\n%s\nwant the default gateway 192.0.2.1", list, text)
		}
		c := read(t, m).Computer
		if got := c.IP + " " + c.Networks[0].Gateway; got != want {
			t.Errorf("%s: got %q, want %q", list, got, want)
		}
	}
}
