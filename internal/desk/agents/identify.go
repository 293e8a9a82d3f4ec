package agents

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"muster/internal/identity"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/message"
	"muster/internal/report"
	"muster/internal/store"
)

// Keys that identify computers begin with what they are: a serial number behind
// its maker, a UUID, a MAC address that no other computer has, and, of computers
// without any of these, a name with an address in the network.
const (
	bySerial = "s:"
	byUUID   = "u:"
	byMAC    = "m:"
	byPlace  = "a:"
	byJoin   = "j:" // perhaps two that something joined which many share
	byNotOne = store.NotOne
)

// identify finds of which computer the report is; none is a new one. The first
// rule that finds exactly one computer decides. It is never the name alone.
func (a *arrival) identify(ctx context.Context) error {
	if a.Report.Identity.DeviceID == "" {
		return kind.NewInvalid(message.New("the report names no device id"))
	}
	if err := a.byKey(ctx); a.computer != 0 || err != nil {
		return err
	}
	if err := a.agents.checkToken(ctx, a.Tx, a.By.Token); err != nil {
		return err
	}
	if err := a.byAgent(ctx); a.computer != 0 || err != nil {
		return err
	}
	keys := append(a.ownKeys(), "d:"+a.Report.Identity.DeviceID)
	if err := a.Tx.LockKeys(ctx, keys); err != nil {
		return err
	}
	if err := a.byAgent(ctx); a.computer != 0 || err != nil { // another report may have made it meanwhile
		return err
	}
	return a.byParts(ctx)
}

// byAgent finds the computer by the ids of its agent, unless a serial number or
// UUID contradicts: then the agent was copied to another computer.
func (a *arrival) byAgent(ctx context.Context) error {
	id := &a.Report.Identity
	a.knownIdentity, a.notOne = false, nil
	a.agent, a.doubts = store.Agent{DeviceID: id.DeviceID, Serial: id.SerialKey, UUID: uuidOf(id)}, nil
	same, err := a.Tx.AgentsWith(ctx, id.DeviceID)
	if err != nil {
		return err
	}
	found, err := a.fitting(ctx, same)
	if err != nil || found != nil {
		a.knowAgent(found)
		a.notAlone = a.isTaken(same)
		return err
	}
	a.notAlone = a.isTaken(same)
	if a.notOne, err = a.saidApart(ctx, same); err != nil {
		return err
	}
	if id.AgentID != "" {
		called, err := a.Tx.AgentsCalled(ctx, id.AgentID)
		if err != nil {
			return err
		}
		if found, err := a.fitting(ctx, called); found != nil || err != nil {
			return err
		}
	}
	for _, old := range id.OldDeviceIDs {
		agents, err := a.Tx.AgentsWith(ctx, old)
		if err != nil {
			return err
		}
		if found, err := a.fitting(ctx, agents); found != nil || err != nil {
			return err
		}
	}
	return nil
}

// knowAgent makes an agent, if it is not nil, the one that reports.
func (a *arrival) knowAgent(found *store.Agent) {
	if found != nil {
		a.agent = *found
		a.renewAgent()
	}
}

// fill sets a text that is empty.
func fill(text *string, value string) {
	if *text == "" {
		*text = value
	}
}

// byParts finds the computer by what it is made of.
func (a *arrival) byParts(ctx context.Context) error {
	known, err := a.Tx.Identified(ctx, append(a.ownKeys(), a.otherSpellings()...))
	if err != nil {
		return err
	}
	for _, rule := range []func(context.Context, map[string][]int64) ([]int64, error){
		a.withSerial, a.withUUID, a.withMAC, a.withPlace,
	} {
		candidates, err := rule(ctx, known)
		if err != nil {
			return err
		}
		candidates = slices.DeleteFunc(candidates, func(c int64) bool {
			apart := slices.Contains(a.notOne, c)
			if apart {
				a.noteDuplicate(c)
			}
			return apart
		})
		if len(candidates) == 1 {
			a.computer = candidates[0]
			return nil
		}
		for _, c := range candidates {
			a.noteDuplicate(c)
		}
	}
	return nil
}

