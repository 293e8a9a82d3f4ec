package web

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"
)

// elsewhere are refusals that no page leads to: those of commands and of the API.
var elsewhere = []string{
	"%s has no token %s", "several users have a token %s: name it by its id, which muster token list shows",
	"there is no token %s: muster token list shows all%s", "there is no agent token %s: muster agent token list shows all%s",
	"the token %s has ended", "the token %s may only read", "the token %s was revoked", "the agent token %s was revoked",
	"there is no kind %s to import: it is one of %s", "there is no setting %s, only %s",
}

var asTold = strings.NewReplacer("%d", "%s", "%q", "%s", "%v", "%s")

// TestFaultTexts makes sure that whatever the desk refuses can be told in other
// languages.
func TestFaultTexts(t *testing.T) {
	n := 0
	for _, file := range glob(t, "../desk/*.go") {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(node ast.Node) bool {
			call, ok := node.(*ast.CallExpr)
			if !ok || called(call) != "refuse" || quotedArgument(call.Args, 1) == "" {
				return true
			}
			n++
			text := asTold.Replace(quotedArgument(call.Args, 1))
			said := strings.ReplaceAll(text, "%s", "this")
			known := slices.ContainsFunc(faultForms(), func(f faultForm) bool { return f.parts.MatchString(said) })
			if known == slices.Contains(elsewhere, text) {
				t.Errorf("%s: %q must be either among faultTexts or elsewhere", file, text)
			}
			return true
		})
	}
	if n < 70 {
		t.Errorf("got %d refusals, want those of the desk", n)
	}
}

func TestFault(t *testing.T) {
	german := &tongue{language: languageNamed("de")}
	for _, test := range []struct{ told, want string }{
		{"Name can't be blank", "Name darf nicht leer sein"},
		{"Operating system is too long (maximum is 255 characters)", "Betriebssystem ist zu lang (höchstens 255 Zeichen)"},
		{"Role must be one of administrator, technician, requester", "Rolle muss eines von diesen sein: administrator, technician, requester"},
		{"Drives item 2: total space must be greater than or equal to 0", "Laufwerke, Zeile 2: Gesamter Platz muss mindestens 0 sein"},
		{`Purchases item 1: total cost is not a number: "a must be b"`, `Käufe, Zeile 1: Gesamtkosten ist keine Zahl: "a must be b"`},
		{"there is no user a@example.com", "Es gibt keinen Benutzer a@example.com"},
		{"there is no computer with the id 7: it was merged into computer 8", "Es gibt keinen Eintrag dieser Art (Computer) mit der ID 7: er ist in Computer 8 aufgegangen"},
		{"a sentence of nobody", "a sentence of nobody"},
	} {
		if got := german.fault(test.told); got != test.want {
			t.Errorf("%s: got %q, want %q", test.told, got, test.want)
		}
		if got := (&tongue{language: languageNamed("en")}).fault(test.told); got != test.told {
			t.Errorf("in English: got %q, want %q", got, test.told)
		}
	}
}
