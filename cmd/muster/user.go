package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"muster/internal/server"
)

type userCmd struct {
	Add     userAddCmd     `cmd:"" help:"Add a user, and print the password if it was generated."`
	List    userListCmd    `cmd:"" help:"List all users."`
	Passwd  userPasswdCmd  `cmd:"" help:"Set a user's password, for signing in and for the API, and revoke the user's tokens. If the user has a second factor, the API password is removed."`
	Disable userDisableCmd `cmd:"" help:"End all access of a user, until the user is enabled again."`
	Enable  userEnableCmd  `cmd:"" help:"Give a disabled user access again."`

	ResetSecondFactor userResetCmd `cmd:"" help:"Remove a user's second factor, so that the password alone is enough, and end the user's sessions."`
}

// do carries out a command on the installation.
func (p *place) do(cmd server.UserCommand) (*server.UserResult, error) {
	where := p.place(newLog(slog.LevelWarn))
	return where.Do(context.Background(), cmd)
}

// password are the flags of commands that set one.
type password struct {
	PasswordStdin bool `help:"Read the password from standard input instead of generating one."`
}

// read returns the password on standard input, "" when one is to be generated.
func (p password) read() (string, error) {
	if !p.PasswordStdin {
		return "", nil
	}
	line, err := bufio.NewReader(os.Stdin).ReadString('\n')
	if err != nil && err != io.EOF {
		return "", fmt.Errorf("read the password: %w", err)
	}
	if line = strings.TrimRight(line, "\r\n"); line == "" {
		return "", errors.New("there is no password on standard input")
	}
	if !utf8.ValidString(line) { // the socket's JSON would change it silently
		return "", errors.New("the password is not text in UTF-8")
	}
	return line, nil
}

// show prints a generated password.
func (p password) show(text string) {
	if !p.PasswordStdin {
		fmt.Println(text)
	}
}

type userAddCmd struct {
	Email    string `arg:"" help:"E-mail address, which is also the user name."`
	Role     string `required:"" enum:"administrator,technician,requester" placeholder:"ROLE" help:"Role of the user: administrator, technician or requester."`
	ReadOnly bool   `help:"Make the user read only, so that they can change nothing."`
	password
	place
}

// Run adds a user.
func (c *userAddCmd) Run() error {
	text, err := c.read()
	if err != nil {
		return err
	}
	res, err := c.do(server.UserCommand{Do: "add", Email: c.Email, Role: c.Role, ReadOnly: c.ReadOnly, Password: text})
	if err != nil {
		return err
	}
	c.show(res.Password)
	return nil
}

type userPasswdCmd struct {
	Email      string `arg:"" help:"E-mail address of the user."`
	KeepTokens bool   `help:"Keep the user's tokens instead of revoking them."`
	password
	place
}

// Run sets a password.
func (c *userPasswdCmd) Run() error {
	text, err := c.read()
	if err != nil {
		return err
	}
	res, err := c.do(server.UserCommand{Do: "passwd", Email: c.Email, Password: text, KeepTokens: c.KeepTokens})
	if err != nil {
		return err
	}
	c.show(res.Password)
	if res.Revoked > 0 {
		fmt.Fprintf(os.Stderr, "tokens revoked: %d\n", res.Revoked)
	}
	return nil
}

type userDisableCmd struct {
	Email string `arg:"" help:"E-mail address of the user."`
	place
}

// Run disables a user.
func (c *userDisableCmd) Run() error {
	_, err := c.do(server.UserCommand{Do: "disable", Email: c.Email})
	return err
}

type userEnableCmd struct {
	Email string `arg:"" help:"E-mail address of the user."`
	place
}

// Run enables a user.
func (c *userEnableCmd) Run() error {
	_, err := c.do(server.UserCommand{Do: "enable", Email: c.Email})
	return err
}

type userResetCmd struct {
	Email string `arg:"" help:"E-mail address of the user."`
	place
}

// Run turns a user's second factor off.
func (c *userResetCmd) Run() error {
	_, err := c.do(server.UserCommand{Do: "reset-second-factor", Email: c.Email})
	return err
}

type userListCmd struct{ place }

// Run lists the users.
func (c *userListCmd) Run() error {
	res, err := c.do(server.UserCommand{Do: "list"})
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, "ID\tEMAIL\tNAME\tROLE\tACCESS\tLAST LOGIN")
	for _, u := range res.Users {
		access, login := "full", "never"
		if u.ReadOnly.V {
			access = "read-only"
		}
		if u.Disabled.V {
			access = "disabled"
		}
		if !u.LastLogin.IsZero() {
			login = u.LastLogin.Format("2006-01-02 15:04 UTC")
		}
		fmt.Fprintf(w, "%d\t%s\t%s\t%s\t%s\t%s\n", u.ID, u.Email, u.Name, u.Role, access, login)
	}
	return w.Flush()
}
