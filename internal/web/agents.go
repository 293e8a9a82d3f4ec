package web

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/report"
)

// agentsPath is where the pages of agents are.
const agentsPath = "/agents"

// agentRoutes are the pages of agents: staff may look, administrators change.
func (w *Web) agentRoutes() {
	w.route(agentsPath, staff, verbs{"GET": (*call).showReports})
	w.route("/agents/refused", staff, verbs{"GET": (*call).showRefused})
	w.route("/agents/tokens", admins, verbs{"GET": (*call).askAgentTokens, "POST": (*call).addAgentToken})
	w.route("/agents/tokens/{id}/revoke", admins, verbs{"GET": (*call).askRevokeAgent, "POST": (*call).revokeAgent})
	w.route("/agents/tokens/{id}", admins, verbs{"GET": (*call).askMarks, "POST": (*call).mark})
	w.route(claimsPath, staff, verbs{"POST": (*call).answerClaims})
	w.route("/agents/speak", staff, verbs{"POST": (*call).letSpeak})
	w.route(duplicatesPath, staff, verbs{"GET": (*call).showDuplicates})
	w.route(duplicatesPath+"/{older}/{newer}", admins, verbs{"GET": (*call).askUnite, "POST": (*call).settlePair})
	w.route(joinedPath+"/{id}", admins, verbs{"POST": (*call).settleJoined})
}

// agentTabs are the links between the pages of agents.
func (c *call) agentTabs(here string) (tabs []viewTab) {
	for _, one := range []navEntry{
		{agentsPath, "", msg("Last reports"), staff}, {"/agents/refused", "", msg("Refused"), staff},
		{duplicatesPath, "", msg("Possible duplicates"), staff}, {"/agents/tokens", "", msg("Agent tokens"), admins},
	} {
		if one.access.admits(c.user) {
			tabs = append(tabs, viewTab{Title: c.t(one.title), Href: one.path, Current: one.path == here})
		}
	}
	return tabs
}

// A reportsPage is what the page of the last reports shows.
type reportsPage struct {
	Tabs   []viewTab
	Claims *claimsView // nil when none waits
	Rows   []reportRow
	Pager  pager
	Silent int  // computers that have not reported for a while
	Aside  int  // of them those whose reports wait to be accepted
	Never  bool // there is no computer at all
	Admin  bool
	Change bool // the person may say who speaks for computers
}

// A reportRow is a computer with the agents that report it.
type reportRow struct {
	Computer cell
	When     *moment
	Waiting  bool // another agent would speak for it
	Agents   []agentRow
}

// An agentRow is an agent of a computer.
type agentRow struct {
	desk.Agent
	Computer int64
	Remarks  []string
}

// silentQuery is the list of computers that have not reported for a while.
const silentQuery = "not_reporting=10"

// showReports shows which computers have reported last, and by which agents.
func (c *call) showReports() (*answer, error) {
	s := sectionOf(inventory.Computers.Schema)
	values := url.Values{"sort_by": {"detected_at"}, "sort_order": {"DESC"}}
	for _, name := range []string{"page", "per_page"} {
		if given := c.URL.Query().Get(name); given != "" {
			values.Set(name, given)
		}
	}
	q, err := s.query(c, values)
	if err != nil {
		return nil, err
	}
	found, err := c.web.Desk.List(c.Context(), c.who(), s.kind, q)
	if err != nil {
		return nil, err
	}
	if a := c.lastPage(found.Position, len(found.Records)); a != nil {
		return a, nil
	}
	p := reportsPage{
		Tabs: c.agentTabs(agentsPath), Never: found.Total == 0, Admin: admins.admits(c.user), Change: !c.user.ReadOnly.V,
		Pager: c.newPager(found.Position, agentsPath, without(values, "page", "sort_by", "sort_order")),
	}
	waiting, err := c.web.Desk.Claims(c.Context(), c.who())
	if err != nil {
		return nil, err
	}
	if p.Claims, err = c.claimsView(waiting); err != nil {
		return nil, err
	}
	if p.Rows, err = c.reportRows(found.Records, waiting); err != nil {
		return nil, err
	}
	silent, err := url.ParseQuery(silentQuery)
	if err != nil {
		return nil, err
	}
	if p.Silent, err = s.total(c, silent); err != nil {
		return nil, err
	}
	if p.Aside, err = c.waitingOf(silent, waiting); err != nil {
		return nil, err
	}
	return c.show("agents", page{Title: c.t("Agents"), Here: agentsPath, Data: p})
}

