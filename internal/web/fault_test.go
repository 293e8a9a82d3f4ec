package web

import (
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strings"
	"testing"

	"muster/internal/inventory"
	"muster/internal/store"
)

// elsewhere are refusals that no page leads to: those of commands, of the API and
// of agents.
var elsewhere = []string{
	"%s has no token %s", "several users have a token %s: name it by its id, which muster token list shows",
	"there is no token %s: muster token list shows all%s", "there is no token with the id %s: muster token list shows all",
	"there is no agent token %s: muster agent token list shows all%s", "there is no agent token with the id %s: muster agent token list shows all",
	"the token %s has ended", "the token %s may only read", "the token %s was revoked",
	"there is no kind %s to import: it is one of %s", "there is no setting %s, only %s",
	"there is nothing here: agents post to %s, or below it to /t/ and their token",
	"this needs an agent token, as the password of HTTP basic authentication or in the path; muster agent token add makes one",
	"Inventory agents post their reports here. It works: configure this address in an agent, with a token of muster agent token add.",
	"record number %s had the hash %s, and has %s: the chain was written anew", "the chain had %s records and has %s: its end is missing", "a chain without records has the head %s",
	"Id does not exist: no software has the id %s", "Id does not exist: %s", "Id must be that of another computer",
	"Id can't be blank: it names the computer that is merged with this one",
	"Id can't be blank: it names the agent that gets a computer of its own",
	"the document's root is %s, want <%s>", "%s is not a field of %s (element %s)", "%s must be plain text, not hold %s",
	"%s holds text outside its fields", "%s holds text outside its items", "%s holds %s, want <%s>",
	"%s must be named by id, email or name", "%s must be named by plain text, not %s",
	"view must be %s, not %s", "include must be %s, not %s", "unknown parameter include", "per_page must be at most %s with include, not %s",
	"this page is not for the role of the user", // the page has a title for it
}

// composed are refusals of which parts are told elsewhere, where they are read.
var composed = []string{"a %s may not %s", "%s must be %s", "the server has more %s than it can answer at the moment: try again in a few seconds", "%s: nothing was changed, and reading goes on",
	"its hash does not follow from its content and %s: what was between them is missing, or one of them was changed", "its hash does not follow from its content and %s: one of them was changed"}

// textPlaces tells which argument of a function is the text of a refusal.
var textPlaces = map[string]int{"refuse": 1, "badQuery": 0, "Fault": 1, "TooMany": 2, "over": 2, "misfit": 1}

// ofField is how a refusal reads that begins with the name of a field, or that
// follows it.
var ofField = regexp.MustCompile(`^(%s |a %s |[A-Z][a-z]+ )?(may not|must|can't|is|has|holds|names|does not) `)

var anyVerb = regexp.MustCompile(`%(\.\d+)?[a-z]`)

// TestFaultTexts makes sure that whatever is refused can be told in other
// languages: by the desk and the kinds, by pages and the door before them, by
// what reads files and reports, and by what verifies the audit trail.
func TestFaultTexts(t *testing.T) {
	t.Parallel()
	n := 0
	check := func(file, text string) {
		text = anyVerb.ReplaceAllString(text, "%s")
		if found := ofField.FindStringSubmatch(text); found != nil && found[1] == "" {
			text = "%s " + text
		}
		if strings.Trim(text, "%s ") == "" || slices.Contains(composed, text) {
			return
		}
		n++
		known := slices.ContainsFunc(faultForms(), func(f phrase) bool { return f.tells(text) })
		if known == slices.Contains(elsewhere, text) {
			t.Errorf("%s: %q must be either among faultTexts or elsewhere", file, text)
		}
	}
	for _, dir := range []string{"../desk", "../kind", "../door", "../sheet", "../report", "../intake", "."} {
		for _, file := range glob(t, dir+"/*.go") {
			if !strings.HasSuffix(file, "_test.go") {
				refusals(t, file, dir, func(text string) { check(file, text) })
			}
		}
	}
	refusals(t, "../store/verify.go", "../store", func(text string) { check("store", text) })
	for _, k := range inventory.All() {
		for _, f := range k.Fields {
			if f.Such != "" {
				check(k.Item, "must be "+f.Such)
			}
			if f.Items != nil {
				for _, sub := range f.Items.Fields {
					if sub.Such != "" {
						check(k.Item, "must be "+sub.Such)
					}
				}
			}
		}
	}
	for _, text := range []string{
		"the agent token %s has brought %s new computers in a minute: an administrator can allow more with muster setting set %s",
		"the agent token %s has brought %s new computers in a day: an administrator can allow more with muster setting set %s",
		"the server has more reports than it can answer at the moment: try again in a few seconds",
		"must be one of %s", "the server has more requests for pages than it can answer at the moment: try again in a few seconds",
		"the server has more sign-ins than it can answer at the moment: try again in a few seconds",
		store.ErrFull.Error() + ": nothing was changed, and reading goes on", store.ErrUnavailable.Error(), store.ErrUncertain.Error(),
	} {
		check("door", text)
	}
	if n < 200 {
		t.Errorf("got %d refusals, want those of all layers", n)
	}
}

