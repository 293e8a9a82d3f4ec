package page

import (
	"bytes"
	"html/template"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// prose turns Markdown into HTML. Its grammar has no raw HTML: tags are text, as typed.
// Links are written only by the code below. So no sanitiser is needed.
var prose = goldmark.New(
	goldmark.WithParser(parser.NewParser(
		parser.WithBlockParsers(
			util.Prioritized(parser.NewSetextHeadingParser(), 100),
			util.Prioritized(parser.NewThematicBreakParser(), 200),
			util.Prioritized(parser.NewListParser(), 300), util.Prioritized(parser.NewListItemParser(), 400),
			util.Prioritized(parser.NewCodeBlockParser(), 500), util.Prioritized(parser.NewATXHeadingParser(), 600),
			util.Prioritized(parser.NewFencedCodeBlockParser(), 700),
			util.Prioritized(parser.NewBlockquoteParser(), 800),
			util.Prioritized(parser.NewParagraphParser(), 1000)),
		parser.WithInlineParsers(
			util.Prioritized(parser.NewCodeSpanParser(), 100), util.Prioritized(parser.NewLinkParser(), 200),
			util.Prioritized(parser.NewAutoLinkParser(), 300), util.Prioritized(parser.NewEmphasisParser(), 500)),
		parser.WithParagraphTransformers(parser.DefaultParagraphTransformers()...),
		parser.WithASTTransformers(util.Prioritized(lowerHeadings{}, 100)),
	)),
	goldmark.WithExtensions(
		extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignNone)), // a style is not allowed
		extension.Strikethrough,
		extension.NewLinkify(extension.WithLinkifyAllowedProtocols([]string{"http:", "https:", "mailto:"})),
	),
	goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(anchors{}, 1))),
)

// What a text may have at most, so that it is read in milliseconds. Nobody reads
// more.
const (
	maxNesting = 32       // quotations and lists within each other
	maxSteps   = 16 << 20 // characters that are looked at from all brackets on
)

// Markdown returns what people have written as HTML that is safe to show.
func (c *Call) Markdown(written string) template.HTML {
	var out bytes.Buffer
	if intricate(written) || prose.Convert([]byte(written), &out) != nil {
		return template.HTML(`<p class="lines">` + template.HTMLEscapeString(written) + `</p>`)
	}
	return template.HTML(out.String())
}

// intricate reports whether a text takes long to read, since it has more marks of
// quotations, lists and links than people write.
func intricate(written string) bool {
	if strings.Count(written, "[")*len(written) > maxSteps {
		return true
	}
	if marks := strings.Count(written, "*") + strings.Count(written, "_") + strings.Count(written,
		"~"); marks*marks > maxSteps {
		return true // each may be compared with all before it
	}
	for line := range strings.Lines(written) {
		line = strings.TrimSpace(line)
		start := strings.IndexFunc(line, func(r rune) bool { return !strings.ContainsRune(">-+*.) \t0123456789", r) })
		if start < 0 {
			start = len(line)
		}
		marks := 0
		for _, mark := range []string{">", "-", "+", "*", ".", ")"} {
			marks += strings.Count(line[:start], mark)
		}
		if marks > maxNesting && !isRule(line) {
			return true
		}
	}
	return false
}

// isRule reports whether a line is a rule, or the line under a heading: one mark
// again and again.
func isRule(line string) bool {
	return line[0] != '>' && strings.Trim(line, line[:1]) == ""
}

// lowerHeadings makes the first heading one of the second level: the first is
// the title of the page.
type lowerHeadings struct{}

// Transform changes the levels of a document's headings.
func (lowerHeadings) Transform(doc *ast.Document, _ text.Reader, _ parser.Context) {
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if h, ok := n.(*ast.Heading); ok && entering {
			h.Level = min(h.Level+1, 6)
		}
		return ast.WalkContinue, nil
	})
}

// anchors writes links: to addresses of the web, of mail and of the server
// itself. Others are shown as the text that they have. A picture is a link to it,
// since pages load nothing from elsewhere.
type anchors struct{}

// RegisterFuncs says which nodes are written here.
func (anchors) RegisterFuncs(to renderer.NodeRendererFuncRegisterer) {
	to.Register(ast.KindLink, func(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		anchor(w, n, resolved(n.(*ast.Link).Destination), entering)
		return ast.WalkContinue, nil
	})
	to.Register(ast.KindImage, func(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		anchor(w, n, resolved(n.(*ast.Image).Destination), entering)
		return ast.WalkContinue, nil
	})
	to.Register(ast.KindAutoLink,
		func(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
			link := n.(*ast.AutoLink)
			to := string(link.URL(source))
			if link.AutoLinkType == ast.AutoLinkEmail && !strings.HasPrefix(strings.ToLower(to), "mailto:") {
				to = "mailto:" + to
			}
			anchor(w, n, to, entering)
			if entering {
				_, _ = w.WriteString(template.HTMLEscapeString(string(link.Label(source))))
			}
			return ast.WalkContinue, nil
		})
}

// resolved returns a destination with its character references replaced.
func resolved(destination []byte) string {
	return string(util.ResolveEntityNames(util.ResolveNumericReferences(destination)))
}

// anchor begins or ends a link, unless it is within one or leads where none may.
func anchor(w util.BufWriter, n ast.Node, to string, entering bool) {
	href := SafeAddress(to)
	switch {
	case href == "" || withinLink(n):
	case entering:
		_, _ = w.WriteString(`<a href="` + template.HTMLEscapeString(href) + `" rel="noopener nofollow">`)
	default:
		_, _ = w.WriteString(`</a>`)
	}
}

// withinLink reports whether a node is part of a link.
func withinLink(n ast.Node) bool {
	for p := n.Parent(); p != nil; p = p.Parent() {
		if p.Kind() == ast.KindLink || p.Kind() == ast.KindImage {
			return true
		}
	}
	return false
}

// SafeAddress returns an address that a person has written if pages may lead
// there, else "".
func SafeAddress(to string) string {
	to = strings.TrimSpace(to)
	if strings.ContainsFunc(to, func(r rune) bool {
		return unicode.IsControl(r) || unicode.IsSpace(r) || r == '\\' || unicode.Is(unicode.Cf, r)
	}) {
		return ""
	}
	u, err := url.Parse(to)
	switch {
	case err != nil:
		return ""
	case slices.Contains([]string{"http", "https"}, u.Scheme) && u.Host != "" && u.Opaque == "",
		u.Scheme == "mailto" && u.Opaque != "",
		u.Scheme == "" && u.Host == "" && u.User == nil && strings.HasPrefix(to, "/") && !strings.HasPrefix(to, "//"):
		return u.String()
	}
	return ""
}
