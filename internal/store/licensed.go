package store

import "muster/internal/kind"

// LicencesOf is the tie of licences to a software that they cover.
func LicencesOf(software int64) kind.Tie {
	return kind.Tie{Table: "licence_softwares", Own: "contract_id", Other: "software_id", ID: software}
}

// SoftwareUnder is the tie of software to a licence that covers it.
func SoftwareUnder(licence int64) kind.Tie {
	return kind.Tie{Table: "licence_softwares", Own: "software_id", Other: "contract_id", ID: licence}
}

// ComputersUnder is the tie of computers to a licence that covers some of their software.
func ComputersUnder(licence int64) kind.Tie {
	return kind.Tie{
		Table: "(SELECT DISTINCT i.hardware_id, l.contract_id FROM licence_softwares l JOIN installations i ON i.software_id = l.software_id) licensed",
		Own:   "hardware_id", Other: "contract_id", ID: licence, Counted: "contracts",
	}
}
