package admin

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"muster/internal/desk"
	"muster/internal/desk/agents"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/web/page"
	"muster/internal/web/records"
)

// ClaimsPath is where claims are answered.
const ClaimsPath = "/agents/claims"

// maxClaimRows is how many claims are shown, and how many of the changes that one would
// bring. All of an agent token can be answered at once.
const (
	maxClaimRows    = 50
	maxClaimChanges = 2
)

// A claimsView shows the reports that wait for an answer.
type claimsView struct {
	Total  int
	Change bool // the person may answer them
	Rows   []claimRow
	Tokens []claimToken // of more than one of them
}

// A claimRow is a claim: who has reported the computer so far, who would, and what that
// would change.
type claimRow struct {
	*inventory.AgentClaim
	Computer page.Cell
	Before   *agents.Agent // that reported last, nil for none
	Was, Is  *page.Moment  // the reports of both
	Changes  []page.HistoryDiff
	More     int // changes that are not shown
}

// A claimToken is an agent token with which several claims came.
type claimToken struct {
	ID    int64
	Name  string
	Total int
	// Replaced is the agent token of all these computers so far, nil when there are
	// several, or the person may not say that it is replaced.
	Replaced *agents.Token
}

// CountClaims notes at the link to the agents how many claims wait.
func CountClaims(c *page.Call, link *page.NavLink) error {
	k := inventory.AgentClaims.Schema
	found, err := c.App.Desk.List(c.Context(), c.Who(), k, &kind.Query{
		Page: 1, PerPage: 1, Conds: []kind.Cond{
			{Field: k.Field("status"), Any: []kind.Test{{Text: []string{inventory.ClaimWaiting}}}},
		},
	})
	link.Waits = found.Total
	return err
}

// newClaimsView returns what is shown of claims, nil for none.
func newClaimsView(c *page.Call, claims []*inventory.AgentClaim) (*claimsView, error) {
	if len(claims) == 0 {
		return nil, nil
	}
	ids := make([]int64, len(claims))
	for i, claim := range claims {
		ids[i] = claim.ComputerID.V
	}
	agents, err := c.App.Agents.AgentsOf(c.Context(), c.Who(), ids)
	if err != nil {
		return nil, err
	}
	v := &claimsView{Total: len(claims), Change: !c.User.ReadOnly.V}
	for _, claim := range claims[:min(len(claims), maxClaimRows)] {
		v.Rows = append(v.Rows, newClaimRow(c, claim, lastOf(agents[claim.ComputerID.V])))
	}
	v.Tokens, err = claimTokens(c, claims, agents)
	return v, err
}

// lastOf returns the agent that reported last, nil when there is none.
func lastOf(agents []agents.Agent) (last *agents.Agent) {
	for i := range agents {
		if last == nil || agents[i].ReportedAt.After(last.ReportedAt) {
			last = &agents[i]
		}
	}
	return last
}

func newClaimRow(c *page.Call, claim *inventory.AgentClaim, before *agents.Agent) claimRow {
	row := claimRow{
		AgentClaim: claim, Before: before, Is: c.Moment(claim.UpdatedAt),
		Computer: page.Cell{
			Look: "name", Text: claim.ComputerName, Href: c.RecordPath(inventory.Computers.Schema, claim.ComputerID.V),
		},
	}
	if before != nil {
		row.Was = c.Moment(before.ReportedAt)
	}
	for i, change := range claim.Changes {
		if i == maxClaimChanges {
			row.More = len(claim.Changes) - i
			break
		}
		f := inventory.Computers.Field(change.Field)
		one := page.HistoryDiff{Label: SectionName(c, change.Field), From: change.From, To: change.To}
		if f != nil && f.Type != kind.List {
			one = page.HistoryDiff{
				Label: c.Label(f), From: c.EventValue(f, change.From), To: c.EventValue(f, change.To),
			}
		}
		row.Changes = append(row.Changes, one)
	}
	return row
}

// claimTokens returns the agent tokens with more than one claim.
func claimTokens(c *page.Call, claims []*inventory.AgentClaim,
	agents map[int64][]agents.Agent) (tokens []claimToken, err error) {
	before := map[int64][]string{}
	for _, claim := range claims {
		i := slices.IndexFunc(tokens, func(t claimToken) bool { return t.ID == claim.TokenID.V })
		if i < 0 {
			i, tokens = len(tokens), append(tokens, claimToken{ID: claim.TokenID.V, Name: claim.Token})
		}
		tokens[i].Total++
		was := ""
		if last := lastOf(agents[claim.ComputerID.V]); last != nil {
			was = last.Token
		}
		if !slices.Contains(before[claim.TokenID.V], was) {
			before[claim.TokenID.V] = append(before[claim.TokenID.V], was)
		}
	}
	if page.Admins.Allows(c.User) && !c.User.ReadOnly.V {
		all, err := c.App.Agents.Tokens(c.Context(), c.Who())
		if err != nil {
			return nil, err
		}
		for i := range tokens {
			if was := before[tokens[i].ID]; len(was) == 1 {
				tokens[i].Replaced = tokenCalled(all, was[0], tokens[i].ID)
			}
		}
	}
	return slices.DeleteFunc(tokens, func(t claimToken) bool { return t.Total < 2 && t.Replaced == nil }), nil
}

