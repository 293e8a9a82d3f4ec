package report_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/report"
)

// inventoryXML returns a whole message with the given content.
func inventoryXML(content string) []byte {
	return []byte("<REQUEST><CONTENT>" + content +
		"</CONTENT><DEVICEID>pc-2026-01-02-03-04-05</DEVICEID><QUERY>INVENTORY</QUERY></REQUEST>")
}

// reportOf returns the report with the given content in XML.
func reportOf(t *testing.T, content string) *report.Report {
	t.Helper()
	m := read(t, inventoryXML(content))
	if m.Report == nil {
		t.Fatalf("%s: got no report", content)
	}
	return m.Report
}

// TestEveryField reads the laptop that has everything: each field that agents supply must have a value, and
// each field of a part in some part.
func TestEveryField(t *testing.T) {
	r := reportOfSample(t, "synthetic-win11-laptop-ocs.xml")
	v := inventory.Computers.Values(&r.Computer)
	if len(r.Fields) != 24 {
		t.Errorf("got %d fields that the report tells, want 24", len(r.Fields))
	}
	for _, f := range append(r.Fields, inventory.Computers.Field("asset-id"), inventory.Computers.Field("tag")) {
		if f.Type != kind.List {
			if v.Format(f) == "" {
				t.Errorf("%s has no value", f.Name)
			}
			continue
		}
		for _, sub := range f.Items.Fields {
			if !slices.ContainsFunc(slices.Collect(v.Items(f)),
				func(item kind.Values) bool { return item.Format(sub) != "" }) {
				t.Errorf("%s of %s has no value", sub.Name, f.Name)
			}
		}
	}
}

