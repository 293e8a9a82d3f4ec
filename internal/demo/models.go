package demo

import (
	"muster/internal/inventory"
	"muster/internal/kind"
)

// A maker is a manufacturer of computers, or of virtual ones.
type maker struct {
	name    string
	serial  string // what its serial numbers begin with
	digits  int    // how many letters and digits follow
	version string // pattern of its firmware's versions
	mac     string // what its MAC addresses begin with
}

var (
	dell    = &maker{"Dell Inc.", "", 7, "1.##.#", "D8:9E:F3"}
	lenovo  = &maker{"LENOVO", "PF", 6, "N3?ET##W (1.## )", "54:E1:AD"}
	hp      = &maker{"HP", "5CG", 7, "T## Ver. 01.##.##", "3C:52:82"}
	fujitsu = &maker{"FUJITSU", "YM", 8, "V5.0.0.1# R1.##.0", "90:1B:0E"}
	apple   = &maker{"Apple Inc.", "C02", 9, "10151.###.##", "A4:83:E7"}
	hpe     = &maker{"HPE", "CZ", 8, "U46 v2.##", "94:40:C9"}
	super   = &maker{"Supermicro", "S4", 13, "2.#?", "AC:1F:6B"}
	vmware  = &maker{"VMware, Inc.", "VMware-42 1C ", 12, "VMW71.00V.2#######.B64", "00:50:56"}
	hyperV  = &maker{"Microsoft Corporation", "7214-9052-", 8, "Hyper-V UEFI Release v4.1", "00:15:5D"}
	qemu    = &maker{"QEMU", "VM-", 8, "1.16.#-debian-1.16.#-1", "52:54:00"}
)

// A cpu is a processor, with the graphics that it brings.
type cpu struct {
	name  string
	mhz   int64
	video inventory.Video
}

var (
	irisXe  = inventory.Video{Chipset: "Intel(R) Iris(R) Xe Graphics Family", Memory: kind.Some[int64](2048), Name: "Intel(R) Iris(R) Xe Graphics"}
	uhd770  = inventory.Video{Chipset: "Intel(R) UHD Graphics Family", Memory: kind.Some[int64](2048), Name: "Intel(R) UHD Graphics 770"}
	uhd620  = inventory.Video{Chipset: "Intel(R) UHD Graphics Family", Memory: kind.Some[int64](1024), Name: "Intel(R) UHD Graphics 620"}
	radeon  = inventory.Video{Chipset: "AMD Radeon Graphics Processor", Memory: kind.Some[int64](512), Name: "AMD Radeon(TM) Graphics"}
	appleM2 = inventory.Video{Chipset: "Apple M2", Name: "Apple M2"}
	appleM3 = inventory.Video{Chipset: "Apple M3 Pro", Name: "Apple M3 Pro"}
	matrox  = inventory.Video{Chipset: "Matrox G200eH3", Memory: kind.Some[int64](16), Name: "Matrox G200eH3 (HPE)"}
	aspeed  = inventory.Video{Chipset: "ASPEED Graphics Family", Memory: kind.Some[int64](64), Name: "ASPEED Graphics Family"}
	virtual = inventory.Video{Chipset: "Virtual display adapter", Memory: kind.Some[int64](8), Name: "Virtual display adapter"}
)

var (
	i5Mobile  = cpu{"13th Gen Intel(R) Core(TM) i5-1335U", 1300, irisXe}
	i7Mobile  = cpu{"13th Gen Intel(R) Core(TM) i7-1365U", 1800, irisXe}
	i5Older   = cpu{"Intel(R) Core(TM) i5-8365U CPU @ 1.60GHz", 1600, uhd620}
	i7Older   = cpu{"Intel(R) Core(TM) i7-8665U CPU @ 1.90GHz", 1900, uhd620}
	ryzenM    = cpu{"AMD Ryzen 7 PRO 7840U w/ Radeon 780M Graphics", 3300, radeon}
	i5Desk    = cpu{"13th Gen Intel(R) Core(TM) i5-13500", 2500, uhd770}
	i7Desk    = cpu{"Intel(R) Core(TM) i7-14700", 2100, uhd770}
	ryzenD    = cpu{"AMD Ryzen 5 PRO 5650G with Radeon Graphics", 3900, radeon}
	xeonW     = cpu{"Intel(R) Xeon(R) w7-3445", 2600, aspeed}
	m2        = cpu{"Apple M2", 3490, appleM2}
	m3Pro     = cpu{"Apple M3 Pro", 4050, appleM3}
	xeonGold  = cpu{"Intel(R) Xeon(R) Gold 6338 CPU @ 2.00GHz", 2000, matrox}
	xeonBrz   = cpu{"Intel(R) Xeon(R) Silver 4314 CPU @ 2.40GHz", 2400, aspeed}
	epyc      = cpu{"AMD EPYC 7443P 24-Core Processor", 2850, aspeed}
	guestXeon = cpu{"Intel(R) Xeon(R) Gold 6338 CPU @ 2.00GHz", 2000, virtual}
	guestEpyc = cpu{"AMD EPYC 7443P 24-Core Processor", 2850, virtual}
)

