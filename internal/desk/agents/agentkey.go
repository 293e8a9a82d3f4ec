package agents

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/base32"
	"slices"
	"strings"

	"muster/internal/desk"
	"muster/internal/desk/agents/voice"
	"muster/internal/report"
	"muster/internal/store"
)

// A Key is what an agent of ours reports with once it was given one: it speaks
// for its own computer alone.
type Key []byte

// agentKeyPrefix begins every key, so that nobody takes it for a token.
const agentKeyPrefix = desk.TokenPrefix + "key_"

// agentKeySeal is what keys are sealed as. A key is known as ours without asking the
// database; whose it is, the agents say.
const agentKeySeal = "key of an agent"

var keyText = base32.StdEncoding.WithPadding(base32.NoPadding)

// Key returns the key that a secret is, nil when it is none of this server.
func (s *Service) Key(secret string) Key {
	text, ok := strings.CutPrefix(secret, agentKeyPrefix)
	sealed, err := keyText.DecodeString(text)
	if !ok || err != nil {
		return nil
	}
	key, err := s.desk.Sealer().Open(sealed, agentKeySeal)
	if err != nil {
		return nil
	}
	return key
}

// byKey finds the computer by the key of its agent. One that no agent has, or not that
// of the computer which reports, counts for nothing: a database was restored, or a disk
// copied. The agent then comes with its token, and gets another key.
func (i *identification) byKey(ctx context.Context) error {
	if i.By.Key == nil {
		return nil
	}
	same, err := i.Tx.AgentsWith(ctx, i.Report.Identity.DeviceID)
	if err != nil {
		return err
	}
	own := slices.DeleteFunc(slices.Clone(same), func(one store.Agent) bool { return !bytes.Equal(one.Key, i.By.Key) })
	found, err := i.fitting(ctx, own)
	switch {
	case err != nil:
		return err
	case found != nil:
		i.knowAgent(found)
		i.notAlone = i.isTaken(same)
		return nil
	case i.By.Token == nil:
		return desk.Refuse(desk.Forbidden, "the agent's key is not known for this computer: report with an agent token")
	}
	i.By.Key, i.By.WantsKey = nil, true
	return nil
}

// noteKey gives the agent a key if it keeps one, and notes that it has come with the
// one that it was given: from then on other agents of the computer wait for a
// technician. Until then the answer with the key may have been lost. An agent that is
// not heard on the computer itself gets none, and one that it has does not count: it
// may not make those wait that are. An agent that a technician accepts has none until it
// reports again.
func (a *arrival) noteKey(ctx context.Context) error {
	switch {
	case a.accepted != nil:
		a.agent.Key, a.agent.KeyUsed = nil, false
		a.agent.Accepted = a.agent.Accepted || a.waits == voice.NoKey || a.waits == voice.OwnToken
	case !slices.Contains(a.verdict.Speaks, report.ComputerSection):
	case a.By.Key != nil && !a.agent.KeyUsed:
		a.agent.KeyUsed, a.agent.Accepted = true, false
		return a.Tx.ForgetSums(ctx, a.computer, a.agent.ID)
	case a.By.Key == nil && a.By.WantsKey && a.Report.Identity.Program == report.Own:
		key := make([]byte, 16)
		_, _ = rand.Read(key) // never fails
		a.agent.Key, a.agent.KeyUsed = key, false
		a.key = agentKeyPrefix + keyText.EncodeToString(a.Sealer().Seal(key, agentKeySeal))
	}
	return nil
}
