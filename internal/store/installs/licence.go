package installs

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"muster/internal/kind"
	"muster/internal/store"
	"muster/internal/store/mapping"
	"muster/internal/store/sqldb"
)

// licenceLock is the advisory lock between transactions that change installations, which share it, and those
// that change which software licences cover, which take it exclusively.
const licenceLock = 7166460

// ShareLicences prevents changes of which software licences cover until the transaction ends. It must come
// before any other lock.
func ShareLicences(ctx context.Context, tx *store.Tx) error {
	return lockLicences(ctx, tx, "pg_advisory_xact_lock_shared")
}

// LockLicences prevents changes of installations, and of which software licences cover, until the transaction
// ends.
func LockLicences(ctx context.Context, tx *store.Tx) error {
	return lockLicences(ctx, tx, "pg_advisory_xact_lock")
}

func lockLicences(ctx context.Context, tx *store.Tx, function string) error {
	if !tx.Shared() {
		return nil // SQLite has one writer
	}
	return tx.Exec(ctx, fmt.Sprintf("SELECT %s(%d)", function, licenceLock))
}

// An Item says which software a licence covers: by a name, in which a star stands for any characters, and
// by the beginning of the version.
type Item struct{ Name, Version string }

// Matches reports whether the item covers software of a name and version, by the same rules as the database.
func (i Item) Matches(name, version string) bool {
	if i.Name == "" || !strings.HasPrefix(mapping.Fold(version), mapping.Fold(i.Version)) {
		return false
	}
	pieces, rest := kind.Pieces(i.Name), mapping.Fold(name)
	if len(pieces) == 1 {
		return rest == mapping.Fold(pieces[0])
	}
	first, last := mapping.Fold(pieces[0]), mapping.Fold(pieces[len(pieces)-1])
	rest, begins := strings.CutPrefix(rest, first)
	if !begins {
		return false
	}
	for _, piece := range pieces[1 : len(pieces)-1] {
		_, after, found := strings.Cut(rest, mapping.Fold(piece))
		if !found {
			return false
		}
		rest = after
	}
	return strings.HasSuffix(rest, last)
}

// SetLicence stores which software a licence covers, and returns how many computers have some of it, leaving out those
// with a status in gone. Where that is much it lets it be counted in steps instead, see StepLicence, and returns true.
// The caller has called LockLicences.
func SetLicence(ctx context.Context, tx *store.Tx, id int64, items []Item,
	gone []string) (installed int64, counting bool, err error) {
	if err := tx.LockRows(ctx, "contracts", []int64{id}); err != nil { // before its count, see begin
		return 0, false, err
	}
	if err := tx.Exec(ctx, "DELETE FROM licence_items WHERE contract_id = $1", id); err != nil {
		return 0, false, err
	}
	items = slices.DeleteFunc(slices.Clone(items), func(i Item) bool { return i.Name == "" })
	if err := addItems(ctx, tx, id, items); err != nil {
		return 0, false, err
	}
	few, err := matchFew(ctx, tx, id, len(items))
	if err != nil {
		return 0, false, err
	}
	if !few {
		if err := tx.Analyze(ctx, "licence_softwares"); err != nil { // it has some of what the licence covers
			return 0, false, err
		}
		return 0, true, begin(ctx, tx, id, matching)
	}
	installed, err = count(ctx, tx, id, gone)
	return installed, false, err
}

// addItems stores items of a licence.
func addItems(ctx context.Context, tx *store.Tx, id int64, items []Item) error {
	most := sqldb.Batches[len(sqldb.Batches)-1]
	for from := 0; from < len(items); from += most {
		args, tuples := []any{id}, []string{}
		for i, item := range items[from:min(from+most, len(items))] {
			n := len(args)
			tuples = append(tuples, fmt.Sprintf("($1, %d, $%d, $%d)", from+i, n+1, n+2))
			args = append(args, item.pattern(), mapping.TextArg(mapping.Fold(item.Version)))
		}
		err := tx.Exec(ctx, "INSERT INTO licence_items (contract_id, number, pattern, version) VALUES "+
			strings.Join(tuples, ", "), args...)
		if err != nil {
			return err
		}
	}
	return nil
}

// pattern returns the LIKE pattern of the item's name.
func (i Item) pattern() string {
	var pieces []string
	for _, piece := range kind.Pieces(i.Name) {
		pieces = append(pieces, mapping.Fold(piece))
	}
	return mapping.Pattern(pieces)
}

// matches stores which software licences cover, up to the condition.
const matches = `INSERT INTO licence_softwares (contract_id, software_id)
	SELECT DISTINCT l.contract_id, s.id FROM licence_items l JOIN softwares s ON s.name_folded LIKE l.pattern ESCAPE '\'
		AND (l.version IS NULL OR substr(s.version_folded, 1, length(l.version)) = l.version) `

// match stores which licences cover some software, about which nothing is stored.
func match(ctx context.Context, tx *store.Tx, softwares []int64) error {
	params, args := sqldb.InBatch(nil, softwares)
	return tx.Exec(ctx, matches+"WHERE s.id IN ("+params+") ON CONFLICT DO NOTHING", args...)
}

