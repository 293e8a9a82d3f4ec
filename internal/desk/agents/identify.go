package agents

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"muster/internal/desk"
	"muster/internal/identity"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/message"
	"muster/internal/report"
	"muster/internal/store"
)

// Keys of computers begin with what they are: a serial number behind its maker, a
// UUID, a MAC address that no other computer has, and, of computers without any of
// these, a name with an address in the network. One with notOnePrefix names instead
// another computer, which people have said is not this one. Beside these there are
// JoinedKey and, in printer.go, printerPrefix.
const (
	serialPrefix = "s:"
	uuidPrefix   = "u:"
	macPrefix    = "m:"
	placePrefix  = "a:"
	notOnePrefix = store.NotOne
)

// JoinedKey is the key of a computer that may be two, since a value has joined it that many share. It is the same for
// all of them, and identifies none.
const JoinedKey = "j:"

// An identification finds the computer that a report is of, and the agent that sent it.
type identification struct {
	*desk.Work
	agents *Service
	Delivery
	junk               shared      // values that identify no computer, since many have them
	computer           int64       // that was found, 0 for a new one
	agent              store.Agent // whose id is 0 when it is new
	newSums            sums        // of the report
	knownIdentity      bool        // the agent has reported the same serial number and UUID before
	notAlone           bool        // another agent has the same device id, serial number and UUID
	notOne             []int64     // computers that are not that of its agent, as people say
	possibleDuplicates []int64     // computers that the new one may be a duplicate of
}

// identify finds of which computer the report is; none is a new one. The first
// rule that finds exactly one computer decides. It is never only the name:
//
//  1. byKey (agentkey.go): the key that the server gave the agent.
//  2. byAgent: the device id, the agent id, or an old device id, unless the hardware
//     contradicts, see fitting (fitting.go) and identity.Compare.
//  3. byHardware: a serial number, a UUID, a MAC address, or a place in the network.
//
// Then bind (bind.go) limits the report to the computer of its token. A report that is
// the same as the agent's last does not come here, see Service.Again. The rules in
// words are in doc/design/reports.md.
func (i *identification) identify(ctx context.Context) error {
	if i.Report.Identity.DeviceID == "" {
		return kind.NewInvalid(message.New("the report names no device id"))
	}
	if err := i.byKey(ctx); i.computer != 0 || err != nil {
		return err
	}
	if err := i.agents.checkToken(ctx, i.Tx, i.By.Token); err != nil {
		return err
	}
	if err := i.byAgent(ctx); i.computer != 0 || err != nil {
		return err
	}
	keys := append(i.ownKeys(), "d:"+i.Report.Identity.DeviceID)
	if err := i.Tx.LockKeys(ctx, keys); err != nil {
		return err
	}
	if err := i.byAgent(ctx); i.computer != 0 || err != nil { // another report may have made it meanwhile
		return err
	}
	return i.byHardware(ctx)
}

// byAgent finds the computer by the ids of its agent, unless a serial number or
// UUID contradicts: then the agent was copied to another computer.
func (i *identification) byAgent(ctx context.Context) error {
	id := &i.Report.Identity
	i.knownIdentity, i.notOne = false, nil
	i.agent, i.possibleDuplicates = store.Agent{DeviceID: id.DeviceID, Serial: id.SerialKey, UUID: uuidOf(id)}, nil
	same, err := i.Tx.AgentsWith(ctx, id.DeviceID)
	if err != nil {
		return err
	}
	found, err := i.fitting(ctx, same)
	if err != nil || found != nil {
		i.knowAgent(found)
		i.notAlone = i.isTaken(same)
		return err
	}
	i.notAlone = i.isTaken(same)
	if i.notOne, err = i.declaredDifferent(ctx, same); err != nil {
		return err
	}
	if id.AgentID != "" {
		called, err := i.Tx.AgentsCalled(ctx, id.AgentID)
		if err != nil {
			return err
		}
		if found, err := i.fitting(ctx, called); found != nil || err != nil {
			return err
		}
	}
	for _, old := range id.OldDeviceIDs {
		agents, err := i.Tx.AgentsWith(ctx, old)
		if err != nil {
			return err
		}
		if found, err := i.fitting(ctx, agents); found != nil || err != nil {
			return err
		}
	}
	return nil
}

