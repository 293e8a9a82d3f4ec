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
		a := reportOf(t, "<NETWORKS><MACADDR>A4:C3:F0:12:34:56</MACADDR>"+test.fields+
			"</NETWORKS>").Identity.Adapters[0]
		if a.Virtual() != test.virtual || a.Good() != test.good {
			t.Errorf("%s: got virtual %t, good %t; want %t, %t", test.fields, a.Virtual(), a.Good(), test.virtual,
				test.good)
		}
	}
}

// TestDeviceIDs checks where the ids of an agent are found, and how the program is.
func TestDeviceIDs(t *testing.T) {
	body := inventoryXML(`<OLD_DEVICEID>a</OLD_DEVICEID><HARDWARE><OLD_DEVICEID>b</OLD_DEVICEID></HARDWARE>
		<DOWNLOAD><HISTORY><OLD_DEVICEID>c</OLD_DEVICEID><PACKAGE ID="1"/></HISTORY></DOWNLOAD>`)
	id := read(t, body).Report.Identity
	if !slices.Equal(id.OldDeviceIDs, []string{"a", "b", "c"}) || id.DeviceID != "pc-2026-01-02-03-04-05" ||
		id.AgentID != "a1" {
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
