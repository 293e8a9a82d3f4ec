// Package agentsetup describes how inventory agents are configured for the server: the address with the secret
// of an agent token, and the settings of each sort of agent. The command that adds a token prints them, the web
// application shows them. Making tokens does not belong here.
package agentsetup

import (
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"muster/internal/message"
)

// An Access is where agents reach the server, and what they need for it.
type Access struct {
	URL   string         // to which they send reports, without a credential
	CA    string         // path on this machine of the authority's certificate that they need, "" for none
	Notes []message.Text // what people should know of it, a sentence each
}

// With returns the address with the secret of an agent token in it, which agents
// take as it is.
func (a *Access) With(secret string) (string, error) {
	u, err := url.Parse(a.URL)
	if err != nil {
		return "", err
	}
	u.User = url.UserPassword("agent", secret)
	return u.String(), nil
}

// PlainHTTP reports whether reports leave a machine without TLS.
func (a *Access) PlainHTTP() bool {
	u, err := url.Parse(a.URL)
	return err == nil && u.Scheme == "http" && !IsLoopback(u.Hostname())
}

// Note adds what people should know.
func (a *Access) Note(format string, args ...any) {
	a.Notes = append(a.Notes, message.New(format, args...))
}

// IsLoopback reports whether a host without a port is this machine itself.
func IsLoopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.Unmap().IsLoopback()
}

// ShellQuote makes a word safe to paste into a shell.
func ShellQuote(word string) string {
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// Where computers that report keep the certificate of the server's authority: in
// folders that all of them have, and without a blank, over which installers
// stumble.
const (
	unixCA    = "/etc/muster-ca.pem"
	windowsCA = `C:\ProgramData\muster-ca.pem`
)

// publicCA is where Debian has the certificates of all authorities that it trusts.
const publicCA = "/etc/ssl/certs/ca-certificates.crt"

// A recipe returns the settings for agents of one sort.
type recipe struct {
	where  string // the lines go
	lines  string // in which URL stands for the address, and TLS for 1 or, without it, for 0
	local  string // what follows them where the server has its own authority
	public string // and where another vouches for it
}

// recipes are those of the supported agents. OCS agents trust no authority unless it is configured, not even
// those of the system.
var recipes = []recipe{
	{"OCS Inventory agent on Linux and macOS, in /etc/ocsinventory/ocsinventory-agent.cfg in place of its lines server= and local=:",
		"server=URL", "\nca=" + unixCA, "\nca=" + publicCA},
	{"OCS Inventory agent on Windows, to install it:",
		"OCS-Windows-Agent-Setup-x64.exe /S /NOW /SSL=TLS /SERVER=URL", " /CA=" + windowsCA, " /CA=" + windowsCA},
	{`OCS Inventory agent on Windows that is installed, in C:\ProgramData\OCS Inventory NG\Agent\ocsinventory.ini below [HTTP]:`,
		"Server=URL\nSSL=TLS", "\nCaBundle=" + windowsCA, "\nCaBundle=" + windowsCA},
	{"GLPI Agent on Linux, as /etc/glpi-agent/conf.d/muster.cfg, and on macOS, as /Applications/GLPI-Agent/etc/conf.d/muster.cfg:",
		"server = URL", "\nca-cert-file = " + unixCA, ""},
	{"GLPI Agent on Windows, to install it, with the file name of your version:",
		"msiexec /i GLPI-Agent-x64.msi /quiet RUNNOW=1 SERVER=URL", " CA_CERT_FILE=" + windowsCA, ""},
	{"FusionInventory agent on Linux, as /etc/fusioninventory/conf.d/muster.cfg:",
		"server = URL", "\nca-cert-file = " + unixCA, ""},
	{"FusionInventory agent on Windows, to install it, with the file name of your version:",
		"fusioninventory-agent_windows-x64.exe /S /acceptlicense /runnow /server=URL", " /ca-cert-file=" + windowsCA,
		""},
}

// ownRecipe is that of our own agent, which reports to no other machine without
// TLS.
var ownRecipe = recipe{"Muster as an agent on Linux, in /etc/muster/agent.env, and then systemctl enable --now muster-agent:",
	"MUSTER_SERVER=URL", "\nMUSTER_CA=" + unixCA, ""}

// thisMachine says where the lines go that report the machine of the server.
const thisMachine = "Without any agent, on this machine:"

// Places returns where the lines of all sorts of agents go, for those who translate
// it.
func Places() (texts []string) {
	for _, r := range recipes {
		texts = append(texts, r.where)
	}
	return append(texts, ownRecipe.where, thisMachine)
}

// Settings are what agents of one sort need.
type Settings struct {
	Where string // they go
	Text  string // of one or more lines
}

// fill returns the settings for an address.
func (r *recipe) fill(access *Access, address string) Settings {
	tls, end := "0", ""
	if strings.HasPrefix(address, "https:") {
		tls, end = "1", r.public
	}
	if access.CA != "" {
		end = r.local
	}
	return Settings{r.where, strings.NewReplacer("URL", address, "TLS", tls).Replace(r.lines) + end}
}

// Settings returns what each sort of agent needs to report with the secret of an
// agent token, and last how the machine of the server itself is reported.
func (a *Access) Settings(secret string) (all []Settings, err error) {
	address, err := a.With(secret)
	if err != nil {
		return nil, err
	}
	for _, r := range recipes {
		all = append(all, r.fill(a, address))
	}
	if !a.PlainHTTP() {
		all = append(all, ownRecipe.fill(a, address), trial(a, address))
	}
	return all, nil
}

// Advice returns what people should know before they point agents at the server.
func (a *Access) Advice() []message.Text { return slices.Concat(a.Notes, trusting(a)) }

// trial describes how to report this machine.
func trial(access *Access, address string) Settings {
	run := "MUSTER_SERVER=" + ShellQuote(address) + " muster agent run" // not --server, which others could see
	if access.CA != "" {
		run += " --ca " + ShellQuote(access.CA)
	}
	return Settings{thisMachine, run}
}

// trusting says where the authority's certificate must be on computers that report, and whom agents trust
// without one.
func trusting(access *Access) []message.Text {
	switch {
	case access.PlainHTTP():
		return []message.Text{message.New("Without TLS, whoever is on the way can read the token and the reports. " +
			"Muster as an agent does not report so:\nits settings are left out.")}
	case access.CA != "":
		return []message.Text{message.New("The server has a certificate of its own authority: "+
			"first copy %s to each computer,\n"+
			"to %s or, on Windows, to %s.", access.CA, unixCA, windowsCA)}
	case strings.HasPrefix(access.URL, "https:"):
		return []message.Text{message.New("OCS Inventory agents do not know which authorities the system trusts. On "+
			"Red Hat, the file that they need is\n"+
			"/etc/pki/tls/certs/ca-bundle.crt; on Windows, put one such as that of https://curl.se/docs/caextract.html to\n%s.", windowsCA)}
	}
	return nil
}