// tokenCalled returns the agent token with a name, other than the one with the given id,
// or nil.
func tokenCalled(all []*agents.Token, name string, except int64) *agents.Token {
	for _, t := range all {
		if t.Name == name && t.ID != except {
			return t
		}
	}
	return nil
}

// AnswerClaims accepts or refuses a claim, or all with an agent token.
func AnswerClaims(c *page.Call) (*page.Answer, error) {
	claims, err := meantClaims(c)
	if err != nil {
		return nil, err
	}
	if len(claims) == 0 {
		return nil, c.App.Missing(c.Request)
	}
	accept := c.Form.Get("do") != "refuse"
	res, err := c.App.Agents.AnswerClaims(c.Context(), c.Who(), agents.ClaimAnswer{Claims: claims, Accept: accept})
	if err != nil {
		return nil, err
	}
	if len(claims) == 1 && len(res.Faults) == 1 {
		if e, ok := errors.AsType[*desk.Error](res.Faults[0]); ok && e.Code == desk.NotFound {
			return nil, e
		}
	}
	notifyAnswered(c, res, accept)
	return c.GoTo(AgentsPath)
}

// notifyAnswered says what became of claims.
func notifyAnswered(c *page.Call, res agents.Answered, accept bool) {
	done, all := c.Number(len(res.Done)), c.Number(len(res.Done)+len(res.Faults)+res.Left)
	switch {
	case res.Left > 0:
		c.Warn(c.T("%s of %s answered. Time ran out for the other %s: repeat to continue.", done, all,
			c.Number(res.Left)))
	case len(res.Faults) > 0:
		c.Warn(c.T("%s of %s answered. %s", done, all, claimFault(c, res.Faults[len(res.Faults)-1])))
	case accept:
		c.Notify(c.TN(len(res.Done), "%s report accepted", "%s reports accepted"))
	default:
		c.Notify(c.TN(len(res.Done), "%s report refused", "%s reports refused"))
	}
}

// claimFault returns why a claim could not be answered.
func claimFault(c *page.Call, err error) string {
	if e, ok := errors.AsType[*desk.Error](err); ok {
		return c.Fault(e.Text)
	}
	text, _ := c.Refusal(err)
	return text
}

// meantClaims returns the claims that a form is about. One that was looked at is meant
// in the version that was shown.
func meantClaims(c *page.Call) (targets []desk.Target, err error) {
	k := inventory.AgentClaims.Schema
	if given := c.Form.Get("id"); given != "" {
		id, err := strconv.ParseInt(given, 10, 64)
		if err != nil {
			return nil, c.App.Missing(c.Request)
		}
		version := c.Form.Get("version")
		return []desk.Target{
			{Kind: k, ID: id, If: func(now int64) bool {
				return version == "" ||
					version == strconv.FormatInt(now, 10)
			}},
		}, nil
	}
	token := page.Number(c.Form, "token")
	if other := c.Form.Get("replaces"); other != "" {
		if err := addReplaced(c, token, other); err != nil {
			return nil, err
		}
	}
	claims, err := c.App.Agents.Claims(c.Context(), c.Who())
	for _, claim := range claims {
		if claim.TokenID.V == token {
			targets = append(targets, desk.Target{Kind: k, ID: claim.ID})
		}
	}
	return targets, err
}

// addReplaced makes an agent token replace another one besides those that it does.
func addReplaced(c *page.Call, token int64, other string) error {
	all, err := c.App.Agents.Tokens(c.Context(), c.Who())
	if err != nil {
		return err
	}
	marks := agents.TokenMarks{Replaces: []string{other}}
	for _, t := range all {
		if t.ID == token {
			for _, id := range t.Replaces {
				if slices.ContainsFunc(all, func(one *agents.Token) bool { return one.ID == id }) {
					marks.Replaces = append(marks.Replaces, strconv.FormatInt(id, 10))
				}
			}
		}
	}
	_, err = c.App.Agents.MarkToken(c.Context(), c.Who(), strconv.FormatInt(token, 10), marks)
	return err
}

