package admin

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"muster/internal/desk/agents"
	"muster/internal/inventory"
	"muster/internal/report"
	"muster/internal/web/lang"
	"muster/internal/web/page"
	"muster/internal/web/records"
)

// AgentsPath is where the pages of agents are.
const AgentsPath = "/agents"

// AgentTabs are the links between the pages of agents.
func AgentTabs(c *page.Call, here string) (tabs []records.ViewTab) {
	for _, one := range []page.NavEntry{
		{Path: AgentsPath, Icon: "", Title: lang.Msg("Last reports"), Access: page.Staff},
		{Path: "/agents/refused", Icon: "", Title: lang.Msg("Refused"), Access: page.Staff},
		{Path: DuplicatesPath, Icon: "", Title: lang.Msg("Possible duplicates"), Access: page.Staff},
		{Path: "/agents/tokens", Icon: "", Title: lang.Msg("Agent tokens"), Access: page.Admins},
	} {
		if one.Access.Allows(c.User) {
			tabs = append(tabs, records.ViewTab{Title: c.T(one.Title), Href: one.Path, Current: one.Path == here})
		}
	}
	return tabs
}

// A reportsPage is what the page of the last reports shows.
type reportsPage struct {
	Tabs   []records.ViewTab
	Claims *claimsView // nil when none waits
	Rows   []reportRow
	Pager  page.Pager
	Silent int  // computers that have not reported for a while
	Aside  int  // of them those whose reports wait to be accepted
	Never  bool // there is no computer at all
	Admin  bool
	Change bool // the person may say who speaks for computers
}

// A reportRow is a computer with the agents that report it.
type reportRow struct {
	Computer page.Cell
	When     *page.Moment
	Waiting  bool // another agent would speak for it
	Agents   []agentRow
}

// An agentRow is an agent of a computer.
type agentRow struct {
	agents.Agent
	Computer int64
	Remarks  []string
}

// SilentQuery is the list of computers that have not reported for a while, without those
// whose reports wait to be accepted.
const SilentQuery = "not_reporting=10&" + NotClaimed

// NotClaimed leaves out computers whose reports wait to be accepted.
const NotClaimed = "claimed_at="

// Silent counts the computers of a list that have not reported for a while, and those of
// it whose reports wait to be accepted instead.
func Silent(c *page.Call, list url.Values) (silent, waiting int, err error) {
	s := records.SectionOf(c.App, inventory.Computers.Schema)
	if silent, err = s.Total(c, list); err != nil {
		return 0, 0, err
	}
	all, err := s.Total(c, page.Without(list, "claimed_at"))
	return silent, all - silent, err
}

// ShowReports shows which computers have reported last, and by which agents.
func ShowReports(c *page.Call) (*page.Answer, error) {
	s := records.SectionOf(c.App, inventory.Computers.Schema)
	values := url.Values{"sort_by": {"detected_at"}, "sort_order": {"DESC"}}
	for _, name := range []string{"page", "per_page"} {
		if given := c.URL.Query().Get(name); given != "" {
			values.Set(name, given)
		}
	}
	q, err := s.Query(c, values)
	if err != nil {
		return nil, err
	}
	found, err := c.App.Desk.List(c.Context(), c.Who(), s.Kind, q)
	if err != nil {
		return nil, err
	}
	if a := c.LastPage(found.Position, len(found.Records)); a != nil {
		return a, nil
	}
	p := reportsPage{
		Tabs: AgentTabs(c, AgentsPath), Never: found.Total == 0, Admin: page.Admins.Allows(c.User),
		Change: !c.User.ReadOnly.V,
		Pager:  c.NewPager(found.Position, AgentsPath, page.Without(values, "page", "sort_by", "sort_order")),
	}
	waiting, err := c.App.Agents.Claims(c.Context(), c.Who())
	if err != nil {
		return nil, err
	}
	if p.Claims, err = newClaimsView(c, waiting); err != nil {
		return nil, err
	}
	if p.Rows, err = reportRows(c, found.Records, waiting); err != nil {
		return nil, err
	}
	if p.Silent, p.Aside, err = Silent(c, page.MustQuery(SilentQuery)); err != nil {
		return nil, err
	}
	return c.Show("agents", page.Page{Title: c.T("Agents"), Here: AgentsPath, Data: p})
}

