// Package collect builds the inventory of a Linux computer, as the document that an OCS Inventory agent would
// send.
//
// A Machine is read below a root folder: proc, sys, etc, usr, var and run. Every part is optional: what is
// missing, cannot be read, or makes no sense is left out, and is never an error. Programs have a time limit,
// and network file systems are not queried. Only what the server stores is collected: processes, environments,
// command lines and people's files are not read, and passwords are removed from the addresses of printers.
// Sending the document does not belong here, but in package agent.
package collect

import (
	"context"
	"net"
	"net/netip"
	"os"

	"muster/internal/disk"
)

// A Machine is a computer that can be asked what it is.
type Machine struct {
	Root      string                                  // the folder in which its files are, "/" for the one this runs on
	Name      string                                  // as it calls itself, with or without a domain
	Addresses func(adapter string) []netip.Prefix     // of a network adapter
	Space     func(folder string) (disk.Space, error) // on a file system
	Log       func(part string, reason error)         // logs what was left out because a program failed
}

// This returns the computer on which the program runs.
func This(log func(part string, reason error)) *Machine {
	name, _ := os.Hostname() // without a name, the device id names the computer
	return &Machine{Root: "/", Name: name, Addresses: addresses, Space: disk.Room, Log: log}
}

// addresses returns those of a network adapter, from the kernel.
func addresses(adapter string) (all []netip.Prefix) {
	i, err := net.InterfaceByName(adapter)
	if err != nil {
		return nil
	}
	list, err := i.Addrs()
	if err != nil {
		return nil
	}
	for _, address := range list {
		if prefix, err := netip.ParsePrefix(address.String()); err == nil {
			all = append(all, prefix)
		}
	}
	return all
}

// A Sender is what a message says of the agent that sends it.
type Sender struct {
	DeviceID string
	Client   string // program and version, such as Muster-Agent_v1.2.3
}

// Prolog returns the message with which an agent asks whether its inventory is wanted.
func (s Sender) Prolog() []byte {
	d := &document{}
	d.open("REQUEST")
	d.value("DEVICEID", s.DeviceID)
	d.value("QUERY", "PROLOG")
	d.close("REQUEST")
	return d.text
}

// Inventory returns the message with all that is known of a machine. The error is that of a context which has ended.
func (s Sender) Inventory(ctx context.Context, m *Machine) ([]byte, error) {
	d := &document{}
	d.open("REQUEST")
	d.open("CONTENT")
	m.write(ctx, d)
	d.value("VERSIONCLIENT", s.Client)
	d.close("CONTENT")
	d.value("DEVICEID", s.DeviceID)
	d.value("QUERY", "INVENTORY")
	d.close("REQUEST")
	return d.text, ctx.Err()
}

// write adds the sections of a machine.
func (m *Machine) write(ctx context.Context, d *document) {
	f := m.firmware()
	m.hardware(d, f)
	f.bios(d)
	f.memories(d)
	f.ports(d)
	m.people(d)
	m.storages(d)
	m.drives(d)
	m.networks(d)
	m.pciDevices(d)
	m.usbDevices(d)
	m.inputs(d)
	m.displays(d)
	m.sounds(d)
	m.printers(ctx, d)
	m.debs(d)
	m.apks(d)
	m.rpms(ctx, d)
}
