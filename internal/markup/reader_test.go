package markup

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
)

// tokens reads a document and writes its tokens down: <name attributes> for a Start, </name> for an End, quoted text.
func tokens(r *Reader) (string, error) {
	var b strings.Builder
	for {
		token, err := r.Next()
		if err != nil || token == EOF {
			return b.String(), err
		}
		write(&b, r, token)
	}
}

// tags is tokens by Tag.
func tags(r *Reader) (string, error) {
	var b strings.Builder
	for {
		token, err := r.Tag()
		if len(r.Text()) > 0 && err == nil {
			write(&b, r, Text)
		}
		if err != nil || token == EOF {
			return b.String(), err
		}
		write(&b, r, token)
	}
}

func write(b *strings.Builder, r *Reader, token Token) {
	switch token {
	case Start:
		fmt.Fprintf(b, "<%s", r.Name())
		for _, a := range r.attrs {
			if !a.declaration {
				fmt.Fprintf(b, " %s=%q", r.raw(a.name), a.value.of(r.doc, r.values))
			}
		}
		b.WriteString(">")
	case End:
		fmt.Fprintf(b, "</%s>", r.Name())
	case Text:
		fmt.Fprintf(b, "%q", r.Text())
	}
}

func TestNext(t *testing.T) {
	tests := []struct{ name, doc, want string }{
		{"empty element", `<a/>`, `<a></a>`},
		{"nested", `<a><b>x</b><c/>y</a>`, `<a><b>"x"</b><c></c>"y"</a>`},
		{"white space in tags", "<a\n b = '1'\t></a >", `<a b="1"></a>`},
		{"white space in an empty tag", "<a />", `<a></a>`},
		{"white space between elements", "<a>\n <b/>\n</a>", `<a>"\n "<b></b>"\n"</a>`},
		{"white space around the root", "\n<a/>\r\n\t ", `<a></a>`},
		{"declaration", `<?xml version="1.0" encoding="ISO-8859-1" standalone='yes' ?><a/>`, `<a></a>`},
		{"declaration, version 1.1", `<?xml version='1.1'?><a/>`, `<a></a>`},
		{"instruction behind the declaration", `<?xml version='1.0'?><?p?><a/>`, `<a></a>`},
		{"instruction that begins like a declaration", `<?xml-stylesheet href="x"?><a/>`, `<a></a>`},
		{"comments and instructions outside", `<!--x--><?p?><a/><!--y--><?p q?>`, `<a></a>`},
		{"comments and instructions in text", `<a>x<!-- - < & -->y<?p <?>z</a>`, `<a>"xyz"</a>`},
		{"comment alone", `<a><!--x--></a>`, `<a></a>`},
		{"CDATA", `<a>x<![CDATA[<&amp;]] >]]]>y</a>`, `<a>"x<&amp;]] >]y"</a>`},
		{"empty CDATA", `<a><![CDATA[]]></a>`, `<a></a>`},
		{"the five entities", `<a>&amp;&lt;&gt;&quot;&apos;</a>`, `<a>"&<>\"'"</a>`},
		{"character references", `<a>&#65;&#x42;&#x1F600;&#0000067;</a>`, `<a>"AB😀C"</a>`},
		{"the last characters", `<a>&#xFFFD;&#x10FFFF;</a>`, "<a>\"\uFFFD\\U0010ffff\"</a>"},
		{"line ends in text", "<a>1\r\n2\r3\n4\r\r\n5</a>", `<a>"1\n2\n3\n4\n\n5"</a>`},
		{"line ends in CDATA", "<a><![CDATA[1\r\n2\r3]]></a>", `<a>"1\n2\n3"</a>`},
		{"line ends as references", "<a>&#13;&#xA;</a>", `<a>"\r\n"</a>`},
		{"brackets in text", `<a>]] ]>]</a>`, `<a>"]] ]>]"</a>`},
		{"greater-than in text", `<a>1 > 0</a>`, `<a>"1 > 0"</a>`},
		{"attribute values", `<a b='"&amp;&lt;' c="'>]]>"/>`, `<a b="\"&<" c="'>]]>"></a>`},
		{"white space in an attribute", "<a b='1\t2\n3\r\n4\r5&#10;&#9;'/>", `<a b="1 2 3 4 5\n\t"></a>`},
		{"prefixes", `<p:a xmlns:p="u" p:b="1" xml:lang="de"><p:c/></p:a>`, `<a p:b="1" xml:lang="de"><c></c></a>`},
		{"one local name in two namespaces", `<a xmlns:p="u" xmlns:q="v" p:b="1" q:b="2" b="3"/>`,
			`<a p:b="1" q:b="2" b="3"></a>`},
		{"prefix and attribute of one name", `<a xmlns:p="u" xmlns:b="v" p:b="1"/>`, `<a p:b="1"></a>`},
		{"default namespace", `<a xmlns="u"><b xmlns=""/></a>`, `<a><b></b></a>`},
		{"declaration of xml", `<a xmlns:xml="http://www.w3.org/XML/1998/namespace"/>`, `<a></a>`},
		{"prefix declared behind its use", `<a p:b="1" xmlns:p="u"/>`, `<a p:b="1"></a>`},
		{"prefix declared again", `<a xmlns:p="u"><b xmlns:p=""><c xmlns:p="v" p:d=""/></b><p:e/></a>`,
			`<a><b><c p:d=""></c></b><e></e></a>`},
		{"names beyond ASCII", `<größe ключ="1"><a·b/></größe>`, `<größe ключ="1"><a·b></a·b></größe>`},
		{"names of all kinds", `<_.-9/>`, `<_.-9></_.-9>`},
		{"text beyond ASCII", `<a b="é">größer 😀</a>`, `<a b="é">"größer 😀"</a>`},
	}
	for _, tt := range tests {
		got, err := tokens(NewReader([]byte(tt.doc), Limits{}))
		if err != nil || got != tt.want {
			t.Errorf("%s: %s: got %s, %v, want %s", tt.name, tt.doc, got, err, tt.want)
		}
	}
}

