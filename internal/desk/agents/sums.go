package agents

import (
	"maps"
	"slices"

	"muster/internal/kind"
	"muster/internal/report"
)

// sums are the fingerprints of a report's sections, by their names.
type sums map[string]report.Sum

func newSums(digests []report.Digest) sums {
	s := make(sums, len(digests))
	for _, d := range digests {
		s[d.Section] = d.Sum
	}
	return s
}

// renewed returns the sums in effect after a report. One that is partial leaves
// those of other sections as they are, and takes that of the plain fields away
// when it reports some of these.
func (s sums) renewed(reported sums, r *report.Report) sums {
	if !r.Partial {
		return reported
	}
	all := maps.Clone(s)
	maps.Copy(all, reported)
	if slices.ContainsFunc(r.Fields, func(f *kind.Field) bool { return f.Type != kind.List }) {
		delete(all, report.ComputerSection)
	}
	return all
}

// bytes returns the sums as they are stored: of each the length of the name, the
// name, and the sum.
func (s sums) bytes() (b []byte) {
	for _, name := range slices.Sorted(maps.Keys(s)) {
		sum := s[name]
		b = append(append(append(b, byte(len(name))), name...), sum[:]...)
	}
	return b
}

// readSums reads stored sums. What is none is as good as no sums: the next
// report counts whole.
func readSums(b []byte) sums {
	s := sums{}
	for len(b) > 0 {
		n := 1 + int(b[0])
		if len(b) < n+len(report.Sum{}) {
			return sums{}
		}
		s[string(b[1:n])] = report.Sum(b[n : n+len(report.Sum{})])
		b = b[n+len(report.Sum{}):]
	}
	return s
}
