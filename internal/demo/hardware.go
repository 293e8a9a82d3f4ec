package demo

import (
	"muster/internal/inventory"
	"muster/internal/kind"
)

// A family is a family of operating systems: it decides how an agent writes many things.
type family uint8

const (
	windows family = iota
	unix
	macOS
)

// families are the names of families in data files.
var families = [...]string{windows: "windows", unix: "unix", macOS: "macOS"}

// familyNamed returns a family by its name.
func familyNamed(name string) family {
	for f, n := range families {
		if n == name {
			return family(f)
		}
	}
	panic("there is no family " + name)
}

// A system is an operating system.
type system struct {
	share
	Name   string
	Family family
}

// A maker is a manufacturer of computers, or of virtual ones.
type maker struct {
	Key, Name string
	Serial    string // what its serial numbers begin with
	Digits    int    // how many letters and digits follow
	Version   string // pattern of its firmware's versions
	MAC       string // what its MAC addresses begin with
}

// apple is the maker whose computers have its own systems and disks.
const apple = "apple"

// A cpu is a processor, with the graphics that it brings.
type cpu struct {
	Key, Name string
	MHz       int64
	Chipset   string
	Memory    kind.Int // of the graphics
	Video     string
}

func (c *cpu) video() inventory.Video {
	return inventory.Video{Chipset: c.Chipset, Memory: c.Memory, Name: c.Video}
}

// A model is a type of computer.
type model struct {
	share
	Maker      string
	Name       string
	Year       int // of its first firmware
	Memory     string
	Speed      string // of its memory, in MHz
	Soldered   bool   // has no empty memory slots
	Processors []string

	maker *maker
	cpus  []*cpu
}

// Classes that the program names.
const (
	laptop      = "laptop"
	guest       = "guest"
	workstation = "workstation"
)

// A class is a group of computers that are alike: what they are called, what runs on them and how many parts they have
// of each sort.
type class struct {
	share
	Name           string
	Category, Code string
	Owned          int     // how many of 100 belong to a person
	Module         string  // what its memory modules are
	Memory         []int64 // sizes of a module, in MB

	// Groups in the tables of what they have.
	Systems, Disks, Cards, Connectors string
	Adapters                          []string

	Slots, Videos, Printers, USBs, Keyboards, Mice  span
	Displays, Storages, Ports, Sounds, Nets, Drives span
}

// A disk is a storage device, as its label says.
type disk struct {
	Maker, Model, Bus string
	Size              int64 // in MB
}

// A volume is a file system and its part of the first disk, in per cent. The first one takes what the others leave; one
// without a part is empty.
type volume struct {
	Name, Label, Type string
	Part              int64
}

// An adapter is a network adapter, as the agents of each family call it, and what its MAC address begins
// with: "" is the computer's maker's.
type adapter struct{ Windows, Unix, MacOS, MAC string }

// A domainShare is a domain of computers; "" is null.
type domainShare struct {
	share
	Name string
}

// hardware is what computers are made of.
type hardware struct {
	classes                 []*class
	models                  map[string][]*model // by class, as descriptions
	descriptions            map[string][]text
	systems                 map[string][]system
	domains                 map[string][]domainShare // by family
	tags, remarks, ownWords []string
	cards                   map[string][]inventory.Video
	usbs                    map[string][]inventory.USB
	inputs                  map[string][]inventory.Input
	displays                map[string][]inventory.Display
	connectors              map[string][]inventory.Port
	sounds                  []inventory.Sound
	filePrinters            []inventory.LocalPrinter
	disks                   map[string][]disk
	volumes                 map[string][]volume // by family
	adapters                map[string][]adapter
}

// A text is a line of a table that has nothing else.
type text struct{ Text string }

// readHardware reads the tables about computers.
func readHardware() hardware {
	computers, parts := readTables("computers.csv"), readTables("parts.csv")
	return hardware{
		classes:      pointers(rows[class](computers, "classes")),
		models:       readModels(computers),
		descriptions: groups[text](computers, "descriptions"),
		systems:      groups[system](computers, "systems"),
		domains:      groups[domainShare](computers, "domains"),
		tags:         texts(computers, "tags"),
		remarks:      texts(computers, "notes"),
		ownWords:     texts(computers, "words"),
		cards:        groups[inventory.Video](parts, "cards"),
		usbs:         groups[inventory.USB](parts, "usbs"),
		inputs:       groups[inventory.Input](parts, "inputs"),
		displays:     groups[inventory.Display](parts, "displays"),
		connectors:   groups[inventory.Port](parts, "ports"),
		sounds:       rows[inventory.Sound](parts, "sounds"),
		filePrinters: rows[inventory.LocalPrinter](parts, "printers"),
		disks:        groups[disk](parts, "disks"),
		volumes:      groups[volume](parts, "volumes"),
		adapters:     groups[adapter](parts, "adapters"),
	}
}

// class returns a class by its name.
func (h *hardware) class(name string) *class {
	for _, c := range h.classes {
		if c.Name == name {
			return c
		}
	}
	panic("there is no class " + name)
}

// readModels returns the models of each class, with their makers and processors.
func readModels(t tables) map[string][]*model {
	makers, cpus, all := map[string]*maker{}, map[string]*cpu{}, map[string][]*model{}
	for _, m := range pointers(rows[maker](t, "makers")) {
		makers[m.Key] = m
	}
	for _, c := range pointers(rows[cpu](t, "processors")) {
		cpus[c.Key] = c
	}
	for class, models := range groups[model](t, "models") {
		for _, m := range pointers(models) {
			m.maker = makers[m.Maker]
			for _, key := range m.Processors {
				m.cpus = append(m.cpus, cpus[key])
			}
			all[class] = append(all[class], m)
		}
	}
	return all
}
