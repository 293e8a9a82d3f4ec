package desk

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/store"
)

// statuses are further values of the status of computers and other assets.
var statuses = Setting{
	Name:  inventory.StatusSetting,
	About: "further statuses of computers and other assets, separated by commas, besides " + strings.Join(inventory.Statuses, ", "),
	parse: parseStatuses,
	fits:  unusedStatuses,
}

func parseStatuses(text string) (any, string, error) {
	var all []string
	for one := range strings.SplitSeq(text, ",") {
		one = strings.TrimSpace(one)
		same := func(other string) bool { return strings.EqualFold(one, other) }
		switch {
		case one == "":
			continue
		case !isLine(one):
			return nil, "", errors.New("must be text of one line in UTF-8")
		case utf8.RuneCountInString(one) > maxName:
			return nil, "", fmt.Errorf("must have at most %d characters each, which %.30s… has not", maxName, one)
		case slices.ContainsFunc(inventory.Statuses, same):
			return nil, "", fmt.Errorf("must be others than %s, which are there always", strings.Join(inventory.Statuses, ", "))
		case slices.ContainsFunc(all, same):
			return nil, "", fmt.Errorf("must be different from each other: %s is there twice", one)
		}
		all = append(all, one)
	}
	return all, strings.Join(all, ", "), nil
}

// unusedStatuses refuses to take a status away that records have.
func unusedStatuses(ctx context.Context, tx *store.Tx, old, value any) error {
	for _, status := range old.([]string) {
		if slices.Contains(value.([]string), status) {
			continue
		}
		by, err := withStatus(ctx, tx, status)
		if err != nil {
			return err
		}
		if by != nil {
			return refuse(Conflict, "%s cannot lose %s, which is the status of %s: give them another first",
				inventory.StatusSetting, status, strings.Join(by, " and "))
		}
	}
	return nil
}

// withStatus tells in words how many records have a status, nil for none.
func withStatus(ctx context.Context, tx *store.Tx, status string) (by []string, err error) {
	for _, k := range inventory.All() {
		for _, f := range k.Fields {
			if f.Added != inventory.StatusSetting {
				continue
			}
			q := &kind.Query{Page: 1, PerPage: 1, Conds: []kind.Cond{{Field: f, Any: []kind.Test{{Text: []string{status}}}}}}
			total, _, err := tx.Find(ctx, k, q)
			if err != nil {
				return nil, err
			}
			if total > 0 {
				by = append(by, plural(int64(total), k.Noun))
			}
		}
	}
	return by, nil
}
