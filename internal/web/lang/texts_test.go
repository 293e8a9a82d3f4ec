package lang_test

import (
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"text/template/parse"

	"muster/internal/agentsetup"
	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/web"
	"muster/internal/web/lang"
	"muster/internal/web/page"
	"muster/internal/web/records"
)

var update = flag.Bool("update", false,
	"write catalogues/en.po anew, and what is new into the others, to be translated")

// A used is a text that some page may show.
type used struct{ context, one, several string }

func (u used) key() string { return lang.KeyOf(u.context, u.one) }

// texts are all that are used, by their keys.
type texts map[string]used

func (all texts) add(context, one, several string) {
	if one == "" {
		return
	}
	u := used{context, one, several}
	if known := all[u.key()]; known.several != "" {
		u.several = known.several
	}
	all[u.key()] = u
}

// usedTexts collects the texts of templates, of Go files, and of what is declared.
func usedTexts(t *testing.T) texts {
	all, in := texts{}, map[string]string{}
	for _, file := range glob(t, "../templates/*.html") {
		trees, tree := map[string]*parse.Tree{}, parse.New(file)
		tree.Mode = parse.SkipFuncCheck
		if _, err := tree.Parse(read(t, file), "{{", "}}", trees); err != nil {
			t.Fatal(err)
		}
		for name, tree := range trees {
			if other := in[name]; other != "" {
				t.Errorf("template %s: it is in %s and in %s, and the latter takes the place of the former", name,
					other, file)
			}
			in[name] = file
			all.template(t, file, tree.Root)
		}
	}
	for _, file := range append(glob(t, "../*.go"), glob(t, "../*/*.go")...) {
		if !strings.HasSuffix(file, "_test.go") {
			all.source(t, file)
		}
	}
	all.messages(t)
	all.declared()
	return all
}

// template collects the texts of a template.
func (all texts) template(t *testing.T, file string, n parse.Node) {
	switch n := n.(type) {
	case *parse.ListNode:
		if n != nil {
			for _, one := range n.Nodes {
				all.template(t, file, one)
			}
		}
	case *parse.ActionNode:
		all.template(t, file, n.Pipe)
	case *parse.IfNode:
		all.branch(t, file, &n.BranchNode)
	case *parse.RangeNode:
		all.branch(t, file, &n.BranchNode)
	case *parse.WithNode:
		all.branch(t, file, &n.BranchNode)
	case *parse.TemplateNode:
		all.template(t, file, n.Pipe)
	case *parse.PipeNode:
		if n != nil {
			for _, command := range n.Cmds {
				all.command(t, file, command)
			}
		}
	}
}

func (all texts) branch(t *testing.T, file string, n *parse.BranchNode) {
	all.template(t, file, n.Pipe)
	all.template(t, file, n.List)
	all.template(t, file, n.ElseList)
}

// command collects the texts of a call in a template, which stand in it.
func (all texts) command(t *testing.T, file string, n *parse.CommandNode) {
	text := func(at int) string {
		if at < len(n.Args) {
			if s, ok := n.Args[at].(*parse.StringNode); ok {
				return s.Text
			}
		}
		t.Errorf("%s: %s: the text must stand here in quotes, so that it is found", file, n)
		return ""
	}
	for _, arg := range n.Args {
		all.template(t, file, arg)
	}
	switch name, _ := n.Args[0].(*parse.IdentifierNode); {
	case name == nil:
	case name.Ident == "t":
		all.add("", text(1), "")
	case name.Ident == "in":
		all.add(text(1), text(2), "")
	case name.Ident == "tn":
		all.add("", text(2), text(3))
	}
}

// source collects the texts of a Go file.
func (all texts) source(t *testing.T, file string) {
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(parsed, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		text := func(at int) string { return quotedArgument(call.Args, at) }
		switch called(call) {
		case "T", "Msg":
			all.add("", text(0), "")
		case "TN":
			all.add("", text(1), text(2))
		case "In":
			all.add(text(0), text(1), "")
		}
		return true
	})
}

// called returns the name of what is called.
func called(call *ast.CallExpr) string {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return f.Sel.Name
	}
	return ""
}

// quotedArgument returns an argument that is a text, "" for another one.
func quotedArgument(args []ast.Expr, at int) string {
	if at >= len(args) {
		return ""
	}
	lit, ok := args[at].(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return ""
	}
	text, _ := strconv.Unquote(lit.Value)
	return text
}

// declared collects the texts of tables: kinds, sections, filters and settings.
func (all texts) declared() {
	for _, k := range append(inventory.All(), inventory.Installations.Schema) {
		all.add("", k.Noun, "")
		all.add("", "%s "+k.Noun, "%s "+k.Nouns)
		all.fields(k)
	}
	for _, s := range web.Sections(inventory.Served()) {
		all.plain(s.Title, s.Add, s.Begin.Title, s.Begin.Text)
		all.entries(s.Begin.Steps)
		for _, v := range s.Views {
			all.plain(v.Title)
		}
		for _, g := range s.Facts {
			all.plain(g.Title)
		}
	}
	for _, words := range lang.DayWords {
		all.plain(words[0], words[1])
		all.add("", words[2], words[3])
	}
	all.plain(slices.Collect(maps.Values(lang.FilterWords))...)
	all.plain(desk.SettingTexts()...)
	all.plain(agentsetup.Places()...)
	for _, g := range lang.SettingTitles {
		all.plain(g.Group)
		for _, one := range g.Titles {
			all.plain(one[1])
		}
	}
	for _, month := range lang.Months {
		all.add("month", month, "")
	}
	all.add("value", records.Me, "")
}

