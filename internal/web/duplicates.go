package web

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"muster/internal/desk"
	"muster/internal/inventory"
)

// A duplicatesPage is what the page of possible duplicates shows.
type duplicatesPage struct {
	Tabs          []viewTab
	Before        int64 // the doubts that are shown come before this one, 0 for the latest
	Pairs         []pairView
	Latest, Older string // addresses of other pages, "" where there is none
	Joined        []joinedView
	Change        bool
	MaySplit      bool
}

// A joinedView shows a computer that may be two.
type joinedView struct {
	Name  cell
	Path  string // where it is said to be one
	Split string // where it is split
	Why   string
}

// A pairView shows two computers side by side.
type pairView struct {
	Path  string // where it is settled
	Names [2]cell
	Facts []pairFact
}

// A pairFact is a field of both.
type pairFact struct {
	Label  string
	Values [2]cell
	Same   bool
	Stays  [2]bool // which of them the computer has that both become, where they differ
}

// pairFields are the fields by which people tell computers apart.
var pairFields = []string{"serial-number", "asset-id", "manufacturer", "model", "operating-system", "ip", "username", "owner", "site", "department", "tag", "status", "detected-at", "created-at"}

// pairView returns two computers side by side, and marks what of both stays in the one
// that they would become; nil where nobody has asked for that.
func (c *call) pairView(p desk.Pair, merged *inventory.Computer) pairView {
	k := inventory.Computers.Schema
	v, both := pairView{Path: pairPath(p)}, [2]*inventory.Computer{p.Older, p.Newer}
	for i, one := range both {
		v.Names[i] = cell{Look: "name", Text: one.Name, Href: c.recordPath(k, one.ID)}
	}
	names := pairFields
	if merged != nil && p.Older.Name != p.Newer.Name {
		names = append([]string{"name"}, names...)
	}
	for _, name := range names {
		f := k.Field(name)
		fact := pairFact{Label: c.label(f)}
		for i, one := range both {
			fact.Values[i] = c.cell(k.Values(one), f)
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
func pairPath(p desk.Pair) string {
	return fmt.Sprintf("%s/%d/%d", duplicatesPath, p.Older.ID, p.Newer.ID)
}

// duplicatesPath is where the computers are that may be one.
const duplicatesPath = "/agents/duplicates"

// duplicatesBefore returns the address of those that were doubted before one, or of
// the latest for 0.
func duplicatesBefore(before int64) string {
	if before == 0 {
		return duplicatesPath
	}
	return duplicatesPath + "?before=" + strconv.FormatInt(before, 10)
}

// showDuplicates shows the computers that may be one: the latest of them, or those
// that were doubted before.
func (c *call) showDuplicates() (*answer, error) {
	before := number(c.URL.Query(), "before")
	pairs, older, err := c.web.Desk.Duplicates(c.Context(), c.who(), before)
	if err != nil {
		return nil, err
	}
	p := duplicatesPage{Before: before, Tabs: c.agentTabs(duplicatesPath), Change: admins.admits(c.user) && !c.user.ReadOnly.V, MaySplit: !c.user.ReadOnly.V}
	if before > 0 {
		p.Latest = duplicatesPath
	} else if p.Joined, err = c.joinedViews(); err != nil {
		return nil, err
	}
	if older > 0 {
		p.Older = duplicatesBefore(older)
	}
	for _, one := range pairs {
		p.Pairs = append(p.Pairs, c.pairView(one, nil))
	}
	return c.show("duplicates", page{Title: c.t("Possible duplicates"), Here: agentsPath, Data: p})
}

// thePair returns the computers of the path.
func (c *call) thePair() (p desk.Pair, err error) {
	for _, one := range []struct {
		name string
		into **inventory.Computer
	}{{"older", &p.Older}, {"newer", &p.Newer}} {
		id, err := strconv.ParseInt(c.PathValue(one.name), 10, 64)
		if err != nil {
			return p, c.web.missing(c.Request)
		}
		rec, err := c.web.Desk.Get(c.Context(), c.who(), inventory.Computers.Schema, id)
		if err != nil {
			return p, err
		}
		*one.into = rec.(*inventory.Computer)
	}
	return p, nil
}

// askUnite tells what becomes of two computers that are merged.
func (c *call) askUnite() (*answer, error) {
	p, err := c.thePair()
	if err != nil {
		return nil, err
	}
	return c.confirmUnite(p, number(c.URL.Query(), "before"), "")
}

func (c *call) confirmUnite(p desk.Pair, before int64, fault string) (*answer, error) {
	return c.askPair(agentsPath, p, confirmPage{
		Action: pairPath(p), Fields: []pair{{"do", "merge"}, {"before", strconv.FormatInt(before, 10)}}, Back: duplicatesBefore(before), Keep: c.t("Cancel"), Fault: fault,
	})
}

// A unitePage asks whether two computers shall be one.
type unitePage struct {
	confirmPage
	Pair pairView
}

// askPair shows two computers side by side and asks whether they shall be one.
func (c *call) askPair(here string, both desk.Pair, form confirmPage) (*answer, error) {
	var names []string
	for _, one := range []*inventory.Computer{both.Older, both.Newer} {
		names = append(names, numbered(one.Name, strconv.FormatInt(one.ID, 10)))
	}
	if both.Newer.ID < both.Older.ID {
		slices.Reverse(names)
	}
	form.Title, form.Do = c.t("Merge %s and %s?", both.Older.Name, both.Newer.Name), c.t("Merge computers")
	form.Texts = []string{c.t("%s stays, with the tickets, agents, software and history of both; %s goes. This cannot be undone.", names[0], names[1]),
		c.t("Of what differs, the computer will have what is marked: what people have set, then what was reported last.")}
	status := http.StatusOK
	if form.Fault != "" {
		status = http.StatusConflict
	}
	return &answer{status: status, template: "unite", page: page{Title: form.Title, Here: here, Data: unitePage{form, c.pairView(both, desk.Merged(both.Older, both.Newer))}}}, nil
}

// undoPair notes that two computers may be one after all.
func (c *call) undoPair() (*answer, error) {
	p, err := c.thePair()
	if err != nil {
		return nil, err
	}
	if err := c.web.Desk.MayBeDuplicate(c.Context(), c.who(), p.Older.ID, p.Newer.ID); err != nil {
		return nil, err
	}
	c.say(c.t("%s and %s may be one computer", p.Older.Name, p.Newer.Name))
	return c.goTo(ownPath(c.form.Get("to")))
}

// settlePair merges two computers, or notes that they are different.
func (c *call) settlePair() (*answer, error) {
	p, err := c.thePair()
	if err != nil {
		return nil, err
	}
	if c.form.Get("do") != "merge" {
		if err := c.web.Desk.NoDuplicate(c.Context(), c.who(), p.Older.ID, p.Newer.ID); err != nil {
			return nil, err
		}
		c.say(c.t("%s and %s are kept as different computers", p.Older.Name, p.Newer.Name))
		c.toast.Undo = fmt.Sprintf("%s/duplicates/%d/%d", undoPath, p.Older.ID, p.Newer.ID)
		return c.goTo(duplicatesBefore(number(c.form, "before")))
	}
	return c.unite(p.Older, p.Newer, func(fault string) (*answer, error) { return c.confirmUnite(p, number(c.form, "before"), fault) })
}

// joinedViews returns the computers that may be two.
func (c *call) joinedViews() (views []joinedView, err error) {
	all, err := c.web.Desk.PerhapsTwo(c.Context(), c.who())
	for _, one := range all {
		views = append(views, joinedView{
			Name: cell{Look: "name", Text: one.Computer.Name, Href: c.recordPath(inventory.Computers.Schema, one.Computer.ID)},
			Path: joinedPath + "/" + strconv.FormatInt(one.Computer.ID, 10), Why: c.deed(one.Why),
			Split: c.recordPath(inventory.Computers.Schema, one.Computer.ID) + "/split",
		})
	}
	return views, err
}

// joinedPath is where computers are said to be one.
const joinedPath = "/agents/joined"

// settleJoined notes that a computer that may be two is one.
func (c *call) settleJoined() (*answer, error) {
	id, err := strconv.ParseInt(c.PathValue("id"), 10, 64)
	if err != nil {
		return nil, c.web.missing(c.Request)
	}
	if err := c.web.Desk.IsOne(c.Context(), c.who(), id); err != nil {
		return nil, err
	}
	c.say(c.t("The computer is kept as one"))
	return c.goTo(duplicatesPath)
}