// TestPlainFields checks the rules of single fields.
func TestPlainFields(t *testing.T) {
	hardware := func(fields string) string { return "<HARDWARE>" + fields + "</HARDWARE>" }
	for _, test := range []struct{ content, field, want string }{
		{hardware("<NAME>Jürgen's ПК 電腦</NAME>"), "name", "Jürgen's ПК 電腦"},
		{"", "name", "pc"},
		{hardware("<CHASSIS_TYPE>Sub Notebook</CHASSIS_TYPE>"), "category", "Laptop"},
		{hardware("<CHASSIS_TYPE>Laptop</CHASSIS_TYPE><VMSYSTEM>Physical</VMSYSTEM>"), "category", "Laptop"},
		{"<BIOS><TYPE>Portable</TYPE></BIOS>", "category", "Laptop"},
		{"<BIOS><TYPE>CONVERTIBLE</TYPE></BIOS>", "category", "Laptop"},
		{hardware("<CHASSIS_TYPE>Rack Mount Chassis</CHASSIS_TYPE>"), "category", "Server"},
		{hardware("<CHASSIS_TYPE>Blade</CHASSIS_TYPE>"), "category", "Server"},
		{hardware("<CHASSIS_TYPE>Main Server Chassis</CHASSIS_TYPE>"), "category", "Server"},
		{hardware("<CHASSIS_TYPE>Notebook</CHASSIS_TYPE><VMSYSTEM>VMware</VMSYSTEM>"), "category", "Virtual Machine"},
		{hardware("<CHASSIS_TYPE>Mini Tower</CHASSIS_TYPE>"), "category", "Desktop"},
		{"", "category", "Desktop"},
		{hardware("<OSNAME>Microsoft\u00a0Windows 10  Pro </OSNAME>"), "operating-system", "Microsoft Windows 10 Pro"},
		{hardware(`<OSNAME>Debian GNU/Linux 12 \n \l</OSNAME>`), "operating-system", "Debian GNU/Linux 12"},
		{hardware("<OSNAME>b</OSNAME>") + "<OPERATINGSYSTEM><FULL_NAME>a</FULL_NAME></OPERATINGSYSTEM>",
			"operating-system", "a"},
		{hardware("<PROCESSORT>  x  </PROCESSORT>"), "cpu", "  x  "},
		{hardware("<PROCESSORT>  </PROCESSORT>") + "<CPUS><NAME>n</NAME><TYPE>t</TYPE></CPUS>", "cpu", "n"},
		{"<CPUS><TYPE>t</TYPE></CPUS><CPUS><TYPE>u</TYPE></CPUS>", "cpu", "t"},
		{hardware("<PROCESSORS>2400</PROCESSORS>") + "<CPUS><SPEED>1</SPEED></CPUS>", "processor-speed", "2400"},
		{hardware("<PROCESSORS/>") + "<CPUS><SPEED>1300</SPEED></CPUS>", "processor-speed", "1300"},
		{hardware("<MEMORY>7908.75</MEMORY>"), "memory", "7908"},
		{hardware("<MEMORY>-1</MEMORY>"), "memory", ""},
		{hardware("<MEMORY>8 GB</MEMORY>"), "memory", ""},
		{hardware("<MEMORY>99999999999999999999</MEMORY>"), "memory", ""},
		{hardware("<MEMORY>NaN</MEMORY>"), "memory", ""},
		{hardware("<SWAP>0</SWAP>"), "swap", "0"},
		{hardware("<WORKGROUP>w</WORKGROUP><USERDOMAIN>u</USERDOMAIN>"), "domain", "w"},
		{hardware("<USERDOMAIN>u</USERDOMAIN>") + "<OPERATINGSYSTEM><DNS_DOMAIN>d</DNS_DOMAIN></OPERATINGSYSTEM>",
			"domain", "d"},
		{hardware("<USERDOMAIN>u</USERDOMAIN>"), "domain", "u"},
		{hardware("<USERID>ana</USERID><LASTLOGGEDUSER>bea</LASTLOGGEDUSER>"), "username", "ana"},
		{hardware("<USERID>ana</USERID>") + "<USERS><LOGIN>system</LOGIN></USERS><USERS><LOGIN>cleo</LOGIN></USERS>",
			"username", "cleo"},
		{hardware(`<USERID>SYSTEM</USERID><LASTLOGGEDUSER>MUSTER\dora</LASTLOGGEDUSER>`), "username", `MUSTER\dora`},
		{hardware(`<USERID>NT AUTHORITY\SYSTEM</USERID><LASTLOGGEDUSER>wtmp</LASTLOGGEDUSER>`), "username", ""},
		{hardware("<LASTLOGGEDUSER>reboot</LASTLOGGEDUSER>"), "username", ""},
		{hardware("<DESCRIPTION>x86_64/00-00-00 00:09:20</DESCRIPTION>"), "description", ""},
		{hardware("<DESCRIPTION>aarch64/12-01-00 10:09:20</DESCRIPTION>"), "description", ""},
		{hardware("<DESCRIPTION>Reception, x86_64/00-00-00 00:09:20</DESCRIPTION>"), "description",
			"Reception, x86_64/00-00-00 00:09:20"},
		{hardware("<IPADDR>169.254.8.1/127.0.0.1/10.1.2.3/10.1.2.4</IPADDR>"), "ip", "10.1.2.3"},
		{"<ACCOUNTINFO><KEYNAME>OWNER</KEYNAME><KEYVALUE>x</KEYVALUE></ACCOUNTINFO><ACCOUNTINFO><KEYNAME>TAG</KEYNAME><KEYVALUE>y</KEYVALUE></ACCOUNTINFO>", "tag", "y"},
		{"<BIOS><ASSETTAG>IT-7</ASSETTAG></BIOS>", "asset-id", "IT-7"},
		{"<BIOS><ASSETTAG>No Asset Information</ASSETTAG></BIOS>", "asset-id", ""},
		{"<BIOS><ASSETTAG>Asset-1234567890</ASSETTAG></BIOS>", "asset-id", ""},
		{"<BIOS><ASSETTAG>0000000000</ASSETTAG></BIOS>", "asset-id", ""},
		{"<BIOS><ASSETTAG>To Be Filled By O.E.M.</ASSETTAG></BIOS>", "asset-id", ""},
	} {
		r := reportOf(t, test.content)
		got := inventory.Computers.Values(&r.Computer).Format(inventory.Computers.Field(test.field))
		if got != test.want {
			t.Errorf("%s: got %s %q, want %q", test.content, test.field, got, test.want)
		}
	}
}

