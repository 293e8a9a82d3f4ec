package lang_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
)

// makers are the functions besides those of package message that make a message. Its format is the first of their
// arguments that is a text.
var makers = []string{
	"Fault", "TooMany", "over", // of the door
	"Refuse", "Administers", "MayAdminister", "notePair", "badQuery", // of the desk and the kinds
	"misfit", "tooLarge", "malformed", // of the audit trail and of reports
	"Note", // of how agents are pointed at the server
}

// unread are packages whose messages no page shows: they are of the API alone.
var unread = []string{"../../api"}

// messages collects the formats of all messages, where they are made.
func (all texts) messages(t *testing.T) {
	err := filepath.WalkDir("../..", func(file string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && slices.Contains(unread, file):
			return fs.SkipDir
		case strings.HasSuffix(file, ".go") && !strings.HasSuffix(file, "_test.go"):
			all.messagesOf(t, file)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// messagesOf collects the formats of the messages that are made in a Go file.
func (all texts) messagesOf(t *testing.T, file string) {
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(parsed, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		name, own := makerOf(call)
		if name == "" {
			return true
		}
		format, found := formatOf(call.Args)
		switch {
		case !found && own:
			t.Errorf("%s: the format must stand here in quotes, so that it is found", files.Position(call.Pos()))
		case name == "Says":
			all.plain("%s " + format)
		case hasWords(format):
			all.plain(strings.ReplaceAll(format, "\n", " ")) // pages have it in one line
		}
		return true
	})
}

// makerOf returns the name of a function that makes a message, and whether it is one of package message that must be
// called with the format itself; "" for another function.
func makerOf(call *ast.CallExpr) (name string, own bool) {
	if f, ok := call.Fun.(*ast.SelectorExpr); ok {
		if of, _ := f.X.(*ast.Ident); of != nil && of.Name == "message" &&
			slices.Contains([]string{"New", "Says", "Errorf"}, f.Sel.Name) {
			format, _ := call.Args[0].(*ast.Ident) // as in the functions that are makers themselves
			return f.Sel.Name, format == nil || format.Name != "format"
		}
	}
	if name = called(call); slices.Contains(makers, name) {
		return name, false
	}
	return "", false
}

// hasWords reports whether a format has words of its own.
func hasWords(format string) bool {
	return strings.ContainsFunc(anyVerb.ReplaceAllString(format, ""), unicode.IsLetter)
}

var anyVerb = regexp.MustCompile("%[a-z]")

// formatOf returns the first argument that is a text in quotes.
func formatOf(args []ast.Expr) (format string, found bool) {
	for _, arg := range args {
		if text, ok := quotedText(arg); ok {
			return text, true
		}
	}
	return "", false
}

// quotedText returns a text in quotes, or several that are put together.
func quotedText(e ast.Expr) (text string, ok bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind != token.STRING {
			return "", false
		}
		text, err := strconv.Unquote(e.Value)
		return text, err == nil
	case *ast.BinaryExpr:
		first, one := quotedText(e.X)
		last, other := quotedText(e.Y)
		return first + last, one && other
	}
	return "", false
}
