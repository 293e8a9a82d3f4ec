package desk

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/message"
	"muster/internal/store"
)

// statuses are further values of the status of computers and other assets.
var statuses = Setting{
	Name: inventory.StatusSetting,
	About: "further statuses of computers and other assets, separated by commas, besides " +
		strings.Join(inventory.Statuses, ", "),
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
		case !IsLine(one):
			return nil, "", message.Says("must be text of one line in UTF-8")
		case utf8.RuneCountInString(one) > MaxName:
			return nil, "", message.Says("must have at most %d characters each, which %s… has not", MaxName,
				fmt.Sprintf("%.30s", one))
		case slices.ContainsFunc(inventory.Statuses, same):
			return nil, "", message.Says("must be others than %s, which are there always",
				strings.Join(inventory.Statuses, ", "))
		case slices.ContainsFunc(all, same):
			return nil, "", message.Says("must be different from each other: %s is there twice", one)
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
		if !by.IsZero() {
			return Refuse(Conflict, "%s cannot lose %s, which is the status of %s: give them another first",
				message.Word(inventory.StatusSetting), status, by)
		}
	}
	return nil
}

// withStatus returns how many records have a status, nothing for none.
func withStatus(ctx context.Context, tx *store.Tx, status string) (by message.Text, err error) {
	for _, k := range inventory.All() {
		for _, f := range k.Fields {
			if f.Added != inventory.StatusSetting {
				continue
			}
			q := &kind.Query{
				Page: 1, PerPage: 1, Conds: []kind.Cond{{Field: f, Any: []kind.Test{{Text: []string{status}}}}},
			}
			total, _, err := tx.Find(ctx, k, q)
			if err != nil {
				return by, err
			}
			count := message.Count{N: int64(total), Noun: k.Noun}
			switch {
			case total == 0:
			case by.IsZero():
				by = message.New("%s", count)
			default:
				by = message.New("%s and %s", by, count)
			}
		}
	}
	return by, nil
}
