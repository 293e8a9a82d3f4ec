package store

import (
	"context"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"time"
)

// An Agent is a program that reports a computer. One that was copied with the
// disk of a computer is several: no two have the same device id, serial number
// and UUID.
type Agent struct {
	ID, ComputerID   int64
	DeviceID         string
	AgentID          string // "" when it tells none
	Program, Version string
	Serial, UUID     string // as they are compared, "" when they are not good
	TokenID          int64  // with which it came first
	CreatedAt        time.Time
	ReportedAt       time.Time // its last report
	Sum, Digests     []byte    // of its last report that counted, nil when the next one counts whole
	Programs         []byte    // that it told with it, and which software they are; they count with Digests alone
}

const agentColumns = `SELECT a.id, a.hardware_id, a.device_id, a.agent_id, a.program, a.version, a.serial, a.uuid, a.token_id, a.created_at,
	r.reported_at, a.sum, a.digests, %s FROM agents a LEFT JOIN agent_reports r ON r.agent_id = a.id WHERE `

// The statements that read agents.
var (
	agentsWith   = fmt.Sprintf(agentColumns, "a.programs") + "a.device_id = $1 ORDER BY a.id"
	agentsCalled = fmt.Sprintf(agentColumns, "a.programs") + "a.agent_id = $1 ORDER BY a.id"
	agentsOf     = fmt.Sprintf(agentColumns, "NULL") + "a.hardware_id = $1 ORDER BY a.id"
)

// agents returns the agents that a statement reads.
func (tx *Tx) agents(ctx context.Context, sql string, arg any) (all []Agent, err error) {
	text := func(r row, i int) string { return string(r.bytes(i, nil)) }
	err = tx.conn.query(ctx, sql, []any{arg}, func(r row) error {
		all = append(all, Agent{
			ID: r.int(0), ComputerID: r.int(1), DeviceID: text(r, 2), AgentID: text(r, 3), Program: text(r, 4), Version: text(r, 5),
			Serial: text(r, 6), UUID: text(r, 7), TokenID: r.int(8), CreatedAt: timeAt(r, 9), ReportedAt: timeAt(r, 10),
			Sum: r.bytes(11, nil), Digests: r.bytes(12, nil), Programs: r.bytes(13, nil),
		})
		return nil
	})
	return all, err
}

// AgentsWith returns the agents with a device id, in the order of their ids.
func (tx *Tx) AgentsWith(ctx context.Context, deviceID string) ([]Agent, error) {
	return tx.agents(ctx, agentsWith, deviceID)
}

// AgentsCalled returns the agents with an id of their own, as some have besides
// the device id.
func (tx *Tx) AgentsCalled(ctx context.Context, agentID string) ([]Agent, error) {
	return tx.agents(ctx, agentsCalled, agentID)
}

// AgentsOf returns the agents of a computer, in the order in which they came,
// without their programs.
func (tx *Tx) AgentsOf(ctx context.Context, computer int64) ([]Agent, error) {
	return tx.agents(ctx, agentsOf, computer)
}

// AgentWithSum returns which agent with a device id sent a report with a sum
// last, and of which computer, or ErrNotFound.
func (tx *Tx) AgentWithSum(ctx context.Context, deviceID string, sum []byte) (agent, computer int64, err error) {
	err = tx.one(ctx, "SELECT id, hardware_id FROM agents WHERE device_id = $1 AND sum = $2", []any{deviceID, sum}, func(r row) error {
		agent, computer = r.int(0), r.int(1)
		return nil
	})
	return agent, computer, err
}

// AddAgent stores a new agent and sets its id.
func (tx *Tx) AddAgent(ctx context.Context, a *Agent) error {
	return tx.one(ctx, `INSERT INTO agents (hardware_id, device_id, agent_id, program, version, serial, uuid, token_id, created_at, sum, digests, programs)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) RETURNING id`,
		[]any{a.ComputerID, a.DeviceID, textArg(a.AgentID), textArg(a.Program), textArg(a.Version), a.Serial, a.UUID, a.TokenID,
			seconds(a.CreatedAt).Unix(), blobArg(a.Sum), blobArg(a.Digests), blobArg(a.Programs)}, func(r row) error {
			a.ID = r.int(0)
			return nil
		})
}

