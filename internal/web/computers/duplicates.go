package computers

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"muster/internal/desk/merge"
	"muster/internal/inventory"
	"muster/internal/web/activity"
	"muster/internal/web/admin"
	"muster/internal/web/page"
	"muster/internal/web/records"
)

// A duplicatesPage is what the page of possible duplicates shows.
type duplicatesPage struct {
	Tabs          []records.ViewTab
	Before        int64 // the doubts that are shown come before this one, 0 for the latest
	Pairs         []pairView
	Latest, Older string // addresses of other pages, "" where there is none
	Joined        []joinedView
	Change        bool
	MaySplit      bool
}

// A joinedView shows a computer that may be two.
type joinedView struct {
	Name  page.Cell
	Path  string // where it is said to be one
	Split string // where it is split
	Why   string
}

// A pairView shows two computers side by side.
type pairView struct {
	Path  string // where it is settled
	Names [2]page.Cell
	Facts []pairFact
}

// A pairFact is a field of both.
type pairFact struct {
	Label  string
	Values [2]page.Cell
	Same   bool
	Stays  [2]bool // which of them the computer has that both become, where they differ
}

// pairFields are the fields by which people tell computers apart.
var pairFields = []string{"serial-number", "asset-id", "manufacturer", "model", "operating-system", "ip", "username",
	"owner", "site", "department", "tag", "status", "detected-at", "created-at"}

// newPairView returns two computers side by side, and marks what of both stays in the one
// that they would become; nil where nobody has asked for that.
func newPairView(c *page.Call, p merge.Pair, merged *inventory.Computer) pairView {
	k := inventory.Computers.Schema
	v, both := pairView{Path: pairPath(p)}, [2]*inventory.Computer{p.Older, p.Newer}
	for i, one := range both {
		v.Names[i] = page.Cell{Look: "name", Text: one.Name, Href: c.RecordPath(k, one.ID)}
	}
	names := pairFields
	if merged != nil && p.Older.Name != p.Newer.Name {
		names = append([]string{"name"}, names...)
	}
	for _, name := range names {
		f := k.Field(name)
		fact := pairFact{Label: c.Label(f)}
		for i, one := range both {
			fact.Values[i] = c.Cell(k.Values(one), f)
			fact.Stays[i] = merged != nil && fact.Values[i].Look != "" && k.Values(one).Equal(f, k.Values(merged))
		}
		older, newer := fact.Values[0], fact.Values[1]
		if fact.Same = older.Look != "" && k.Values(p.Older).Equal(f, k.Values(p.Newer)); fact.Same {
			fact.Stays = [2]bool{}
		}
		if older.Look != "" || newer.Look != "" {
			v.Facts = append(v.Facts, fact)
		}
	}
	return v
}

// pairPath is where it is settled whether two computers are one.
func pairPath(p merge.Pair) string {
	return fmt.Sprintf("%s/%d/%d", admin.DuplicatesPath, p.Older.ID, p.Newer.ID)
}

// duplicatesBefore returns the address of those that were doubted before one, or of
// the latest for 0.
func duplicatesBefore(before int64) string {
	if before == 0 {
		return admin.DuplicatesPath
	}
	return admin.DuplicatesPath + "?before=" + strconv.FormatInt(before, 10)
}

// ShowDuplicates shows the computers that may be one: the latest of them, or those
// that were doubted before.
func ShowDuplicates(c *page.Call) (*page.Answer, error) {
	before := page.Number(c.URL.Query(), "before")
	pairs, older, err := c.App.Merges.Duplicates(c.Context(), c.Who(), before)
	if err != nil {
		return nil, err
	}
	p := duplicatesPage{
		Before: before, Tabs: admin.AgentTabs(c, admin.DuplicatesPath), Change: page.Admins.Allows(c.User) &&
			!c.User.ReadOnly.V, MaySplit: !c.User.ReadOnly.V,
	}
	if before > 0 {
		p.Latest = admin.DuplicatesPath
	} else if p.Joined, err = joinedViews(c); err != nil {
		return nil, err
	}
	if older > 0 {
		p.Older = duplicatesBefore(older)
	}
	for _, one := range pairs {
		p.Pairs = append(p.Pairs, newPairView(c, one, nil))
	}
	return c.Show("duplicates", page.Page{Title: c.T("Possible duplicates"), Here: admin.AgentsPath, Data: p})
}

// thePair returns the computers of the path.
func thePair(c *page.Call) (p merge.Pair, err error) {
	for _, one := range []struct {
		name string
		into **inventory.Computer
	}{{"older", &p.Older}, {"newer", &p.Newer}} {
		id, err := strconv.ParseInt(c.PathValue(one.name), 10, 64)
		if err != nil {
			return p, c.App.Missing(c.Request)
		}
		rec, err := c.App.Desk.Get(c.Context(), c.Who(), inventory.Computers.Schema, id)
		if err != nil {
			return p, err
		}
		*one.into = rec.(*inventory.Computer)
	}
	return p, nil
}

