package voice

import (
	"slices"
	"time"
)

// A Hearing is a report of a computer that may have several agents. Each section has
// one voice: the agent whose rows are shown.
type Hearing struct {
	Agent    Agent    // that reports
	Token    Token    // with which it reports; with a key that of before
	Others   []Agent  // of the same computer
	Sections []string // of all computers
	Reported []string // of them with rows in the report
	Said     bool     // a technician says that this agent speaks
	Now      time.Time
}

// A Verdict says on which sections an agent is heard.
type Verdict struct {
	Speaks  []string           // the sections for which it speaks from now on
	Unheard []string           // those that it reports while another speaks for them
	Skipped []string           // those that are not taken from its report
	Others  map[int64][]string // for what the others speak from now on, where that changes, by their ids
}

// Hear decides on which sections the agent is heard. It takes a section from another
// one that has fallen silent, that it is in the place of, or when a technician says so.
func (h *Hearing) Hear() Verdict {
	v := Verdict{Speaks: []string{}, Unheard: []string{}, Others: map[int64][]string{}}
	others := h.noted(&v)
	for _, section := range h.Sections {
		reports, spoke := slices.Contains(h.Reported, section), slices.Contains(h.Agent.Speaks, section)
		i := slices.IndexFunc(others, func(other Agent) bool { return slices.Contains(other.Speaks, section) })
		if i >= 0 && (!reports || !h.follows(&others[i])) {
			v.Skipped = append(v.Skipped, section)
			if reports {
				v.Unheard = append(v.Unheard, section)
			}
			continue
		}
		if reports || spoke {
			v.Speaks = append(v.Speaks, section)
		}
		if i >= 0 {
			other := &others[i]
			other.Speaks = slices.DeleteFunc(slices.Clone(other.Speaks), func(s string) bool { return s == section })
			v.Others[other.ID] = other.Speaks
		}
	}
	return v
}

// noted returns the other agents with what they speak for, also where that was not
// noted.
func (h *Hearing) noted(v *Verdict) []Agent {
	others := slices.Clone(h.Others)
	for i := range others {
		if other := &others[i]; other.Speaks == nil {
			other.Speaks = h.assumed(&h.Others[i])
			v.Others[other.ID] = other.Speaks
		}
	}
	return others
}

// assumed returns for what an agent speaks of which that was not noted: for the sections
// that it reported last, unless it is silent, or one that came later reported them too.
func (h *Hearing) assumed(one *Agent) []string {
	speaks := []string{}
	for _, section := range h.Sections {
		led := func(other Agent) bool { return other.ID != one.ID && !h.silent(&other) && other.leads(one, section) }
		if one.reported(section) && !h.silent(one) && !slices.ContainsFunc(h.Others, led) && !h.Agent.leads(one, section) {
			speaks = append(speaks, section)
		}
	}
	return speaks
}

// leads reports whether an agent speaks for a section, rather than one of which that was
// not noted.
func (a *Agent) leads(one *Agent, section string) bool {
	if a.Speaks != nil {
		return slices.Contains(a.Speaks, section)
	}
	return a.ID > one.ID && a.reported(section)
}

func (h *Hearing) silent(other *Agent) bool { return h.Now.Sub(other.ReportedAt) > Silence }

// follows reports whether the agent takes the place of another.
func (h *Hearing) follows(other *Agent) bool {
	newer := h.Agent.ID == 0 || h.Agent.ID > other.ID
	same := h.Agent.Program != "" && h.Agent.Program == other.Program
	return h.Said || h.silent(other) || h.Agent.DeviceID == other.DeviceID || newer && same &&
		(other.Token == 0 || h.Token.brings(other.Token))
}