// SetAgent stores what an agent's report has changed about it.
func (tx *Tx) SetAgent(ctx context.Context, a *Agent) error {
	return tx.exec(ctx, "UPDATE agents SET agent_id = $1, program = $2, version = $3, serial = $4, uuid = $5, sum = $6, digests = $7, programs = $8 WHERE id = $9",
		textArg(a.AgentID), textArg(a.Program), textArg(a.Version), a.Serial, a.UUID, blobArg(a.Sum), blobArg(a.Digests), blobArg(a.Programs), a.ID)
}

// ForgetSums makes the next report of each agent of a computer, but for one,
// count whole.
func (tx *Tx) ForgetSums(ctx context.Context, computer, except int64) error {
	return tx.exec(ctx, "UPDATE agents SET sum = NULL, digests = NULL WHERE hardware_id = $1 AND id <> $2 AND digests IS NOT NULL", computer, except)
}

// AgentReported notes the time of an agent's report.
func (tx *Tx) AgentReported(ctx context.Context, agent int64, now time.Time) error {
	return tx.exec(ctx, `INSERT INTO agent_reports (agent_id, reported_at) VALUES ($1, $2)
		ON CONFLICT (agent_id) DO UPDATE SET reported_at = excluded.reported_at`, agent, seconds(now).Unix())
}

// ForgetAgents removes all that is known of the agents of a computer, which is
// about to be deleted, and of what they told.
func (tx *Tx) ForgetAgents(ctx context.Context, computer int64) error {
	for _, sql := range []string{
		"DELETE FROM agent_reports WHERE agent_id IN (SELECT id FROM agents WHERE hardware_id = $1)",
		"DELETE FROM agents WHERE hardware_id = $1",
		"DELETE FROM identities WHERE hardware_id = $1",
		"DELETE FROM reported WHERE hardware_id = $1",
		"DELETE FROM addresses WHERE hardware_id = $1",
	} {
		if err := tx.exec(ctx, sql, computer); err != nil {
			return err
		}
	}
	return nil
}

// Identified returns which computers have some of the keys, by key.
func (tx *Tx) Identified(ctx context.Context, keys []string) (map[string][]int64, error) {
	found := map[string][]int64{}
	for chunk := range slices.Chunk(keys, batches[len(batches)-1]) {
		args := batched(chunk)
		sql := "SELECT key, hardware_id FROM identities WHERE key IN (" + placeholders(len(args)) + ") ORDER BY hardware_id"
		err := tx.conn.query(ctx, sql, args, func(r row) error {
			key := string(r.bytes(0, nil))
			found[key] = append(found[key], r.int(1))
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
	err = tx.conn.query(ctx, "SELECT key FROM identities WHERE hardware_id = $1 ORDER BY key", []any{computer}, func(r row) error {
		keys = append(keys, string(r.bytes(0, nil)))
		return nil
	})
	return keys, err
}

// SetIdentity changes the keys of a computer, which has those in was, in order,
// into those in keys. It may have come to more meanwhile, which stay.
func (tx *Tx) SetIdentity(ctx context.Context, computer int64, was, keys []string) error {
	for _, key := range was {
		if !slices.Contains(keys, key) {
			if err := tx.exec(ctx, "DELETE FROM identities WHERE key = $1 AND hardware_id = $2", key, computer); err != nil {
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
	return tx.exec(ctx, "INSERT INTO identities (key, hardware_id) VALUES "+strings.Join(tuples, ", ")+" ON CONFLICT DO NOTHING", args...)
}

// HoldKeys lets one at a time through of those that hold some of the same texts,
// until the transaction ends. It keeps two from making what shall be there once,
// where nothing can be held yet.
func (tx *Tx) HoldKeys(ctx context.Context, keys []string) error {
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
		if err := tx.exec(ctx, "SELECT pg_advisory_xact_lock($1)", n); err != nil {
			return err
		}
	}
	return nil
}