// ForgetLicence deletes all that is stored about a licence beside its record.
func ForgetLicence(ctx context.Context, tx *store.Tx, id int64) error {
	if err := tx.LockRows(ctx, "contracts", []int64{id}); err != nil { // before its count, see begin
		return err
	}
	for _, table := range []string{"licence_items", "licence_softwares", "licence_counts"} {
		if err := tx.Exec(ctx, "DELETE FROM "+table+" WHERE contract_id = $1", id); err != nil {
			return err
		}
	}
	return nil
}

// EndLicence turns a licence into a contract that counts no computers.
func EndLicence(ctx context.Context, tx *store.Tx, id int64) error {
	if err := ForgetLicence(ctx, tx, id); err != nil {
		return err
	}
	tx.TouchCounted("contracts", id)
	return tx.Exec(ctx, "UPDATE contracts SET installed = NULL, counting = NULL WHERE id = $1", id)
}

// MatchNew stores which licences cover software that no computer has yet. The caller has called ShareLicences.
func MatchNew(ctx context.Context, tx *store.Tx, softwares ...int64) error {
	for chunk := range slices.Chunk(softwares, sqldb.Batches[len(sqldb.Batches)-1]) {
		if err := match(ctx, tx, chunk); err != nil {
			return err
		}
	}
	return nil
}

// MatchAgain stores which licences cover software whose name or version has changed, and counts the computers of the
// licences for which that makes a difference; where these are many it lets them be counted in steps instead, and
// returns true. The caller has called LockLicences.
func MatchAgain(ctx context.Context, tx *store.Tx, software int64, gone []string) (counting bool, err error) {
	was, err := licencesAbout(ctx, tx, software)
	if err == nil {
		err = ForgetSoftware(ctx, tx, software)
	}
	if err == nil {
		err = match(ctx, tx, []int64{software})
	}
	if err != nil {
		return false, err
	}
	is, err := licencesAbout(ctx, tx, software)
	if err != nil {
		return false, err
	}
	lost, gained := difference(was, is)
	for _, id := range slices.Sorted(slices.Values(append(lost, gained...))) {
		begun, err := recount(ctx, tx, id, gone)
		if err != nil {
			return false, err
		}
		counting = counting || begun
	}
	return counting, nil
}

// ForgetSoftware removes software from the coverage of licences.
func ForgetSoftware(ctx context.Context, tx *store.Tx, software int64) error {
	return tx.Exec(ctx, "DELETE FROM licence_softwares WHERE software_id = $1", software)
}

// CountComputer makes licences count a computer once more, or once less. The caller has locked the computer,
// and has called ShareLicences.
func CountComputer(ctx context.Context, tx *store.Tx, computer int64, counts bool) error {
	licences, err := licencesOf(ctx, tx, computer)
	if err != nil {
		return err
	}
	if counts {
		return addInstalled(ctx, tx, computer, nil, licences)
	}
	return addInstalled(ctx, tx, computer, licences, nil)
}

// keepInstalled runs a change of a computer's software, and updates how many computers licences count. A
// computer counts once for a licence, however much of the covered software it has, so the licences that it uses
// before and after are compared. For a change of few software records it first checks whether any is covered.
func keepInstalled(ctx context.Context, tx *store.Tx, computer int64, counts bool, softwares []int64,
	change func() error) error {
	if len(softwares) <= littleSoftware {
		if is, err := isLicensed(ctx, tx, softwares); err != nil {
			return err
		} else if !is {
			return change()
		}
	}
	was, err := licencesOf(ctx, tx, computer)
	if err != nil {
		return err
	}
	if err := change(); err != nil {
		return err
	}
	is, err := licencesOf(ctx, tx, computer)
	if err != nil {
		return err
	}
	lost, gained := difference(was, is)
	if !counts {
		tx.TouchCounted("contracts", slices.Concat(lost, gained)...)
		return nil
	}
	return addInstalled(ctx, tx, computer, lost, gained)
}

// littleSoftware is the number of software records up to which checking them costs less than reading all that a
// computer has.
const littleSoftware = 50

// isLicensed reports whether a licence covers some of the software.
func isLicensed(ctx context.Context, tx *store.Tx, softwares []int64) (is bool, err error) {
	params, args := sqldb.InBatch(nil, softwares)
	err = tx.Query(ctx, "SELECT contract_id FROM licence_softwares WHERE software_id IN ("+params+") LIMIT 1",
		args, func(sqldb.Row) error {
			is = true
			return nil
		})
	return is, err
}

// addInstalled decreases the counts of some licences by one, for a computer, and increases those of others.
func addInstalled(ctx context.Context, tx *store.Tx, computer int64, lost, gained []int64) error {
	all := slices.Sorted(slices.Values(slices.Concat(lost, gained)))
	for chunk := range slices.Chunk(all, sqldb.Batches[len(sqldb.Batches)-1]) {
		if err := tx.LockRows(ctx, "contracts", chunk); err != nil {
			return err
		}
	}
	if err := addOne(ctx, tx, computer, lost, "- 1"); err != nil {
		return err
	}
	return addOne(ctx, tx, computer, gained, "+ 1")
}

