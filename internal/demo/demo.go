// Package demo invents an organisation: its people and its computers, as
// agents and persons would describe them. It fills a new installation for a
// look around, and is the source of records for tests and benchmarks, up to a
// million computers. Nothing in it is left to chance: the same index gives the
// same record on every run, machine and release of Go.
//
// What records say is in the files of the folder data, for people to read and
// edit; what is here combines them. Nothing here stores records.
package demo

import (
	"time"

	"muster/internal/inventory"
	"muster/internal/kind"
)

// Size is the number of computers of the demo organisation.
const Size = 250

// technicians is the number of users, at the beginning of Users, who look
// after the computers of the others.
const technicians = 2

// Users returns the people of the organisation, without ids, the technicians
// first. Each call returns new records.
func Users() []*inventory.User {
	var users []*inventory.User
	for i, m := range data().staff {
		users = append(users, m.user(i))
	}
	return users
}

// Computer returns the i-th computer, from 0, without id and stamps. Its
// owner and technical contact are among people, the first of whom look after
// computers, as in Users; without people it has neither. Reports of its agent
// lie before now. Names, serial numbers and MAC addresses are distinct for
// the first million of indices.
func Computer(i int, people []kind.Person, now time.Time) *inventory.Computer {
	d := newDraft(i)
	d.describe()
	d.assign(people)
	if i%33 == 32 {
		d.enteredByHand()
	} else {
		d.reported(now)
	}
	inventory.Computers.Settle(d.Computer, nil)
	return d.Computer
}
