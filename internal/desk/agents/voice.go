package agents

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
	Tells    []string // of them with rows in the report
	Said     bool     // a technician says that this agent speaks
	Now      time.Time
}

// A Verdict says on which sections an agent is heard.
type Verdict struct {
	Speaks  []string           // the sections for which it speaks from now on
	Unheard []string           // those that it tells while another speaks for them
	Skipped []string           // those that are not taken from its report
	Others  map[int64][]string // for what the others speak from now on, where that changes, by their ids
}

// Hear decides on which sections the agent is heard. It takes a section from another
// one that has fallen silent, that it is in the place of, or when a technician says so.
func (h *Hearing) Hear() Verdict {
	v := Verdict{Speaks: []string{}, Unheard: []string{}, Others: map[int64][]string{}}
	others := h.noted(&v)
	for _, section := range h.Sections {
		tells, spoke := slices.Contains(h.Tells, section), slices.Contains(h.Agent.Speaks, section)
		i := slices.IndexFunc(others, func(other Agent) bool { return slices.Contains(other.Speaks, section) })
		if i >= 0 && (!tells || !h.follows(&others[i])) {
			v.Skipped = append(v.Skipped, section)
			if tells {
				v.Unheard = append(v.Unheard, section)
			}
			continue
		}
		if tells || spoke {
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

// noted returns the other agents with what they speak for. Where that was not noted,
// the one that came last speaks for all, unless it is silent, or the agent that reports
// came later.
func (h *Hearing) noted(v *Verdict) []Agent {
	others, leader := slices.Clone(h.Others), -1
	for i, other := range others {
		if other.Speaks == nil && h.speaks(&other) && (leader < 0 || other.ID > others[leader].ID) {
			leader = i
		}
	}
	for i := range others {
		if other := &others[i]; other.Speaks == nil {
			other.Speaks = []string{}
			if i == leader {
				other.Speaks = slices.Clone(h.Sections)
			}
			v.Others[other.ID] = other.Speaks
		}
	}
	return others
}

// speaks reports whether an agent of which it is not noted leads on the computer.
func (h *Hearing) speaks(other *Agent) bool {
	later := h.Agent.Speaks == nil && h.Agent.ID != 0 && h.Agent.ID > other.ID
	return !later && !h.silent(other)
}

func (h *Hearing) silent(other *Agent) bool { return h.Now.Sub(other.ReportedAt) > Silence }

// follows reports whether the agent takes the place of another.
func (h *Hearing) follows(other *Agent) bool {
	newer := h.Agent.ID == 0 || h.Agent.ID > other.ID
	same := h.Agent.Program != "" && h.Agent.Program == other.Program
	return h.Said || h.silent(other) || h.Agent.DeviceID == other.DeviceID || newer && same && (other.Token == 0 || h.Token.brings(other.Token))
}