func (all texts) plain(some ...string) {
	for _, text := range some {
		all.add("", text, "")
	}
}

func (all texts) entries(some []page.NavEntry) {
	for _, e := range some {
		all.plain(e.Title)
	}
}

// fields collects what is said of the fields of a kind.
func (all texts) fields(k *kind.Schema) {
	for _, f := range k.Fields {
		all.plain(f.Label)
		if f.ValuesHint != "" {
			all.plain("%s must be " + f.ValuesHint)
		} else {
			for _, value := range f.OneOf {
				all.add("value", value, "")
			}
		}
		for _, c := range f.Days {
			all.add("value", c.Value, "")
		}
		if f.Items != nil {
			all.plain(f.Items.Noun)
			all.fields(f.Items)
		}
	}
}

// whole are the languages in which each change brings its texts. Others may lack some, which are shown in English.
var whole = []string{lang.English, "de"}

// TestCatalogues compares every catalogue with the texts in use: English and German have them all,
// no catalogue has others, and each translation has the placeholders of its text.
func TestCatalogues(t *testing.T) {
	t.Parallel()
	all := usedTexts(t)
	if len(all) < 500 {
		t.Fatalf("got %d texts, want those of all pages", len(all))
	}
	for _, file := range glob(t, "catalogues/*.po") {
		if *update {
			writeCatalogue(t, file, all)
		}
		name := strings.TrimSuffix(filepath.Base(file), ".po")
		l, err := lang.ReadCatalogue(name, read(t, file))
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for key, u := range all {
			forms, ok := l.Texts[key]
			if !ok && slices.Contains(whole, name) {
				t.Errorf("%s lacks %q: run go test ./internal/web/lang -run TestCatalogues -update, and write it", file, key)
			}
			for _, form := range forms {
				if u.several == "" && placesOf(form) != placesOf(u.one) || u.several != "" &&
					!within(placesOf(form), placesOf(u.several)) {
					t.Errorf("%s: %q: got the places %s in %q, want %s", file, key, placesOf(form), form,
						placesOf(u.one))
				}
			}
			if want := lang.Pick(u.several != "", formsOf(l), 1); ok && len(forms) != want {
				t.Errorf("%s: %q: got %d forms, want %d", file, key, len(forms), want)
			}
		}
		for key := range l.Texts {
			if _, ok := all[key]; !ok {
				t.Errorf("%s has %q, which nobody uses: run go test ./internal/web/lang -run TestCatalogues -update",
					file, key)
			}
		}
	}
}

// formsOf returns how many forms a language has.
func formsOf(l *lang.Language) int {
	most := 0
	for n := range 200 {
		most = max(most, l.Plural(n))
	}
	return most + 1
}

var verb = regexp.MustCompile(`%(?:\[(\d+)\])?([a-z])`)

// placesOf returns what is put into a text, in the order of the arguments.
func placesOf(text string) string {
	var all []string
	for i, found := range verb.FindAllStringSubmatch(text, -1) {
		at := strconv.Itoa(i + 1)
		if found[1] != "" {
			at = found[1]
		}
		all = append(all, at+found[2])
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}

// within reports whether the places of a form are those that it should have: a
// form for one number alone may leave the number out.
func within(got, want string) bool { return got == want || got == "" }

// writeCatalogue writes a catalogue with the texts that are used alone. What it
// lacks is English in the catalogue of English, and empty in others.
func writeCatalogue(t *testing.T, file string, all texts) {
	entries, err := lang.ReadPO(read(t, file))
	if err != nil {
		t.Fatal(err)
	}
	known, forms := map[string][]string{}, 2
	for _, e := range entries {
		known[e.Key()] = e.Forms()
	}
	if l, err := lang.ReadCatalogue("", read(t, file)); err == nil {
		forms = formsOf(l)
	}
	var b strings.Builder
	writeEntry(&b, used{}, known[""])
	for _, key := range slices.Sorted(maps.Keys(all)) {
		u, own := all[key], known[key]
		if own == nil {
			own = make([]string, lang.Pick(u.several != "", forms, 1))
			if strings.HasSuffix(file, "/en.po") {
				own = slices.DeleteFunc([]string{u.one, u.several}, func(s string) bool { return s == "" })
			}
		}
		b.WriteString("\n")
		writeEntry(&b, u, own)
	}
	if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

func writeEntry(b *strings.Builder, u used, forms []string) {
	line := func(word, text string) {
		b.WriteString(word)
		if parts := strings.SplitAfter(text, "\n"); len(parts) > 1 {
			b.WriteString(` ""`)
			for _, part := range slices.DeleteFunc(parts, func(s string) bool { return s == "" }) {
				b.WriteString("\n" + quoted(part))
			}
		} else {
			b.WriteString(" " + quoted(text))
		}
		b.WriteString("\n")
	}
	if u.context != "" {
		line("msgctxt", u.context)
	}
	line("msgid", u.one)
	if u.several != "" {
		line("msgid_plural", u.several)
	}
	for i, form := range forms {
		line(pickWord(u.several == "", "msgstr", "msgstr["+strconv.Itoa(i)+"]"), form)
	}
}

func pickWord(first bool, a, b string) string {
	if first {
		return a
	}
	return b
}

// quoted writes a text as catalogues have it: with letters of all languages.
func quoted(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`).Replace(text) + `"`
}

func glob(t *testing.T, pattern string) []string {
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: got no files: %v", pattern, err)
	}
	return files
}

func read(t *testing.T, file string) string {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
