package store

import "muster/internal/kind"

// LicencesOf is the condition that licences are about a software.
func LicencesOf(software int64) kind.Tie {
	return kind.Tie{Table: "licence_softwares", Own: "contract_id", Other: "software_id", ID: software}
}

// SoftwareUnder is the condition that a licence is about software.
func SoftwareUnder(licence int64) kind.Tie {
	return kind.Tie{Table: "licence_softwares", Own: "software_id", Other: "contract_id", ID: licence}
}

// ComputersUnder is the condition that computers have software that a licence is
// about.
func ComputersUnder(licence int64) kind.Tie {
	return kind.Tie{
		Table: "(SELECT DISTINCT i.hardware_id, l.contract_id FROM licence_softwares l JOIN installations i ON i.software_id = l.software_id) licensed",
		Own:   "hardware_id", Other: "contract_id", ID: licence, Counted: "contracts",
	}
}