// AskMergePair shows what a merge of two computers will change, and asks to confirm it.
func AskMergePair(c *page.Call) (*page.Answer, error) {
	p, err := thePair(c)
	if err != nil {
		return nil, err
	}
	return confirmMergePair(c, p, page.Number(c.URL.Query(), "before"), "")
}

func confirmMergePair(c *page.Call, p merge.Pair, before int64, fault string) (*page.Answer, error) {
	return askPair(c, admin.AgentsPath, p, page.ConfirmPage{
		Action: pairPath(p), Fields: []page.Pair{
			{Name: "do", Value: "merge"}, {Name: "before", Value: strconv.FormatInt(before, 10)},
		}, Back: duplicatesBefore(before), Keep: c.T("Cancel"), Fault: fault,
	})
}

// A mergePairPage asks whether two computers shall be one.
type mergePairPage struct {
	page.ConfirmPage
	Pair pairView
}

// askPair shows two computers side by side and asks whether they shall be one.
func askPair(c *page.Call, here string, both merge.Pair, form page.ConfirmPage) (*page.Answer, error) {
	var names []string
	for _, one := range []*inventory.Computer{both.Older, both.Newer} {
		names = append(names, numbered(one.Name, strconv.FormatInt(one.ID, 10)))
	}
	if both.Newer.ID < both.Older.ID {
		slices.Reverse(names)
	}
	form.Title, form.Do = c.T("Merge %s and %s?", both.Older.Name, both.Newer.Name), c.T("Merge computers")
	form.Texts = []string{c.T("%s is kept, with the tickets, agents, software and history of both; %s is deleted. This cannot be undone.", names[0], names[1]),
		c.T("Where they differ, the marked values are kept: what people have set, then what was reported last.")}
	status := http.StatusOK
	if form.Fault != "" {
		status = http.StatusConflict
	}
	return &page.Answer{
		Status: status, Template: "unite", Page: page.Page{Title: form.Title, Here: here, Data: mergePairPage{
			form, newPairView(c, both, merge.Merged(both.Older, both.Newer)),
		}},
	}, nil
}

// UndoPair notes that two computers may be one after all.
func UndoPair(c *page.Call) (*page.Answer, error) {
	p, err := thePair(c)
	if err != nil {
		return nil, err
	}
	if err := c.App.Merges.MayBeDuplicate(c.Context(), c.Who(), p.Older.ID, p.Newer.ID); err != nil {
		return nil, err
	}
	c.Notify(c.T("%s and %s may be one computer", p.Older.Name, p.Newer.Name))
	return c.GoTo(page.OwnPath(c.Form.Get("to")))
}

// SettlePair merges two computers, or notes that they are different.
func SettlePair(c *page.Call) (*page.Answer, error) {
	p, err := thePair(c)
	if err != nil {
		return nil, err
	}
	if c.Form.Get("do") != "merge" {
		if err := c.App.Merges.NoDuplicate(c.Context(), c.Who(), p.Older.ID, p.Newer.ID); err != nil {
			return nil, err
		}
		c.Notify(c.T("%s and %s are kept as different computers", p.Older.Name, p.Newer.Name))
		c.Toast.Undo = fmt.Sprintf("%s/duplicates/%d/%d", page.UndoPath, p.Older.ID, p.Newer.ID)
		return c.GoTo(duplicatesBefore(page.Number(c.Form, "before")))
	}
	return mergePair(c, p.Older, p.Newer, func(fault string) (*page.Answer, error) {
		return confirmMergePair(c, p, page.Number(c.Form, "before"), fault)
	})
}

// joinedViews returns the computers that may be two.
func joinedViews(c *page.Call) (views []joinedView, err error) {
	all, err := c.App.Merges.PerhapsTwo(c.Context(), c.Who())
	for _, one := range all {
		views = append(views, joinedView{
			Name: page.Cell{
				Look: "name", Text: one.Computer.Name, Href: c.RecordPath(inventory.Computers.Schema, one.Computer.ID),
			},
			Path: JoinedPath + "/" + strconv.FormatInt(one.Computer.ID, 10), Why: activity.AuditSentence(c, one.Why),
			Split: c.RecordPath(inventory.Computers.Schema, one.Computer.ID) + "/split",
		})
	}
	return views, err
}

// JoinedPath is where computers are said to be one.
const JoinedPath = "/agents/joined"

// SettleJoined notes that a computer that may be two is one.
func SettleJoined(c *page.Call) (*page.Answer, error) {
	id, err := strconv.ParseInt(c.PathValue("id"), 10, 64)
	if err != nil {
		return nil, c.App.Missing(c.Request)
	}
	if err := c.App.Merges.IsOne(c.Context(), c.Who(), id); err != nil {
		return nil, err
	}
	c.Notify(c.T("The computer is kept as one"))
	return c.GoTo(admin.DuplicatesPath)
}