// TestAddress checks which adapter's address is the computer's.
func TestAddress(t *testing.T) {
	adapter := func(name, ip, gateway, status string) string {
		return fmt.Sprintf("<NETWORKS><DESCRIPTION>%s</DESCRIPTION><IPADDRESS>%s</IPADDRESS><IPGATEWAY>%s</IPGATEWAY><STATUS>%s</STATUS></NETWORKS>", name, ip, gateway, status)
	}
	const gateway = "<HARDWARE><DEFAULTGATEWAY>10.0.0.1</DEFAULTGATEWAY><IPADDR>10.9.9.9</IPADDR></HARDWARE>"
	for _, test := range []struct{ content, want string }{
		{adapter("a", "10.1.1.2", "10.1.1.1", "Up") + adapter("b", "10.0.0.2", "10.0.0.1", "Up") + gateway, "10.0.0.2"},
		{adapter("a", "10.1.1.2", "10.1.1.1", "Up") + adapter("b", "10.0.0.2", "10.0.0.1", "Down") + gateway,
			"10.1.1.2"},
		{adapter("docker0", "172.17.0.1", "", "Up") + adapter("eth0", "10.1.1.2", "", "up") + gateway, "10.1.1.2"},
		{adapter("docker0", "172.17.0.1", "", "Up") + gateway, "172.17.0.1"},
		{adapter("a", "169.254.1.1", "10.0.0.1", "Up") + adapter("b", "fe80::1", "", "Up") + adapter("lo", "127.0.0.1",
			"", "Up") + gateway, "10.9.9.9"},
		{adapter("a", "not an address", "", "Up"), ""},
	} {
		if got := reportOf(t, test.content).Computer.IP; got != test.want {
			t.Errorf("%s: got %q, want %q", test.content, got, test.want)
		}
	}
}

