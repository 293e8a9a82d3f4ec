package store

import (
	"context"
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"
	"time"

	"muster/internal/kind"
	"muster/internal/store/mapping"
	"muster/internal/store/sqldb"
)

// An Agent is a program that reports a computer. An agent that was copied with the disk of a computer becomes
// several: no two have the same device id, serial number and UUID.
type Agent struct {
	ID, ComputerID   int64
	DeviceID         string
	AgentID          string // "" when it sends none
	Program, Version string
	Serial, UUID     string // normalised, "" when they cannot identify a computer
	TokenID          int64  // the token of its first report
	LastToken        int64  // the token of its last report, 0 when that is not known
	Key              []byte // the key that it was given, nil for none
	KeyUsed          bool   // it has reported with the key
	Accepted         bool   // a technician accepted it beside an agent with a key
	// Speaks are the sections of the computer that the agent determines, and Unheard those that it reports but
	// another agent determines. Both are nil for an agent that has not reported since they are stored.
	Speaks, Unheard []string
	CreatedAt       time.Time
	ReportedAt      time.Time // its last report
	Address         string    // where its last report came from
	Sum, Digests    []byte    // of its last report that was processed; nil makes the next one be processed in full
	Programs        []byte    // that report's programs and their software records; valid only with Digests
	Clock           kind.Int  // how many seconds its clock is ahead of ours, null when that is not known
	// Sections are those of its last report, and with a hyphen those that an earlier one had and this one
	// lacked; "" when that is not known.
	Sections string
	// Kept is its last processed report, packed; nil when it is not known. Only KeptAgents reads it, and nil is
	// not stored.
	Kept    []byte
	HasKept bool // a report is stored
}

const agentColumns = `SELECT a.id, a.hardware_id, a.device_id, a.agent_id, a.program, a.version, a.serial, a.uuid, a.token_id, a.created_at,
	r.reported_at, a.sum, a.digests, %s, a.last_token, a.key, a.key_used, a.accepted, a.speaks, a.unheard, r.address, a.clock, a.sections, CASE WHEN a.kept IS NULL THEN CAST(0 AS BIGINT) ELSE 1 END, %s FROM agents a LEFT JOIN agent_reports r ON r.agent_id = a.id WHERE `

// The statements that read agents.
var (
	agentsWith   = fmt.Sprintf(agentColumns, "a.programs", "NULL") + "a.device_id = $1 ORDER BY a.id"
	agentsCalled = fmt.Sprintf(agentColumns, "a.programs", "NULL") + "a.agent_id = $1 ORDER BY a.id"
	agentsOf     = fmt.Sprintf(agentColumns, "NULL", "NULL") + "a.hardware_id = $1 ORDER BY a.id"
	keptAgents   = fmt.Sprintf(agentColumns, "a.programs", "a.kept") + "a.hardware_id = $1 ORDER BY a.id"
)

func (tx *Tx) agents(ctx context.Context, sql string, arg any) (all []Agent, err error) {
	text := func(r sqldb.Row, i int) string { return string(r.Bytes(i, nil)) }
	err = tx.Query(ctx, sql, []any{arg}, func(r sqldb.Row) error {
		all = append(all, Agent{
			ID: r.Int(0), ComputerID: r.Int(1), DeviceID: text(r, 2), AgentID: text(r, 3), Program: text(r, 4),
			Version: text(r, 5),
			Serial:  text(r, 6), UUID: text(r, 7), TokenID: r.Int(8), CreatedAt: mapping.TimeAt(r, 9),
			ReportedAt: mapping.TimeAt(r, 10),
			Sum:        r.Bytes(11, nil), Digests: r.Bytes(12, nil), Programs: r.Bytes(13, nil),
			LastToken: r.Int(14), Key: r.Bytes(15, nil), KeyUsed: r.Int(16) != 0, Accepted: r.Int(17) != 0,
			Speaks: namesAt(r, 18), Unheard: namesAt(r, 19), Address: text(r, 20), Clock: intAt(r, 21),
			Sections: text(r, 22), HasKept: r.Int(23) != 0, Kept: r.Bytes(24, nil),
		})
		return nil
	})
	return all, err
}

// AgentsWith returns the agents with a device id, ordered by id.
func (tx *Tx) AgentsWith(ctx context.Context, deviceID string) ([]Agent, error) {
	return tx.agents(ctx, agentsWith, deviceID)
}

// AgentsCalled returns the agents with an agent id, which some send besides the device id.
func (tx *Tx) AgentsCalled(ctx context.Context, agentID string) ([]Agent, error) {
	return tx.agents(ctx, agentsCalled, agentID)
}

// AgentsOf returns the agents of a computer in the order of their first reports, without their programs.
func (tx *Tx) AgentsOf(ctx context.Context, computer int64) ([]Agent, error) {
	return tx.agents(ctx, agentsOf, computer)
}