// knowAgent makes an agent, if it is not nil, the one that reports.
func (i *identification) knowAgent(found *store.Agent) {
	if found != nil {
		i.agent = *found
		i.renewAgent()
	}
}

// fill sets a text that is empty.
func fill(text *string, value string) {
	if *text == "" {
		*text = value
	}
}

// byHardware finds the computer by what it is made of.
func (i *identification) byHardware(ctx context.Context) error {
	known, err := i.Tx.Identified(ctx, append(i.ownKeys(), i.otherSpellings()...))
	if err != nil {
		return err
	}
	for _, rule := range []func(context.Context, map[string][]int64) ([]int64, error){
		i.withSerial, i.withUUID, i.withMAC, i.withPlace,
	} {
		candidates, err := rule(ctx, known)
		if err != nil {
			return err
		}
		candidates = slices.DeleteFunc(candidates, func(c int64) bool {
			different := slices.Contains(i.notOne, c)
			if different {
				i.noteDuplicate(c)
			}
			return different
		})
		if len(candidates) == 1 {
			i.computer = candidates[0]
			return nil
		}
		for _, c := range candidates {
			i.noteDuplicate(c)
		}
	}
	return nil
}

// withSerial returns the computers with the good serial number and the maker of
// the report, as reported or as people typed it, whose UUID is no other one, nor
// the serial number that was reported; of several the one of its token.
func (i *identification) withSerial(ctx context.Context, known map[string][]int64) (fits []int64, err error) {
	id := &i.Report.Identity
	if id.SerialKey == "" || id.ManufacturerKey == "" {
		return nil, nil
	}
	typed, err := i.typed(ctx)
	if err != nil {
		return nil, err
	}
	all := typed
	for _, key := range append(i.otherSpellings(), serialKey(id)) {
		all = append(all, known[key]...)
	}
	slices.Sort(all)
	for _, c := range slices.Compact(all) {
		keys, err := i.goodKeys(ctx, c)
		if err != nil {
			return nil, err
		}
		reported, stored := i.facts(), factsOf(keys)
		if identity.Compare(reported, stored) == identity.Fits && identity.SameUUID(reported, stored) {
			fits = append(fits, c)
		} else {
			i.noteDuplicate(c)
		}
	}
	return i.preferOwn(ctx, fits)
}