// A model is a type of computer.
type model struct {
	maker    *maker
	name     string
	year     int // of its first firmware
	memory   string
	speed    string // of its memory, in MHz
	soldered bool   // has no empty memory slots
	cpus     []cpu
}

var laptopModels = []share[*model]{
	{14, &model{dell, "Latitude 7440", 2023, "DDR5", "4800", false, []cpu{i5Mobile, i7Mobile}}},
	{9, &model{dell, "Latitude 5400", 2019, "DDR4", "2667", false, []cpu{i5Older, i7Older}}},
	{14, &model{lenovo, "ThinkPad T14 Gen 4", 2023, "DDR5", "5600", false, []cpu{i5Mobile, i7Mobile, ryzenM}}},
	{6, &model{lenovo, "ThinkPad X1 Carbon Gen 11", 2023, "LPDDR5", "6400", true, []cpu{i7Mobile}}},
	{10, &model{hp, "HP EliteBook 840 14 inch G10 Notebook PC", 2023, "DDR5", "4800", false, []cpu{i5Mobile, i7Mobile}}},
	{6, &model{hp, "HP EliteBook 845 14 inch G10 Notebook PC", 2023, "DDR5", "5600", false, []cpu{ryzenM}}},
	{3, &model{fujitsu, "LIFEBOOK U7413", 2023, "DDR4", "3200", false, []cpu{i5Mobile, i7Mobile}}},
	{5, &model{apple, "Mac14,2", 2022, "LPDDR5", "6400", true, []cpu{m2}}},
	{3, &model{apple, "Mac15,6", 2023, "LPDDR5", "6400", true, []cpu{m3Pro}}},
}

var desktopModels = []share[*model]{
	{12, &model{dell, "OptiPlex 7010", 2023, "DDR4", "3200", false, []cpu{i5Desk, i7Desk}}},
	{8, &model{hp, "HP EliteDesk 800 G9 Desktop Mini PC", 2022, "DDR5", "4800", false, []cpu{i5Desk, i7Desk}}},
	{8, &model{lenovo, "ThinkCentre M75q Gen 2", 2021, "DDR4", "3200", false, []cpu{ryzenD}}},
	{4, &model{fujitsu, "ESPRIMO P7012", 2022, "DDR4", "3200", false, []cpu{i5Desk, i7Desk}}},
	{2, &model{apple, "Mac14,3", 2023, "LPDDR5", "6400", true, []cpu{m2}}},
}

var workstationModels = []share[*model]{
	{4, &model{dell, "Precision 7960 Tower", 2023, "DDR5", "4800", false, []cpu{xeonW}}},
	{3, &model{hp, "HP Z6 G5 Workstation", 2023, "DDR5", "4800", false, []cpu{xeonW}}},
	{3, &model{lenovo, "ThinkStation P7", 2023, "DDR5", "4800", false, []cpu{xeonW}}},
}

var serverModels = []share[*model]{
	{5, &model{dell, "PowerEdge R650", 2021, "DDR4", "3200", false, []cpu{xeonGold, xeonBrz}}},
	{5, &model{hpe, "ProLiant DL380 Gen10 Plus", 2021, "DDR4", "3200", false, []cpu{xeonGold}}},
	{2, &model{super, "SYS-110P-WTR", 2021, "DDR4", "3200", false, []cpu{xeonBrz}}},
	{2, &model{dell, "PowerEdge R6515", 2020, "DDR4", "3200", false, []cpu{epyc}}},
}

var virtualModels = []share[*model]{
	{6, &model{vmware, "VMware20,1", 2022, "DRAM", "", true, []cpu{guestXeon}}},
	{3, &model{hyperV, "Virtual Machine", 2022, "", "", true, []cpu{guestXeon}}},
	{3, &model{qemu, "Standard PC (Q35 + ICH9, 2009)", 2014, "RAM", "", true, []cpu{guestEpyc}}},
}