// TestMergedAdapters checks that the rows of an adapter's addresses become one.
func TestMergedAdapters(t *testing.T) {
	row := func(fields string) string {
		return "<NETWORKS><DESCRIPTION>eth0</DESCRIPTION><MACADDR>a4-c3-f0-00-00-01</MACADDR>" + fields + "</NETWORKS>"
	}
	r := reportOf(t, row("<IPADDRESS6>fe80::1</IPADDRESS6><STATUS>Down</STATUS>")+
		row("<IPADDRESS>10.0.0.2</IPADDRESS><IPGATEWAY>10.0.0.1</IPGATEWAY><STATUS>up</STATUS>")+
		row("<IPADDRESS>10.0.0.3</IPADDRESS><IPDHCP>10.0.0.9</IPDHCP><STATUS>Up</STATUS>")+
		"<NETWORKS><DESCRIPTION>eth0</DESCRIPTION><MACADDR>A4:C3:F0:00:00:02</MACADDR></NETWORKS><NETWORKS><STATUS>Up</STATUS></NETWORKS>")
	want := []inventory.Network{
		{Description: "eth0", MAC: "A4:C3:F0:00:00:01", IP: "10.0.0.2", Gateway: "10.0.0.1", DHCP: "10.0.0.9",
			Status: "Up"},
		{Description: "eth0", MAC: "A4:C3:F0:00:00:02", Status: "Down"},
	}
	if got := r.Computer.Networks; !slices.Equal(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if a := r.Identity.Adapters[0]; !a.Up || a.IPv4 != "10.0.0.2" || !a.Good() {
		t.Errorf("got adapter %+v, want one that is up, good and has 10.0.0.2", a)
	}
}

// TestParts checks what samples do not show.
func TestParts(t *testing.T) {
	c := reportOf(t, `<CONTROLLERS><MANUFACTURER>Intel</MANUFACTURER><NAME>USB controller [0C03]</NAME><TYPE>rev 01</TYPE></CONTROLLERS>
		<CONTROLLERS><NAME>Ethernet controller [0200]</NAME></CONTROLLERS>
		<USBDEVICES><CAPTION>Pen</CAPTION></USBDEVICES><CONTROLLERS><TYPE>x</TYPE><PCICLASS>0c03</PCICLASS></CONTROLLERS>
		<INPUTS><CAPTION>k</CAPTION><POINTTYPE>N/A</POINTTYPE><INTERFACE>N/A</INTERFACE><TYPE>Keyboard</TYPE></INPUTS>
		<INPUTS><CAPTION>m</CAPTION><POINTTYPE>Touch pad</POINTTYPE></INPUTS>
		<DRIVES><LETTER>D:</LETTER><LABEL>Data</LABEL><FILESYSTEM>NTFS</FILESYSTEM><TYPE>Hard Drive</TYPE></DRIVES>
		<DRIVES><TYPE>/srv</TYPE><VOLUMN>/dev/sdb</VOLUMN><FILESYSTEM>xfs</FILESYSTEM><FREE>1.9</FREE></DRIVES>
		<BIOS><BMANUFACTURER>AMI</BMANUFACTURER><MMANUFACTURER>ASUS</MMANUFACTURER></BIOS><VIDEOS></VIDEOS>`).Computer
	check := func(what string, got, want any) {
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: got %+v, want %+v", what, got, want)
		}
	}
	check("usbs", c.USBs, []inventory.USB{
		{ControllerType: "rev 01", Manufacturer: "Intel", Name: "USB controller [0C03]"}, {ControllerType: "x"},
		{Description: "Pen", Name: "Pen"},
	})
	check("keyboards", c.Keyboards, []inventory.Input{{Type: "Keyboard", Name: "k"}})
	check("mice", c.Mice, []inventory.Input{{Type: "Touch pad", Name: "m"}})
	check("drives", c.Drives, []inventory.Drive{{Name: "D:", DriveName: "Data", Type: "Hard Drive"}, {
		Name: "/srv", DriveName: "/dev/sdb", Type: "xfs", FreeSpace: kind.Some[int64](1),
	}})
	check("bioses", c.BIOSes, []inventory.BIOS{{Manufacturer: "AMI"}})
	check("videos", len(c.Videos), 0)
}

