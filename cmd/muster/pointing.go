package main

import (
	"fmt"
	"slices"
	"strings"

	"muster/internal/server"
)

// Where computers that report keep the certificate of the server's authority: in
// folders that all of them have, and without a blank, over which installers
// stumble.
const (
	unixCA    = "/etc/muster-ca.pem"
	windowsCA = `C:\ProgramData\muster-ca.pem`
)

// publicCA is where Debian has the certificates of all authorities that it trusts.
const publicCA = "/etc/ssl/certs/ca-certificates.crt"

// A recipe tells how agents of one sort are pointed at the server.
type recipe struct {
	where  string // the lines go
	lines  string // in which URL stands for the address, and TLS for 1 or, without it, for 0
	local  string // what follows them where the server has its own authority
	public string // and where another vouches for it
}

// recipes are those of the agents that there are. OCS agents know no authority
// unless they are told of it, not even those that the system trusts.
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
		"fusioninventory-agent_windows-x64.exe /S /acceptlicense /runnow /server=URL", " /ca-cert-file=" + windowsCA, ""},
}

// ownRecipe is that of our own agent, which reports to no other machine without
// TLS.
var ownRecipe = recipe{"Muster as an agent on Linux, in /etc/muster/agent.env, and then systemctl enable --now muster-agent:",
	"MUSTER_SERVER=URL", "\nMUSTER_CA=" + unixCA, ""}

// tell says where the settings go, and what they are.
func (r *recipe) tell(access *server.Access, address string) string {
	tls, end := "0", ""
	if strings.HasPrefix(address, "https:") {
		tls, end = "1", r.public
	}
	if access.CA != "" {
		end = r.local
	}
	text := strings.NewReplacer("URL", address, "TLS", tls).Replace(r.lines) + end
	return fmt.Sprintf("\n%s\n\n    %s\n", r.where, strings.ReplaceAll(text, "\n", "\n    "))
}

// pointing tells how agents are pointed at the server with a new agent token. The
// first line is the address alone, for scripts.
func pointing(access *server.Access, name, secret string) (string, error) {
	address, err := access.With(secret)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n", address)
	fmt.Fprintf(&b, "This is shown once. Whoever has it can report computers, and nothing else; it ends with: muster agent token revoke %s\n", server.ShellQuote(name))
	for _, note := range slices.Concat(access.Notes, trusting(access)) {
		fmt.Fprintf(&b, "\n%s\n", note)
	}
	for _, r := range recipes {
		b.WriteString(r.tell(access, address))
	}
	if !access.Exposed() {
		b.WriteString(ownRecipe.tell(access, address) + trial(access, address))
	}
	return b.String(), nil
}

// trial tells how this machine is reported.
func trial(access *server.Access, address string) string {
	run := "MUSTER_SERVER=" + server.ShellQuote(address) + " muster agent run" // not --server, which others could see
	if access.CA != "" {
		run += " --ca " + server.ShellQuote(access.CA)
	}
	return fmt.Sprintf("\nWithout any agent, on this machine:\n\n    %s\n", run)
}

// trusting tells where the authority's certificate must be on computers that
// report, and whom agents trust where there is none.
func trusting(access *server.Access) []string {
	switch {
	case access.Exposed():
		return []string{"Without TLS, whoever is on the way can read the token and the reports. Muster as an agent does not report so:\nits settings are left out."}
	case access.CA != "":
		return []string{fmt.Sprintf("The server has a certificate of its own authority: first copy %s to each computer,\n"+
			"to %s or, on Windows, to %s.", access.CA, unixCA, windowsCA)}
	case strings.HasPrefix(access.URL, "https:"):
		return []string{fmt.Sprintf("OCS Inventory agents do not know which authorities the system trusts. On Red Hat, the file that they need is\n"+
			"/etc/pki/tls/certs/ca-bundle.crt; on Windows, put one such as that of https://curl.se/docs/caextract.html to\n%s.", windowsCA)}
	}
	return nil
}
