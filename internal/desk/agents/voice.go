package agents

import (
	"context"
	"maps"
	"slices"
	"sync"

	"muster/internal/desk/agents/voice"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/report"
	"muster/internal/store"
)

// reportSections are the sections of a computer that agents report, each of which has
// one voice.
var reportSections = sync.OnceValue(func() []string {
	all := []string{report.ComputerSection, report.SoftwareSection}
	for _, f := range inventory.Computers.Fields {
		if f.Type == kind.List {
			all = append(all, f.Name)
		}
	}
	return all
})

// sectionOf returns the section of a report that a field belongs to.
func sectionOf(f *kind.Field) string {
	if f.Type == kind.List {
		return f.Name
	}
	return report.ComputerSection
}

// asRule returns an agent as the rules need it.
func asRule(a *store.Agent) voice.Agent {
	one := voice.Agent{
		ID: a.ID, DeviceID: a.DeviceID, Program: a.Program, Token: a.LastToken, HasKey: a.KeyUsed, Accepted: a.Accepted,
		ReportedAt: a.ReportedAt, Speaks: a.Speaks,
	}
	if a.Speaks == nil {
		one.Reported = lastSections(a)
	}
	return one
}

// lastSections returns the sections of which the last report of an agent had rows, nil
// when that is not known.
func lastSections(a *store.Agent) []string {
	known := readSums(a.Digests)
	if a.Sections == "" && len(known) == 0 {
		return nil
	}
	return append(usualSections(a.Sections, known), report.ComputerSection)
}

// rule returns what the rules need of the agent that reports, as it is now, of the
// token with which it does, and of the other agents of its computer.
func (a *arrival) rule(known []store.Agent) (agent voice.Agent, token voice.Token, others []voice.Agent) {
	agent = asRule(&a.agent)
	agent.Program = a.Report.Identity.Program
	for i := range known {
		if known[i].ID != a.agent.ID {
			others = append(others, asRule(&known[i]))
		}
	}
	t := a.By.Token
	return agent, voice.Token{ID: t.ID, Replaces: t.Replaces, ForNewImages: t.ForNewImages}, others
}

// claims returns why the report waits for a technician.
func (a *arrival) claims(known []store.Agent) voice.Reason {
	if a.computer == 0 || a.By.Key != nil {
		return voice.None
	}
	r := voice.Report{
		Bound:   a.agents.tokens.boundTo(a.computer),
		Revoked: func(token int64) bool { return !a.agents.tokens.has(token) }, Now: a.Now(),
	}
	r.Agent, r.Token, r.Others = a.rule(known)
	return r.Claims()
}

// hear leaves the sections out of the report for which another agent speaks.
func (a *arrival) hear(known []store.Agent) {
	h := voice.Hearing{Sections: reportSections(), Reported: sectionsOf(a.Report), Said: a.accepted != nil, Now: a.Now()}
	h.Agent, h.Token, h.Others = a.rule(known)
	a.verdict = h.Hear()
	if len(a.verdict.Skipped) == 0 {
		return
	}
	heard := *a.Report
	skipped := func(section string) bool { return slices.Contains(a.verdict.Skipped, section) }
	heard.Fields = slices.DeleteFunc(slices.Clone(heard.Fields),
		func(f *kind.Field) bool { return skipped(sectionOf(f)) })
	heard.HasPrograms = heard.HasPrograms && !skipped(report.SoftwareSection)
	a.Report, a.newSums = &heard, newSums(heard.Digests())
}

// sectionsOf returns the sections of which a report has rows.
func sectionsOf(r *report.Report) (sections []string) {
	v := inventory.Computers.Values(&r.Computer)
	for _, f := range r.Fields {
		if section := sectionOf(f); !slices.Contains(sections, section) && (f.Type != kind.List || hasRows(v, f)) {
			sections = append(sections, section)
		}
	}
	if r.HasPrograms && len(r.Programs.Sums) > 0 {
		sections = append(sections, report.SoftwareSection)
	}
	return sections
}

// hasRows reports whether a collection has an item.
func hasRows(v kind.Values, f *kind.Field) bool {
	for range v.Items(f) {
		return true
	}
	return false
}

// noteVoices stores for what the agents of the computer speak from now on.
func (a *arrival) noteVoices(ctx context.Context) error {
	a.agent.Speaks, a.agent.Unheard = a.verdict.Speaks, a.verdict.Unheard
	for _, id := range slices.Sorted(maps.Keys(a.verdict.Others)) {
		if err := a.Tx.SetSpeaks(ctx, id, a.verdict.Others[id]); err != nil {
			return err
		}
	}
	return nil
}
