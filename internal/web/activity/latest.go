package activity

import (
	"strconv"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/web/page"
)

// A Latest is a change of a record as the record's page shows it.
type Latest struct {
	Text string
	Who  string
	When *page.Moment
}

// latestChanges is how many changes a record's page shows.
const latestChanges = 6

// LatestOf returns the latest changes of a record.
func LatestOf(c *page.Call, k *kind.Schema, id int64) (changes []Latest, err error) {
	if k.Chained {
		return nil, nil
	}
	q, err := inventory.Audits.ParseQuery(about(k, id)+
		"&sort_by=id&sort_order=DESC&per_page="+strconv.Itoa(latestChanges), c.App.Now())
	if err != nil {
		return nil, err
	}
	found, err := c.App.Desk.List(c.Context(), c.Who(), inventory.Audits.Schema, q)
	for _, rec := range found.Records {
		a := rec.(*inventory.Audit)
		changes = append(changes, Latest{AuditSentence(c, a), ActorName(c, a), c.Moment(a.CreatedAt)})
	}
	return changes, err
}

// about returns the query of the audit records of a record.
func about(k *kind.Schema, id int64) string {
	return "record_type=" + k.Item + "&record_id=" + strconv.FormatInt(id, 10)
}

// PathOf returns where all changes of a record are.
func PathOf(k *kind.Schema, id int64) string { return "/activity?" + about(k, id) }