func TestNextAfterEnd(t *testing.T) {
	r := NewReader([]byte("<a/>"), Limits{})
	for i, want := range []Token{Start, End, EOF, EOF} {
		if got, err := r.Next(); got != want || err != nil {
			t.Errorf("token %d: got %v, %v, want %v", i, got, err, want)
		}
	}
}

func TestErrorStays(t *testing.T) {
	r := NewReader([]byte("<a><b></a>"), Limits{})
	_, first := tokens(r)
	_, next := r.Next()
	_, content := r.Content()
	for _, got := range []error{next, content, r.Skip()} {
		if first == nil || got != first {
			t.Errorf("got %v, want %v", got, first)
		}
	}
}

func TestContent(t *testing.T) {
	tests := []struct{ doc, want string }{
		{`<a>x</a>`, `x`},
		{`<a/>`, ``},
		{`<a></a>`, ``},
		{`<a> x </a>`, ` x `},
		{`<a>x<!--c-->y<![CDATA[<z>]]>&amp;<?p?></a>`, `xy<z>&`},
		{"<a>\r\n</a>", "\n"},
	}
	for _, tt := range tests {
		r := NewReader([]byte("<r>"+tt.doc+"<b/></r>"), Limits{})
		r.Next()
		r.Next()
		got, err := r.Content()
		if string(got) != tt.want || err != nil {
			t.Errorf("%s: got %q, %v, want %q", tt.doc, got, err, tt.want)
		}
		if token, err := r.Next(); token != Start || string(r.Name()) != "b" {
			t.Errorf("%s: got token %v <%s>, %v behind it, want the Start of <b>", tt.doc, token, r.Name(), err)
		}
	}
}

func TestNoCopies(t *testing.T) {
	doc := []byte("<a b='value'>text</a>")
	r := NewReader(doc, Limits{})
	r.Next()
	value, _ := r.Attr("b")
	text, _ := r.Content()
	if &value[0] != &doc[6] || &text[0] != &doc[13] {
		t.Errorf("got copies of %q and %q, want the document's own bytes", value, text)
	}
	if cap(value) != len(value) || cap(text) != len(text) {
		t.Errorf("got capacities %d and %d, want no room to write into the document", cap(value), cap(text))
	}
}

func TestContentWithChild(t *testing.T) {
	r := NewReader([]byte(`<a>x<p:b nil="1" xmlns:p="u">y</p:b>z</a>`), Limits{})
	r.Next()
	got, err := r.Content()
	child, ok := errors.AsType[*ChildError](err)
	if !ok || child.Name != "b" || string(got) != "x" {
		t.Fatalf("got %q, %v, want x and a ChildError of b", got, err)
	}
	if want := "unexpected element <b>"; err.Error() != want {
		t.Errorf("got %q, want %q", err, want)
	}
	if !r.Nil() || string(r.Name()) != "b" {
		t.Errorf("got <%s>, nil %v, want to stand at the Start of <b>", r.Name(), r.Nil())
	}
	if got, err := r.Content(); string(got) != "y" || err != nil {
		t.Errorf("the child: got %q, %v, want y", got, err)
	}
	if got, err := r.Content(); string(got) != "z" || err != nil {
		t.Errorf("the rest: got %q, %v, want z", got, err)
	}
	if _, err := r.Content(); err != io.EOF {
		t.Errorf("behind the root: got %v, want %v", err, io.EOF)
	}
}

