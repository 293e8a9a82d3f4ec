package agents

import (
	"slices"
	"strings"

	"muster/internal/kind"
	"muster/internal/report"
)

// keepMissing leaves out of the report, as if it was partial, what it lacks though
// its agent reported it last: a part of the agent may have failed. What is missing
// twice in a row is gone. Sections for which another agent speaks are left out
// already.
func (a *arrival) keepMissing() {
	if a.Report.Partial {
		return // it says by itself what it lacks
	}
	usual := usualSections(a.agent.Sections, a.oldSums)
	a.missing = slices.DeleteFunc(slices.Clone(a.Report.Lacking), func(section string) bool {
		return !slices.Contains(usual, section) || slices.Contains(a.verdict.Skipped, section)
	})
	if len(a.missing) > 0 {
		a.Report = lessSections(a.Report, a.missing)
		a.newSums = newSums(a.Report.Digests())
	}
	a.agent.Sections = a.sections()
}

// usualSections returns the sections that an agent reported last, by what is stored of
// it: without those that it lacked then already. Of an agent of which that is not
// stored its sums show it.
func usualSections(stored string, known sums) (names []string) {
	for name := range strings.FieldsSeq(stored) {
		if name[0] != missed {
			names = append(names, name)
		}
	}
	if stored != "" {
		return names
	}
	for name, sum := range known {
		if name != report.ComputerSection && sum != report.NoRows {
			names = append(names, name)
		}
	}
	return names
}

// missed stands before a section that an agent lacked last.
const missed = '-'

// sections returns what is stored of the sections that the agent reports.
func (a *arrival) sections() string {
	var all []string
	for name, sum := range a.newSums {
		if name != report.ComputerSection && sum != report.NoRows {
			all = append(all, name)
		}
	}
	slices.Sort(all)
	for _, name := range a.missing {
		all = append(all, string(missed)+name)
	}
	return strings.Join(all, " ")
}

// missingSections returns the sections that an agent lacked last and that are
// kept.
func missingSections(stored string) (names []string) {
	for name := range strings.FieldsSeq(stored) {
		if name[0] == missed {
			names = append(names, name[1:])
		}
	}
	return names
}

// lessSections returns a report without some of its sections.
func lessSections(r *report.Report, sections []string) *report.Report {
	less := *r
	less.Fields = slices.DeleteFunc(slices.Clone(r.Fields), func(f *kind.Field) bool {
		return f.Type == kind.List && slices.Contains(sections, f.Name)
	})
	if slices.Contains(sections, report.SoftwareSection) {
		less.HasPrograms = false
	}
	return &less
}

// keepSums adds the sums of sections that are kept, which the report lacks.
func (a *arrival) keepSums(to sums) sums {
	for _, section := range a.missing {
		if sum, known := a.oldSums[section]; known {
			to[section] = sum
		}
	}
	return to
}
