// Package report decodes what an inventory agent posts: no HTTP, no database.
//
// A handler opens the body of a request as a Body. A Scan checks cheaply whether it is the same message as the
// agent's last one, apart from what changes every minute; then only the time is stored. Otherwise Read returns
// the Message: a Prolog is answered with Send, a Contact with FallBack, anything Other with Taken. For an
// Inventory the caller finds the computer by Report.Identity, skips every section whose Digest equals the
// stored one, writes Report.Fields of Report.Computer and Report.Programs, and answers with Taken after the
// commit. Errors are answered with Refused. Both decoders, for XML and for JSON, read only what the table of
// sections names. An open body may take three times 64 MiB of memory, so the caller limits how many are open at
// once. Which computer a report changes, and how, does not belong here but in package desk.
package report

import (
	"time"

	"muster/internal/inventory"
	"muster/internal/kind"
)

// A Report is one inventory of one computer, in our own words and units.
type Report struct {
	Identity Identity

	// Computer is what the agent reports. Its AssetID and Tag are only used for a computer that this report
	// creates; so is its Name when Fields does not have it.
	Computer inventory.Computer

	// Fields are the fields and collections of Computer that this report has, in document order, including null
	// and empty ones, which the computer no longer has. A partial report leaves out those whose section it
	// lacks; they do not change.
	Fields []*kind.Field

	// Programs count only when HasPrograms; a partial report may lack them.
	Programs    Programs
	HasPrograms bool

	Partial bool

	// when it was made, by the agent's local clock taken as UTC; zero when the report has no time
	At time.Time
	// sections of which a report in XML that is not partial has no row, by the names that their digests have
	Lacking []string

	PrinterSerials map[inventory.LocalPrinter]string // of printers that have one
}

// An Identity has the keys of the computer that a report is from. A key is "" when other computers may have the
// same value.
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

// An Adapter is a network adapter, with what identifies its computer.
type Adapter struct {
	Description string
	MAC         string // in upper case with colons, "" when there is none or it is malformed
	IPv4        string // a usable one, or ""
	Up          bool
	Shared      bool // somebody says that many computers have it

	kind, medium, driver string // as the agent calls them
	software             bool   // the agent says that it is virtual
}
