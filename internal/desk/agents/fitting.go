package agents

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"muster/internal/identity"
	"muster/internal/inventory"
	"muster/internal/report"
	"muster/internal/store"
)

// fitting returns the one of agents that sent the report, and takes its computer:
// the one with the same serial number and UUID, else the only one whose computer
// can be that of the report; nil when there is none. Those that came with its token
// last go before others: somebody with another token cannot lead its reports away.
func (i *identification) fitting(ctx context.Context, agents []store.Agent) (*store.Agent, error) {
	agents = slices.Concat(i.byToken(agents))
	if at := slices.IndexFunc(agents, i.isCertainSender); at >= 0 {
		i.computer, i.knownIdentity = agents[at].ComputerID, true
		return &agents[at], nil
	}
	fits, others, err := i.divide(ctx, agents)
	if err != nil {
		return nil, err
	}
	if own, _ := i.byToken(fits); len(own) > 0 {
		fits = own
	}
	if same := slices.DeleteFunc(slices.Clone(fits),
		func(agent store.Agent) bool { return !i.reportedBefore(agent) }); len(same) == 1 {
		i.computer, i.knownIdentity = same[0].ComputerID, true
		return &same[0], nil
	}
	if len(fits) > 0 && !slices.ContainsFunc(fits,
		func(agent store.Agent) bool { return agent.ComputerID != fits[0].ComputerID }) {
		i.computer = fits[0].ComputerID
		return &fits[0], nil
	}
	for _, agent := range fits {
		i.noteDuplicate(agent.ComputerID)
	}
	return nil, i.noteDuplicatesOfModel(ctx, others)
}

// byToken returns the agents that came last with the token of the report, or with one that
// it replaces, and the others.
func (i *identification) byToken(agents []store.Agent) (own, others []store.Agent) {
	for _, agent := range agents {
		if i.isOwn(agent.LastToken) {
			own = append(own, agent)
		} else {
			others = append(others, agent)
		}
	}
	return own, others
}

// isOwn reports whether a token is that of the report, or one that it replaces.
func (i *identification) isOwn(token int64) bool {
	own := i.By.Token
	return own != nil && token != 0 && (own.ID == token || slices.Contains(own.Replaces, token))
}

// preferOwn returns of several computers the only one that reported with the token of
// the report last, else all.
func (i *identification) preferOwn(ctx context.Context, computers []int64) ([]int64, error) {
	if len(computers) < 2 {
		return computers, nil
	}
	var own []int64
	for _, c := range computers {
		agents, err := i.Tx.AgentsOf(ctx, c)
		if err != nil {
			return nil, err
		}
		var last store.Agent
		for _, agent := range agents {
			if agent.ReportedAt.After(last.ReportedAt) {
				last = agent
			}
		}
		if i.isOwn(last.LastToken) {
			own = append(own, c)
		}
	}
	if len(own) == 1 {
		return own, nil
	}
	return computers, nil
}

// divide returns the agents whose computer can be that of the report, and the
// others.
func (i *identification) divide(ctx context.Context, agents []store.Agent) (fits, others []store.Agent, err error) {
	for _, agent := range agents {
		other, err := i.isOther(ctx, agent.ComputerID)
		if err != nil {
			return nil, nil, err
		}
		if other || slices.Contains(i.notOne, agent.ComputerID) {
			others = append(others, agent)
		} else {
			fits = append(fits, agent)
		}
	}
	return fits, others, nil
}

// declaredDifferent returns the computers that people have said are not those of agents.
func (i *identification) declaredDifferent(ctx context.Context, agents []store.Agent) (ids []int64, err error) {
	for _, agent := range agents {
		keys, err := i.Tx.IdentityOf(ctx, agent.ComputerID)
		if err != nil {
			return nil, err
		}
		for _, key := range keys {
			if other, found := strings.CutPrefix(key, notOnePrefix); found {
				id, _ := strconv.ParseInt(other, 10, 64) // we wrote it
				ids = append(ids, id)
			}
		}
	}
	return ids, nil
}

// reportedBefore reports whether an agent has reported the serial number and UUID of the
// report before.
func (i *identification) reportedBefore(agent store.Agent) bool {
	id := &i.Report.Identity
	return i.junk.serial(agent.Serial) == id.SerialKey && i.junk.uuid(ownUUID(agent.UUID)) == uuidOf(id)
}

// isCertainSender reports whether an agent sent the report, whatever is known of its
// computer: it has reported the same serial number and UUID before. Copies of a
// virtual machine without a serial number do, too; so without one it must have
// reported the same name and adapters as well.
func (i *identification) isCertainSender(agent store.Agent) bool {
	if !i.reportedBefore(agent) {
		return false
	}
	known := readSums(agent.Digests)
	again := func(section string) bool {
		sum, reported := i.newSums[section]
		return reported && known[section] == sum
	}
	return i.Report.Identity.SerialKey != "" || again(report.ComputerSection) && again("networks")
}

