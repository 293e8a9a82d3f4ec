package identity

import "slices"

// Facts are the good serial numbers, UUIDs and MAC addresses of a computer, reported or stored. One that was
// merged has several.
type Facts struct{ Serials, UUIDs, MACs []string }

// A Match says whether two facts can be those of one computer.
type Match uint8

// The matches. NameDecides is of facts whose adapters differ: they are those of one
// computer only if its name is unchanged.
const (
	Fits Match = iota
	NameDecides
	Other
)

// Compare decides whether a report can be from a computer that was found by something else, such as its agent's
// id or its UUID. A serial number decides where both have one: the same with another UUID is a new mainboard.
// Otherwise a UUID does. Where neither has a serial number, a copy of a virtual machine has the same UUID, but
// neither name nor adapter.
func Compare(reported, stored Facts) Match {
	switch serials := len(reported.Serials) > 0 && len(stored.Serials) > 0; {
	case serials && differ(reported.Serials, stored.Serials):
		return Other
	case serials:
		return Fits
	case differ(reported.UUIDs, stored.UUIDs):
		return Other
	case len(reported.Serials) == 0 && len(stored.Serials) == 0 && differ(reported.MACs, stored.MACs):
		return NameDecides
	}
	return Fits
}

// SameUUID reports whether two facts with the same serial number can be those of
// one computer: they have the same UUID, or one of them has none.
func SameUUID(reported, stored Facts) bool { return !differ(reported.UUIDs, stored.UUIDs) }

// differ reports whether there are values on both sides, and none in common.
func differ(a, b []string) bool {
	return len(a) > 0 && len(b) > 0 && !meet(a, b)
}

// meet reports whether there are values in common.
func meet(a, b []string) bool {
	return slices.ContainsFunc(a, func(one string) bool { return slices.Contains(b, one) })
}

// Linked reports whether a good serial number or UUID that they share makes all
// facts those of one computer, directly or through others.
func Linked(all []Facts) bool {
	if len(all) == 0 {
		return true
	}
	linked, rest := all[:1:1], slices.Clone(all[1:])
	for i := 0; i < len(linked); i++ {
		rest = slices.DeleteFunc(rest, func(f Facts) bool {
			share := meet(linked[i].Serials, f.Serials) || meet(linked[i].UUIDs, f.UUIDs)
			if share {
				linked = append(linked, f)
			}
			return share
		})
	}
	return len(rest) == 0
}