// reportRows returns computers with their agents; some of them are claimed.
func (c *call) reportRows(records []any, claims []*inventory.AgentClaim) (rows []reportRow, err error) {
	ids := make([]int64, len(records))
	for i, rec := range records {
		ids[i] = rec.(*inventory.Computer).ID
	}
	agents, err := c.web.Desk.AgentsOf(c.Context(), c.who(), ids)
	for _, rec := range records {
		one := rec.(*inventory.Computer)
		row := reportRow{
			Computer: cell{Look: "name", Text: one.Name, Href: c.recordPath(inventory.Computers.Schema, one.ID)}, When: c.moment(one.DetectedAt),
			Waiting: slices.ContainsFunc(claims, func(claim *inventory.AgentClaim) bool { return claim.ComputerID.V == one.ID }),
		}
		for _, a := range agents[one.ID] {
			row.Agents = append(row.Agents, agentRow{a, one.ID, c.agentRemarks(a)})
		}
		rows = append(rows, row)
	}
	return rows, err
}

// agentRemarks tells what is unusual about an agent.
func (c *call) agentRemarks(a desk.Agent) (remarks []string) {
	var sections []string
	for _, u := range a.Unheard {
		if u.By == a.Unheard[0].By {
			sections = append(sections, c.inside(c.sectionName(u.Section)))
		}
	}
	if sections != nil {
		remarks = append(remarks, c.t("Not shown: %s speaks for %s", cmp.Or(a.Unheard[0].By, c.t("another agent")), strings.Join(sections, ", ")))
	}
	if a.Missing != nil {
		var kept []string
		for _, section := range a.Missing {
			kept = append(kept, c.sectionName(section))
		}
		remarks = append(remarks, c.t("Missing in the last report, and kept: %s", strings.Join(kept, ", ")))
	}
	if !a.Since.IsZero() && c.web.Now().Sub(a.Since) < newAgentTime {
		remarks = append(remarks, c.t("New agent since %s", c.date(a.Since)))
	}
	return remarks
}

// newAgentTime is for how long it is told that an agent has come to a computer that
// another had reported.
const newAgentTime = 30 * 24 * time.Hour

// sectionName returns what a section of a computer is called.
func (c *call) sectionName(section string) string {
	switch section {
	case report.ComputerSection:
		return c.t("System")
	case report.SoftwareSection:
		return c.t("Software")
	}
	return c.label(inventory.Computers.Field(section))
}

// A refusedPage is what the page of refused reports shows.
type refusedPage struct {
	Tabs []viewTab
	Rows []refusedRow
}

// A refusedRow is a message of an agent that was not taken.
type refusedRow struct {
	desk.Refusal
	Reason string // as people read it
	When   *moment
}

// showRefused shows which messages of agents were not taken lately, and why.
func (c *call) showRefused() (*answer, error) {
	all, err := c.web.Desk.Refusals(c.who())
	if err != nil {
		return nil, err
	}
	p := refusedPage{Tabs: c.agentTabs("/agents/refused")}
	for _, one := range all {
		p.Rows = append(p.Rows, refusedRow{one, c.fault(one.Reason), c.moment(one.At)})
	}
	return c.show("refused", page{Title: c.t("Refused reports"), Here: agentsPath, Data: p})
}

// An agentTokensPage is what the page of agent tokens shows.
type agentTokensPage struct {
	Tabs   []viewTab
	Tokens []agentTokenRow
	Inputs []input
	Change bool
	Fault  string
}

// An agentTokenRow is an agent token as the list shows it.
type agentTokenRow struct {
	*desk.AgentToken
	Made, Used *moment
	For        []string // of which computers it may report besides new ones and its own
}

// askAgentTokens shows all agent tokens.
func (c *call) askAgentTokens() (*answer, error) { return c.agentTokensPage(http.StatusOK, "") }