// KeptAgents returns the agents of a computer with their programs and reports.
func (tx *Tx) KeptAgents(ctx context.Context, computer int64) ([]Agent, error) {
	return tx.agents(ctx, keptAgents, computer)
}

// AgentWithSum returns the agent with a device id whose last report had a checksum, or ErrNotFound. It sets the
// id, the computer and the tokens and keys alone.
func (tx *Tx) AgentWithSum(ctx context.Context, deviceID string, sum []byte) (a Agent, err error) {
	const sql = "SELECT id, hardware_id, last_token, key, key_used FROM agents WHERE device_id = $1 AND sum = $2"
	err = tx.One(ctx, sql, []any{deviceID, sum}, func(r sqldb.Row) error {
		a = Agent{ID: r.Int(0), ComputerID: r.Int(1), LastToken: r.Int(2), Key: r.Bytes(3, nil), KeyUsed: r.Int(4) != 0}
		return nil
	})
	return a, err
}

// namesAt reads a column of names, nil when it is null.
func namesAt(r sqldb.Row, i int) []string {
	if r.Null(i) {
		return nil
	}
	return strings.Fields(string(r.Bytes(i, nil)))
}

// namesArg returns names as a statement's argument.
func namesArg(names []string) any {
	if names == nil {
		return nil
	}
	return strings.Join(names, " ")
}

// AddAgent stores a new agent and sets its id.
func (tx *Tx) AddAgent(ctx context.Context, a *Agent) error {
	return tx.One(ctx, `INSERT INTO agents (hardware_id, device_id, agent_id, program, version, serial, uuid, token_id, created_at, sum, digests, programs,
		last_token, key, key_used, accepted, speaks, unheard, clock, sections, kept)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21) RETURNING id`,
		[]any{a.ComputerID, a.DeviceID, mapping.TextArg(a.AgentID), mapping.TextArg(a.Program),
			mapping.TextArg(a.Version), a.Serial, a.UUID, a.TokenID,
			seconds(a.CreatedAt).Unix(), mapping.BlobArg(a.Sum), mapping.BlobArg(a.Digests),
			mapping.BlobArg(a.Programs), a.LastToken, mapping.BlobArg(a.Key),
			mapping.BoolArg(a.KeyUsed), mapping.BoolArg(a.Accepted), namesArg(a.Speaks), namesArg(a.Unheard),
			intArg(a.Clock), mapping.TextArg(a.Sections), mapping.BlobArg(a.Kept)}, func(r sqldb.Row) error {
			a.ID = r.Int(0)
			return nil
		})
}

// SetAgent stores what a report has changed about an agent.
func (tx *Tx) SetAgent(ctx context.Context, a *Agent) error {
	return tx.Exec(ctx, `UPDATE agents SET agent_id = $1, program = $2, version = $3, serial = $4, uuid = $5, sum = $6, digests = $7, programs = $8,
		last_token = $9, key = $10, key_used = $11, accepted = $12, speaks = $13, unheard = $14, clock = $15, sections = $16, kept = coalesce($17, kept) WHERE id = $18`,
		mapping.TextArg(a.AgentID), mapping.TextArg(a.Program), mapping.TextArg(a.Version), a.Serial, a.UUID,
		mapping.BlobArg(a.Sum), mapping.BlobArg(a.Digests), mapping.BlobArg(a.Programs),
		a.LastToken, mapping.BlobArg(a.Key), mapping.BoolArg(a.KeyUsed), mapping.BoolArg(a.Accepted),
		namesArg(a.Speaks), namesArg(a.Unheard),
		intArg(a.Clock), mapping.TextArg(a.Sections), mapping.BlobArg(a.Kept), a.ID)
}

// SetSpeaks stores the sections that an agent determines, and makes its next report be processed in full.
func (tx *Tx) SetSpeaks(ctx context.Context, agent int64, sections []string) error {
	return tx.Exec(ctx, "UPDATE agents SET speaks = $1, sum = NULL, digests = NULL WHERE id = $2", namesArg(sections),
		agent)
}

// DropKeys removes the keys of a computer's agents that are the same program, except one agent's.
func (tx *Tx) DropKeys(ctx context.Context, computer int64, program string, except int64) error {
	return tx.Exec(ctx, "UPDATE agents SET key = NULL, key_used = NULL, sum = NULL WHERE hardware_id = $1 AND program = $2 AND id <> $3 AND key IS NOT NULL",
		computer, program, except)
}

// intAt reads a column of numbers, which may be null.
func intAt(r sqldb.Row, i int) kind.Int {
	if r.Null(i) {
		return kind.Int{}
	}
	return kind.Some(r.Int(i))
}

// intArg returns a number as a statement's argument.
func intArg(n kind.Int) any {
	if !n.Valid {
		return nil
	}
	return n.V
}

// ForgetSums makes the next report of each agent of a computer, except one, be processed in full.
func (tx *Tx) ForgetSums(ctx context.Context, computer, except int64) error {
	return tx.Exec(ctx, "UPDATE agents SET sum = NULL, digests = NULL WHERE hardware_id = $1 AND id <> $2 AND digests IS NOT NULL", computer, except)
}

