package web

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/kind"
)

// claimsPath is where claims are answered.
const claimsPath = "/agents/claims"

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
	Computer cell
	Before   *desk.Agent // that reported last, nil for none
	Was, Is  *moment     // the reports of both
	Changes  []historyDiff
	More     int // changes that are not shown
}

// A claimToken is an agent token with which several claims came.
type claimToken struct {
	ID    int64
	Name  string
	Total int
	// Replaced is the agent token of all these computers so far, nil when there are
	// several, or the person may not say that it is replaced.
	Replaced *desk.AgentToken
}

// countClaims notes at the link to the agents how many claims wait.
func (c *call) countClaims(link *navLink) error {
	k := inventory.AgentClaims.Schema
	found, err := c.web.Desk.List(c.Context(), c.who(), k, &kind.Query{
		Page: 1, PerPage: 1, Conds: []kind.Cond{{Field: k.Field("status"), Any: []kind.Test{{Text: []string{inventory.ClaimWaiting}}}}},
	})
	link.Waits = found.Total
	return err
}

// waitingOf counts the computers of a list whose reports wait to be accepted.
func (c *call) waitingOf(list url.Values, claims []*inventory.AgentClaim) (int, error) {
	if len(claims) == 0 {
		return 0, nil
	}
	s := sectionOf(inventory.Computers.Schema)
	q, err := s.query(c, list)
	if err != nil {
		return 0, err
	}
	ids, err := c.web.Desk.IDs(c.Context(), c.who(), s.kind, q)
	waiting := map[int64]bool{}
	for _, claim := range claims {
		waiting[claim.ComputerID.V] = true
	}
	ids = slices.DeleteFunc(ids, func(id int64) bool { return !waiting[id] })
	return len(ids), err
}

// claimsView returns what is shown of claims, nil for none.
func (c *call) claimsView(claims []*inventory.AgentClaim) (*claimsView, error) {
	if len(claims) == 0 {
		return nil, nil
	}
	ids := make([]int64, len(claims))
	for i, claim := range claims {
		ids[i] = claim.ComputerID.V
	}
	agents, err := c.web.Desk.AgentsOf(c.Context(), c.who(), ids)
	if err != nil {
		return nil, err
	}
	v := &claimsView{Total: len(claims), Change: !c.user.ReadOnly.V}
	for _, claim := range claims[:min(len(claims), maxClaimRows)] {
		v.Rows = append(v.Rows, c.claimRow(claim, lastOf(agents[claim.ComputerID.V])))
	}
	v.Tokens, err = c.claimTokens(claims, agents)
	return v, err
}

// lastOf returns the agent that reported last, nil when there is none.
func lastOf(agents []desk.Agent) (last *desk.Agent) {
	for i := range agents {
		if last == nil || agents[i].ReportedAt.After(last.ReportedAt) {
			last = &agents[i]
		}
	}
	return last
}

func (c *call) claimRow(claim *inventory.AgentClaim, before *desk.Agent) claimRow {
	row := claimRow{
		AgentClaim: claim, Before: before, Is: c.moment(claim.UpdatedAt),
		Computer: cell{Look: "name", Text: claim.ComputerName, Href: c.recordPath(inventory.Computers.Schema, claim.ComputerID.V)},
	}
	if before != nil {
		row.Was = c.moment(before.ReportedAt)
	}
	for i, change := range claim.Changes {
		if i == maxClaimChanges {
			row.More = len(claim.Changes) - i
			break
		}
		f := inventory.Computers.Field(change.Field)
		one := historyDiff{c.sectionName(change.Field), change.From, change.To}
		if f != nil && f.Type != kind.List {
			one = historyDiff{c.label(f), c.eventValue(f, change.From), c.eventValue(f, change.To)}
		}
		row.Changes = append(row.Changes, one)
	}
	return row
}

