//go:build full

package main_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// questions make a shell print its completions after "muster user add --role ". zsh completes only on a terminal.
var questions = map[string]string{
	"bash": `. ./script
COMP_WORDS=(muster user add --role "") COMP_CWORD=4
_muster
printf "%s\n" "${COMPREPLY[@]}"
`,
	"zsh": `zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PS1=; autoload -Uz compinit; compinit -u -d $PWD/dump; . ./script; LISTMAX=1000; print STAR''TED"
zpty -r -m shell text "*STARTED*"
zpty -w -n shell "muster user add --role "$'\t\t'
zpty -r -m shell text "*administrator*technician*requester*"
print -r -- $text
zpty -d shell
`,
	"fish": `source ./script
complete -C "muster user add --role "
complete -C "muster serve --data scr"
`,
}

// TestShells: the scripts work in the shells that they are for.
func TestShells(t *testing.T) {
	t.Parallel()
	for name, question := range questions {
		t.Run(name, func(t *testing.T) {
			f := newFolder(t)
			write(t, filepath.Join(f.dir, "script"), f.must("completion", name))
			write(t, filepath.Join(f.dir, "question"), question)
			path := "PATH=" + filepath.Dir(program) + ":" + os.Getenv("PATH")
			got := shell(t, f.dir, "timeout 60 "+name+" ./question", path, "HOME="+f.dir, "XDG_CONFIG_HOME="+f.dir,
				"TERM=xterm")
			for _, want := range []string{"administrator", "technician", "requester"} {
				if !strings.Contains(got, want) {
					t.Errorf("got\n%s\nwant %s among it", got, want)
				}
			}
			if name == "fish" && !strings.Contains(got, "\nscript") {
				t.Errorf("got\n%s\nwant the file", got)
			}
		})
	}
}

// TestManualReads: programs that show manual pages have nothing to say against this one.
func TestManualReads(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	write(t, filepath.Join(f.dir, "muster.1"), f.must("man"))
	if got := shell(t, f.dir, "mandoc -T lint -W warning muster.1"); got != "" {
		t.Errorf("mandoc: got\n%s\nwant nothing", got)
	}
	if got := shell(t, f.dir, "mandoc -T utf8 muster.1 | col -b"); !strings.Contains(got,
		"user add --role ROLE EMAIL") {
		t.Errorf("mandoc: got\n%s\nwant the commands", got)
	}
}
