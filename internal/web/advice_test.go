package web

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"

	"muster/internal/pointing"
)

// TestAdviceTexts makes sure that whatever people are advised of agents can be told
// in other languages: by how agents are pointed at a server, and by the server.
func TestAdviceTexts(t *testing.T) {
	t.Parallel()
	known := func(note string) bool {
		return slices.ContainsFunc(adviceForms(), func(f phrase) bool { return f.parts.MatchString(strings.ReplaceAll(note, "\n", " ")) })
	}
	for _, access := range []pointing.Access{{URL: "http://muster.example.com"}, {URL: "https://muster.example.com", CA: "/ca.pem"}, {URL: "https://muster.example.com"}} {
		if got := access.Advice(); len(got) != 1 || !known(got[0]) {
			t.Errorf("%+v: got %q, want one of adviceTexts", access, got)
		}
	}
	parsed, err := parser.ParseFile(token.NewFileSet(), "../server/access.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	notes := 0
	ast.Inspect(parsed, func(node ast.Node) bool {
		if call, ok := node.(*ast.CallExpr); ok && called(call) == "Note" {
			notes++
			if text := toldBy(call.Args[0]); known(text) == strings.HasPrefix(text, "No running server could be asked") { // which a command alone says
				t.Errorf("%q must be either among adviceTexts or said by commands alone", text)
			}
		}
		return true
	})
	if notes < 3 {
		t.Errorf("got %d notes, want those of the server", notes)
	}
}