// AgentReported stores the time and the address of an agent's report.
func (tx *Tx) AgentReported(ctx context.Context, agent int64, now time.Time, address string) error {
	return tx.Exec(ctx, `INSERT INTO agent_reports (agent_id, reported_at, address) VALUES ($1, $2, $3)
		ON CONFLICT (agent_id) DO UPDATE SET reported_at = excluded.reported_at, address = excluded.address`, agent, seconds(now).Unix(), mapping.TextArg(address))
}

// ForgetAgents removes the agents of a computer that is about to be deleted, and everything that they reported.
func (tx *Tx) ForgetAgents(ctx context.Context, computer int64) error {
	if err := tx.Exec(ctx, "DELETE FROM identities WHERE key = $1", NotOneKey(computer)); err != nil {
		return err
	}
	for _, sql := range []string{
		"DELETE FROM agent_reports WHERE agent_id IN (SELECT id FROM agents WHERE hardware_id = $1)",
		"DELETE FROM agents WHERE hardware_id = $1",
		"DELETE FROM identities WHERE hardware_id = $1",
		"DELETE FROM reported WHERE hardware_id = $1",
		"DELETE FROM addresses WHERE hardware_id = $1",
		"DELETE FROM new_names WHERE owner IN ('" + NamesOfComputer + "', '" + PrintersOfComputer + "', '" +
			ChangesOfComputer + "') AND id = $1",
	} {
		if err := tx.Exec(ctx, sql, computer); err != nil {
			return err
		}
	}
	return nil
}

// Identified returns the ids of the computers that have each key.
func (tx *Tx) Identified(ctx context.Context, keys []string) (map[string][]int64, error) {
	found := map[string][]int64{}
	for chunk := range slices.Chunk(keys, sqldb.Batches[len(sqldb.Batches)-1]) {
		args := sqldb.Batched(chunk)
		sql := "SELECT key, hardware_id FROM identities WHERE key IN (" + sqldb.Placeholders(len(args)) +
			") ORDER BY hardware_id"
		err := tx.Query(ctx, sql, args, func(r sqldb.Row) error {
			key := string(r.Bytes(0, nil))
			found[key] = append(found[key], r.Int(1))
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return found, nil
}

// IdentityOf returns the keys of a computer in order.
func (tx *Tx) IdentityOf(ctx context.Context, computer int64) (keys []string, err error) {
	err = tx.Query(ctx, "SELECT key FROM identities WHERE hardware_id = $1 ORDER BY key", []any{computer},
		func(r sqldb.Row) error {
			keys = append(keys, string(r.Bytes(0, nil)))
			return nil
		})
	return keys, err
}

// SetIdentity changes the keys of a computer from was to keys, both sorted. Keys that were added in the
// meantime stay.
func (tx *Tx) SetIdentity(ctx context.Context, computer int64, was, keys []string) error {
	for _, key := range was {
		if !slices.Contains(keys, key) {
			if err := tx.Exec(ctx, "DELETE FROM identities WHERE key = $1 AND hardware_id = $2", key,
				computer); err != nil {
				return err
			}
		}
	}
	args, tuples := []any{computer}, []string{}
	for _, key := range keys {
		if !slices.Contains(was, key) {
			args = append(args, key)
			tuples = append(tuples, fmt.Sprintf("($%d, $1)", len(args)))
		}
	}
	if len(tuples) == 0 {
		return nil
	}
	return tx.Exec(ctx, "INSERT INTO identities (key, hardware_id) VALUES "+strings.Join(tuples,
		", ")+" ON CONFLICT DO NOTHING", args...)
}

// LockKeys takes a lock for each text until the transaction ends. It prevents duplicates of records that do not
// exist yet, and so cannot be locked themselves.
func (tx *Tx) LockKeys(ctx context.Context, keys []string) error {
	if !tx.store.Shared() {
		return nil // SQLite has one writer
	}
	numbers := make([]int64, len(keys))
	for i, key := range keys {
		h := fnv.New64a()
		_, _ = h.Write([]byte(key)) // never fails
		numbers[i] = int64(h.Sum64())
	}
	slices.Sort(numbers)
	for _, n := range slices.Compact(numbers) {
		if err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock($1)", n); err != nil {
			return err
		}
	}
	return nil
}

// AgentsOfAll returns the agents of several computers, ordered by id.
func (tx *Tx) AgentsOfAll(ctx context.Context, computers []int64) ([]Agent, error) {
	ids := make([]string, len(computers))
	for i, id := range computers {
		ids[i] = strconv.FormatInt(id, 10)
	}
	if len(ids) == 0 {
		return nil, nil
	}
	return tx.agents(ctx, fmt.Sprintf(agentColumns, "NULL", "NULL")+"a.id > $1 AND a.hardware_id IN ("+
		strings.Join(ids, ", ")+") ORDER BY a.id", int64(0))
}
