package report_test

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"muster/internal/report"
)

// typical returns a report of about 49 KB in the shape of the OCS agent for Windows: 60 parts and 150 programs, with as
// little in common as those of real computers have.
func typical() []byte {
	var b strings.Builder
	dice := rand.New(rand.NewPCG(1, 2))
	word := func() string {
		letters := make([]byte, 3+dice.IntN(7))
		for i := range letters {
			letters[i] = "etaoinshrdlucmfwypvbgkqjxz"[min(dice.IntN(26), dice.IntN(26))]
		}
		return strings.ToUpper(string(letters[:1])) + string(letters[1:])
	}
	b.WriteString(`<?xml version="1.0" encoding="UTF-8"?>` + "\n<REQUEST>\n<CONTENT>\n")
	b.WriteString("<BIOS><ASSETTAG>IT-1</ASSETTAG><BDATE>04/18/2024</BDATE><BVERSION>N3XET52W</BVERSION><SMANUFACTURER>LENOVO</SMANUFACTURER><SMODEL>21HES</SMODEL><SSN>PF0BENCH</SSN><TYPE>Notebook</TYPE></BIOS>\n")
	b.WriteString("<HARDWARE><CHECKSUM>1572863</CHECKSUM><DEFAULTGATEWAY>10.20.30.1</DEFAULTGATEWAY><DESCRIPTION>Reception</DESCRIPTION><IPADDR>10.20.30.44</IPADDR><MEMORY>16384</MEMORY><NAME>BENCH-1</NAME><OSNAME>Microsoft Windows 11 Pro</OSNAME><PROCESSORS>1300</PROCESSORS><PROCESSORT>13th Gen Intel(R) Core(TM) i5-1335U</PROCESSORT><SWAP>18944</SWAP><USERID>ana</USERID><UUID>4C4C4544-0050-4610-8031-B8C04F303030</UUID><WORKGROUP>example.com</WORKGROUP></HARDWARE>\n")
	for i := range 10 {
		fmt.Fprintf(&b, "<CONTROLLERS><CAPTION>%s %s Controller</CAPTION><DESCRIPTION>%s Host Controller</DESCRIPTION><MANUFACTURER>%s</MANUFACTURER><NAME>%s USB %d</NAME><TYPE>USB</TYPE></CONTROLLERS>\n", word(), word(), word(), word(), word(), i)
		fmt.Fprintf(&b, "<DRIVES><FILESYSTEM>NTFS</FILESYSTEM><FREE>%d</FREE><LETTER>%c:/</LETTER><TOTAL>%d</TOTAL><TYPE>Hard Drive</TYPE><VOLUMN>%s</VOLUMN></DRIVES>\n", dice.IntN(1e6), 'C'+i, dice.IntN(1e6), word())
		fmt.Fprintf(&b, "<MEMORIES><CAPACITY>8192</CAPACITY><CAPTION>%s</CAPTION><DESCRIPTION>SODIMM (None)</DESCRIPTION><NUMSLOTS>%d</NUMSLOTS><PURPOSE>System Memory</PURPOSE><SPEED>4800</SPEED><TYPE>DDR5</TYPE></MEMORIES>\n", word(), i)
		fmt.Fprintf(&b, "<NETWORKS><DESCRIPTION>%s %s #%d</DESCRIPTION><IPADDRESS>10.20.30.%d</IPADDRESS><IPGATEWAY>10.20.30.1</IPGATEWAY><IPMASK>255.255.255.0</IPMASK><MACADDR>A4:C3:F0:12:%02X:%02X</MACADDR><STATUS>Up</STATUS><TYPE>Ethernet</TYPE></NETWORKS>\n", word(), word(), i, 40+i, dice.IntN(256), i)
		fmt.Fprintf(&b, "<PRINTERS><DRIVER>%s %s PCL 6</DRIVER><NAME>%s-%d</NAME><PORT>10.20.30.%d</PORT></PRINTERS>\n", word(), word(), word(), i, 200+i)
		fmt.Fprintf(&b, "<STORAGES><DESCRIPTION>Disk drive</DESCRIPTION><DISKSIZE>%d</DISKSIZE><MODEL>%s %s</MODEL><NAME>PHYSICALDRIVE%d</NAME><TYPE>Fixed hard disk media</TYPE></STORAGES>\n", dice.IntN(1e6), word(), word(), i)
	}
	for i := range 150 {
		vendor, name := word(), word()
		fmt.Fprintf(&b, "<SOFTWARES><FOLDER>C:\\Program Files\\%s\\%s</FOLDER><FROM>registry</FROM><GUID>{%08X-%04X}</GUID><INSTALLDATE>%02d/%02d/2024</INSTALLDATE><NAME>%s %s %d</NAME><PUBLISHER>%s %s</PUBLISHER><VERSION>%d.%d.%d</VERSION></SOFTWARES>\n",
			vendor, name, dice.Uint32(), dice.IntN(1<<16), 1+dice.IntN(28), 1+dice.IntN(12), name, word(), i, vendor,
			word(), dice.IntN(30), dice.IntN(100), dice.IntN(9999))
	}
	b.WriteString("</CONTENT>\n<DEVICEID>BENCH-1-2024-05-02-09-12-33</DEVICEID>\n<QUERY>INVENTORY</QUERY>\n</REQUEST>\n")
	return []byte(b.String())
}

// BenchmarkInflate inflates and reads the body alone: what the others are measured by.
func BenchmarkInflate(b *testing.B) {
	packed := deflate(typical())
	z, err := zlib.NewReader(bytes.NewReader(packed))
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(typical())))
	b.ReportAllocs()
	for b.Loop() {
		if err := z.(zlib.Resetter).Reset(bytes.NewReader(packed), nil); err != nil {
			b.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, z); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkScan does all that an unchanged report needs of this package.
func BenchmarkScan(b *testing.B) {
	packed := deflate(typical())
	b.SetBytes(int64(len(typical())))
	b.ReportAllocs()
	for b.Loop() {
		body, err := report.Open(packed)
		if err != nil {
			b.Fatal(err)
		}
		if s, ok, err := body.Scan(); !ok || s.Action != report.Inventory {
			b.Fatalf("got %+v, %v", s, err)
		}
		body.Close()
	}
}

// BenchmarkRead inflates and decodes the same body.
func BenchmarkRead(b *testing.B) { benchmarkRead(b, func(*report.Report) {}) }

// BenchmarkDigests does all that an unchanged report needs whose rows are in another order.
func BenchmarkDigests(b *testing.B) { benchmarkRead(b, func(r *report.Report) { r.Digests() }) }

func benchmarkRead(b *testing.B, use func(*report.Report)) {
	packed := deflate(typical())
	b.SetBytes(int64(len(typical())))
	b.ReportAllocs()
	for b.Loop() {
		m, err := report.Read(packed, report.Source{})
		if err != nil || len(m.Report.Programs.Sums) != 150 {
			b.Fatalf("got %d programs, %v", len(m.Report.Programs.Sums), err)
		}
		use(m.Report)
	}
}