// isOther reports whether a computer cannot be that of the report.
func (i *identification) isOther(ctx context.Context, computer int64) (bool, error) {
	keys, err := i.goodKeys(ctx, computer)
	if err != nil {
		return false, err
	}
	switch match := identity.Compare(i.facts(), factsOf(keys)); {
	case match == identity.Other:
		return true, nil
	case match == identity.NameDecides && !hasKey(keys, JoinedKey): // nobody but people takes apart what was joined
		name, err := i.knownName(ctx, computer)
		return !strings.EqualFold(name, i.Report.Computer.Name), err
	}
	return false, nil
}

// goodKeys returns the keys of a computer, without those that many share.
func (i *identification) goodKeys(ctx context.Context, computer int64) ([]string, error) {
	keys, err := i.Tx.IdentityOf(ctx, computer)
	return slices.DeleteFunc(keys, func(key string) bool { return !i.junk.good(key) }), err
}

// knownName returns the name that agents have reported of a computer.
func (i *identification) knownName(ctx context.Context, computer int64) (string, error) {
	c, err := store.Get(ctx, i.Tx, inventory.Computers, computer)
	if errors.Is(err, store.ErrNotFound) {
		return "", store.ErrAgain
	}
	if err != nil {
		return "", err
	}
	if !c.KeptFromReports(i.Kind.Field("name")) {
		return c.Name, nil
	}
	kept, err := i.Reported(ctx, computer)
	if err != nil {
		return "", err
	}
	return kept.Name, nil
}

// noteDuplicatesOfModel notes which of the computers of copied agents the new one may be:
// those with its name, or with one that a person gave them, else the one that has
// reported last.
func (i *identification) noteDuplicatesOfModel(ctx context.Context, agents []store.Agent) error {
	if len(agents) == 0 {
		return nil
	}
	last, before := agents[0], len(i.possibleDuplicates)
	for _, agent := range agents {
		if agent.ReportedAt.After(last.ReportedAt) {
			last = agent
		}
		c, err := store.Get(ctx, i.Tx, inventory.Computers, agent.ComputerID)
		if err != nil {
			return err
		}
		if strings.EqualFold(c.Name, i.Report.Computer.Name) || c.KeptFromReports(i.Kind.Field("name")) {
			i.noteDuplicate(agent.ComputerID)
		}
	}
	if len(i.possibleDuplicates) == before {
		i.noteDuplicate(last.ComputerID)
	}
	return nil
}

// facts returns what the report has.
func (i *identification) facts() identity.Facts { return factsOf(i.ownKeys()) }

// factsOf returns what keys have, of serial numbers without their makers.
func factsOf(keys []string) (f identity.Facts) {
	for _, key := range keys {
		switch value := key[len(serialPrefix):]; key[:len(serialPrefix)] {
		case serialPrefix:
			f.Serials = append(f.Serials, value[strings.LastIndexByte(value, '/')+1:])
		case uuidPrefix:
			f.UUIDs = append(f.UUIDs, value)
		case macPrefix:
			f.MACs = append(f.MACs, value)
		}
	}
	return f
}

// otherSpellings returns the keys that the serial number has in databases of
// versions that did not know the names of its maker to be of one.
func (i *identification) otherSpellings() (keys []string) {
	id := &i.Report.Identity
	if id.SerialKey == "" {
		return nil
	}
	for _, maker := range identity.Spellings(id.ManufacturerKey) {
		if maker != id.ManufacturerKey {
			keys = append(keys, serialPrefix+maker+"/"+id.SerialKey)
		}
	}
	return keys
}

// renewAgent notes the serial number and UUID that the agent reports now.
func (i *identification) renewAgent() {
	if i.reportedBefore(i.agent) {
		return
	}
	id := &i.Report.Identity
	if id.SerialKey != "" {
		i.agent.Serial = id.SerialKey
	}
	if uuid := uuidOf(id); uuid != "" {
		i.agent.UUID = uuid
	}
}

// isTaken reports whether one of the agents with its device id has the serial
// number and UUID of the present one, as those of copies have without a serial
// number.
func (i *identification) isTaken(agents []store.Agent) bool {
	return slices.ContainsFunc(agents, func(other store.Agent) bool {
		return other.ID != i.agent.ID && other.Serial == i.agent.Serial && other.UUID == i.agent.UUID
	})
}

// uuidWithComputer returns the UUID by which the agent of a computer is stored when
// another has the same.
func uuidWithComputer(uuid string, computer int64) string {
	return uuid + "/" + strconv.FormatInt(computer, 10)
}

// ownUUID returns the UUID of an agent as it was reported.
func ownUUID(stored string) string {
	uuid, _, _ := strings.Cut(stored, "/")
	return uuid
}