// reportRows returns computers with their agents; some of them are claimed.
func reportRows(c *page.Call, records []any, claims []*inventory.AgentClaim) (rows []reportRow, err error) {
	ids := make([]int64, len(records))
	for i, rec := range records {
		ids[i] = rec.(*inventory.Computer).ID
	}
	agents, err := c.App.Agents.AgentsOf(c.Context(), c.Who(), ids)
	for _, rec := range records {
		one := rec.(*inventory.Computer)
		row := reportRow{
			Computer: page.Cell{Look: "name", Text: one.Name, Href: c.RecordPath(inventory.Computers.Schema, one.ID)},
			When:     c.Moment(one.DetectedAt),
			Waiting: slices.ContainsFunc(claims,
				func(claim *inventory.AgentClaim) bool { return claim.ComputerID.V == one.ID }),
		}
		for _, a := range agents[one.ID] {
			row.Agents = append(row.Agents, agentRow{a, one.ID, agentRemarks(c, a)})
		}
		rows = append(rows, row)
	}
	return rows, err
}

// agentRemarks returns what is unusual about an agent.
func agentRemarks(c *page.Call, a agents.Agent) (remarks []string) {
	var sections []string
	for _, u := range a.Ignored {
		if u.By == a.Ignored[0].By {
			sections = append(sections, c.Inside(SectionName(c, u.Section)))
		}
	}
	if sections != nil {
		remarks = append(remarks, c.T("Not shown: %s speaks for %s", cmp.Or(a.Ignored[0].By, c.T("another agent")),
			strings.Join(sections, ", ")))
	}
	if a.Missing != nil {
		var kept []string
		for _, section := range a.Missing {
			kept = append(kept, SectionName(c, section))
		}
		remarks = append(remarks, c.T("Missing from the last report, but kept: %s", strings.Join(kept, ", ")))
	}
	if !a.Since.IsZero() && c.App.Now().Sub(a.Since) < newAgentTime {
		remarks = append(remarks, c.T("New agent since %s", c.Date(a.Since)))
	}
	return remarks
}

// newAgentTime is for how long pages mention that an agent began to report a computer
// that another agent had reported.
const newAgentTime = 30 * 24 * time.Hour

// SectionName returns what a section of a computer is called.
func SectionName(c *page.Call, section string) string {
	switch section {
	case report.ComputerSection:
		return c.T("System")
	case report.SoftwareSection:
		return c.T("Software")
	}
	return c.Label(inventory.Computers.Field(section))
}

// A refusedPage is what the page of refused reports shows.
type refusedPage struct {
	Tabs []records.ViewTab
	Rows []refusedRow
}

// A refusedRow is a message of an agent that was not taken.
type refusedRow struct {
	agents.Refusal
	Reason string // as people read it
	When   *page.Moment
}

// ShowRefused shows which messages of agents were not taken lately, and why.
func ShowRefused(c *page.Call) (*page.Answer, error) {
	all, err := c.App.Agents.Refusals(c.Who())
	if err != nil {
		return nil, err
	}
	p := refusedPage{Tabs: AgentTabs(c, "/agents/refused")}
	for _, one := range all {
		p.Rows = append(p.Rows, refusedRow{one, c.Fault(one.Reason), c.Moment(one.At)})
	}
	return c.Show("refused", page.Page{Title: c.T("Refused reports"), Here: AgentsPath, Data: p})
}

// An agentTokensPage is what the page of agent tokens shows.
type agentTokensPage struct {
	Tabs   []records.ViewTab
	Tokens []agentTokenRow
	Inputs []records.Input
	Change bool
	Fault  string
}

// An agentTokenRow is an agent token as the list shows it.
type agentTokenRow struct {
	*agents.Token
	Made, Used *page.Moment
	For        []string // of which computers it may report besides new ones and its own
}

// AskAgentTokens shows all agent tokens.
func AskAgentTokens(c *page.Call) (*page.Answer, error) {
	return newAgentTokensPage(c, http.StatusOK, "")
}

