package markup

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

// stricter are the parts of messages with which a Reader refuses what encoding/xml lets pass.
var stricter = []string{
	"the document has no root element",
	"text outside the root element",
	"a second root element",
	"a DOCTYPE is not allowed",
	"<! begins neither",           // encoding/xml reads any <!x> as a directive
	"is not declared",             // prefixes
	"cannot be declared so",       // xml and xmlns
	"is repeated",                 // attributes
	"only one colon",              // encoding/xml takes the colons of a processing instruction's name
	"a name cannot begin with",    // encoding/xml takes <:a>, <a:> and <a:1>
	"expected white space or >",   // between attributes
	"expected white space or ?>",  // behind the name of a processing instruction
	"character reference &#",      // encoding/xml makes U+FFFD of surrogates
	"XML declaration",             // encoding/xml looks for version and encoding only, anywhere
	"expected white space before", // in the declaration
	"more than 128",               // attributes, namespace declarations
}

// stricterInMarkup are messages about characters that encoding/xml does not look at within comments, processing
// instructions and directives.
var stricterInMarkup = []string{"is not UTF-8", "character U+"}

// laxer are the parts of encoding/xml's messages with which it refuses what a Reader lets pass.
var laxer = []string{
	"unsupported version", // it knows only version 1.0
	"invalid XML name",    // it knows the names of XML 1.0's fourth edition, the fifth allows more
}

// FuzzReader compares a Reader with encoding/xml: both accept a document and see the same in it, or there is a known
// reason why only one does.
func FuzzReader(f *testing.F) {
	for _, doc := range seeds {
		f.Add([]byte(doc))
	}
	f.Fuzz(func(t *testing.T, doc []byte) { compare(t, doc) })
}

// TestFragments compares documents that are put together from pieces of markup, which are right more often
// than those of a fuzzer.
func TestFragments(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		doc := []byte("<r xmlns:p='u'>")
		for range random.IntN(12) {
			doc = append(doc, fragments[random.IntN(len(fragments))]...)
		}
		compare(t, append(doc, "</r>"...))
	}
}

// compare reads a document both ways.
func compare(t *testing.T, doc []byte) {
	got, err := tokens(NewReader(doc, Limits{}))
	want, oracle := oracleTokens(doc)
	switch {
	case err == nil && oracle == nil:
		if blankValues(got) != blankValues(want) {
			t.Fatalf("%q:\n got %s\nwant %s", doc, got, want)
		}
	case err == nil && !contains(oracle, laxer):
		t.Fatalf("%q: got %s, want an error: %v", doc, got, oracle)
	case err != nil && oracle == nil && !known(err, doc):
		t.Fatalf("%q: got %v, want %s", doc, err, want)
	}
	checkModes(t, doc, got, err)
	if err == nil {
		checkPositions(t, doc)
	}
}