// claimTokens returns the agent tokens with more than one claim.
func (c *call) claimTokens(claims []*inventory.AgentClaim, agents map[int64][]desk.Agent) (tokens []claimToken, err error) {
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
	if admins.admits(c.user) && !c.user.ReadOnly.V {
		all, err := c.web.Desk.AgentTokens(c.Context(), c.who())
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

// tokenCalled returns the agent token with a name but for the one with an id, nil when
// there is none.
func tokenCalled(all []*desk.AgentToken, name string, except int64) *desk.AgentToken {
	for _, t := range all {
		if t.Name == name && t.ID != except {
			return t
		}
	}
	return nil
}

// answerClaims accepts or refuses a claim, or all with an agent token.
func (c *call) answerClaims() (*answer, error) {
	claims, err := c.meantClaims()
	if err != nil {
		return nil, err
	}
	if len(claims) == 0 {
		return nil, c.web.missing(c.Request)
	}
	accept := c.form.Get("do") != "refuse"
	res, err := c.web.Desk.AnswerClaims(c.Context(), c.who(), desk.ClaimAnswer{Claims: claims, Accept: accept})
	if err != nil {
		return nil, err
	}
	if len(claims) == 1 && len(res.Faults) == 1 {
		if e, ok := errors.AsType[*desk.Error](res.Faults[0]); ok && e.Code == desk.NotFound {
			return nil, e
		}
	}
	c.tellAnswered(res, accept)
	return c.goTo(agentsPath)
}

// tellAnswered says what became of claims.
func (c *call) tellAnswered(res desk.Answered, accept bool) {
	done, all := c.number(len(res.Done)), c.number(len(res.Done)+len(res.Faults)+res.Left)
	switch {
	case res.Left > 0:
		c.warn(c.t("%s of %s answered. There was no time for the other %s: say the same again to go on.", done, all, c.number(res.Left)))
	case len(res.Faults) > 0:
		c.warn(c.t("%s of %s answered. %s", done, all, c.claimFault(res.Faults[len(res.Faults)-1])))
	case accept:
		c.say(c.tn(len(res.Done), "%s report accepted", "%s reports accepted"))
	default:
		c.say(c.tn(len(res.Done), "%s report refused", "%s reports refused"))
	}
}

// claimFault returns why a claim could not be answered.
func (c *call) claimFault(err error) string {
	if e, ok := errors.AsType[*desk.Error](err); ok {
		return c.fault(e.Text)
	}
	text, _ := c.refusal(err)
	return text
}

// meantClaims returns the claims that a form is about. One that was looked at is meant
// in the version that was shown.
func (c *call) meantClaims() (targets []desk.Target, err error) {
	k := inventory.AgentClaims.Schema
	if given := c.form.Get("id"); given != "" {
		id, err := strconv.ParseInt(given, 10, 64)
		if err != nil {
			return nil, c.web.missing(c.Request)
		}
		version := c.form.Get("version")
		return []desk.Target{{Kind: k, ID: id, If: func(now int64) bool { return version == "" || version == strconv.FormatInt(now, 10) }}}, nil
	}
	token := number(c.form, "token")
	if other := c.form.Get("replaces"); other != "" {
		if err := c.addReplaced(token, other); err != nil {
			return nil, err
		}
	}
	claims, err := c.web.Desk.Claims(c.Context(), c.who())
	for _, claim := range claims {
		if claim.TokenID.V == token {
			targets = append(targets, desk.Target{Kind: k, ID: claim.ID})
		}
	}
	return targets, err
}

// addReplaced makes an agent token replace another one besides those that it does.
func (c *call) addReplaced(token int64, other string) error {
	all, err := c.web.Desk.AgentTokens(c.Context(), c.who())
	if err != nil {
		return err
	}
	marks := desk.AgentTokenMarks{Replaces: []string{other}}
	for _, t := range all {
		if t.ID == token {
			for _, id := range t.Replaces {
				if slices.ContainsFunc(all, func(one *desk.AgentToken) bool { return one.ID == id }) {
					marks.Replaces = append(marks.Replaces, strconv.FormatInt(id, 10))
				}
			}
		}
	}
	_, err = c.web.Desk.MarkAgentToken(c.Context(), c.who(), strconv.FormatInt(token, 10), marks)
	return err
}

// letSpeak makes an agent the one whose rows a computer shows.
func (c *call) letSpeak() (*answer, error) {
	if err := c.web.Desk.LetSpeak(c.Context(), c.who(), number(c.form, "computer"), number(c.form, "agent")); err != nil {
		return nil, err
	}
	c.say(c.t("From its next report on, the computer shows what this agent tells"))
	return c.goTo(agentsPath)
}

// markInputs are the fields of a form that say which computers of other tokens may come
// with one.
func (c *call) markInputs(all []*desk.AgentToken, t *desk.AgentToken) (inputs []input) {
	inputs = append(inputs, input{
		ID: "agent-images", Name: "for-new-images", Look: "tick", Label: c.t("For computers that are set up anew"), Value: onOff(t.ForNewImages || c.on("for-new-images")),
		Hint: c.t("They may have reported with any token before, and are taken at once."),
	})
	for _, other := range all {
		if other.ID == t.ID {
			continue
		}
		id := strconv.FormatInt(other.ID, 10)
		inputs = append(inputs, input{
			ID: "agent-replaces-" + id, Name: "replaces-" + id, Look: "tick", Label: c.t("Replaces %s", other.Name),
			Value: onOff(slices.Contains(t.Replaces, other.ID) || c.on("replaces-"+id)),
		})
	}
	return inputs
}

// on reports whether the form has a field ticked, which comes after what it is else.
func (c *call) on(name string) bool { return slices.Contains(c.form[name], "true") }

// onOff returns the value of a field that is on or off.
func onOff(on bool) string {
	if on {
		return "true"
	}
	return ""
}

// marks reads the fields of markInputs.
func (c *call) marks() desk.AgentTokenMarks {
	images := c.on("for-new-images")
	marks := desk.AgentTokenMarks{Replaces: []string{}, ForNewImages: &images}
	for name := range c.form {
		if id, ok := strings.CutPrefix(name, "replaces-"); ok && c.on(name) {
			marks.Replaces = append(marks.Replaces, id)
		}
	}
	slices.Sort(marks.Replaces)
	return marks
}

// tokenUses tells of which computers an agent token may report beside new ones and its
// own.
func (c *call) tokenUses(t *desk.AgentToken, all []*desk.AgentToken) (uses []string) {
	if t.ComputerID != 0 {
		uses = append(uses, c.t("Computer %s alone", strconv.FormatInt(t.ComputerID, 10)))
	}
	if t.ForNewImages {
		uses = append(uses, c.t("Computers that are set up anew"))
	}
	for _, other := range all {
		if slices.Contains(t.Replaces, other.ID) {
			uses = append(uses, c.t("Computers of %s", other.Name))
		}
	}
	if t.LeftOut > 0 {
		uses = append(uses, c.tn(int(t.LeftOut), "%s report was not kept for an answer", "%s reports were not kept for an answer"))
	}
	return uses
}

// A marksPage asks which computers of other tokens may come with one.
type marksPage struct {
	Name, Action, Fault string
	Inputs              []input
	Change              bool
}

// askMarks shows which computers of other tokens may come with one.
func (c *call) askMarks() (*answer, error) { return c.marksPage(http.StatusOK, "") }

func (c *call) marksPage(status int, fault string) (*answer, error) {
	all, err := c.web.Desk.AgentTokens(c.Context(), c.who())
	if err != nil {
		return nil, err
	}
	for _, t := range all {
		if id := strconv.FormatInt(t.ID, 10); id == c.PathValue("id") {
			p := marksPage{Name: t.Name, Action: "/agents/tokens/" + url.PathEscape(id), Fault: fault, Inputs: c.markInputs(all, t), Change: !c.user.ReadOnly.V}
			return &answer{status: status, template: "agentmarks", page: page{Title: c.t("Agent token %s", t.Name), Here: agentsPath, Data: p}}, nil
		}
	}
	return nil, c.web.missing(c.Request)
}

// mark changes which computers of other tokens may come with one.
func (c *call) mark() (*answer, error) {
	if _, err := strconv.ParseInt(c.PathValue("id"), 10, 64); err != nil {
		return nil, c.web.missing(c.Request)
	}
	_, err := c.web.Desk.MarkAgentToken(c.Context(), c.who(), c.PathValue("id"), c.marks())
	if text, refused := c.refusal(err); refused {
		return c.marksPage(http.StatusUnprocessableEntity, text)
	}
	if err != nil {
		return nil, err
	}
	c.say(c.t("The agent token was changed"))
	return c.goTo("/agents/tokens")
}
