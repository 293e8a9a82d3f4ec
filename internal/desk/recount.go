package desk

import (
	"context"
	"fmt"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/store"
	"muster/internal/store/installs"
)

// Recount counts from scratch how many computers have each software, and how
// many of them each licence counts, and returns in words where what is stored
// differs. It reads all that there is, and none of what changes keep for it.
func Recount(ctx context.Context, tx *store.Tx) (differences []string, err error) {
	r := recount{installs: map[int64]int64{}, uses: map[int64]map[int64]bool{}, gone: map[int64]bool{},
		about: map[int64][]int64{}}
	if err := r.load(ctx, tx); err != nil {
		return nil, err
	}
	if err := installs.Each(ctx, tx, r.add); err != nil {
		return nil, err
	}
	for _, s := range r.softwares {
		r.compare("software %d: installs is %d, counted %d", s.ID, s.Installs.V, r.installs[s.ID])
	}
	for _, c := range r.licences {
		if c.Counting.V {
			continue // the count is as it was when it was known last
		}
		r.compare("contract %d: installed is %d, counted %d", c.ID, c.Installed.V, int64(len(r.uses[c.ID])))
	}
	return r.differences, nil
}

// A recount is what is counted from scratch.
type recount struct {
	softwares   []*inventory.Software
	licences    []*inventory.Contract
	gone        map[int64]bool           // by computer: whether licences do not count it
	about       map[int64][]int64        // by software: the licences that are about it
	installs    map[int64]int64          // by software
	uses        map[int64]map[int64]bool // by licence: the computers that it counts
	differences []string
}

// load reads the records.
func (r *recount) load(ctx context.Context, tx *store.Tx) error {
	computers, err := tx.All(ctx, inventory.Computers.Schema, &kind.Query{})
	for _, rec := range computers {
		c := rec.(*inventory.Computer)
		r.gone[c.ID] = c.Gone()
	}
	if err != nil {
		return err
	}
	contracts, err := tx.All(ctx, inventory.Contracts.Schema, &kind.Query{})
	for _, rec := range contracts {
		if c := rec.(*inventory.Contract); c.Type == inventory.SoftwareLicense {
			r.licences, r.uses[c.ID] = append(r.licences, c), map[int64]bool{}
		}
	}
	if err != nil {
		return err
	}
	softwares, err := tx.All(ctx, inventory.Softwares.Schema, &kind.Query{})
	for _, rec := range softwares {
		s := rec.(*inventory.Software)
		r.softwares = append(r.softwares, s)
		r.match(s)
	}
	return err
}

// match notes the licences that are about software.
func (r *recount) match(s *inventory.Software) {
	for _, c := range r.licences {
		for _, item := range licenceItems(c) {
			if item.Matches(s.Name, s.Version) {
				r.about[s.ID] = append(r.about[s.ID], c.ID)
				break
			}
		}
	}
}

// add counts an installation.
func (r *recount) add(i installs.Installation) {
	gone, ok := r.gone[i.ComputerID]
	if !ok {
		r.differences = append(r.differences,
			fmt.Sprintf("software %d is installed on computer %d, which does not exist", i.SoftwareID, i.ComputerID))
	}
	r.installs[i.SoftwareID]++
	if gone {
		return
	}
	for _, licence := range r.about[i.SoftwareID] {
		r.uses[licence][i.ComputerID] = true
	}
}

// compare notes a count that is not the one that is stored.
func (r *recount) compare(format string, id, stored, counted int64) {
	if stored != counted {
		r.differences = append(r.differences, fmt.Sprintf(format, id, stored, counted))
	}
}