// addOne changes the counts of licences that are locked by one, for a computer. Those that are being counted have
// counted the computer when it is not above their mark.
func addOne(ctx context.Context, tx *store.Tx, computer int64, licences []int64, by string) error {
	tx.TouchCounted("contracts", licences...)
	for chunk := range slices.Chunk(licences, sqldb.Batches[len(sqldb.Batches)-1]) {
		params, args := sqldb.InBatch(nil, chunk)
		counted := 0
		err := tx.Query(ctx, "UPDATE contracts SET installed = installed "+by+" WHERE id IN ("+params+
			") AND coalesce(counting, 0) = 0 RETURNING id", args, func(sqldb.Row) error {
			counted++
			return nil
		})
		if err == nil && counted < len(chunk) {
			params, args := sqldb.InBatch([]any{computer, adding}, chunk)
			err = tx.Exec(ctx, "UPDATE licence_counts SET counted = counted "+by+
				" WHERE upto >= $1 AND phase = $2 AND contract_id IN ("+params+")", args...)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// count counts the computers of a licence at once, and stores their number.
func count(ctx context.Context, tx *store.Tx, id int64, gone []string) (installed int64, err error) {
	if installed, err = Counted(ctx, tx, id, gone); err != nil {
		return 0, err
	}
	return installed, setCounted(ctx, tx, id, installed)
}

// Counted counts the computers that have some of the software that a licence covers, leaving out those with a status in
// gone. It begins with the software, of which PostgreSQL's planner knows too little: what it does not see through, it
// takes in the order in which it stands.
func Counted(ctx context.Context, tx *store.Tx, id int64, gone []string) (installed int64, err error) {
	args := []any{id}
	var statuses []string
	for _, status := range gone {
		args = append(args, status)
		statuses = append(statuses, fmt.Sprintf("$%d", len(args)))
	}
	from := `licence_softwares l CROSS JOIN installations i ON i.software_id = l.software_id WHERE l.contract_id = $1`
	if tx.Shared() {
		from = `(SELECT software_id FROM licence_softwares WHERE contract_id = $1 OFFSET 0) l
			CROSS JOIN LATERAL (SELECT hardware_id FROM installations WHERE software_id = l.software_id OFFSET 0) i`
	}
	return number(ctx, tx, fmt.Sprintf(`SELECT count(*) FROM (SELECT DISTINCT i.hardware_id FROM %s) u
		JOIN hardwares h ON h.id = u.hardware_id WHERE h.status NOT IN (%s)`, from, strings.Join(statuses, ", ")), args...)
}

// licencesOf returns the licences that cover any software of a computer, sorted.
func licencesOf(ctx context.Context, tx *store.Tx, computer int64) ([]int64, error) {
	return licences(ctx, tx, `SELECT DISTINCT l.contract_id FROM installations i JOIN licence_softwares l ON l.software_id = i.software_id
		WHERE i.hardware_id = $1 ORDER BY l.contract_id`, computer)
}

// licencesAbout returns the licences that cover a software, sorted.
func licencesAbout(ctx context.Context, tx *store.Tx, software int64) ([]int64, error) {
	return licences(ctx, tx, "SELECT contract_id FROM licence_softwares WHERE software_id = $1 ORDER BY contract_id",
		software)
}

func licences(ctx context.Context, tx *store.Tx, sql string, of int64) (ids []int64, err error) {
	err = tx.Query(ctx, sql, []any{of}, func(r sqldb.Row) error {
		ids = append(ids, r.Int(0))
		return nil
	})
	return ids, err
}

// difference returns what was removed from a sorted list, and what was added to it.
func difference(was, is []int64) (lost, gained []int64) {
	without := func(a, b []int64) (rest []int64) {
		for _, id := range a {
			if _, found := slices.BinarySearch(b, id); !found {
				rest = append(rest, id)
			}
		}
		return rest
	}
	return without(was, is), without(is, was)
}

// LicencesOf is the tie of licences to a software that they cover.
func LicencesOf(software int64) kind.Tie {
	return kind.Tie{Table: "licence_softwares", Own: "contract_id", Other: "software_id", ID: software}
}

// SoftwareUnder is the tie of software to a licence that covers it.
func SoftwareUnder(licence int64) kind.Tie {
	return kind.Tie{Table: "licence_softwares", Own: "software_id", Other: "contract_id", ID: licence}
}

// ComputersUnder is the tie of computers to a licence that covers some of their software.
func ComputersUnder(licence int64) kind.Tie {
	return kind.Tie{
		Table: "(SELECT DISTINCT i.hardware_id, l.contract_id FROM licence_softwares l JOIN installations i ON i.software_id = l.software_id) licensed",
		Own:   "hardware_id", Other: "contract_id", ID: licence, Counted: "contracts",
	}
}