// withSerial returns the computers with the good serial number and the maker of
// the report, as reported or as people typed it, whose UUID is no other one, nor
// the serial number that was reported; of several the one of its token.
func (a *arrival) withSerial(ctx context.Context, known map[string][]int64) (fits []int64, err error) {
	id := &a.Report.Identity
	if id.SerialKey == "" || id.ManufacturerKey == "" {
		return nil, nil
	}
	typed, err := a.typed(ctx)
	if err != nil {
		return nil, err
	}
	all := typed
	for _, key := range append(a.otherSpellings(), serialKey(id)) {
		all = append(all, known[key]...)
	}
	for _, c := range distinct(all, nil) {
		keys, err := a.goodKeys(ctx, c)
		if err != nil {
			return nil, err
		}
		told, stored := a.facts(), factsOf(keys)
		if identity.Compare(told, stored) == identity.Fits && identity.SameUUID(told, stored) {
			fits = append(fits, c)
		} else {
			a.noteDuplicate(c)
		}
	}
	return a.preferOwn(ctx, fits)
}

// typed returns the computers that people gave the serial number of the report,
// and its maker or none.
func (a *arrival) typed(ctx context.Context) (ids []int64, err error) {
	id := &a.Report.Identity
	same, err := a.Tx.Having(ctx, a.Kind, a.Kind.Field("serial-number"), id.Serial)
	if err != nil {
		return nil, err
	}
	recs, err := a.Tx.Rows(ctx, a.Kind, same)
	for _, rec := range recs {
		c := rec.(*inventory.Computer)
		if maker := identity.Maker(c.Manufacturer); maker == "" || maker == id.ManufacturerKey {
			ids = append(ids, c.ID)
		}
	}
	return ids, err
}

// withUUID returns the computers with the UUID of the report, but for those that
// are others all the same: some makers, and copies of virtual machines, repeat
// UUIDs. Of several it is the one of its token.
func (a *arrival) withUUID(ctx context.Context, known map[string][]int64) (fits []int64, err error) {
	uuid := uuidOf(&a.Report.Identity)
	if uuid == "" {
		return nil, nil
	}
	for _, c := range known[byUUID+uuid] {
		other, err := a.isOther(ctx, c)
		if err != nil {
			return nil, err
		}
		if other {
			a.noteDuplicate(c)
		} else {
			fits = append(fits, c)
		}
	}
	return a.preferOwn(ctx, fits)
}

// withMAC returns the computers with a MAC of the report, if neither has a serial
// number or UUID.
func (a *arrival) withMAC(ctx context.Context, known map[string][]int64) ([]int64, error) {
	return a.nameless(ctx, known, byMAC,
		func(keys []string, _ int64) (bool, error) { return !hasKey(keys, bySerial, byUUID), nil })
}

// withPlace returns the computers that had the name and address of the report,
// if nothing better identifies either, and that another program alone has
// reported: of one program two reports are of two computers.
func (a *arrival) withPlace(ctx context.Context, known map[string][]int64) ([]int64, error) {
	return a.nameless(ctx, known, byPlace, func(keys []string, computer int64) (bool, error) {
		if hasKey(keys, bySerial, byUUID, byMAC) {
			return false, nil
		}
		agents, err := a.Tx.AgentsOf(ctx, computer)
		program := a.Report.Identity.Program
		if err != nil || program == "" ||
			slices.ContainsFunc(agents, func(other store.Agent) bool {
				return other.Program == "" ||
					other.Program == program
			}) {
			a.noteDuplicate(computer) // an agent that lost its state, or another computer in its place
			return false, err
		}
		return true, nil
	})
}

// nameless returns the computers with keys of some sort of a report that has
// neither serial number nor UUID, as far as they fit.
func (a *arrival) nameless(ctx context.Context, known map[string][]int64, sort string, fits func(keys []string,
	computer int64) (bool, error)) (found []int64, err error) {
	own := a.ownKeys()
	if hasKey(own, bySerial, byUUID) {
		return nil, nil
	}
	var all []int64
	for _, key := range own {
		if strings.HasPrefix(key, sort) {
			all = append(all, known[key]...)
		}
	}
	for _, c := range distinct(all, nil) {
		keys, err := a.goodKeys(ctx, c)
		if err != nil {
			return nil, err
		}
		fit, err := fits(keys, c)
		if err != nil {
			return nil, err
		}
		if fit {
			found = append(found, c)
		}
	}
	return found, nil
}

