package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/alecthomas/kong"
)

type manCmd struct{}

// Run prints the manual page, in the language of man(7).
func (manCmd) Run(ctx *kong.Context) error {
	page := &manual{}
	page.write(ctx.Model)
	_, err := io.WriteString(os.Stdout, page.String())
	return err
}

// A manual is the manual page, which follows from the command line's declaration.
type manual struct{ strings.Builder }

// Parts of the page that are not generated from declarations.
const (
	manualStart = `Every flag can also be set by the environment variable that is named beside it. If both are given, the flag wins.`
	manualFiles = `.SH FILES
.TP
.I muster\-data
The data folder, unless \fB\-\-data\fR names another: the database, keys, certificates, and the socket that commands use to
talk to a running server.
.TP
.I /etc/muster/muster.env
Variables of the service that the Debian and RPM packages install. Its data folder is \fI/var/lib/muster\fR.
.BR musterctl (8)
runs any command with them.
.TP
.I /etc/muster/agent.env
Variables of the service muster\-agent, which reports the computer each day. The id by which the server recognises it is kept
in \fI/var/lib/muster\-agent\fR.
.SH EXIT STATUS
0 on success. 1 on failure, with an error message on standard error. Further statuses stand beside their commands.
.SH SIGNALS
On SIGTERM and SIGINT the server finishes the current requests and stops. On SIGHUP it reads its certificate again.
`
)

func (m *manual) write(app *kong.Application) {
	m.line(`.TH MUSTER 1 "%s" "muster %s" "Muster"`, date, roff(version))
	m.line(".SH NAME\nmuster \\- IT asset inventory and help desk")
	m.line(".SH SYNOPSIS")
	for i, leaf := range app.Leaves(true) {
		if i > 0 {
			m.line(".br")
		}
		m.line("\\fB%s\\fR%s", roff(leaf.FullPath()), roff(usage(leaf)))
	}
	m.line(".SH DESCRIPTION\n%s\n.PP\n%s", roff(app.Help), roff(manualStart))
	m.line(".SH COMMANDS")
	for _, leaf := range app.Leaves(true) {
		m.command(leaf)
	}
	m.WriteString(manualFiles)
}

// command describes a command with its arguments and flags, except --help, which all have.
func (m *manual) command(node *kong.Node) {
	m.line(".SS %s%s", roff(node.FullPath()), roff(usage(node)))
	m.line("%s", roff(node.Help))
	for _, argument := range node.Positional {
		m.line(".TP\n.I %s\n%s", roff(placeholder(argument.Name)), roff(argument.Help))
	}
	for _, flag := range node.Flags {
		head := `\fB\-\-` + roff(flag.Name) + `\fR`
		if !flag.IsBool() {
			head += ` \fI` + roff(flag.FormatPlaceHolder()) + `\fR`
		}
		m.line(".TP\n%s\n%s", head, roff(flag.Help))
		for _, variable := range flag.Envs {
			m.line(".RB ( %s )", variable)
		}
	}
}

// usage returns what follows a command's name, each word after a blank.
func usage(node *kong.Node) string {
	var words []string
	for _, flag := range node.Flags {
		if flag.Required {
			words = append(words, " --"+flag.Name+" "+flag.FormatPlaceHolder())
		}
	}
	for _, argument := range node.Positional {
		word := placeholder(argument.Name)
		if !argument.Required {
			word = "[" + word + "]"
		}
		words = append(words, " "+word)
	}
	if len(node.Flags) > 0 {
		words = append(words, " [flags]")
	}
	return strings.Join(words, "")
}

func placeholder(name string) string { return strings.ToUpper(name) }

func (m *manual) line(format string, values ...any) {
	fmt.Fprintf(m, format+"\n", values...)
}

// roff returns a text that roff shows as it is.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, `-`, `\-`).Replace(text)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		return `\&` + text
	}
	return text
}
