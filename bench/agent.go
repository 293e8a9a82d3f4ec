package main

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"math/rand/v2"
	"strings"
)

// A reported is the report of a computer as its agent sends it at some time.
type reported struct {
	computer int
	revision int // how often its software has changed: of two programs each time
	minute   int // when it is sent, which makes a difference to the free space alone
}

// The software of a fleet: so many programs, the first of which all computers
// have. An update comes to all computers that have a program, at about the same
// time.
const (
	fleetPrograms  = 600
	commonPrograms = 100
	ownPrograms    = 50 // of the others
	updated        = 10 // programs that have an update at a time
)

// A program is software of the fleet.
type program struct{ name, maker, folder string }

var fleet = newFleet()

func newFleet() []program {
	dice := rand.New(rand.NewPCG(3, 4))
	all := make([]program, fleetPrograms)
	for i := range all {
		maker, name := word(dice), word(dice)
		all[i] = program{fmt.Sprintf("%s %s %d", name, word(dice), i), maker + " " + word(dice), maker + `\` + name}
	}
	return all
}

// word returns a word of invented letters, of which some are more frequent.
func word(dice *rand.Rand) string {
	letters := make([]byte, 3+dice.IntN(7))
	for i := range letters {
		letters[i] = "etaoinshrdlucmfwypvbgkqjxz"[min(dice.IntN(26), dice.IntN(26))]
	}
	return strings.ToUpper(string(letters[:1])) + string(letters[1:])
}

// packed returns the report as agents for Windows send it: about 49 KB of XML
// with 60 parts and 150 programs, deflated.
func (r reported) packed() string {
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	_, _ = z.Write(r.document()) // memory takes it
	_ = z.Close()
	return b.String()
}

// document returns the report itself.
func (r reported) document() []byte {
	var b bytes.Buffer
	dice := rand.New(rand.NewPCG(1, uint64(r.computer))) // the same for all reports of a computer
	name := fmt.Sprintf("BENCH-%d", r.computer)
	b.WriteString(`<?xml version="1.0" encoding="UTF-8"?>` + "\n<REQUEST>\n<CONTENT>\n")
	fmt.Fprintf(&b, "<BIOS><BDATE>04/18/2024</BDATE><BVERSION>N3XET52W</BVERSION><SMANUFACTURER>LENOVO</SMANUFACTURER><SMODEL>21HES</SMODEL><SSN>PF%07dB</SSN><TYPE>Notebook</TYPE></BIOS>\n", r.computer)
	fmt.Fprintf(&b, "<HARDWARE><CHECKSUM>1572863</CHECKSUM><DEFAULTGATEWAY>10.20.30.1</DEFAULTGATEWAY><DESCRIPTION>Reception</DESCRIPTION><IPADDR>10.20.30.44</IPADDR><MEMORY>16384</MEMORY><NAME>%s</NAME><OSNAME>Microsoft Windows 11 Pro</OSNAME><PROCESSORS>1300</PROCESSORS><PROCESSORT>13th Gen Intel(R) Core(TM) i5-1335U</PROCESSORT><SWAP>18944</SWAP><USERID>ana</USERID><UUID>4C4C4544-0050-4610-8031-B8C0%08X</UUID><WORKGROUP>example.com</WORKGROUP></HARDWARE>\n", name, r.computer)
	for i := range 10 {
		r.writeParts(&b, dice, i)
	}
	for _, p := range r.programs(dice) {
		r.writeProgram(&b, p)
	}
	fmt.Fprintf(&b, "</CONTENT>\n<DEVICEID>%s-2024-05-02-09-12-33</DEVICEID>\n<QUERY>INVENTORY</QUERY>\n</REQUEST>\n",
		name)
	return b.Bytes()
}

// writeParts writes the i-th part of each of six sorts.
func (r reported) writeParts(b *bytes.Buffer, dice *rand.Rand, i int) {
	w := func() string { return word(dice) }
	fmt.Fprintf(b, "<CONTROLLERS><CAPTION>%s %s Controller</CAPTION><DESCRIPTION>%s Host Controller</DESCRIPTION><MANUFACTURER>%s</MANUFACTURER><NAME>%s USB %d</NAME><TYPE>USB</TYPE></CONTROLLERS>\n", w(), w(), w(), w(), w(), i)
	total := 100_000 + dice.IntN(900_000)
	fmt.Fprintf(b, "<DRIVES><FILESYSTEM>NTFS</FILESYSTEM><FREE>%d</FREE><LETTER>%c:/</LETTER><TOTAL>%d</TOTAL><TYPE>Hard Drive</TYPE><VOLUMN>%s</VOLUMN></DRIVES>\n", total/2-r.minute, 'C'+i, total, w())
	fmt.Fprintf(b, "<MEMORIES><CAPACITY>8192</CAPACITY><CAPTION>%s</CAPTION><DESCRIPTION>SODIMM (None)</DESCRIPTION><NUMSLOTS>%d</NUMSLOTS><PURPOSE>System Memory</PURPOSE><SPEED>4800</SPEED><TYPE>DDR5</TYPE></MEMORIES>\n", w(), i)
	fmt.Fprintf(b, "<NETWORKS><DESCRIPTION>%s %s #%d</DESCRIPTION><IPADDRESS>10.20.30.%d</IPADDRESS><IPGATEWAY>10.20.30.1</IPGATEWAY><IPMASK>255.255.255.0</IPMASK><MACADDR>A4:C3:%02X:%02X:%02X:%02X</MACADDR><STATUS>Up</STATUS><TYPE>Ethernet</TYPE></NETWORKS>\n", w(), w(), i, 40+i, r.computer>>16&0xFF, r.computer>>8&0xFF, r.computer&0xFF, i)
	queue := dice.IntN(40) // printers are shared by many
	fmt.Fprintf(b, "<PRINTERS><DRIVER>HP LaserJet %d PCL 6</DRIVER><NAME>Floor-%d</NAME><PORT>10.20.30.%d</PORT></PRINTERS>\n", queue%7, queue, 200+queue)
	fmt.Fprintf(b, "<STORAGES><DESCRIPTION>Disk drive</DESCRIPTION><DISKSIZE>%d</DISKSIZE><MODEL>%s %s</MODEL><NAME>PHYSICALDRIVE%d</NAME><TYPE>Fixed hard disk media</TYPE></STORAGES>\n", total, w(), w(), i)
}

// programs returns the numbers of the programs of a computer.
func (r reported) programs(dice *rand.Rand) []int {
	all := make([]int, 0, commonPrograms+ownPrograms)
	for p := range commonPrograms {
		all = append(all, p)
	}
	for _, p := range dice.Perm(fleetPrograms - commonPrograms)[:ownPrograms] {
		all = append(all, commonPrograms+p)
	}
	return all
}

// writeProgram writes a program in the version that the computer has.
func (r reported) writeProgram(b *bytes.Buffer, number int) {
	p, version := fleet[number], r.versionOf(number)
	fmt.Fprintf(b, "<SOFTWARES><FOLDER>C:\\Program Files\\%s</FOLDER><FROM>registry</FROM><GUID>{%08X-%04X}</GUID><INSTALLDATE>%02d/%02d/2024</INSTALLDATE><NAME>%s</NAME><PUBLISHER>%s</PUBLISHER><VERSION>%d.%d.%d</VERSION></SOFTWARES>\n",
		p.folder, number*2654435761&0xFFFFFFFF, number*40503&0xFFFF, 1+number%28, 1+version%12, p.name, p.maker,
		number%30, version, number*7)
}

// versionOf returns in which version a computer has a program: that of the last
// revision that brought an update of it.
func (r reported) versionOf(number int) (version int) {
	for revision := 1; revision <= r.revision; revision++ {
		first := revision * updated % commonPrograms
		for i := range 2 { // two different ones of those that have an update
			if number == first+(r.computer+i*updated/2)%updated {
				version = revision
			}
		}
	}
	return version
}