// noteDuplicate notes a computer that may be the same as the new one.
func (a *arrival) noteDuplicate(computer int64) {
	if !slices.Contains(a.doubts, computer) {
		a.doubts = append(a.doubts, computer)
	}
}

// newComputerMessage tells that the computer is new, and which others it may be.
func (a *arrival) newComputerMessage(ctx context.Context) (text message.Text, err error) {
	name := a.Rec.(*inventory.Computer).Name
	recs, err := a.Tx.Rows(ctx, a.Kind, a.doubts)
	var others []message.Text
	for _, rec := range recs {
		c := rec.(*inventory.Computer)
		others = append(others, message.New("%d (%s)", c.ID, c.Name))
	}
	switch len(others) {
	case 0:
		return message.Plain("Computer " + name + " created by its first report"), err // its name tells it
	case 1:
		return message.New("Computer %s created by its first report; possible duplicate of computer %s",
			name, message.Joined(others, ", ")), nil
	}
	return message.New("Computer %s created by its first report; possible duplicate of computers %s",
		name, message.Joined(others, ", ")), nil
}

// hasKey reports whether one of the keys is of one of the sorts.
func hasKey(keys []string, sorts ...string) bool {
	return slices.ContainsFunc(keys, func(key string) bool {
		return slices.ContainsFunc(sorts, func(sort string) bool { return strings.HasPrefix(key, sort) })
	})
}

// uuidOf returns the UUID of a report in the byte order that comes first, in
// which it is compared.
func uuidOf(id *report.Identity) string { return min(id.UUID, id.SwappedUUID) }

func serialKey(id *report.Identity) string { return bySerial + id.ManufacturerKey + "/" + id.SerialKey }

// ownKeys returns the keys of the report, each once.
func (a *arrival) ownKeys() (keys []string) {
	id := &a.Report.Identity
	if id.SerialKey != "" {
		keys = append(keys, serialKey(id))
	}
	if uuid := uuidOf(id); uuid != "" {
		keys = append(keys, byUUID+uuid)
	}
	for i := range id.Adapters {
		if n := &id.Adapters[i]; n.Good() {
			keys = append(keys, byMAC+n.MAC)
		}
	}
	if len(keys) == 0 {
		keys = a.placeKeys()
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// placeKeys returns where in the network the computer is.
func (a *arrival) placeKeys() (keys []string) {
	for i := range a.Report.Identity.Adapters {
		n := &a.Report.Identity.Adapters[i]
		if n.Up && n.MAC != "" && n.IPv4 != "" && !n.Virtual() {
			keys = append(keys, fmt.Sprintf("%s%s %s %s", byPlace, n.MAC, n.IPv4,
				strings.ToLower(a.Report.Computer.Name)))
		}
	}
	return keys
}

// noteIdentity stores what identifies the computer after the report. Serial
// numbers and UUIDs stay, so that two computers that were merged are one for
// good; what the network tells is as reported last. An agent that tells all of
// it as before need not be asked what is known.
func (a *arrival) noteIdentity(ctx context.Context) error {
	if a.knownIdentity && a.isUnchanged(report.ComputerSection) && a.isUnchanged("networks") &&
		a.isUnchanged("bioses") {
		return nil
	}
	was, err := a.Tx.IdentityOf(ctx, a.computer)
	if err != nil {
		return err
	}
	keys := a.ownKeys()
	networks := slices.ContainsFunc(a.Report.Fields, func(f *kind.Field) bool { return f.Name == "networks" })
	for _, key := range was {
		if stays(key) || !networks {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return a.Tx.SetIdentity(ctx, a.computer, was, slices.Compact(keys))
}

// stays reports whether a key of a computer is none of those that each report
// tells anew.
func stays(key string) bool {
	return hasKey([]string{key}, bySerial, byUUID, byJoin, byPrinter, byNotOne)
}

// isUnchanged reports whether a section of the report is as the agent told it
// before.
func (a *arrival) isUnchanged(section string) bool {
	sum, told := a.newSums[section]
	return told && a.oldSums[section] == sum
}

// distinct returns the ids of two lists, each once.
func distinct(a, b []int64) []int64 {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}
