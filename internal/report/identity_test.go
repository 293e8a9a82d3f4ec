package report_test

import (
	"fmt"
	"os"
	"slices"
	"testing"

	"muster/internal/report"
)

func reportOfSample(t *testing.T, name string) *report.Report {
	t.Helper()
	body, err := os.ReadFile("testdata/samples/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return read(t, body).Report
}

func TestSerialKey(t *testing.T) {
	for _, bad := range []string{
		"", " ", "0", "0000000", "1111", "00-00-00", "To be filled by O.E.M.", "TO BE FILLED BY O.E.M", "To-Be-Filled-By-OEM", "System Serial Number",
		"Default string", "None", "N/A", "n/a", "NA", "123456789", "0123456789", "Not Specified", "Not Applicable", "xxxxxxxx", "........", "Chassis Serial Number",
	} {
		if got := report.SerialKey(bad); got != "" {
			t.Errorf("serial %q: got key %q, want none", bad, got)
		}
	}
	for good, want := range map[string]string{"PF0EXAMPLE": "pf0example", " 640-HP72. ": "640hp72", "VMware-56 4d": "vmware564d", "10": "10", "Ä-1": "ä1"} {
		if got := report.SerialKey(good); got != want {
			t.Errorf("serial %q: got key %q, want %q", good, got, want)
		}
	}
}

func TestUUIDKeys(t *testing.T) {
	for _, bad := range []string{
		"", "00000000-0000-0000-0000-000000000000", "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF", "03000200-0400-0500-0006-000700080009",
		"00020003-0004-0005-0006-000700080009", "4BDRGGFE-0046-4710-8047-B2C04F503732", "4c4c4544-0034-3010-8048-b6c04f50373", "4c4c45440034-3010-8048-b6c04f503732x",
		"4c4c4544003430108048b6c04f503732", "12345678-1234-5678-90AB-CDDEEFAABBCC",
	} {
		if a, b := report.UUIDKeys(bad); a != "" || b != "" {
			t.Errorf("UUID %q: got %q and %q, want none", bad, a, b)
		}
	}
	a, b := report.UUIDKeys("00112233-4455-6677-8899-AABBCCDDEEFF")
	if a != "00112233-4455-6677-8899-aabbccddeeff" || b != "33221100-5544-7766-8899-aabbccddeeff" {
		t.Errorf("got %q and %q, want the UUID in lower case and in the other byte order", a, b)
	}
	if c, d := report.UUIDKeys(b); c != b || d != a {
		t.Errorf("got %q and %q, want the byte order changed twice to be the first", c, d)
	}
}

func TestGoodMAC(t *testing.T) {
	for mac, want := range map[string]bool{
		"A4:C3:F0:12:34:56": true, "a4-c3-f0-12-34-56": true, "00:0c:29:01:02:03": true, "00:50:56:01:02:03": true,
		"": false, "00:00:00:00:00:00": false, "02:fc:00:00:00:01": false, "01:00:5e:00:00:01": false, "b2:58:af:16:a6:57": false,
		"08:00:27:01:02:03": false, "00:50:56:C0:00:08": false, "20:41:53:59:4e:ff": false, "A4:C3:F0:12:34": false, "A4:C3:F0:12:34:5G": false,
		"A4C3F0123456": false, "A4:C3:F0:12:34:56:78:90": false,
	} {
		if got := report.GoodMAC(mac); got != want {
			t.Errorf("MAC %q: got good %t, want %t", mac, got, want)
		}
	}
}

func TestAdapters(t *testing.T) {
	for _, test := range []struct {
		fields        string
		virtual, good bool
	}{
		{"<DESCRIPTION>Intel(R) Wi-Fi 6E AX211 160MHz</DESCRIPTION>", false, true},
		{"<DESCRIPTION>enp0s25</DESCRIPTION><VIRTUALDEV>0</VIRTUALDEV>", false, true},
		{"<DESCRIPTION>eth0</DESCRIPTION><DRIVER>e1000e</DRIVER>", false, true},
		{"<DESCRIPTION>eth0</DESCRIPTION><DRIVER>r8152</DRIVER>", false, false},
		{"<DESCRIPTION>enp57s0u1u4</DESCRIPTION>", false, false},
		{"<DESCRIPTION>enxa4c3f0123456</DESCRIPTION>", false, false},
		{"<DESCRIPTION>Realtek USB GbE Family Controller</DESCRIPTION>", false, false},
		{"<DESCRIPTION>ThinkPad Dock Ethernet</DESCRIPTION>", false, false},
		{"<DESCRIPTION>Bluetooth Device (Personal Area Network)</DESCRIPTION>", false, false},
		{"<DESCRIPTION>eth1</DESCRIPTION><TYPE>bluetooth</TYPE>", false, false},
		{"<DESCRIPTION>eth1</DESCRIPTION><TYPEMIB>USB</TYPEMIB>", false, false},
		{"<DESCRIPTION>eth9</DESCRIPTION><VIRTUALDEV>1</VIRTUALDEV>", true, false},
		{"<DESCRIPTION>eth9</DESCRIPTION><TYPE>Loopback</TYPE>", true, false},
		{"<DESCRIPTION>VirtualBox Host-Only Ethernet Adapter</DESCRIPTION>", true, false},
		{"<DESCRIPTION>VMware Virtual Ethernet Adapter for VMnet8</DESCRIPTION>", true, false},
		{"<DESCRIPTION>Cisco AnyConnect Secure Mobility Client</DESCRIPTION>", true, false},
		{"<DESCRIPTION>veth12ab</DESCRIPTION>", true, false},
		{"<DESCRIPTION>docker0</DESCRIPTION>", true, false},
		{"<DESCRIPTION>ifb0</DESCRIPTION>", true, false},
		{"<DESCRIPTION>tun0</DESCRIPTION>", true, false},
		{"<DESCRIPTION>lo</DESCRIPTION>", true, false},
		{"<DESCRIPTION>lan0</DESCRIPTION>", false, true},
	} {
		a := reportOf(t, "<NETWORKS><MACADDR>A4:C3:F0:12:34:56</MACADDR>"+test.fields+"</NETWORKS>").Identity.Adapters[0]
		if a.Virtual() != test.virtual || a.Good() != test.good {
			t.Errorf("%s: got virtual %t, good %t; want %t, %t", test.fields, a.Virtual(), a.Good(), test.virtual, test.good)
		}
	}
}

// TestDeviceIDs checks where the ids of an agent are found, and how the program is.
func TestDeviceIDs(t *testing.T) {
	body := inventoryXML(`<OLD_DEVICEID>a</OLD_DEVICEID><HARDWARE><OLD_DEVICEID>b</OLD_DEVICEID></HARDWARE>
		<DOWNLOAD><HISTORY><OLD_DEVICEID>c</OLD_DEVICEID><PACKAGE ID="1"/></HISTORY></DOWNLOAD>`)
	id := read(t, body).Report.Identity
	if !slices.Equal(id.OldDeviceIDs, []string{"a", "b", "c"}) || id.DeviceID != "pc-2026-01-02-03-04-05" || id.AgentID != "a1" {
		t.Errorf("got %+v, want old ids a, b and c, the device id and the agent id", id)
	}
	for _, test := range []struct{ client, userAgent, want string }{
		{"FusionInventory-Agent_v2.6-3", "x", "Fusion 2.6-3"},
		{"GLPI-Agent_v1.12-dev", "", "GLPI 1.12-dev"},
		{"", "OCS-NG_unified_unix_agent_v2.10.0", "OCS 2.10.0"},
		{"", "OCS-NG_WINDOWS_AGENT_v2.9.1.0", "OCS 2.9.1.0"},
		{"", "muster_v1.0", "Muster 1.0"},
		{"", "curl/8.0", "curl/8.0 "},
		{"", "", " "},
	} {
		content := ""
		if test.client != "" {
			content = "<VERSIONCLIENT>" + test.client + "</VERSIONCLIENT>"
		}
		m, err := report.Read(inventoryXML(content), report.Source{UserAgent: test.userAgent})
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(m.Report.Identity.Program, " ", m.Report.Identity.ProgramVersion); got != test.want {
			t.Errorf("client %q, user agent %q: got %q, want %q", test.client, test.userAgent, got, test.want)
		}
	}
}