// typed returns the computers that people gave the serial number of the report,
// and its maker or none.
func (i *identification) typed(ctx context.Context) (ids []int64, err error) {
	id := &i.Report.Identity
	same, err := i.Tx.Having(ctx, i.Kind, i.Kind.Field("serial-number"), id.Serial)
	if err != nil {
		return nil, err
	}
	recs, err := i.Tx.Rows(ctx, i.Kind, same)
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
func (i *identification) withUUID(ctx context.Context, known map[string][]int64) (fits []int64, err error) {
	uuid := uuidOf(&i.Report.Identity)
	if uuid == "" {
		return nil, nil
	}
	for _, c := range known[uuidPrefix+uuid] {
		other, err := i.isOther(ctx, c)
		if err != nil {
			return nil, err
		}
		if other {
			i.noteDuplicate(c)
		} else {
			fits = append(fits, c)
		}
	}
	return i.preferOwn(ctx, fits)
}

// withMAC returns the computers with a MAC of the report, if neither has a serial
// number or UUID.
func (i *identification) withMAC(ctx context.Context, known map[string][]int64) ([]int64, error) {
	return i.withoutSerialOrUUID(ctx, known, macPrefix,
		func(keys []string, _ int64) (bool, error) { return !hasKey(keys, serialPrefix, uuidPrefix), nil })
}

// withPlace returns the computers that had the name and address of the report,
// if nothing better identifies either, and that only a different agent program has
// reported: two reports of the same program are those of two computers.
func (i *identification) withPlace(ctx context.Context, known map[string][]int64) ([]int64, error) {
	return i.withoutSerialOrUUID(ctx, known, placePrefix, func(keys []string, computer int64) (bool, error) {
		if hasKey(keys, serialPrefix, uuidPrefix, macPrefix) {
			return false, nil
		}
		agents, err := i.Tx.AgentsOf(ctx, computer)
		program := i.Report.Identity.Program
		if err != nil || program == "" ||
			slices.ContainsFunc(agents, func(other store.Agent) bool {
				return other.Program == "" ||
					other.Program == program
			}) {
			i.noteDuplicate(computer) // an agent that lost its state, or another computer in its place
			return false, err
		}
		return true, nil
	})
}

// withoutSerialOrUUID returns the computers that share a key with this prefix with a report
// that has neither serial number nor UUID, as far as they fit.
func (i *identification) withoutSerialOrUUID(ctx context.Context, known map[string][]int64, prefix string,
	fits func(keys []string, computer int64) (bool, error)) (found []int64, err error) {
	own := i.ownKeys()
	if hasKey(own, serialPrefix, uuidPrefix) {
		return nil, nil
	}
	var all []int64
	for _, key := range own {
		if strings.HasPrefix(key, prefix) {
			all = append(all, known[key]...)
		}
	}
	slices.Sort(all)
	for _, c := range slices.Compact(all) {
		keys, err := i.goodKeys(ctx, c)
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
func (i *identification) noteDuplicate(computer int64) {
	if !slices.Contains(i.possibleDuplicates, computer) {
		i.possibleDuplicates = append(i.possibleDuplicates, computer)
	}
}

// newComputerMessage says that the computer is new, and which others it may be.
func (a *arrival) newComputerMessage(ctx context.Context) (text message.Text, err error) {
	name := a.Rec.(*inventory.Computer).Name
	recs, err := a.Tx.Rows(ctx, a.Kind, a.possibleDuplicates)
	var others []message.Text
	for _, rec := range recs {
		c := rec.(*inventory.Computer)
		others = append(others, message.New("%d (%s)", c.ID, c.Name))
	}
	switch len(others) {
	case 0:
		return message.Plain("Computer " + name + " created by its first report"), err // its name says it
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

func serialKey(id *report.Identity) string {
	return serialPrefix + id.ManufacturerKey + "/" + id.SerialKey
}

// ownKeys returns the keys of the report, each once.
func (i *identification) ownKeys() (keys []string) {
	id := &i.Report.Identity
	if id.SerialKey != "" {
		keys = append(keys, serialKey(id))
	}
	if uuid := uuidOf(id); uuid != "" {
		keys = append(keys, uuidPrefix+uuid)
	}
	for at := range id.Adapters {
		if n := &id.Adapters[at]; n.Good() {
			keys = append(keys, macPrefix+n.MAC)
		}
	}
	if len(keys) == 0 {
		keys = i.placeKeys()
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// placeKeys returns where in the network the computer is.
func (i *identification) placeKeys() (keys []string) {
	for at := range i.Report.Identity.Adapters {
		n := &i.Report.Identity.Adapters[at]
		if n.Up && n.MAC != "" && n.IPv4 != "" && !n.Virtual() {
			keys = append(keys, fmt.Sprintf("%s%s %s %s", placePrefix, n.MAC, n.IPv4,
				strings.ToLower(i.Report.Computer.Name)))
		}
	}
	return keys
}

// noteIdentity stores what identifies the computer after the report. Serial
// numbers and UUIDs stay, so that two computers that were merged are one for
// good; those of the network are as reported last. An agent that reports all of
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
// brings anew.
func stays(key string) bool {
	return hasKey([]string{key}, serialPrefix, uuidPrefix, JoinedKey, printerPrefix, notOnePrefix)
}

// isUnchanged reports whether a section of the report is as the agent reported it
// before.
func (a *arrival) isUnchanged(section string) bool {
	sum, reported := a.newSums[section]
	return reported && a.oldSums[section] == sum
}
