package main

// memoryWithin is how many MB of memory the server may hold with so many
// computers.
var memoryWithin = map[int]float64{10_000: 80, 1_000_000: 700}

// memory returns how much memory the server held at most in each round of reads,
// beside the ceiling; nil if it is not to be measured.
func (s *settings) memory(database string, reads []*contest) *comparison {
	c := s.comparison(database, "memory", "fixed body")
	if len(reads) == 0 || !s.only.MatchString(c.Name) {
		return nil
	}
	if database == sqliteName {
		c.goals = goals{Aim: "memory", MaxResident: memoryWithin[s.size]}
	}
	for round := range s.rounds {
		var ours, theirs sample
		for _, one := range reads {
			if one.Failed != "" {
				continue
			}
			ours.Resident = max(ours.Resident, one.Ours[round].Resident)
			if one.second == nil {
				theirs.Resident = max(theirs.Resident, one.Theirs[round].Resident)
			}
		}
		c.Ours, c.Theirs = append(c.Ours, ours), append(c.Theirs, theirs)
	}
	return c
}