// TestSoftware checks names, dates, repetitions and what is hidden.
func TestSoftware(t *testing.T) {
	for _, test := range []struct{ row, want string }{
		{"<NAME>b</NAME><GUID>g</GUID><INSTALLDATE>31/12/2025</INSTALLDATE>", "b 2025-12-31 false"},
		{"<GUID>g</GUID><INSTALLDATE>2025/04/20 00:00:00</INSTALLDATE>", "g 2025-04-20 false"},
		{"<NAME>b</NAME><INSTALLDATE>2026-02-28</INSTALLDATE>", "b 2026-02-28 false"},
		{"<NAME>b</NAME><INSTALLDATE>2026-02-30</INSTALLDATE>", "b 0001-01-01 false"},
		{"<NAME>b</NAME><INSTALLDATE>1970-00-01</INSTALLDATE>", "b 0001-01-01 false"},
		{"<NAME>b</NAME><INSTALLDATE>yesterday, late</INSTALLDATE>", "b 0001-01-01 false"},
		{"<NAME>b</NAME><INSTALLDATE>ab/cd/efgh</INSTALLDATE>", "b 0001-01-01 false"},
		{"<NAME>b</NAME><FROM>WMI</FROM>", "b 0001-01-01 true"},
		{"<NAME>b</NAME><SYSTEM_CATEGORY>security_update</SYSTEM_CATEGORY>", "b 0001-01-01 true"},
		{"<NAME>b</NAME><SYSTEM_CATEGORY>application</SYSTEM_CATEGORY>", "b 0001-01-01 false"},
		{"<NAME>b</NAME><RELEASE_TYPE>Update Rollup</RELEASE_TYPE>", "b 0001-01-01 true"},
		{"<NAME>KB5044285</NAME>", "KB5044285 0001-01-01 true"},
		{"<NAME>Hotfix (KB12345)</NAME>", "Hotfix (KB12345) 0001-01-01 true"},
		{"<NAME>KB1234</NAME>", "KB1234 0001-01-01 false"},
		{"<NAME>KB123456789</NAME>", "KB123456789 0001-01-01 false"},
		{"<NAME>XKB12345</NAME>", "XKB12345 0001-01-01 false"},
		{"<NAME>KB12345x</NAME>", "KB12345x 0001-01-01 false"},
		{"<NAME>Office Service Pack 2</NAME>", "Office Service Pack 2 0001-01-01 true"},
		{"<NAME>Service Pack Tool</NAME>", "Service Pack Tool 0001-01-01 false"},
		{"<NAME>Update for Windows</NAME>", "Update for Windows 0001-01-01 true"},
		{"<NAME>Security Update for Office</NAME>", "Security Update for Office 0001-01-01 true"},
		{"<NAME>KB12345</NAME><FROM>deb</FROM><SYSTEM_CATEGORY>system</SYSTEM_CATEGORY>", "KB12345 0001-01-01 false"},
		{"<VERSION>1</VERSION>", ""},
	} {
		got := ""
		for _, s := range programsOf(reportOf(t, "<SOFTWARES>"+test.row+"</SOFTWARES>")) {
			got += fmt.Sprintf("%s %s %t", s.Name, s.InstallDate.Format("2006-01-02"), s.Hidden)
		}
		if got != test.want {
			t.Errorf("%s: got %q, want %q", test.row, got, test.want)
		}
	}
	rows := "<SOFTWARES><NAME>b</NAME><VERSION>1</VERSION><FOLDER>y</FOLDER></SOFTWARES><SOFTWARES><NAME>b</NAME><VERSION>1</VERSION><FOLDER>x</FOLDER></SOFTWARES><SOFTWARES><NAME>a</NAME></SOFTWARES>"
	want := []report.Installed{
		{Name: "a"}, {Name: "b", Version: "1", InstallPath: "x"}, {Name: "b", Version: "1", InstallPath: "y"},
	}
	if got := programsOf(reportOf(t, rows)); !slices.Equal(got, want) {
		t.Errorf("got %+v, want them sorted, %+v", got, want)
	}
}

// TestMacOS checks that Apple's system is an entry of its own.
func TestMacOS(t *testing.T) {
	for _, content := range []string{
		"<OPERATINGSYSTEM><NAME>MacOSX</NAME><FULL_NAME>macOS</FULL_NAME><VERSION>15.1 (24B83)</VERSION></OPERATINGSYSTEM>",
		"<HARDWARE><OSNAME>macOS</OSNAME><OSVERSION>15.1 (24B83)</OSVERSION></HARDWARE>",
	} {
		want := []report.Installed{{Name: "macOS", Version: "15.1 (24B83)", Manufacturer: "Apple", Hidden: true}}
		if got := programsOf(reportOf(t, content)); !slices.Equal(got, want) {
			t.Errorf("%s: got %+v, want %+v", content, got, want)
		}
	}
}

// TestCut checks that long values are cut at a character.
func TestCut(t *testing.T) {
	long := strings.Repeat("ä", 1000)
	r := reportOf(t, "<HARDWARE><NAME>"+long+"</NAME><DESCRIPTION>a"+strings.Repeat(long,
		40)+"</DESCRIPTION></HARDWARE><SOFTWARES><NAME>"+long+"</NAME></SOFTWARES>")
	if got := r.Computer.Name; got != strings.Repeat("ä", 255) {
		t.Errorf("got a name of %d bytes, want 255 characters of two", len(got))
	}
	if got := r.Computer.Description; len(got) != 64<<10-1 || !strings.HasSuffix(got, "ä") {
		t.Errorf("got a description of %d bytes, want %d", len(got), 64<<10-1)
	}
	if got := programsOf(r)[0].Name; got != strings.Repeat("ä", 255) {
		t.Errorf("got software with a name of %d bytes, want 255 characters of two", len(got))
	}
}
