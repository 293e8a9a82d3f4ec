package report

import (
	"fmt"
	"strings"
)

// A section is a part of a report that we keep something of.
type section struct {
	id     int
	name   string
	fields []string // by their names in XML
	json   []string // the same by their names in JSON
	forms  []form   // of the fields
	limit  int      // most rows
	single int      // where the values of a section with one row are kept, -1 for others
	add    func(*collector, *row)
}

// A form says how much of a value is kept.
type form uint8

// The forms. Plain is a line without outer blanks, Padded one with them, and Wide a text of several lines.
const (
	plain form = iota
	padded
	wide
)

// The sections of which a computer has one; of several rows, the first value of each field counts.
const (
	hardware = iota
	bios
	system
	cpu
	download
	singles
)

// How many sections, and fields of a section, there are at most.
const (
	maxSections = 24
	maxFields   = 20
)

// sections are all that is read of a report, by their names in XML.
var sections = declare()

func declare() map[string]*section {
	all := map[string]*section{}
	define := func(name, fields string) *section {
		s := newSection(name, fields)
		s.id, all[name] = len(all), s
		return s
	}
	one := func(name string, single int, fields string) { define(name, fields).single = single }
	many := func(name, fields string, add func(*collector, *row)) { define(name, fields).add = add }

	one("HARDWARE", hardware, `NAME CHASSIS_TYPE VMSYSTEM OSNAME OSVERSION PROCESSORT PROCESSORS MEMORY SWAP DEFAULTGATEWAY IPADDR
		WORKGROUP USERDOMAIN USERID LASTLOGGEDUSER DESCRIPTION UUID OLD_DEVICEID`)
	one("BIOS", bios, "ASSETTAG BDATE BMANUFACTURER BVERSION MMANUFACTURER SMANUFACTURER SMODEL SSN TYPE")
	one("OPERATINGSYSTEM", system, "FULL_NAME VERSION DNS_DOMAIN")
	one("CPUS", cpu, "NAME TYPE SPEED")
	one("DOWNLOAD", download, "OLD_DEVICEID")

	many("ACCOUNTINFO", "KEYNAME KEYVALUE", (*collector).account)
	many("USERS", "LOGIN", (*collector).user)
	many("VIDEOS", "CHIPSET MEMORY NAME", (*collector).video)
	many("MEMORIES", "CAPACITY DESCRIPTION TYPE CAPTION PURPOSE NUMSLOTS SPEED", (*collector).memory)
	many("PRINTERS", "DRIVER NAME PORT SERIAL", (*collector).printer)
	many("CONTROLLERS", "TYPE DESCRIPTION CAPTION MANUFACTURER NAME VERSION REV PCICLASS", (*collector).controller)
	many("USBDEVICES", "TYPE DESCRIPTION CAPTION MANUFACTURER NAME VERSION REV", (*collector).usbDevice)
	many("INPUTS", "INTERFACE POINTTYPE TYPE MANUFACTURER CAPTION", (*collector).input)
	many("MONITORS", "CAPTION DESCRIPTION MANUFACTURER SERIAL", (*collector).monitor)
	many("STORAGES", "DESCRIPTION MANUFACTURER MODEL NAME DISKSIZE TYPE", (*collector).storage)
	many("PORTS", "NAME DESCRIPTION CAPTION TYPE", (*collector).port)
	many("SOUNDS", "NAME DESCRIPTION MANUFACTURER", (*collector).sound)
	many("NETWORKS", "DESCRIPTION IPDHCP IPGATEWAY IPADDRESS IPADDRESS6 MACADDR STATUS TYPE TYPEMIB DRIVER VIRTUALDEV",
		(*collector).network)
	many("DRIVES", "LETTER VOLUMN LABEL TYPE FILESYSTEM FREE TOTAL", (*collector).drive)
	many("SOFTWARES", "NAME GUID VERSION PUBLISHER FOLDER INSTALLDATE FROM SYSTEM_CATEGORY RELEASE_TYPE",
		(*collector).program)

	h := all["HARDWARE"]
	h.forms[h.field([]byte("PROCESSORT"))], h.forms[h.field([]byte("DESCRIPTION"))] = padded, wide
	all["SOFTWARES"].limit = maxSoftwares
	return all
}

// inJSON are the fields whose name in JSON is not the one in XML in lower case.
var inJSON = map[string]string{"MACADDR": "mac", "POINTTYPE": "pointingtype", "INSTALLDATE": "install_date"}

func newSection(name, fields string) *section {
	s := &section{name: name, fields: strings.Fields(fields), limit: maxRows, single: -1}
	s.forms = make([]form, len(s.fields))
	for _, field := range s.fields {
		other, ok := inJSON[field]
		if !ok {
			other = strings.ToLower(field)
		}
		s.json = append(s.json, other)
	}
	return s
}

// field returns the index of the field with a name in XML, -1 when it is not kept.
func (s *section) field(name []byte) int {
	for i, field := range s.fields {
		if len(field) == len(name) && field[0] == name[0] && field == string(name) {
			return i
		}
	}
	return -1
}

// A row has the values of a section's fields, without outer blanks.
type row struct {
	section *section
	values  [maxFields]string
}

// text returns the first of the named fields that has a value.
func (r *row) text(names ...string) string {
	for _, name := range names {
		if value := r.values[r.index(name)]; value != "" {
			return value
		}
	}
	return ""
}

// index returns where the named field is. A field that is not declared is a programmer's mistake.
func (r *row) index(name string) int {
	for i, field := range r.section.fields {
		if len(field) == len(name) && field[0] == name[0] && field == name {
			return i
		}
	}
	panic(fmt.Sprintf("report: section %s has no field %s", r.section.name, name))
}
