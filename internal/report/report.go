// Package report turns what an inventory agent posts into values: no HTTP, no database.
//
// A handler opens the body of a request. A Scan tells cheaply whether it is the message that the agent sent
// last, but for what changes from one minute to the next; then it is answered, and the time noted. Else the
// Body is read and the Message done: a Prolog is answered with Send, a Contact with FallBack, anything Other
// with Taken. Of an Inventory the computer is found by Report.Identity, every section left alone whose Digest
// is the stored one, Report.Fields of Report.Computer and Report.Programs written, and Taken answered once
// that is committed. Errors are answered with Refused. Both decoders, for XML and for JSON, take in only what
// the table of sections names; the rest of a message enters no structure. An opened body may take three times
// 64 MiB of memory, so few should be open at once.
package report

import (
	"time"

	"muster/internal/inventory"
	"muster/internal/kind"
)

// A Report is one inventory of one computer, in our own words and units.
type Report struct {
	Identity Identity

	// Computer holds what the agent tells. Its AssetID and Tag are for a computer that is created by this report and
	// count for no other; so does its Name when Fields does not have it.
	Computer inventory.Computer

	// Fields are the fields and collections of Computer that this report tells, in document order: null and empty
	// ones too, which the computer no longer has. A partial report leaves out those whose section it lacks; they are
	// unchanged.
	Fields []*kind.Field

	// Programs count only when HasPrograms; a partial report may lack them.
	Programs    Programs
	HasPrograms bool

	Partial bool

	// when it was made, by the agent's clock and in its zone, as if that was UTC; zero when it does not tell
	At time.Time
	// sections of which a report in XML that is not partial has no row, by the names that their digests have
	Lacking []string

	PrinterSerials map[inventory.LocalPrinter]string // of printers that have one
}

// An Identity is what tells whose report it is. A key is "" when the value is not good: when other computers
// may have the same.
type Identity struct {
	DeviceID       string
	OldDeviceIDs   []string
	AgentID        string // of a GLPI agent, from the request's header
	Program        string // one of the programs below, else its own name, "" when unknown
	ProgramVersion string

	Serial          string // as reported
	SerialKey       string // for comparing
	Manufacturer    string // as reported
	ManufacturerKey string // for comparing
	UUID            string // in lower case, "" when not good
	SwappedUUID     string // the same with the bytes of its first three groups in the other order
	Adapters        []Adapter
}

// The agents' programs that are known by a name of their own.
const (
	OCS    = "OCS"
	Fusion = "Fusion"
	GLPI   = "GLPI"
	Own    = "Muster"
)

// An Adapter is a network adapter as far as it tells whose report it is.
type Adapter struct {
	Description string
	MAC         string // in upper case with colons, "" when there is none or it is malformed
	IPv4        string // a usable one, or ""
	Up          bool
	Shared      bool // somebody says that many computers have it

	kind, medium, driver string // as the agent calls them
	software             bool   // the agent says that it is virtual
}
