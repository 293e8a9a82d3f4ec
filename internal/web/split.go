package web

import (
	"fmt"
	"net/http"
	"strings"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/message"
)

// A splitPage is what the page shows that asks which agent of a computer gets one of
// its own.
type splitPage struct {
	Name, Path, Fault string
	Choices           []splitChoice
}

// A splitChoice is an agent as people read it.
type splitChoice struct {
	desk.SplitChoice
	When   *moment
	Facts  []string // what the new computer would be
	Chosen bool
}

// splits reports whether a computer that may be changed has two agents or more.
func (c *call) splits(change bool, computer int64) (bool, error) {
	if !change {
		return false, nil
	}
	agents, err := c.web.Desk.AgentsOf(c.Context(), c.who(), []int64{computer})
	return len(agents[computer]) > 1, err
}

// askSplit asks which agent of this computer gets one of its own.
func (c *call) askSplit() (*answer, error) {
	this, err := c.thisComputer()
	if err != nil {
		return nil, err
	}
	return c.splitForm(http.StatusOK, this, number(c.URL.Query(), "agent"), "")
}

// splitForm asks which agent of a computer gets one of its own; one of them may be
// chosen.
func (c *call) splitForm(status int, this *inventory.Computer, chosen int64, fault string) (*answer, error) {
	p := splitPage{Name: this.Name, Path: c.recordPath(inventory.Computers.Schema, this.ID), Fault: fault}
	choices, err := c.web.Desk.SplitChoices(c.Context(), c.who(), this.ID)
	if err != nil {
		return nil, err
	}
	for _, one := range choices {
		p.Choices = append(p.Choices, splitChoice{one, c.moment(one.ReportedAt), c.splitFacts(one), one.ID == chosen})
	}
	return &answer{status: status, template: "split", page: page{Title: c.t("Split %s", p.Name), Here: "/computers", Data: p}}, nil
}

// splitFacts tells what the computer of an agent would be.
func (c *call) splitFacts(one desk.SplitChoice) (facts []string) {
	if !one.Kept {
		return []string{c.t("Nothing of its last report is known: the new computer is called by the device id, and its next report tells the rest.")}
	}
	k := inventory.Computers
	facts = append(facts, c.t("%s: %s", c.label(k.Field("name")), one.Name))
	if one.Serial != "" {
		facts = append(facts, c.t("%s: %s", c.label(k.Field("serial-number")), one.Serial))
	}
	if one.Programs > 0 {
		facts = append(facts, c.tn(one.Programs, "%s program", "%s programs"))
	}
	var spoken []string
	for _, section := range one.Speaks {
		spoken = append(spoken, c.inside(c.sectionName(section)))
	}
	if spoken != nil {
		facts = append(facts, c.t("Shown now as it tells: %s", strings.Join(spoken, ", ")))
	}
	return facts
}

// split gives an agent of this computer one of its own.
func (c *call) split() (*answer, error) {
	this, err := c.thisComputer()
	if err != nil {
		return nil, err
	}
	agent := number(c.form, "agent")
	made, _, err := c.web.Desk.Split(c.Context(), c.who(), desk.Splitting{
		Target: desk.Target{Kind: inventory.Computers.Schema, ID: this.ID},
		Document: func() (*kind.Patch, error) {
			return inventory.Splittings.Decode(fmt.Appendf(nil, "<agent><id>%d</id></agent>", agent))
		},
	})
	if isRefusal(err, desk.NotFound) {
		return c.splitForm(http.StatusConflict, this, agent, c.fault(message.Of(err)))
	}
	if text, refused := c.refusal(err); refused && !isRefusal(err, desk.Forbidden) {
		return c.splitForm(http.StatusConflict, this, agent, text)
	}
	if err != nil {
		return nil, err
	}
	one := made.(*inventory.Computer)
	c.say(c.t("%s is a computer of its own now", one.Name))
	return c.goTo(c.recordPath(inventory.Computers.Schema, one.ID))
}
