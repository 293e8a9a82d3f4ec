package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"text/tabwriter"
	"time"

	"muster/internal/desk"
	"muster/internal/server"
)

type tokenCmd struct {
	Add    tokenAddCmd    `cmd:"" help:"Add a token and print it. It cannot be shown again."`
	List   tokenListCmd   `cmd:"" help:"List the tokens, without their secrets."`
	Revoke tokenRevokeCmd `cmd:"" help:"Revoke tokens. They stop working immediately."`
}

// token carries out a command about tokens on the installation.
func (p *place) token(cmd server.TokenCommand) (*server.TokenResult, error) {
	where := p.place(newLog(slog.LevelWarn))
	return where.Token(context.Background(), cmd)
}

type tokenAddCmd struct {
	User     string `required:"" placeholder:"EMAIL" help:"E-mail address of the user whose rights the token has."`
	Name     string `required:"" help:"Name of the token, such as backup-script."`
	ReadOnly bool   `help:"Make the token read only, so that it can change nothing."`
	Expires  string `placeholder:"DATE" help:"Last day on which the token works, in UTC, such as 2027-01-31. Default: no end."`
	place
}

// Run adds a token.
func (c *tokenAddCmd) Run() error {
	res, err := c.token(server.TokenCommand{
		Do: "add", Email: c.User, Name: c.Name, ReadOnly: c.ReadOnly, Expires: c.Expires,
	})
	if err != nil {
		return err
	}
	fmt.Println(res.Secret)
	return nil
}

type tokenRevokeCmd struct {
	Token []string `arg:"" help:"Id or name of a token."`
	place
}

// Run revokes tokens.
func (c *tokenRevokeCmd) Run() error {
	_, err := c.token(server.TokenCommand{Do: "revoke", Which: c.Token})
	return err
}

type tokenListCmd struct {
	User string `placeholder:"EMAIL" help:"List only the tokens of the user with this e-mail address."`
	place
}

// Run lists tokens.
func (c *tokenListCmd) Run() error {
	res, err := c.token(server.TokenCommand{Do: "list", Email: c.User})
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, "ID\tNAME\tUSER\tACCESS\tLAST DAY\tLAST USED")
	for _, t := range res.Tokens {
		access, used := "full", "never"
		if t.ReadOnly || t.Reader {
			access = "read-only"
		}
		if t.Disabled {
			access = "disabled"
		}
		if t.Ended(time.Now()) {
			access = "ended"
		}
		if !t.LastUsed.IsZero() {
			used = t.LastUsed.Format("2006-01-02 15:04 UTC")
		}
		fmt.Fprintf(w, "%d\t%s\t%s\t%s\t%s\t%s\n", t.ID, t.Name, t.Email, access, lastDay(t), used)
	}
	return w.Flush()
}

// lastDay returns the last day on which a token is valid.
func lastDay(t *desk.Token) string {
	if t.Expires.IsZero() {
		return "none"
	}
	return t.Expires.Add(-time.Second).UTC().Format(time.DateOnly)
}
