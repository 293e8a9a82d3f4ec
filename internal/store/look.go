package store

import (
	"context"
	"strings"
	"time"

	"muster/internal/kind"
	"muster/internal/store/mapping"
	"muster/internal/store/sqldb"
)

// Look opens a database to examine it, whether or not a server uses it. It creates and changes nothing, and the
// tables may be of any version: see Tables.
func Look(ctx context.Context, cfg Config) (*Store, error) {
	db, err := sqldb.OpenReadOnly(ctx, cfg.Database)
	if err != nil {
		return nil, err
	}
	s := &Store{database: db, kinds: cfg.Kinds, frozen: true, tables: map[*kind.Schema]*mapping.Table{}}
	for _, k := range cfg.Kinds {
		s.tables[k] = mapping.New(k)
	}
	return s, nil
}

// Tables returns nil if the tables are those of this program, otherwise an error that wraps ErrMissing,
// ErrOutdated or ErrNewer.
func (s *Store) Tables(ctx context.Context) error {
	return s.View(ctx, func(tx *Tx) error { return tx.makeTables(ctx) })
}

// Faults returns what is wrong with the pages of an SQLite file. For PostgreSQL it returns nothing, since that
// checks its own.
func (s *Store) Faults(ctx context.Context) (faults []string, err error) {
	if s.Shared() {
		return nil, nil
	}
	err = s.View(ctx, func(tx *Tx) error {
		return tx.Query(ctx, "PRAGMA quick_check(10)", nil, func(r sqldb.Row) error {
			for line := range strings.Lines(string(r.Bytes(0, nil))) {
				if line = strings.TrimSpace(line); line != "ok" && !strings.HasPrefix(line, "***") {
					faults = append(faults, line)
				}
			}
			return nil
		})
	})
	if sqldb.IsDamaged(err) {
		return append(faults, err.Error()), nil
	}
	return faults, err
}

// Newest returns the creation time of the newest record of any kind.
func (s *Store) Newest(ctx context.Context) (newest time.Time, err error) {
	err = s.View(ctx, func(tx *Tx) error {
		for _, k := range s.kinds {
			err := tx.Query(ctx, "SELECT created_at FROM "+k.Path()+" ORDER BY id DESC LIMIT 1", nil,
				func(r sqldb.Row) error {
					if made := time.Unix(r.Int(0), 0); made.After(newest) {
						newest = made
					}
					return nil
				})
			if err != nil {
				return err
			}
		}
		return nil
	})
	return newest, err
}

// Facts describe a PostgreSQL server.
type Facts struct {
	Version   int64 // such as 150004
	Name      string
	Encoding  string
	Collation string
	Standby   bool          // it is a replica of another server
	Columns   int64         // our columns whose text is not compared by bytes
	Folder    string        // data directory, "" when it is not readable or on another machine
	Ahead     time.Duration // how far its clock is ahead of this machine's
}

// facts selects the Facts. The data directory is readable only for roles that may see all settings.
const facts = `SELECT current_setting('server_version_num')::bigint, current_setting('server_version'),
	pg_encoding_to_char(d.encoding)::text, d.datcollate::text, pg_is_in_recovery()::int::bigint,
	(SELECT count(*) FROM information_schema.columns WHERE table_schema = current_schema() AND data_type = 'text' AND collation_name IS DISTINCT FROM 'C'),
	CASE WHEN pg_has_role(current_user, 'pg_read_all_settings', 'USAGE') AND inet_server_addr() IS NOT DISTINCT FROM inet_client_addr()
		THEN current_setting('data_directory') ELSE '' END,
	(extract(epoch FROM clock_timestamp()) * 1000000)::bigint
	FROM pg_database d WHERE d.datname = current_database()`

// Facts returns the facts about a PostgreSQL server.
func (s *Store) Facts(ctx context.Context, now func() time.Time) (f Facts, err error) {
	err = s.View(ctx, func(tx *Tx) error {
		asked := now()
		return tx.One(ctx, facts, nil, func(r sqldb.Row) error {
			here := asked.Add(now().Sub(asked) / 2)
			text := func(i int) string { return string(r.Bytes(i, nil)) }
			f = Facts{
				Version: r.Int(0), Name: text(1), Encoding: text(2), Collation: text(3), Standby: r.Int(4) != 0,
				Columns: r.Int(5), Folder: text(6), Ahead: time.UnixMicro(r.Int(7)).Sub(here),
			}
			return nil
		})
	})
	return f, err
}
