package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"muster/internal/desk/agents"
	"muster/internal/server"
)

type agentTokenCmd struct {
	Add    agentTokenAddCmd    `cmd:"" help:"Add an agent token. Print it once, as an address and in the settings of each type of agent."`
	List   agentTokenListCmd   `cmd:"" help:"List the agent tokens, without their secrets."`
	Change agentTokenChangeCmd `cmd:"" help:"Change which computers of other agent tokens can report with an agent token."`
	Revoke agentTokenRevokeCmd `cmd:"" help:"Revoke agent tokens. They stop working immediately; the reported computers stay."`
}

type agentTokenAddCmd struct {
	Name       string `arg:"" optional:"" help:"Name of the token, such as laptops-lyon. Default: agents, agents 2 and so on."`
	Site       string `help:"Site of new computers that are reported with this token. Default: none."`
	Department string `help:"Department of new computers that are reported with this token. Default: none."`
	Tag        string `help:"Tag of new computers that are reported with this token, unless their agent sends one. Default: none."`
	agentTokenMarks
	ForComputer string `placeholder:"COMPUTER" help:"Id, asset id or name of the only computer that the token can report. Reports of this computer with other tokens wait until somebody accepts them."`
	URL         string `name:"url" placeholder:"URL" help:"Address of the service as agents see it, such as https://assets.example.com:8443. Default: the address of the running server."`
	place
}

// Run adds an agent token.
func (c *agentTokenAddCmd) Run() error {
	ctx, where := context.Background(), c.place.place(newLog(slog.LevelWarn))
	access, err := where.Access(ctx, c.URL)
	if err != nil {
		return err
	}
	res, err := where.AgentToken(ctx, server.AgentTokenCommand{
		Do: "add", New: agents.NewToken{
			Name: c.Name, Site: c.Site, Department: c.Department, Tag: c.Tag, TokenMarks: c.marks(),
			ForComputer: c.ForComputer,
		},
	})
	if err != nil {
		return err
	}
	text, err := pointed(access, res.Tokens[0].Name, res.Secret)
	if err != nil {
		return err
	}
	_, err = os.Stdout.WriteString(text)
	return err
}

// agentTokenMarks say which computers of other agent tokens may come with one.
type agentTokenMarks struct {
	Replaces     []string `placeholder:"TOKEN" help:"Id or name of an agent token that this one replaces: computers of that token can report with this one immediately. Can be repeated; an empty value clears the list."`
	ForNewImages *bool    `negatable:"" help:"Let computers of any agent token report with this one immediately after they were reinstalled."`
}

func (m agentTokenMarks) marks() agents.TokenMarks {
	return agents.TokenMarks{Replaces: m.Replaces, ForNewImages: m.ForNewImages}
}

type agentTokenChangeCmd struct {
	Token string `arg:"" help:"Id or name of the agent token."`
	agentTokenMarks
	place
}

// Run changes an agent token.
func (c *agentTokenChangeCmd) Run() error {
	if c.Replaces == nil && c.ForNewImages == nil {
		return errors.New("nothing to change: give --replaces, --for-new-images or --no-for-new-images")
	}
	where := c.place.place(newLog(slog.LevelWarn))
	_, err := where.AgentToken(context.Background(),
		server.AgentTokenCommand{Do: "change", Which: []string{c.Token}, Marks: c.marks()})
	return err
}

type agentTokenListCmd struct{ place }

// Run lists the agent tokens.
func (c *agentTokenListCmd) Run() error {
	where := c.place.place(newLog(slog.LevelWarn))
	res, err := where.AgentToken(context.Background(), server.AgentTokenCommand{Do: "list"})
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, "ID\tNAME\tSITE\tDEPARTMENT\tTAG\tADDED\tLAST USED\tFOR")
	for _, t := range res.Tokens {
		used := "never"
		if !t.LastUsed.IsZero() {
			used = t.LastUsed.Format("2006-01-02 15:04 UTC")
		}
		fmt.Fprintf(w, "%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n",
			t.ID, t.Name, shown(t.Site), shown(t.Department), shown(t.Tag), t.CreatedAt.UTC().Format("2006-01-02"),
			used, whatFor(t, res.Tokens))
	}
	return w.Flush()
}

// whatFor returns which computers an agent token may report, besides new ones and its
// own, and how many reports were dropped because too many were waiting. All are all
// agent tokens.
func whatFor(t *agents.Token, all []*agents.Token) string {
	var parts []string
	if t.ComputerID != 0 {
		parts = append(parts, fmt.Sprintf("computer %d alone", t.ComputerID))
	}
	if t.ForNewImages {
		parts = append(parts, "new images")
	}
	for _, other := range all {
		if slices.Contains(t.Replaces, other.ID) {
			parts = append(parts, "computers of "+other.Name)
		}
	}
	if t.LeftOut > 0 {
		parts = append(parts, fmt.Sprintf("%d reports that waited were not kept", t.LeftOut))
	}
	return shown(strings.Join(parts, ", "))
}

type agentTokenRevokeCmd struct {
	Token []string `arg:"" help:"Id or name of an agent token."`
	place
}

// Run revokes agent tokens.
func (c *agentTokenRevokeCmd) Run() error {
	where := c.place.place(newLog(slog.LevelWarn))
	_, err := where.AgentToken(context.Background(), server.AgentTokenCommand{Do: "revoke", Which: c.Token})
	return err
}