// PreferAgent makes an agent the one whose rows a computer shows.
func PreferAgent(c *page.Call) (*page.Answer, error) {
	if err := c.App.Agents.PreferAgent(c.Context(), c.Who(), page.Number(c.Form, "computer"),
		page.Number(c.Form, "agent")); err != nil {
		return nil, err
	}
	c.Notify(c.T("The computer shows this agent's data from its next report on"))
	return c.GoTo(AgentsPath)
}

// markInputs are the fields of a form that say which computers of other tokens may come
// with one.
func markInputs(c *page.Call, all []*agents.Token, t *agents.Token) (inputs []records.Input) {
	inputs = append(inputs, records.Input{
		ID: "agent-images", Name: "for-new-images", Look: "tick", Label: c.T("For reinstalled computers"),
		Value: onOff(t.ForNewImages || on(c, "for-new-images")),
		Hint:  c.T("They may have reported with any token before, and are accepted at once."),
	})
	for _, other := range all {
		if other.ID == t.ID {
			continue
		}
		id := strconv.FormatInt(other.ID, 10)
		inputs = append(inputs, records.Input{
			ID: "agent-replaces-" + id, Name: "replaces-" + id, Look: "tick", Label: c.T("Replaces %s", other.Name),
			Value: onOff(slices.Contains(t.Replaces, other.ID) || on(c, "replaces-"+id)),
		})
	}
	return inputs
}

// on reports whether the form has a field ticked, which comes after what it is else.
func on(c *page.Call, name string) bool { return slices.Contains(c.Form[name], "true") }

// onOff returns the value of a field that is on or off.
func onOff(on bool) string {
	if on {
		return "true"
	}
	return ""
}

// marks reads the fields of markInputs.
func marks(c *page.Call) agents.TokenMarks {
	images := on(c, "for-new-images")
	marks := agents.TokenMarks{Replaces: []string{}, ForNewImages: &images}
	for name := range c.Form {
		if id, ok := strings.CutPrefix(name, "replaces-"); ok && on(c, name) {
			marks.Replaces = append(marks.Replaces, id)
		}
	}
	slices.Sort(marks.Replaces)
	return marks
}

// tokenUses returns which computers an agent token may report, besides new ones and
// those that it reports already.
func tokenUses(c *page.Call, t *agents.Token, all []*agents.Token) (uses []string) {
	if t.ComputerID != 0 {
		uses = append(uses, c.T("Computer %s alone", strconv.FormatInt(t.ComputerID, 10)))
	}
	if t.ForNewImages {
		uses = append(uses, c.T("Reinstalled computers"))
	}
	for _, other := range all {
		if slices.Contains(t.Replaces, other.ID) {
			uses = append(uses, c.T("Computers of %s", other.Name))
		}
	}
	if t.LeftOut > 0 {
		uses = append(uses, c.TN(int(t.LeftOut), "%s report was dropped: too many were waiting",
			"%s reports were dropped: too many were waiting"))
	}
	return uses
}

// A marksPage asks which computers of other tokens may come with one.
type marksPage struct {
	Name, Action, Fault string
	Inputs              []records.Input
	Change              bool
}

// AskMarks shows which computers of other tokens may come with one.
func AskMarks(c *page.Call) (*page.Answer, error) { return newMarksPage(c, http.StatusOK, "") }

func newMarksPage(c *page.Call, status int, fault string) (*page.Answer, error) {
	all, err := c.App.Agents.Tokens(c.Context(), c.Who())
	if err != nil {
		return nil, err
	}
	for _, t := range all {
		if id := strconv.FormatInt(t.ID, 10); id == c.PathValue("id") {
			p := marksPage{Name: t.Name, Action: "/agents/tokens/" + url.PathEscape(id), Fault: fault,
				Inputs: markInputs(c, all, t), Change: !c.User.ReadOnly.V}
			return &page.Answer{Status: status, Template: "agentmarks", Page: page.Page{
				Title: c.T("Agent token %s", t.Name), Here: AgentsPath, Data: p,
			}}, nil
		}
	}
	return nil, c.App.Missing(c.Request)
}

// Mark changes which computers of other tokens may come with one.
func Mark(c *page.Call) (*page.Answer, error) {
	if _, err := strconv.ParseInt(c.PathValue("id"), 10, 64); err != nil {
		return nil, c.App.Missing(c.Request)
	}
	_, err := c.App.Agents.MarkToken(c.Context(), c.Who(), c.PathValue("id"), marks(c))
	if text, refused := c.Refusal(err); refused {
		return newMarksPage(c, http.StatusUnprocessableEntity, text)
	}
	if err != nil {
		return nil, err
	}
	c.Notify(c.T("The agent token was changed"))
	return c.GoTo("/agents/tokens")
}