// refusals finds the texts of refusals in a Go file.
func refusals(t *testing.T, file, dir string, found func(text string)) {
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	below := dir == "../desk" || dir == "../kind"
	ast.Inspect(parsed, func(node ast.Node) bool {
		switch n := node.(type) {
		case *ast.CallExpr:
			name := called(n)
			at, ok := textPlaces[name]
			switch {
			case dir == "../intake" && name == "refuse":
				found(toldBy(n.Args[2]))
			case dir == "../report" && name == "New":
				found(toldBy(n.Args[0]) + ": %s")
			case dir == "../report" && name == "Errorf", dir == "../intake" && name == "Fault":
				found(strings.TrimPrefix(anyVerb.ReplaceAllString(toldBy(n.Args[min(at, len(n.Args)-1)]), "%s"), "%s: ")) // what comes before is told with it
			case ok && at < len(n.Args):
				found(toldBy(n.Args[at]))
			case dir == "../sheet" && (name == "Errorf" || name == "New"):
				found(toldBy(n.Args[0]))
			case name == "administers" || name == "mayAdminister":
				if do := quotedArgument(n.Args, len(n.Args)-1); do != "" {
					found("a %s may not " + do)
				}
			}
		case *ast.CompositeLit:
			for _, text := range listedFaults(n) {
				found(toldBy(text))
			}
		case *ast.BinaryExpr, *ast.BasicLit:
			if text := toldBy(n.(ast.Expr)); below && ofField.MatchString(text) {
				found(text)
				return false
			}
		}
		return true
	})
}

// listedFaults returns the texts of an Invalid or an Error that is written with them.
func listedFaults(lit *ast.CompositeLit) []ast.Expr {
	if name := called(&ast.CallExpr{Fun: lit.Type}); name != "Invalid" && name != "Error" {
		return nil
	}
	for _, value := range lit.Elts {
		if named, ok := value.(*ast.KeyValueExpr); ok {
			value = named.Value
		}
		if list, ok := value.(*ast.CompositeLit); ok {
			return list.Elts
		}
	}
	return nil
}

// tells reports whether a form is that of a text with %s in its places: they are
// places of the form too, or a number, the name of a field or another word that
// is translated stands there.
func (f phrase) tells(text string) bool {
	found := f.parts.FindStringSubmatch(text)
	if found == nil {
		return false
	}
	for i, part := range found[1:] {
		first := i == 0 && strings.HasPrefix(f.text, "%s ")
		number := strings.Trim(part, "0123456789") == ""
		if !first && !number && !strings.Contains(part, "%s") && languageNamed("de").texts[part] == nil {
			return false
		}
	}
	return true
}

// toldBy returns the text of an expression, with %s for what is not written there.
func toldBy(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BinaryExpr:
		return toldBy(e.X) + toldBy(e.Y)
	case *ast.BasicLit:
		if text := quotedArgument([]ast.Expr{e}, 0); text != "" {
			return text
		}
	case *ast.CallExpr:
		if called(e) == "Sprintf" {
			return toldBy(e.Args[0])
		}
	}
	return "%s"
}

func TestFault(t *testing.T) {
	t.Parallel()
	german := &tongue{language: languageNamed("de"), locale: localeOf("de")}
	for _, test := range []struct{ told, want string }{
		{"Name can't be blank", "Name darf nicht leer sein"},
		{"Operating system is too long (maximum is 255 characters)", "Betriebssystem ist zu lang (höchstens 255 Zeichen)"},
		{"Role must be one of administrator, technician, requester", "Rolle muss eines von diesen sein: administrator, technician, requester"},
		{"Drives item 2: total space must be greater than or equal to 0", "Laufwerke, Zeile 2: Gesamter Platz muss mindestens 0 sein"},
		{`Purchases item 1: total cost is not a number: "a must be b"`, `Käufe, Zeile 1: Gesamtkosten ist keine Zahl: "a must be b"`},
		{"there is no user a@example.com", "Es gibt keinen Benutzer a@example.com"},
		{"there is no user New", "Es gibt keinen Benutzer New"},
		{`Email must be an e-mail address such as anna@example.com, not "x"`, `E-Mail muss eine E-Mail-Adresse wie anna@example.com sein, nicht "x"`},
		{`page-size must be a number from 1 to 1000, not "x"`, `Datensätze auf einer Seite muss eine Zahl von 1 bis 1000 sein, nicht "x"`},
		{`created_at must be a timestamp such as 2026-01-31T09:30:00Z or a date, not "x"`, `Angelegt am muss ein Zeitpunkt wie 2026-01-31T09:30:00Z oder ein Datum sein, nicht "x"`},
		{"a technician may not delete user records", "Die Rolle Techniker darf das nicht löschen: Benutzer"},
		{"a requester may not see audit records", "Die Rolle Anfragender darf das nicht sehen: Protokolleintrag"},
		{"statuses must be different from each other: New is there twice", "Weitere Status müssen sich voneinander unterscheiden: New steht zweimal da"},
		{"there is no computer with the id 7: it was merged into computer 8", "Es gibt keinen Datensatz dieser Art (Computer) mit der ID 7: Er wurde in Computer 8 überführt"},
		{"the software 7 is still installed on 1 computer", "Die Software 7 ist noch installiert: 1 Computer"},
		{"statuses cannot lose New, which is the status of 1200 computers and 2 other assets: give them another first", "Weitere Status: New kann nicht entfallen. Diesen Status haben noch: 1.200 Computer und 2 andere Geräte. Geben Sie ihnen zuerst einen anderen"},
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
