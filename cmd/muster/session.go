package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"text/tabwriter"

	"muster/internal/server"
)

type sessionCmd struct {
	List sessionListCmd `cmd:"" help:"List who is signed in to the web application, with last use and address."`
	End  sessionEndCmd  `cmd:"" help:"Sign users out immediately. They can sign in again unless they are disabled or their password is changed."`
}

// session carries out a command about sessions on the installation.
func (p *place) session(cmd server.SessionCommand) (*server.SessionResult, error) {
	where := p.place(newLog(slog.LevelWarn))
	return where.Session(context.Background(), cmd)
}

type sessionListCmd struct {
	User string `placeholder:"EMAIL" help:"List only the sessions of the user with this e-mail address."`
	place
}

// Run lists sessions.
func (c *sessionListCmd) Run() error {
	res, err := c.session(server.SessionCommand{Do: "list", Email: c.User})
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, "ID\tUSER\tADDRESS\tLAST USED\tSIGNED IN\tBROWSER")
	const minutes = "2006-01-02 15:04 UTC"
	for _, s := range res.Sessions {
		fmt.Fprintf(w, "%d\t%s\t%s\t%s\t%s\t%s\n", s.ID, s.User.Email, s.Address, s.LastUsed.UTC().Format(minutes),
			s.CreatedAt.UTC().Format(minutes), s.Browser)
	}
	return w.Flush()
}

type sessionEndCmd struct {
	Session []string `arg:"" optional:"" help:"Id of a session, as listed by muster session list."`
	User    string   `placeholder:"EMAIL" help:"End all sessions of the user with this e-mail address."`
	place
}

// Run ends sessions, and prints which.
func (c *sessionEndCmd) Run() error {
	res, err := c.session(server.SessionCommand{Do: "end", Which: c.Session, Email: c.User})
	if err != nil {
		return err
	}
	for _, s := range res.Sessions {
		fmt.Printf("Session %d of %s ended.\n", s.ID, s.User.Email)
	}
	return nil
}