func TestSkip(t *testing.T) {
	r := NewReader([]byte(`<a><b>x<c><d/></c></b><e/>y</a>`), Limits{})
	if err := r.Skip(); err != nil {
		t.Errorf("before the root: got %v, want no error", err)
	}
	var got []string
	for range 6 {
		token, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprint(token, string(r.Name())))
		if token == Start && string(r.Name()) != "a" {
			if err := r.Skip(); err != nil {
				t.Fatal(err)
			}
		}
	}
	want := []string{"1a", "1b", "1e", "3e", "2a", "0a"}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestSkipAndContentCheck(t *testing.T) {
	for _, doc := range []string{"<a><b></a>", "<a>&x;</a>", "<a><b c=1/></a>", "<a>", "<a></b>"} {
		r := NewReader([]byte(doc), Limits{})
		r.Next()
		if err := r.Skip(); err == nil {
			t.Errorf("%s: Skip got no error", doc)
		}
		r.Reset([]byte(doc), Limits{})
		r.Next()
		if _, err := r.Content(); err == nil {
			t.Errorf("%s: Content got no error", doc)
		}
	}
}

func TestAttr(t *testing.T) {
	const doc = `<a xmlns="d" xmlns:p="u" xmlns:q="v" p:x="1" x="2" q:y="3" p:y="4" z=" &amp; " e=""/>`
	tests := []struct {
		name, want string
		ok         bool
	}{
		{"x", "2", true},
		{"p:x", "1", true},
		{"y", "3", true},
		{"p:y", "4", true},
		{"z", " & ", true},
		{"e", "", true},
		{"q:x", "", false},
		{"w", "", false},
		{"xmlns", "", false},
		{"xmlns:p", "", false},
		{"p", "", false},
	}
	r := NewReader([]byte(doc), Limits{})
	r.Next()
	for _, tt := range tests {
		if got, ok := r.Attr(tt.name); string(got) != tt.want || ok != tt.ok {
			t.Errorf("%s: got %q, %v, want %q, %v", tt.name, got, ok, tt.want, tt.ok)
		}
	}
	r.Next()
	if got, ok := r.Attr("x"); ok {
		t.Errorf("at the End: got %q, want none", got)
	}
}

func TestNil(t *testing.T) {
	tests := []struct {
		attrs string
		want  bool
	}{
		{``, false},
		{`nil="true"`, true},
		{`nil="1"`, true},
		{`nil='false'`, false},
		{`nil=""`, false},
		{`xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="true"`, true},
		{`xmlns:nil="true"`, false},
		{`nill="true"`, false},
		{`type="array" nil="true"`, true},
	}
	for _, tt := range tests {
		r := NewReader([]byte("<a "+tt.attrs+"/>"), Limits{})
		if _, err := r.Next(); err != nil {
			t.Fatalf("%s: %v", tt.attrs, err)
		}
		if got := r.Nil(); got != tt.want {
			t.Errorf("%s: got %v, want %v", tt.attrs, got, tt.want)
		}
	}
}

func TestPosition(t *testing.T) {
	const doc = "<?xml version=\"1.0\"?>\n<a>\r\n é<b/>\r<c>x</c><!---->y</a>"
	want := []string{"2:1", "2:4", "3:3", "3:3", "3:7", "4:1", "4:4", "4:5", "4:16", "4:17", "4:21"}
	var got []string
	r := NewReader([]byte(doc), Limits{})
	for {
		token, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		line, column := r.Position()
		got = append(got, fmt.Sprintf("%d:%d", line, column))
		if token == EOF {
			break
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestPositionAfterError(t *testing.T) {
	r := NewReader([]byte("<a>\n<b>\n&x;"), Limits{})
	tokens(r)
	if line, column := r.Position(); line != 2 || column != 4 {
		t.Errorf("got %d:%d, want that of the last token's start, 2:4", line, column)
	}
}

func TestReset(t *testing.T) {
	r := NewReader([]byte("<a b='1'><"), Limits{})
	r.Replace(true)
	tokens(r)
	r.Reset([]byte("<p:x xmlns:p='u'>&lt;</p:x>"), Limits{})
	if got, err := tokens(r); got != `<x>"<"</x>` || err != nil {
		t.Errorf("got %s, %v", got, err)
	}
	r.Reset([]byte("<a>\x01</a>"), Limits{})
	if _, err := tokens(r); err == nil {
		t.Errorf("got no error, want replacing to be off")
	}
	doc := []byte("<a b='1'>x&amp;y<c/></a>")
	if allocs := testing.AllocsPerRun(100, func() {
		r.Reset(doc, Limits{})
		for token, _ := r.Next(); token != EOF; token, _ = r.Next() {
		}
	}); allocs != 0 {
		t.Errorf("got %v allocations, want none", allocs)
	}
}
