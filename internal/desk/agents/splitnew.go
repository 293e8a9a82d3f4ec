package agents

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/store"
	"muster/internal/store/installs"
)

// make makes the computer of what the agent reported last. Of an agent of which nothing
// is kept it has the device id for a name, and the next report has the rest.
func (s *splitter) make(ctx context.Context) error {
	c := inventory.Computers.New()
	s.Rec = c
	asset := ""
	if s.kept != nil {
		from, to := s.Kind.Values(s.kept.Computer), s.Kind.Values(c)
		for _, name := range s.kept.Reported {
			if f := s.Kind.Field(name); f != nil {
				to.Set(f, from)
			}
		}
		c.Name, c.Tag, c.ReportedManufacturer, asset = s.kept.Computer.Name, s.kept.Computer.Tag, s.kept.Maker,
			s.kept.Computer.AssetID
	}
	c.Name = cmp.Or(c.Name, s.agent.DeviceID)
	c.DetectedAt = s.agent.ReportedAt
	c.SetFreeSpaces(inventory.FreeSpaces(c.Drives))
	if token := s.agents.tokens.withID(s.agent.LastToken); token != nil {
		token.equip(c)
	}
	if asset != "" {
		taken, err := s.Tx.Taken(ctx, s.Kind, s.Kind.Field("asset-id"), asset, 0)
		if err != nil {
			return err
		}
		if taken == 0 {
			c.AssetID = asset
		}
	}
	if err := s.Check(ctx, s.Kind.Check); err != nil {
		return err
	}
	return s.StoreNew(ctx)
}

// parts gives the new computer its software, and both the keys that are theirs.
func (s *splitter) parts(ctx context.Context) error {
	if err := s.install(ctx); err != nil {
		return err
	}
	if err := s.identities(ctx); err != nil {
		return err
	}
	return s.Stored(ctx)
}

// install gives the new computer the programs that the agent reported last, as far as
// there is such software, with dates and paths as the old computer has them.
func (s *splitter) install(ctx context.Context) error {
	s.gains = s.Kind.Diff(nil, s.Rec)
	w := &desk.Work{Desk: s.Desk, Tx: s.Tx, Who: s.Who, Kind: inventory.Softwares.Schema}
	list, err := s.programs(ctx, w, s.agent)
	if list == nil || err != nil {
		return err
	}
	m := desk.Move{Added: list.All, Reported: true}
	s.gains.Changes = append(s.gains.Changes, m.Diff().Changes...)
	return w.Move(ctx, s.made(), m)
}

// programs returns the software that an agent reported last, nil when that is not known.
func (s *splitter) programs(ctx context.Context, w *desk.Work, agent *store.Agent) (*desk.ProgramList, error) {
	list := &desk.ProgramList{ByID: map[int64]*inventory.Software{}}
	var ids []int64
	for _, p := range readPrograms(agent.Programs) {
		if p.software != 0 && !p.idle {
			ids = append(ids, p.software)
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	have, err := installs.Of(ctx, s.Tx, []int64{s.from.ID}, ids)
	if err != nil {
		return nil, err
	}
	at := map[int64]installs.Installation{}
	for _, i := range have {
		at[i.SoftwareID] = i
	}
	slices.Sort(ids)
	recs, err := s.Tx.Rows(ctx, w.Kind, slices.Compact(ids))
	for _, rec := range recs {
		one := rec.(*inventory.Software)
		one.InstallDate, one.InstallPath = at[one.ID].Date, at[one.ID].Path
		list.All, list.ByID[one.ID] = append(list.All, one), one
	}
	return list, err
}

// identities gives each computer the keys that its agents reported, and notes that they
// are not one.
func (s *splitter) identities(ctx context.Context) error {
	have, err := s.Tx.IdentityOf(ctx, s.from.ID)
	if err != nil {
		return err
	}
	goes, stay := s.keysOf(s.agent, have), []string{}
	for i := range s.rest {
		stay = append(stay, s.keysOf(&s.rest[i], have)...)
	}
	keys := []string{store.NotOneKey(s.made().ID)}
	for _, key := range have {
		settled := key == JoinedKey && len(s.rest) == 1
		if !settled && (!slices.Contains(goes, key) || slices.Contains(stay, key)) {
			keys = append(keys, key)
		}
	}
	if err := s.Tx.SetIdentity(ctx, s.from.ID, have, keys); err != nil {
		return err
	}
	return s.Tx.SetIdentity(ctx, s.made().ID, nil, append(goes, store.NotOneKey(s.from.ID)))
}

// keysOf returns the keys that an agent has reported: those of its last report, and those
// of its computer that have its serial number or UUID.
func (s *splitter) keysOf(agent *store.Agent, have []string) (keys []string) {
	if kept := readKept(agent.Kept); kept != nil {
		keys = slices.DeleteFunc(kept.Keys, func(key string) bool { return !s.junk.good(key) })
	}
	for _, key := range have {
		f := factsOf([]string{key})
		if agent.Serial != "" && slices.Contains(f.Serials, agent.Serial) || agent.UUID != "" &&
			slices.Contains(f.UUIDs, ownUUID(agent.UUID)) {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// history gives the new computer what the agent has changed of the old one since they
// were joined. Records before there were agents in them stay.
func (s *splitter) history(ctx context.Context) error {
	since := s.rest[0].CreatedAt
	for _, other := range s.rest {
		if other.CreatedAt.Before(since) {
			since = other.CreatedAt
		}
	}
	if s.agent.CreatedAt.After(since) {
		since = s.agent.CreatedAt
	}
	_, ids, err := s.Tx.Find(ctx, inventory.Audits.Schema, s.reportedSince(since))
	if err != nil {
		return err
	}
	return s.Tx.MoveHistory(ctx, s.from.ID, s.made().ID, ids)
}

// reportedSince returns the query for what the agent has changed since a time.
func (s *splitter) reportedSince(since time.Time) *kind.Query {
	k := inventory.Audits.Schema
	return &kind.Query{
		Page: 1, PerPage: math.MaxInt32, Sort: k.Field("id"),
		Ties: []kind.Tie{store.HistoryOf(k.Field("computers").Tie(s.from.ID))},
		Conds: []kind.Cond{
			desk.NamesID(k.Field("agent-id"), s.agent.ID),
			{Field: k.Field("action"), Any: []kind.Test{{Text: []string{inventory.Reported}}}},
			{Field: k.Field("created-at"), Any: []kind.Test{{Range: true, Min: since.Unix(), Max: math.MaxInt64}}},
		},
	}
}

// dropClaims removes the claims of the old computer by the agent that has gone: it
// comes again.
func (s *splitter) dropClaims(ctx context.Context) error {
	recs, err := s.Tx.All(ctx, inventory.AgentClaims.Schema, desk.ClaimsWith("hardware-id", s.from.ID))
	if err != nil {
		return err
	}
	return desk.DropClaims(ctx, s.Tx,
		slices.DeleteFunc(recs, func(rec any) bool { return rec.(*inventory.AgentClaim).DeviceID != s.agent.DeviceID }))
}