func newAgentTokensPage(c *page.Call, status int, fault string) (*page.Answer, error) {
	tokens, err := c.App.Agents.Tokens(c.Context(), c.Who())
	if err != nil {
		return nil, err
	}
	p := agentTokensPage{Tabs: AgentTabs(c, "/agents/tokens"), Change: !c.User.ReadOnly.V, Fault: fault}
	for _, t := range tokens {
		p.Tokens = append(p.Tokens,
			agentTokenRow{t, c.Moment(t.CreatedAt), c.Moment(t.LastUsed), tokenUses(c, t, tokens)})
	}
	for _, f := range []records.Input{
		{Name: "name", Label: c.T("Name"), Hint: c.T("Such as “laptops Lyon”. Leave empty for “agents”.")},
		{Name: "site", Label: c.T("Site"), Hint: c.T("For new computers reported with this token")},
		{Name: "department", Label: c.T("Department")}, {Name: "tag", Label: c.T("Tag")},
		{Name: "computer", Label: c.T("For one computer alone"),
			Hint: c.T("Its id, asset id or name. Reports of it with other tokens then wait to be accepted. Leave empty for any computer.")},
	} {
		f.ID, f.Look, f.Value = "agent-"+f.Name, "text", c.Form.Get(f.Name)
		p.Inputs = append(p.Inputs, f)
	}
	p.Inputs = append(p.Inputs, markInputs(c, tokens, &agents.Token{})...)
	return &page.Answer{Status: status, Template: "agenttokens", Page: page.Page{
		Title: c.T("Agent tokens"), Here: AgentsPath, Data: p,
	}}, nil
}

// AddAgentToken makes an agent token, and shows how agents are pointed here.
func AddAgentToken(c *page.Call) (*page.Answer, error) {
	access, err := c.App.AgentAccess()
	if err != nil {
		return nil, err
	}
	token, secret, err := c.App.Agents.AddToken(c.Context(), c.Who(), agents.NewToken{
		Name: c.Form.Get("name"), Site: c.Form.Get("site"), Department: c.Form.Get("department"),
		Tag:        c.Form.Get("tag"),
		TokenMarks: marks(c), ForComputer: c.Form.Get("computer"),
	})
	if text, refused := c.Refusal(err); refused {
		return newAgentTokensPage(c, http.StatusUnprocessableEntity, text)
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
	p := page.OncePage{
		Title: c.T("Agent token %s", token.Name), Back: "/agents/tokens", Secrets: []string{address},
		Notes: c.Advice(access.Advice()),
		About: c.T("This is shown only once. Anyone who has this address can report computers, and nothing else. Copy the lines below for your agents."),
	}
	for i, s := range settings {
		p.Lines = append(p.Lines, page.OnceLine{ID: "line-" + strconv.Itoa(i), Where: c.T(s.Where), Text: s.Text})
	}
	return c.ShowOnce(AgentsPath, p)
}

// AskRevokeAgent asks before an agent token is revoked.
func AskRevokeAgent(c *page.Call) (*page.Answer, error) {
	tokens, err := c.App.Agents.Tokens(c.Context(), c.Who())
	if err != nil {
		return nil, err
	}
	for _, t := range tokens {
		if strconv.FormatInt(t.ID, 10) == c.PathValue("id") {
			return c.Confirm(AgentsPath, page.ConfirmPage{
				Title: c.T("Revoke the agent token %s?", t.Name), Do: c.T("Revoke agent token"), Keep: c.T("Keep"),
				Back:   "/agents/tokens",
				Action: "/agents/tokens/" + c.PathValue("id") + "/revoke",
				Texts: []string{
					c.T("Agents that use it are refused until they get another one. The computers they have reported are kept. This cannot be undone."),
				},
			})
		}
	}
	return nil, c.App.Missing(c.Request)
}

// RevokeAgent revokes an agent token.
func RevokeAgent(c *page.Call) (*page.Answer, error) {
	if _, err := strconv.ParseInt(c.PathValue("id"), 10, 64); err != nil {
		return nil, c.App.Missing(c.Request)
	}
	if err := c.App.Agents.RevokeTokens(c.Context(), c.Who(), []string{c.PathValue("id")}); err != nil {
		return nil, err
	}
	c.Notify(c.T("The agent token was revoked"))
	return c.GoTo("/agents/tokens")
}

// DuplicatesPath is where the computers are that may be one.
const DuplicatesPath = "/agents/duplicates"
