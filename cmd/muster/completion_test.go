//go:build full

package main_test

import (
	"strings"
	"testing"
)

// TestComplete: what fits follows from the command line's declaration.
func TestComplete(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	for line, want := range map[string]string{
		"":                                   "serve user token session agent claim computer import job setting audit doctor backup backup-key restore rollback version health completion",
		"s":                                  "serve session setting",
		"setting set ":                       "agent-computers agent-computers-per-day agent-hours agent-names-per-day agent-printers-per-day agent-reports agent-rest-hours agent-token-names-per-computer agent-token-names-per-day agent-token-printers-per-day backup-folder backup-for backup-hour backup-keep digest-algorithms not-macs not-serials not-uuids organisation page-size second-factor statuses",
		"token ":                             "add list revoke",
		"session ":                           "list end",
		"agent ":                             "token run",
		"agent token ":                       "add list change revoke",
		"agent token add ":                   "",
		"agent token add --si":               "--site",
		"agent run --s":                      "--server --state",
		"token add --us":                     "--user",
		"user ":                              "add list passwd disable enable reset-second-factor",
		"user dis":                           "disable",
		"user add --r":                       "--role --read-only --realm",
		"user add --role ":                   "administrator technician requester",
		"user add --role t":                  "technician",
		"user add --read-only --role t":      "technician",
		"user add a@example.com --role t":    "technician",
		"user add a@example.com --role= --p": "--password-stdin",
		"user add ":                          "",
		"serve --data ":                      "",
		"serve --demo --log-level ":          "debug info warn error",
		"serve --log-level debug --log-":     "--log-level",
		"completion ":                        "bash zsh fish",
		"completion bash ":                   "",
		"version --":                         "--help",
		"nonsense --he":                      "--help",
	} {
		out := f.must(append([]string{"complete", "--"}, strings.Split(line, " ")...)...)
		var got []string
		for line := range strings.Lines(out) {
			word, help, _ := strings.Cut(line, "\t")
			got = append(got, word)
			if len(help) < 5 {
				t.Errorf("muster complete %s: got %q for %s, want an explanation", line, help, word)
			}
		}
		if got := strings.Join(got, " "); got != want {
			t.Errorf("muster %s⇥: got %q, want %q", line, got, want)
		}
	}
}

// TestManual: the manual page has every command and every flag with its variable.
func TestManual(t *testing.T) {
	t.Parallel()
	page := newFolder(t).must("man")
	for command, names := range flags {
		if command == "" || isGroup(command) {
			continue
		}
		_, section, found := strings.Cut(page, "\n.SS muster "+strings.ReplaceAll(command, "-", `\-`))
		section, _, _ = strings.Cut(section, "\n.S")
		if !found {
			t.Errorf("the manual has no section about %q", command)
		}
		for _, name := range strings.Fields(names)[1:] {
			flag := `\-\-` + strings.ReplaceAll(name, "-", `\-`) + `\fR`
			variable := ".RB ( MUSTER_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_")) + " )"
			if !strings.Contains(section, flag) || !strings.Contains(section, variable) {
				t.Errorf("muster %s in the manual: got\n%s\nwant %s and %s", command, section, flag, variable)
			}
		}
	}
}
