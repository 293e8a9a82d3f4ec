package merge_test

import (
	"testing"

	"muster/internal/desk"
	"muster/internal/mustertest"
)

// An office is one of a test, with what the tests of this package ask of it.
type office struct{ *mustertest.Office }

func openOffice(t *testing.T, db mustertest.Database) *office {
	t.Helper()
	return &office{mustertest.OpenOffice(t, db)}
}

// program is who changes records in these tests when it does not matter who does.
var program = desk.Caller{Origin: "import"}

// What reports are made of.
type machine = mustertest.Machine

const (
	slot1  = mustertest.Slot1
	slot2x = mustertest.Slot2Larger
	uuid1  = mustertest.UUID1
	uuid2  = mustertest.UUID2
)

var (
	programXML = mustertest.ProgramXML
	with       = mustertest.With
)
