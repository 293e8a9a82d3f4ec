package computers

import (
	"fmt"
	"net/http"
	"strings"

	"muster/internal/desk"
	"muster/internal/desk/agents"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/message"
	"muster/internal/web/admin"
	"muster/internal/web/page"
)

// A splitPage is what the page shows that asks which agent of a computer gets one of
// its own.
type splitPage struct {
	Name, Path, Fault string
	Choices           []splitChoice
}

// A splitChoice is an agent as people read it.
type splitChoice struct {
	agents.SplitChoice
	When   *page.Moment
	Facts  []string // what the new computer would be
	Chosen bool
}

// splits reports whether a computer that may be changed has two agents or more.
func splits(c *page.Call, change bool, computer int64) (bool, error) {
	if !change {
		return false, nil
	}
	agents, err := c.App.Agents.AgentsOf(c.Context(), c.Who(), []int64{computer})
	return len(agents[computer]) > 1, err
}

// AskSplit asks which agent of this computer gets one of its own.
func AskSplit(c *page.Call) (*page.Answer, error) {
	this, err := thisComputer(c)
	if err != nil {
		return nil, err
	}
	return splitForm(c, http.StatusOK, this, page.Number(c.URL.Query(), "agent"), "")
}

// splitForm asks which agent of a computer gets one of its own; one of them may be
// chosen.
func splitForm(c *page.Call, status int, this *inventory.Computer, chosen int64, fault string) (*page.Answer, error) {
	p := splitPage{Name: this.Name, Path: c.RecordPath(inventory.Computers.Schema, this.ID), Fault: fault}
	choices, err := c.App.Agents.SplitChoices(c.Context(), c.Who(), this.ID)
	if err != nil {
		return nil, err
	}
	for _, one := range choices {
		p.Choices = append(p.Choices, splitChoice{one, c.Moment(one.ReportedAt), splitFacts(c, one), one.ID == chosen})
	}
	return &page.Answer{Status: status, Template: "split", Page: page.Page{
		Title: c.T("Split %s", p.Name), Here: "/computers", Data: p,
	}}, nil
}

// splitFacts describes the computer that an agent would get.
func splitFacts(c *page.Call, one agents.SplitChoice) (facts []string) {
	if !one.Kept {
		return []string{
			c.T("Its last report is not stored: the new computer is named after the device id, and its next report fills in the rest."),
		}
	}
	k := inventory.Computers
	facts = append(facts, c.T("%s: %s", c.Label(k.Field("name")), one.Name))
	if one.Serial != "" {
		facts = append(facts, c.T("%s: %s", c.Label(k.Field("serial-number")), one.Serial))
	}
	if one.Programs > 0 {
		facts = append(facts, c.TN(one.Programs, "%s program", "%s programs"))
	}
	var spoken []string
	for _, section := range one.Speaks {
		spoken = append(spoken, c.Inside(admin.SectionName(c, section)))
	}
	if spoken != nil {
		facts = append(facts, c.T("Now shown as it reports: %s", strings.Join(spoken, ", ")))
	}
	return facts
}

// Split gives an agent of this computer one of its own.
func Split(c *page.Call) (*page.Answer, error) {
	this, err := thisComputer(c)
	if err != nil {
		return nil, err
	}
	agent := page.Number(c.Form, "agent")
	made, _, err := c.App.Agents.Split(c.Context(), c.Who(), agents.Splitting{
		Target: desk.Target{Kind: inventory.Computers.Schema, ID: this.ID},
		Document: func() (*kind.Patch, error) {
			return inventory.Splittings.Decode(fmt.Appendf(nil, "<agent><id>%d</id></agent>", agent))
		},
	})
	if page.IsRefusal(err, desk.NotFound) {
		return splitForm(c, http.StatusConflict, this, agent, c.Fault(message.Of(err)))
	}
	if text, refused := c.Refusal(err); refused && !page.IsRefusal(err, desk.Forbidden) {
		return splitForm(c, http.StatusConflict, this, agent, text)
	}
	if err != nil {
		return nil, err
	}
	one := made.(*inventory.Computer)
	c.Notify(c.T("%s is a computer of its own now", one.Name))
	return c.GoTo(c.RecordPath(inventory.Computers.Schema, one.ID))
}