func (c *call) agentTokensPage(status int, fault string) (*answer, error) {
	tokens, err := c.web.Desk.AgentTokens(c.Context(), c.who())
	if err != nil {
		return nil, err
	}
	p := agentTokensPage{Tabs: c.agentTabs("/agents/tokens"), Change: !c.user.ReadOnly.V, Fault: fault}
	for _, t := range tokens {
		p.Tokens = append(p.Tokens, agentTokenRow{t, c.moment(t.CreatedAt), c.moment(t.LastUsed), c.tokenUses(t, tokens)})
	}
	for _, f := range []input{
		{Name: "name", Label: c.t("Name"), Hint: c.t("Such as “laptops Lyon”. Empty for “agents”.")},
		{Name: "site", Label: c.t("Site"), Hint: c.t("Of computers that are new by this token")},
		{Name: "department", Label: c.t("Department")}, {Name: "tag", Label: c.t("Tag")},
		{Name: "computer", Label: c.t("For one computer alone"), Hint: c.t("Its id, asset id or name. Reports of it with other tokens then wait to be accepted. Empty for any computers.")},
	} {
		f.ID, f.Look, f.Value = "agent-"+f.Name, "text", c.form.Get(f.Name)
		p.Inputs = append(p.Inputs, f)
	}
	p.Inputs = append(p.Inputs, c.markInputs(tokens, &desk.AgentToken{})...)
	return &answer{status: status, template: "agenttokens", page: page{Title: c.t("Agent tokens"), Here: agentsPath, Data: p}}, nil
}

// addAgentToken makes an agent token, and shows how agents are pointed here.
func (c *call) addAgentToken() (*answer, error) {
	access, err := c.web.Access()
	if err != nil {
		return nil, err
	}
	token, secret, err := c.web.Desk.AddAgentToken(c.Context(), c.who(), desk.NewAgentToken{
		Name: c.form.Get("name"), Site: c.form.Get("site"), Department: c.form.Get("department"), Tag: c.form.Get("tag"),
		AgentTokenMarks: c.marks(), ForComputer: c.form.Get("computer"),
	})
	if text, refused := c.refusal(err); refused {
		return c.agentTokensPage(http.StatusUnprocessableEntity, text)
	}
	if err != nil {
		return nil, err
	}
	address, err := access.With(secret)
	if err != nil {
		return nil, err
	}
	settings, err := access.Settings(secret)
	if err != nil {
		return nil, err
	}
	p := oncePage{
		Title: c.t("Agent token %s", token.Name), Back: "/agents/tokens", Secrets: []string{address}, Notes: c.advice(access.Advice()),
		About: c.t("This is shown once. Whoever has this address can report computers, and nothing else. Copy the lines below for the agents that you have."),
	}
	for i, s := range settings {
		p.Lines = append(p.Lines, onceLine{"line-" + strconv.Itoa(i), c.t(s.Where), s.Text})
	}
	return c.showOnce(agentsPath, p)
}

// askRevokeAgent asks before an agent token is revoked.
func (c *call) askRevokeAgent() (*answer, error) {
	tokens, err := c.web.Desk.AgentTokens(c.Context(), c.who())
	if err != nil {
		return nil, err
	}
	for _, t := range tokens {
		if strconv.FormatInt(t.ID, 10) == c.PathValue("id") {
			return c.confirm(agentsPath, confirmPage{
				Title: c.t("Revoke the agent token %s?", t.Name), Do: c.t("Revoke agent token"), Keep: c.t("Keep"), Back: "/agents/tokens",
				Action: "/agents/tokens/" + c.PathValue("id") + "/revoke",
				Texts:  []string{c.t("Agents that have it are refused from then on, until they get another one. The computers that they have reported stay. This cannot be undone.")},
			})
		}
	}
	return nil, c.web.missing(c.Request)
}

// revokeAgent revokes an agent token.
func (c *call) revokeAgent() (*answer, error) {
	if _, err := strconv.ParseInt(c.PathValue("id"), 10, 64); err != nil {
		return nil, c.web.missing(c.Request)
	}
	if err := c.web.Desk.RevokeAgentTokens(c.Context(), c.who(), []string{c.PathValue("id")}); err != nil {
		return nil, err
	}
	c.say(c.t("The agent token was revoked"))
	return c.goTo("/agents/tokens")
}
