package desk

import (
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/store/installs"
)

// Lists about licences, which have no addresses in the API.
var (
	// Licences are the contracts that a software is used under.
	Licences = &Relation{
		Parent: inventory.Softwares.Schema, Kind: inventory.Contracts.Schema, Name: "licences",
		narrow: func(q *kind.Query, parent any) {
			q.Ties = append(q.Ties, installs.LicencesOf(inventory.Softwares.Meta(parent).ID))
		},
	}
	// Licensed is the software that a licence is about.
	Licensed = &Relation{
		Parent: inventory.Contracts.Schema, Kind: inventory.Softwares.Schema, Name: "programs",
		narrow: func(q *kind.Query, parent any) {
			q.Ties = append(q.Ties, installs.SoftwareUnder(inventory.Contracts.Meta(parent).ID))
		},
	}
	// Using are the computers that have software of a licence.
	Using = &Relation{
		Parent: inventory.Contracts.Schema, Kind: inventory.Computers.Schema, Name: "use",
		narrow: func(q *kind.Query, parent any) {
			q.Ties = append(q.Ties, installs.ComputersUnder(inventory.Contracts.Meta(parent).ID))
		},
	}
)
