package store

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"muster/internal/store/sqldb"
)

// migrations are the steps that create the tables that belong to no kind, in order. A step never changes once
// released. The tables of kinds follow from their declarations, see sync.go.
var migrations = []string{
	`CREATE TABLE meta (name {text} PRIMARY KEY, value {blob} NOT NULL);
	CREATE TABLE counters (name {text} PRIMARY KEY, value BIGINT NOT NULL);
	CREATE TABLE layouts (number BIGINT PRIMARY KEY, kind {text} NOT NULL, layout {text} NOT NULL, UNIQUE (kind, layout));
	CREATE TABLE credentials (user_id BIGINT PRIMARY KEY, digest {blob}, sign_in {text})`,

	`CREATE TABLE creations (user_id BIGINT, path {text}, key {text}, body {blob} NOT NULL, record_id BIGINT NOT NULL, created_at BIGINT NOT NULL,
		PRIMARY KEY (user_id, path, key));
	CREATE INDEX creations_created_at ON creations (created_at)`,

	`CREATE TABLE triples (expires_at BIGINT, key {blob}, PRIMARY KEY (expires_at, key))`,

	`CREATE TABLE tokens (id {id}, user_id BIGINT NOT NULL, name {text} NOT NULL, name_folded {text} NOT NULL, hash {blob} NOT NULL UNIQUE,
		read_only BIGINT NOT NULL, created_at BIGINT NOT NULL, expires_at BIGINT, last_used BIGINT, UNIQUE (user_id, name_folded))`,

	`CREATE TABLE settings (name {text} PRIMARY KEY, value {text} NOT NULL)`,

	// How the words of each kind were made, and up to which id; null is all.
	`CREATE TABLE searches (kind {text} PRIMARY KEY, form {text} NOT NULL, filled BIGINT)`,

	`CREATE TABLE installations (hardware_id BIGINT NOT NULL, software_id BIGINT NOT NULL, install_date BIGINT, install_path {text},
		install_path_folded {text}, PRIMARY KEY (hardware_id, software_id));
	CREATE INDEX installations_software_id ON installations (software_id);
	CREATE TABLE licence_items (contract_id BIGINT NOT NULL, number BIGINT NOT NULL, pattern {text} NOT NULL, version {text},
		PRIMARY KEY (contract_id, number));
	CREATE TABLE licence_softwares (contract_id BIGINT NOT NULL, software_id BIGINT NOT NULL, PRIMARY KEY (contract_id, software_id));
	CREATE INDEX licence_softwares_software_id ON licence_softwares (software_id)`,

	// The agents that report computers. The time of each agent's last report has its own table, since every
	// report writes it alone.
	`CREATE TABLE agents (id {id}, hardware_id BIGINT NOT NULL, device_id {text} NOT NULL, agent_id {text}, program {text}, version {text},
		serial {text} NOT NULL, uuid {text} NOT NULL, token_id BIGINT NOT NULL, created_at BIGINT NOT NULL, sum {blob}, digests {blob}, programs {blob},
		UNIQUE (device_id, serial, uuid));
	CREATE INDEX agents_hardware_id ON agents (hardware_id);
	CREATE INDEX agents_agent_id ON agents (agent_id);
	CREATE TABLE agent_reports (agent_id BIGINT PRIMARY KEY, reported_at BIGINT NOT NULL);
	CREATE TABLE identities (key {text} NOT NULL, hardware_id BIGINT NOT NULL, PRIMARY KEY (key, hardware_id));
	CREATE INDEX identities_hardware_id ON identities (hardware_id);
	CREATE TABLE reported (hardware_id BIGINT PRIMARY KEY, document {text} NOT NULL);
	CREATE TABLE addresses (id {id}, hardware_id BIGINT NOT NULL, changed_at BIGINT NOT NULL, field {text} NOT NULL, was {text}, became {text});
	CREATE INDEX addresses_hardware_id ON addresses (hardware_id)`,

	`CREATE TABLE agent_tokens (id {id}, name {text} NOT NULL, name_folded {text} NOT NULL UNIQUE, hash {blob} NOT NULL UNIQUE,
		site {text} NOT NULL, department {text} NOT NULL, tag {text} NOT NULL, created_at BIGINT NOT NULL, last_used BIGINT)`,

	`ALTER TABLE installations ADD COLUMN reported BIGINT`,

	// Which computers were merged into which. After further merges these are stored with the last one.
	`CREATE TABLE merges (id BIGINT PRIMARY KEY, into_id BIGINT NOT NULL);
	CREATE INDEX merges_into_id ON merges (into_id)`,

	`CREATE TABLE sessions (id {id}, user_id BIGINT NOT NULL, hash {blob} NOT NULL UNIQUE, stay BIGINT NOT NULL, due BIGINT NOT NULL,
		created_at BIGINT NOT NULL, expires_at BIGINT NOT NULL, last_used BIGINT NOT NULL, agent {text} NOT NULL, address {text} NOT NULL);
	CREATE INDEX sessions_user_id ON sessions (user_id);
	CREATE INDEX sessions_expires_at ON sessions (expires_at)`,

	`CREATE TABLE second_factors (user_id BIGINT PRIMARY KEY, secret {blob} NOT NULL, confirmed_at BIGINT, last_step BIGINT NOT NULL,
		failures BIGINT NOT NULL, failed_at BIGINT);
	CREATE TABLE recovery_codes (user_id BIGINT, hash {blob}, PRIMARY KEY (user_id, hash))`,

	// Lists that people have saved under a name.
	`CREATE TABLE saved_views (id {id}, user_id BIGINT NOT NULL, section {text} NOT NULL, name {text} NOT NULL, query {text} NOT NULL,
		shared BIGINT NOT NULL, created_at BIGINT NOT NULL);
	CREATE INDEX saved_views_section ON saved_views (section)`,

	// Changes of many records at once: their progress, and how they are undone.
	`CREATE TABLE bulks (key {text} PRIMARY KEY, user_id BIGINT NOT NULL, updated_at BIGINT NOT NULL, document {text} NOT NULL);
	CREATE INDEX bulks_updated_at ON bulks (updated_at)`,

	// The origin of API passwords.
	`ALTER TABLE credentials ADD COLUMN api BIGINT`,

	// The addresses from which users have signed in.
	`CREATE TABLE let_in (user_id BIGINT NOT NULL, address {text} NOT NULL, at BIGINT NOT NULL, PRIMARY KEY (user_id, address))`,

	// The tokens of agents, and the sections of their computers that they determine; what agent tokens are for,
	// and the reports that wait for a technician.
	`ALTER TABLE agents ADD COLUMN last_token BIGINT;
	ALTER TABLE agents ADD COLUMN key {blob};
	ALTER TABLE agents ADD COLUMN key_used BIGINT;
	ALTER TABLE agents ADD COLUMN accepted BIGINT;
	ALTER TABLE agents ADD COLUMN speaks {text};
	ALTER TABLE agents ADD COLUMN unheard {text};
	ALTER TABLE agent_reports ADD COLUMN address {text};
	ALTER TABLE agent_tokens ADD COLUMN replaces {text};
	ALTER TABLE agent_tokens ADD COLUMN for_new_images BIGINT;
	ALTER TABLE agent_tokens ADD COLUMN hardware_id BIGINT;
	ALTER TABLE agent_tokens ADD COLUMN left_out BIGINT;
	CREATE TABLE claim_reports (claim_id BIGINT PRIMARY KEY, body {blob} NOT NULL)`,

	// When users last confirmed their password in a session.
	`ALTER TABLE sessions ADD COLUMN confirmed_at BIGINT`,

	// How many software names were new on a day, by computers and agent tokens.
	`CREATE TABLE new_names (owner {text}, id BIGINT, day BIGINT, names BIGINT NOT NULL, PRIMARY KEY (owner, id, day))`,

	// The addresses from which sessions and tokens were last used, and whose password was printed at the first
	// start.
	`ALTER TABLE sessions ADD COLUMN last_address {text};
	ALTER TABLE tokens ADD COLUMN last_address {text};
	ALTER TABLE credentials ADD COLUMN printed BIGINT`,

	// How many seconds the clocks of agents are ahead of ours, and the sections that they report.
	`ALTER TABLE agents ADD COLUMN clock BIGINT;
	ALTER TABLE agents ADD COLUMN sections {text}`,

	// The last report of each agent, and the audit records that were moved with an agent from one computer to
	// another.
	`ALTER TABLE agents ADD COLUMN kept {blob};
	CREATE TABLE moved_audits (id BIGINT PRIMARY KEY, from_id BIGINT NOT NULL, to_id BIGINT NOT NULL);
	CREATE INDEX moved_audits_from_id ON moved_audits (from_id);
	CREATE INDEX moved_audits_to_id ON moved_audits (to_id)`,

	// When API passwords were last used.
	`ALTER TABLE credentials ADD COLUMN api_used BIGINT`,

	// The computers that each agent token reports.
	`CREATE INDEX agents_last_token ON agents (last_token, hardware_id, created_at)`,

	// Jobs, see package queue. The changes of many records that bulks had were over when their server ended.
	`CREATE TABLE jobs (id {id}, handler {text} NOT NULL, key {text}, once BIGINT NOT NULL, busy {text} UNIQUE, state {text} NOT NULL,
		due_at BIGINT, turn BIGINT NOT NULL, tries BIGINT NOT NULL, node {text}, user_id BIGINT NOT NULL, origin {text} NOT NULL,
		payload {text} NOT NULL, note {text}, done BIGINT NOT NULL, total BIGINT NOT NULL, fault {text}, stopping BIGINT NOT NULL,
		created_at BIGINT NOT NULL, started_at BIGINT, ended_at BIGINT);
	CREATE INDEX jobs_due_at ON jobs (due_at);
	CREATE INDEX jobs_ended_at ON jobs (ended_at);
	CREATE INDEX jobs_user_id ON jobs (user_id, due_at);
	CREATE TABLE job_steps (job_id BIGINT NOT NULL, number BIGINT NOT NULL, mark BIGINT NOT NULL, document {text} NOT NULL,
		PRIMARY KEY (job_id, number));
	CREATE INDEX job_steps_mark ON job_steps (job_id, mark, number);
	CREATE TABLE job_files (id {id}, job_id BIGINT NOT NULL, number BIGINT NOT NULL, bytes {blob} NOT NULL, UNIQUE (job_id, number));
	DELETE FROM bulks`,

	// The jobs that wait, run or have failed, among all that have ended.
	`CREATE INDEX jobs_state ON jobs (state, ended_at)`,

	// The licences that are being counted, see package installs.
	`CREATE TABLE licence_counts (contract_id BIGINT PRIMARY KEY, phase BIGINT NOT NULL, upto BIGINT NOT NULL, counted BIGINT NOT NULL)`,
}