func TestReport(t *testing.T) {
	got, err := tokens(NewReader(bigReport(), Limits{Depth: 64, Elements: 10000}))
	want, _ := oracleTokens(bigReport())
	if got != want || err != nil {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
}

// checkModes checks that Tag reads what Next reads, that Skip refuses what Next refuses, and that replacing changes
// nothing in a good document.
func checkModes(t *testing.T, doc []byte, want string, strict error) {
	r := NewReader(doc, Limits{})
	if got, err := tags(r); fmt.Sprint(err) != fmt.Sprint(strict) || err == nil && got != want {
		t.Fatalf("%q: by tags got %s, %v, want %s, %v", doc, got, err, want, strict)
	}
	r.Reset(doc, Limits{})
	token, err := r.Next()
	if token == Start {
		if err = r.Skip(); err == nil {
			_, err = r.Next()
		}
	}
	if fmt.Sprint(err) != fmt.Sprint(strict) {
		t.Fatalf("%q: skipping got %v, want %v", doc, err, strict)
	}
	r.Reset(doc, Limits{})
	r.Replace(true)
	if got, err := tokens(r); strict == nil && (got != want || err != nil) {
		t.Fatalf("%q: replacing got %s, %v, want %s", doc, got, err, want)
	} else if err == nil && !utf8.ValidString(got) {
		t.Fatalf("%q: replacing got %q, want UTF-8", doc, got)
	}
}

// checkPositions checks the position of every token by counting line ends and characters before it.
func checkPositions(t *testing.T, doc []byte) {
	ends := strings.NewReplacer("\r\n", "\n", "\r", "\n")
	r := NewReader(doc, Limits{})
	for {
		token, _ := r.Next()
		before := ends.Replace(string(doc[:r.start]))
		line, column := r.Position()
		wantLine := 1 + strings.Count(before, "\n")
		wantColumn := 1 + utf8.RuneCountInString(before[strings.LastIndex(before, "\n")+1:])
		if line != wantLine || column != wantColumn {
			t.Fatalf("%q at %d: got %d:%d, want %d:%d", doc, r.start, line, column, wantLine, wantColumn)
		}
		if token == EOF {
			return
		}
	}
}

// oracleTokens is tokens by encoding/xml. Token checks the document, RawToken has the names as they are written.
func oracleTokens(doc []byte) (string, error) {
	checker := oracle(doc)
	for {
		if _, err := checker.Token(); err == io.EOF {
			break
		} else if err != nil {
			return "", err
		}
	}
	var b, text strings.Builder
	flush := func(depth int) {
		if text.Len() > 0 && depth > 0 {
			fmt.Fprintf(&b, "%q", text.String())
		}
		text.Reset()
	}
	d := oracle(doc)
	for depth := 0; ; {
		token, err := d.RawToken()
		if err != nil {
			return b.String(), nil // io.EOF, since the document has been checked
		}
		switch token := token.(type) {
		case xml.StartElement:
			flush(depth)
			depth++
			fmt.Fprintf(&b, "<%s%s>", token.Name.Local, oracleAttrs(token.Attr))
		case xml.EndElement:
			flush(depth)
			depth--
			fmt.Fprintf(&b, "</%s>", token.Name.Local)
		case xml.CharData:
			text.Write(token)
		}
	}
}

func oracleAttrs(attrs []xml.Attr) string {
	var b strings.Builder
	for _, a := range attrs {
		name := a.Name.Local
		if a.Name.Space != "" {
			name = a.Name.Space + ":" + name
		}
		if name != "xmlns" && a.Name.Space != "xmlns" {
			fmt.Fprintf(&b, " %s=%q", name, a.Value)
		}
	}
	return b.String()
}

func oracle(doc []byte) *xml.Decoder {
	d := xml.NewDecoder(bytes.NewReader(doc))
	d.CharsetReader = func(_ string, input io.Reader) (io.Reader, error) { return input, nil }
	return d
}

// blankValues makes blanks of all white space in tokens, for encoding/xml keeps line ends and tabs in attribute values.
func blankValues(tokens string) string {
	return strings.NewReplacer(`\n`, " ", `\t`, " ", `\r`, " ").Replace(tokens)
}

// known reports whether a Reader's refusal is one of its known strictnesses.
func known(err error, doc []byte) bool {
	inMarkup := bytes.Contains(doc, []byte("<!")) || bytes.Contains(doc, []byte("<?"))
	return contains(err, stricter) || inMarkup && contains(err, stricterInMarkup)
}

func contains(err error, parts []string) bool {
	for _, part := range parts {
		if strings.Contains(err.Error(), part) {
			return true
		}
	}
	return false
}

// seeds are documents around every rule.
var seeds = []string{
	"", " ", "<a/>", "<a></a>", "<a>x</a >", "<a b='1' c=\"2\"/>", "<a\tb = '&lt;&#10;'\n/>", "<a b='1'c='2'/>",
	"<a b='1' b='2'/>",
	"<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n<a/>\n", "<?xml version='1.1'?><a/>",
	"<a/><?xml version='1.0'?>",
	"<a>&amp;&lt;&gt;&quot;&apos;&#65;&#x41;</a>", "<a>&nbsp;</a>", "<a>&#xD800;&#0;</a>", "<a>&#x110000;</a>",
	"<a>&</a>", "<a>&#;</a>",
	"<a>1\r\n2\r3\n</a>", "<a><![CDATA[1\r\n<&]] >]]></a>", "<a>x<!-- y -->z<?p q?></a>", "<!-- a -- b --><a/>",
	"<a>]]></a>",
	"<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", "<a/><b/>", "x<a/>", "<a/>x", "<a><b></a></b>", "<a>",
	"</a>", "<a></a></a>",
	"<p:a xmlns:p='u' p:b='1'/>", "<p:a/>", "<a p:b=''/>", "<a xmlns:p='u' xmlns:q='u' p:b='' q:b=''/>", "<a:b:c/>",
	"<:a/>", "<a:/>",
	"<a xmlns:p='u'><b xmlns:p=''><p:c/></b></a>", "<a xmlns:xml='u' xmlns:xmlns='v'/>", "<a xml:lang='de'/>",
	"<größe ключ='1'>é😀</größe>", "<a>\x00\x1F</a>", "<a>\xFF\xED\xA0\x80\uFFFE</a>", "<a b='<'/>", "<a b=c/>",
	"<a b/>", "<1/>",
	"<a nil=\"true\" xsi:nil=\"1\" xmlns:xsi=\"x\"/>", "\uFEFF<a/>", "<?p:q r?><a/>", "<? p?><a/>", "<a><?xml?></a>",
	"<!-->", "<![CDATA[]]>",
}

// fragments are pieces of markup that fit together in many orders.
var fragments = []string{
	"<a>", "</a>", "<a>", "</a>", "<b/>", "<p:b>", "</p:b>", "<a ", ">", "/>", " b='1'", " p:b=\"&amp;\r\n\"",
	" xmlns:p='v'", " xmlns:q='u'",
	" q:b='2'", " xmlns:p=''", " c = '\t\"'", "x", "é", "\r", "\n", "\r\n", "]", "]]", "&gt;", "&#13;", "&#x1F600;",
	"&lt;", "<![CDATA[", "]]>",
	"<!--", "-->", "-", "<?p ", "?>", "<?p?>", "'", "\"", "\uFFFD", "1", "\t", " ", "<!---->", "<![CDATA[<\r\n>]]>",
	":", "=", "&", ";",
}
