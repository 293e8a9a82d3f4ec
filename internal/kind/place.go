package kind

import (
	"strings"

	"muster/internal/message"
)

// A place is where a field is: in an item of a nested collection, or in the record itself.
type place struct {
	list   *Field // nil for the record
	number int    // of the item
}

// fault returns what is wrong with a field of that name there.
func (at place) fault(words string, fault message.Predicate) message.Text {
	if at.list == nil {
		return fault.Of(message.Word(words))
	}
	return message.New("%s item %d: %s", at.list.Word(), at.number, fault.Of(message.Word(strings.ToLower(words))))
}

// ItemFault returns the number of the item that a fault is about, and what is wrong with it; 0 for a fault of a record.
// The subject of the fault is the collection, that of what it returns is a field of the item in small letters.
func ItemFault(fault message.Text) (number int, of message.Text) {
	if len(fault.Args) != 3 {
		return 0, of
	}
	number, numbered := fault.Args[1].(int)
	of, nested := fault.Args[2].(message.Text)
	if !numbered || !nested {
		return 0, message.Text{}
	}
	return number, of
}