// migrate updates the tables in one transaction, so that a failure leaves them as they were. Processes that
// start at the same time wait for each other.
func (s *Store) migrate(ctx context.Context) error {
	err := s.database.Migrate(ctx, func(c sqldb.Conn) error {
		tx := &Tx{store: s, conn: c, ledger: s.ledger}
		s.altered = false
		if err := tx.lock(ctx); err != nil {
			return err
		}
		return tx.makeTables(ctx)
	})
	if err != nil {
		return err
	}
	err = s.View(ctx, func(tx *Tx) error {
		for _, t := range s.tables {
			if err := tx.loadLayouts(ctx, t); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil || s.frozen {
		return err
	}
	return s.fillSearches(ctx)
}

// makeTables runs the migrations and creates the tables of all kinds.
func (tx *Tx) makeTables(ctx context.Context) error {
	if err := tx.steps(ctx); err != nil {
		return err
	}
	for _, k := range tx.store.kinds {
		if err := tx.sync(ctx, tx.store.tables[k]); err != nil {
			return fmt.Errorf("table %s: %w", k.Path(), err)
		}
	}
	if err := tx.addFeed(ctx); err != nil {
		return err
	}
	known, err := tx.Counter(ctx, generation)
	if err != nil {
		return err
	}
	tx.store.generation.Store(known)
	return tx.feedReload(ctx)
}

// lock waits for other processes that update the tables.
func (tx *Tx) lock(ctx context.Context) error {
	if !tx.store.Shared() {
		return nil // SQLite has one writer
	}
	for _, statement := range sqldb.LockMigrations {
		if err := tx.Exec(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}

// steps runs the migrations that the database lacks.
func (tx *Tx) steps(ctx context.Context) error {
	isNew, err := tx.isNew(ctx)
	switch {
	case err != nil:
		return err
	case isNew:
		err = tx.begin(ctx)
	default:
		err = tx.hasStatements(ctx)
	}
	if err != nil {
		return err
	}
	done, err := tx.step(ctx)
	if err == nil {
		err = knownStep(done)
	}
	if err != nil {
		return err
	}
	if !isNew && int(done) < len(migrations) && !tx.store.frozen {
		if err := tx.overtake(ctx); err != nil {
			return err
		}
	}
	for i := int(done); i < len(migrations); i++ {
		for statement := range strings.SplitSeq(migrations[i], ";\n") {
			if err := tx.ddl(ctx, strings.TrimSpace(statement)); err != nil {
				return fmt.Errorf("step %d: %w", i+1, err)
			}
		}
		if err := tx.Exec(ctx, "INSERT INTO migrations (number) VALUES ($1)", int64(i+1)); err != nil {
			return err
		}
	}
	return nil
}

// step returns the number of the last migration that the database has.
func (tx *Tx) step(ctx context.Context) (done int64, err error) {
	err = tx.One(ctx, "SELECT coalesce(max(number), 0) FROM migrations", nil, func(r sqldb.Row) error {
		done = r.Int(0)
		return nil
	})
	return done, err
}

// CheckVersion returns an error for a database of a version that this program does not know.
func (tx *Tx) CheckVersion(ctx context.Context) error {
	done, err := tx.step(ctx)
	if err != nil {
		return err
	}
	return knownStep(done)
}

// knownStep returns an error for a database with migrations that this program lacks.
func knownStep(done int64) error {
	if done > int64(len(migrations)) {
		return TooNew(fmt.Sprintf("it is at step %d, this program knows %d", done, len(migrations)))
	}
	return nil
}

// isNew reports whether the database has no tables yet.
func (tx *Tx) isNew(ctx context.Context) (bool, error) {
	have, err := tx.names(ctx, tx.Dialect().Columns, "migrations")
	return len(have) == 0, err
}

// hasStatements returns an error for a database without the statements that made its tables, as versions
// before the first release left it.
func (tx *Tx) hasStatements(ctx context.Context) error {
	have, err := tx.names(ctx, tx.Dialect().Columns, "statements")
	if err == nil && len(have) == 0 {
		err = errors.New("the database was made by a version before the first release, which this one cannot bring up to date: " +
			"read its records out through the API of that version, and begin with a new database")
	}
	return err
}

// begin creates the tables that list the others.
func (tx *Tx) begin(ctx context.Context) error {
	if tx.store.frozen {
		return ErrMissing
	}
	if tx.store.Shared() {
		if err := sqldb.CheckEncoding(ctx, tx.conn); err != nil {
			return err
		}
	}
	tx.store.altered = true // there is nothing yet that could be lost
	steps, statements := "CREATE TABLE migrations (number BIGINT PRIMARY KEY)",
		"CREATE TABLE statements (number BIGINT PRIMARY KEY, statement {text} NOT NULL)"
	if err := tx.Exec(ctx, tx.Dialect().Complete(statements)); err != nil {
		return err
	}
	if err := tx.note(ctx, statements); err != nil {
		return err
	}
	return tx.ddl(ctx, steps)
}

// TooNew returns the error of a database that a newer version has written.
func TooNew(detail string) error {
	return fmt.Errorf("%w (%s): install that version, or restore a backup that was made before it", ErrNewer, detail)
}

// ddl runs a statement that changes tables, after the dialect has completed its column types. The statement is
// stored, so that a backup can create the same tables on either database. A statement that only changes rows is
// not, since the backup has the rows.
func (tx *Tx) ddl(ctx context.Context, sql string) error {
	rows := sqldb.ChangesRows(sql)
	if !rows && !sqldb.IsShape(sql) {
		return fmt.Errorf("a restore could not carry out the statement, see shape.go: %s", sql)
	}
	if err := tx.alter(ctx); err != nil {
		return err
	}
	if err := tx.Exec(ctx, tx.Dialect().Complete(sql)); err != nil || rows {
		return err
	}
	return tx.note(ctx, sql)
}

// note stores the text of a statement that has changed tables.
func (tx *Tx) note(ctx context.Context, sql string) error {
	return tx.Exec(ctx, "INSERT INTO statements (number, statement) SELECT coalesce(max(number), 0) + 1, $1 FROM statements", sql)
}

// alter is called before tables are changed. It returns an error for a frozen database, and calls BeforeUpgrade
// for any other once.
func (tx *Tx) alter(ctx context.Context) error {
	s := tx.store
	if s.frozen {
		return ErrOutdated
	}
	tx.alters = true
	if s.altered || s.beforeUpgrade == nil {
		return nil
	}
	if err := s.beforeUpgrade(ctx); err != nil {
		return fmt.Errorf("copy the database before it is brought up to date: %w", err)
	}
	s.altered = true
	return nil
}
