package agents

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"slices"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/report"
	"muster/internal/store"
)

// What is kept of an agent's last report: so much, packed and unpacked. Of a larger
// one the sections with the most items are left out.
const (
	maxKept     = 8 << 10
	maxUnpacked = 64 << 10
)

// A keptReport is what an agent reported last, but for its programs, which are stored
// beside it. A split makes a computer of it.
type keptReport struct {
	Keys     []string // that identify the computer
	Maker    string
	Reported []string            `json:"Told"` // the names of the fields that it reported
	Computer *inventory.Computer `json:"-"`
}

// keepReport packs the report, to be stored with its agent. One that reports nothing new
// but its programs is kept already.
func (a *arrival) keepReport(ctx context.Context) error {
	if a.agent.HasKept && a.ofSoftwareAlone() && len(a.verdict.Skipped) == 0 {
		return nil
	}
	k := keptReport{Keys: a.ownKeys(), Maker: a.whole.Identity.Manufacturer, Computer: &inventory.Computer{}}
	if a.agent.ID != 0 && (a.whole.Partial || len(a.missing) > 0) {
		before, err := a.keptBefore(ctx)
		if err != nil {
			return err
		}
		if before != nil {
			k.Computer, k.Reported, k.Keys = before.Computer, before.Reported, append(k.Keys, before.Keys...)
			k.Maker = cmp.Or(k.Maker, before.Maker)
		}
	}
	from, to := a.Kind.Values(&a.whole.Computer), a.Kind.Values(k.Computer)
	for _, f := range a.whole.Fields {
		if !slices.Contains(a.missing, f.Name) {
			to.Set(f, from)
			k.Reported = append(k.Reported, f.Name)
		}
	}
	if reported := &a.whole.Computer; !a.whole.Partial || reported.Name != "" {
		k.Computer.Name, k.Computer.Tag, k.Computer.AssetID = reported.Name, reported.Tag, reported.AssetID
	}
	slices.Sort(k.Keys)
	slices.Sort(k.Reported)
	k.Keys, k.Reported = slices.Compact(k.Keys), slices.Compact(k.Reported)
	a.agent.Kept = k.pack()
	return nil
}

// keptBefore returns what was kept of the agent's report before this one, nil when
// there is nothing.
func (a *arrival) keptBefore(ctx context.Context) (*keptReport, error) {
	agents, err := a.Tx.KeptAgents(ctx, a.agent.ComputerID)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(agents, func(one store.Agent) bool { return one.ID == a.agent.ID })
	if i < 0 {
		return nil, nil
	}
	return readKept(agents[i].Kept), nil
}

// pack returns the report as it is stored: a line with what identifies the computer,
// and the document of the computer.
func (k *keptReport) pack() []byte {
	s := inventory.Computers.Schema
	for {
		head, err := json.Marshal(k)
		if err != nil {
			panic(err) // it has texts alone
		}
		text := s.AppendRecord(append(head, '\n'), kind.XML, "", k.Computer)
		if len(text) <= maxUnpacked {
			if packed := report.Pack(text); len(packed) <= maxKept {
				return packed
			}
		}
		if !k.leaveOut() {
			return nil
		}
	}
}

// leaveOut takes the section with the most items from the report, then all texts. It
// is not ok when there is nothing left to take.
func (k *keptReport) leaveOut() bool {
	s := inventory.Computers.Schema
	v, most := s.Values(k.Computer), 0
	var largest *kind.Field
	for _, f := range s.Fields {
		if f.Type == kind.List && f.Reported {
			if n := rows(v, f); n > most {
				largest, most = f, n
			}
		}
	}
	switch none := s.Values(&inventory.Computer{}); {
	case largest != nil:
		v.Set(largest, none)
		k.Reported = slices.DeleteFunc(k.Reported, func(name string) bool { return name == largest.Name })
	case len(k.Reported) > 0:
		k.Computer, k.Reported = &inventory.Computer{Name: k.Computer.Name}, nil
	case len(k.Keys) > 0:
		k.Keys = nil
	default:
		return false
	}
	return true
}

// readKept reads what pack returned. What is none is as good as nothing, which is
// nil.
func readKept(packed []byte) *keptReport {
	text, err := report.Unpack(packed, maxUnpacked)
	if err != nil {
		return nil
	}
	head, document, _ := bytes.Cut(text, []byte("\n"))
	k := &keptReport{Computer: &inventory.Computer{}}
	if json.Unmarshal(head, k) != nil {
		return nil
	}
	patch, err := inventory.Computers.Decode(document)
	if err != nil {
		return nil
	}
	patch.Apply(k.Computer)
	return k
}
