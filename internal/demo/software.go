package demo

import (
	"strconv"

	"muster/internal/inventory"
	"muster/internal/kind"
)

// A product is a program in one or more versions, the present one first.
type product struct {
	name, maker, category string
	versions              []string
	families              []family // on which it runs
	percent               int      // of their computers that have it
	servers               bool     // on servers and virtual machines rather than on clients
	department            int      // that has it alone, everybody for all
	hidden                bool
	seller                int // firm, nobody for none
}

const (
	everybody = -1
	nobody    = -1
)

var (
	onWindows = []family{windows}
	onUnix    = []family{unix}
	onMac     = []family{macOS}
	onClients = []family{windows, macOS}
	onAll     = []family{windows, unix, macOS}
)

var products = []product{
	{"Microsoft 365 Apps for enterprise", "Microsoft Corporation", "Office", []string{"16.0.17928", "16.0.17328"}, onClients, 92, false, everybody, false, harbour},
	{"Microsoft Visio Professional", "Microsoft Corporation", "Office", []string{"16.0.17928"}, onWindows, 9, false, everybody, false, harbour},
	{"Microsoft Project Standard", "Microsoft Corporation", "Office", []string{"16.0.17928"}, onWindows, 6, false, everybody, false, harbour},
	{"Microsoft Teams", "Microsoft Corporation", "Communication", []string{"24295.605", "24243.1309"}, onClients, 95, false, everybody, false, nobody},
	{"Microsoft Edge", "Microsoft Corporation", "Browser", []string{"131.0.2903", "130.0.2849"}, onWindows, 100, false, everybody, false, nobody},
	{"Mozilla Firefox ESR", "Mozilla", "Browser", []string{"128.5.0", "115.18.0"}, onAll, 55, false, everybody, false, nobody},
	{"Google Chrome", "Google LLC", "Browser", []string{"131.0.6778", "129.0.6668"}, onAll, 62, false, everybody, false, nobody},
	{"7-Zip", "Igor Pavlov", "Tools", []string{"24.08", "23.01"}, onWindows, 70, false, everybody, false, nobody},
	{"Notepad++", "Notepad++ Team", "Tools", []string{"8.7.1"}, onWindows, 35, false, everybody, false, nobody},
	{"Adobe Acrobat Pro", "Adobe Inc.", "Documents", []string{"24.004", "23.008"}, onClients, 22, false, everybody, false, harbour},
	{"Adobe Creative Cloud", "Adobe Inc.", "Design", []string{"6.5.0"}, onClients, 90, false, marketing, false, harbour},
	{"AutoCAD", "Autodesk, Inc.", "Engineering", []string{"2025.1", "2024.1"}, onWindows, 70, false, engineering, false, harbour},
	{"MATLAB", "The MathWorks, Inc.", "Engineering", []string{"R2024b"}, onAll, 60, false, research, false, harbour},
	{"DWG TrueView", "Autodesk, Inc.", "Engineering", []string{"2025"}, onWindows, 12, false, everybody, false, nobody},
	{"SAP GUI for Windows", "SAP SE", "Business", []string{"8.00", "7.70"}, onWindows, 64, false, everybody, false, hansa},
	{"Zoom Workplace", "Zoom Video Communications, Inc.", "Communication", []string{"6.2.6"}, onAll, 28, false, everybody, false, nobody},
	{"KeePassXC", "KeePassXC Team", "Security", []string{"2.7.9"}, onAll, 24, false, everybody, false, nobody},
	{"Sentinel Endpoint Protection", "Sentinel Labs", "Security", []string{"23.4.4", "23.3.2"}, onAll, 94, false, everybody, false, thames},
	{"Northmere Connect", "Northmere", "Network", []string{"5.2", "5.1"}, onAll, 76, false, everybody, false, nobody},
	{"TeamViewer Host", "TeamViewer Germany GmbH", "Remote access", []string{"15.59"}, onWindows, 3, false, everybody, false, nobody},
	{"ZebraDesigner", "Zebra Technologies", "Logistics", []string{"3.3"}, onWindows, 70, false, logistics, false, bayState},
	{"Git", "The Git Development Community", "Development", []string{"2.47.1", "2.43.0"}, onAll, 18, false, everybody, false, nobody},
	{"Visual Studio Code", "Microsoft Corporation", "Development", []string{"1.95.3"}, onAll, 20, false, everybody, false, nobody},
	{"LibreOffice", "The Document Foundation", "Office", []string{"24.8.3", "24.2.7"}, onUnix, 88, false, everybody, false, nobody},
	{"Microsoft SQL Server 2022", "Microsoft Corporation", "Database", []string{"16.0.4165"}, onWindows, 30, true, everybody, false, harbour},
	{"Veeam Agent", "Veeam Software", "Backup", []string{"6.2"}, onAll, 82, true, everybody, false, thames},
	{"PostgreSQL", "PostgreSQL Global Development Group", "Database", []string{"16.6", "15.10"}, onUnix, 35, true, everybody, false, nobody},
	{"nginx", "Nginx, Inc.", "Web server", []string{"1.26.2", "1.22.1"}, onUnix, 40, true, everybody, false, nobody},
	{"Docker Engine", "Docker Inc.", "Containers", []string{"27.3.1"}, onUnix, 30, true, everybody, false, nobody},
	{"Zabbix Agent 2", "Zabbix SIA", "Monitoring", []string{"7.0.6", "6.4.20"}, onAll, 90, true, everybody, false, nobody},
	{"Microsoft Visual C++ 2022 Redistributable (x64)", "Microsoft Corporation", "Runtime", []string{"14.40.33816", "14.36.32532"}, onWindows, 96, false, everybody, true, nobody},
	{"Microsoft .NET Runtime", "Microsoft Corporation", "Runtime", []string{"8.0.11", "6.0.36"}, onWindows, 80, false, everybody, true, nobody},
	{"Update for Windows (KB5046633)", "Microsoft Corporation", "Update", []string{""}, onWindows, 71, false, everybody, true, nobody},
	{"Security Update for Windows (KB5046740)", "Microsoft Corporation", "Update", []string{""}, onWindows, 48, false, everybody, true, nobody},
	{"Intel Graphics Driver", "Intel Corporation", "Driver", []string{"31.0.101"}, onWindows, 66, false, everybody, true, nobody},
	{"Realtek Audio Driver", "Realtek Semiconductor", "Driver", []string{"6.0.9757"}, onWindows, 58, false, everybody, true, nobody},
	{"Rosetta 2 Update", "Apple Inc.", "Update", []string{"1.0"}, onMac, 60, false, everybody, true, nobody},
}

// Software returns the i-th software, from 0, without id, stamps and vendor.
// Versions follow from the index, so that there are as many as one likes, all
// of them different.
func Software(i int) *inventory.Software {
	p, version := &products[i%len(products)], i/len(products)
	if version < len(p.versions) {
		return p.software(version)
	}
	s := p.software(0)
	s.Version = "0." + strconv.Itoa(version)
	return s
}

// software returns one version of a product.
func (p *product) software(version int) *inventory.Software {
	s := inventory.Softwares.New()
	s.Name, s.Version, s.Manufacturer, s.Category = p.name, p.versions[version], p.maker, p.category
	s.Hidden = kind.Some(p.hidden)
	return s
}

// listSoftware enters the programs when the records begin, before any computer
// has them.
func (s *story) listSoftware() {
	s.add(s.begin(), nil, inventory.Softwares.Schema, func() (out []any) {
		for i := range products {
			p := &products[i]
			for version := range p.versions {
				rec := p.software(version)
				if p.seller != nobody {
					rec.Vendor = s.from(p.seller)
				}
				out = append(out, rec)
			}
		}
		return out
	})
}
