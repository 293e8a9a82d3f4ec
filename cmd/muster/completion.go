package main

import (
	"fmt"
	"strings"

	"github.com/alecthomas/kong"
)

// completionScripts have the shell ask the program itself what fits, so that they are right for every version of it.
// Where nothing fits, shells offer files.
var completionScripts = map[string]string{
	"bash": `# Completion of muster for bash. To try it: . <(muster completion bash)
_muster() {
	local word
	COMPREPLY=()
	while IFS=$'\t' read -r word _; do
		COMPREPLY+=("$word")
	done < <("${COMP_WORDS[0]}" complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _muster muster
`,
	"zsh": `#compdef muster
# Completion of muster for zsh. To try it: . <(muster completion zsh)
_muster() {
	local line
	local -a found
	for line in ${(f)"$("${words[1]}" complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)"}; do
		found+=("${line/$'\t'/:}")
	done
	if (( ${#found} )); then
		_describe muster found
	else
		_files
	fi
}
if [[ ${funcstack[1]} == _muster ]]; then
	_muster "$@"
else
	compdef _muster muster
fi
`,
	"fish": `# Completion of muster for fish. To try it: muster completion fish | source
function __muster_complete
	set -l words (commandline -opc) (commandline -ct)
	$words[1] complete -- $words[2..-1] 2>/dev/null
end
complete -c muster -n 'count (__muster_complete) >/dev/null' -f -a '(__muster_complete)'
`,
}

type completionCmd struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"Shell: bash, zsh or fish."`
}

// Run prints the script of a shell.
func (c *completionCmd) Run() error {
	_, err := fmt.Print(completionScripts[c.Shell])
	return err
}

// completeCmd is what the scripts call.
type completeCmd struct {
	Words []string `arg:"" optional:"" passthrough:"" help:"Words of the command line after the program's name. The last one is completed."`
}

// Run prints what fits as the last word, each with its explanation.
func (c *completeCmd) Run(ctx *kong.Context) error {
	words := c.Words
	if len(words) > 0 && words[0] == "--" {
		words = words[1:]
	}
	if len(words) == 0 {
		words = []string{""}
	}
	last := words[len(words)-1]
	for _, fit := range fits(ctx.Model.Node, words[:len(words)-1], last) {
		if strings.HasPrefix(fit.word, last) {
			if _, err := fmt.Printf("%s\t%s\n", fit.word, fit.help); err != nil {
				return err
			}
		}
	}
	return nil
}

// A fit is a word that may stand somewhere, and its explanation.
type fit struct{ word, help string }

// fits returns the words that may follow others below a command.
func fits(node *kong.Node, before []string, last string) []fit {
	var open *kong.Value // a flag that wants its value
	arguments := 0
	for _, word := range before {
		child := childOf(node, word)
		switch {
		case open != nil:
			open = nil
		case strings.HasPrefix(word, "-"):
			open = wanting(node, word)
		case child != nil:
			node = child
		default:
			arguments++
		}
	}
	switch {
	case open != nil:
		return valuesOf(open)
	case strings.HasPrefix(last, "-"):
		return flagsOf(node)
	case len(node.Children) > 0:
		return childrenOf(node)
	case arguments < len(node.Positional):
		return valuesOf(node.Positional[arguments])
	}
	return nil
}

func childOf(node *kong.Node, name string) *kong.Node {
	for _, child := range node.Children {
		if child.Name == name {
			return child
		}
	}
	return nil
}

// wanting returns the flag that a word names, if its value is the next word.
func wanting(node *kong.Node, word string) *kong.Value {
	for _, group := range node.AllFlags(true) {
		for _, flag := range group {
			if word == "--"+flag.Name && !flag.IsBool() {
				return flag.Value
			}
		}
	}
	return nil
}

func valuesOf(value *kong.Value) (found []fit) {
	if value.Enum == "" {
		return nil
	}
	for _, word := range value.EnumSlice() {
		found = append(found, fit{word, value.Help})
	}
	return found
}

func flagsOf(node *kong.Node) (found []fit) {
	for _, group := range node.AllFlags(true) {
		for _, flag := range group {
			found = append(found, fit{"--" + flag.Name, flag.Help})
		}
	}
	return found
}

func childrenOf(node *kong.Node) (found []fit) {
	for _, child := range node.Children {
		if !child.Hidden {
			found = append(found, fit{child.Name, child.Help})
		}
	}
	return found
}
