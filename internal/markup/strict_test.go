package markup

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestSyntaxErrors(t *testing.T) {
	tests := []struct{ doc, want string }{
		// The root.
		{"", "1:1 the document has no root element"},
		{" \n", "2:1 the document has no root element"},
		{"<!--x-->", "1:9 the document has no root element"},
		{"x<a/>", "1:1 text outside the root element"},
		{"<a/>\nx", "2:1 text outside the root element"},
		{"<a/>&#32;", "1:5 text outside the root element"},
		{"<a/><![CDATA[]]>", "1:5 text outside the root element"},
		{"<a/>\x00", "1:5 text outside the root element"},
		{"\uFEFF<a/>", "1:1 text outside the root element"},
		{"<a/> <b/>", "1:6 a second root element <b>"},
		{"<a/></a>", "1:5 </a> closes no element"},
		{"</a>", "1:1 </a> closes no element"},

		// Tags.
		{"<a>", "1:4 the document ends before </a>"},
		{"<a><b></b>\n", "2:1 the document ends before </a>"},
		{"<a>x", "1:5 the document ends before </a>"},
		{"<a>\n  <b>\n</a>", "3:1 element <b> is closed by </a>"},
		{"<a></ab>", "1:4 element <a> is closed by </ab>"},
		{"<ab></a>", "1:5 element <ab> is closed by </a>"},
		{"<p:a xmlns:p='u' xmlns:q='u'></q:a>", "1:30 element <p:a> is closed by </q:a>"},
		{"<a></a b='1'>", "1:8 expected >, found 'b'"},
		{"<a></a", "1:7 the document ends inside a tag"},
		{"<a></a ", "1:8 the document ends inside a tag"},
		{"<a></ a>", "1:6 a name cannot begin with ' '"},
		{"<a><", "1:5 the document ends where a name is expected"},
		{"<", "1:2 the document ends where a name is expected"},
		{"<a", "1:3 the document ends inside a tag"},
		{"<a ", "1:4 the document ends inside a tag"},
		{"<a/", "1:4 the document ends where > is expected"},
		{"<a/ >", "1:4 expected >, found ' '"},
		{"<a\x01>", "1:3 character U+0001 is not allowed"},
		{"<a!>", "1:3 expected white space or >, found '!'"},
		{"<a <b/>", "1:4 a name cannot begin with '<'"},

		// Names.
		{"< a/>", "1:2 a name cannot begin with ' '"},
		{"<1/>", "1:2 a name cannot begin with '1'"},
		{"<-a/>", "1:2 a name cannot begin with '-'"},
		{"<·/>", "1:2 a name cannot begin with '·'"},
		{"<\xFF/>", "1:2 byte 0xff is not UTF-8"},
		{"<a\xC3/>", "1:3 byte 0xc3 is not UTF-8"},
		{"<a×/>", "1:3 expected white space or >, found '×'"},
		{"<:a/>", "1:2 a name cannot begin with ':'"},
		{"<a:/>", "1:4 a name cannot begin with '/'"},
		{"<a:", "1:4 the document ends where a name is expected"},
		{"<a:1/>", "1:4 a name cannot begin with '1'"},
		{"<a:b:c/>", "1:5 a name may have only one colon"},
		{"<a b:c:d='1'/>", "1:7 a name may have only one colon"},

		// Attributes.
		{"<a b/>", "1:5 expected = and a value, found '/'"},
		{"<a b", "1:5 the document ends where = and a value is expected"},
		{"<a b=", "1:6 the document ends where a quoted value is expected"},
		{"<a b=c/>", "1:6 expected a quoted value, found 'c'"},
		{"<a b='c", "1:8 the document ends inside an attribute value"},
		{"<a b='\n<'/>", "2:1 < is not allowed in an attribute value"},
		{"<a b='&'/>", "1:7 & does not begin a reference"},
		{"<a b='&lt'>;</a>", "1:7 & does not begin a reference"},
		{"<a b='\x0B'/>", "1:7 character U+000B is not allowed"},
		{"<a b='\x80'/>", "1:7 byte 0x80 is not UTF-8"},
		{"<a b='1'c='2'/>", "1:9 expected white space or >, found 'c'"},
		{"<a b='1' b='2'/>", "1:10 attribute b is repeated"},
		{"<a xmlns='u' xmlns='u'/>", "1:14 attribute xmlns is repeated"},
		{"<a xmlns:p='u' xmlns:p='v'/>", "1:16 attribute xmlns:p is repeated"},
		{"<a xmlns:p='u' xmlns:q='u' p:b='1' q:b='2'/>", "1:36 attribute q:b is repeated under another prefix"},
		{"<a xmlns:p='u&amp;'><b xmlns:q='u&#38;' p:b='1' q:b='2'/></a>",
			"1:49 attribute q:b is repeated under another prefix"},

		// Prefixes.
		{"<p:a/>", "1:2 prefix p is not declared"},
		{"<a p:b='1'/>", "1:4 prefix p is not declared"},
		{"<a><b xmlns:p='u'/><p:c/></a>", "1:21 prefix p is not declared"},
		{"<a xmlns:p='u'><b xmlns:p=''><p:c/></b></a>", "1:31 prefix p is not declared"},
		{"<a xmlns:p='' p:b=''/>", "1:15 prefix p is not declared"},
		{"<xmlns:a/>", "1:2 prefix xmlns is not declared"},
		{"<a xmlns:xmlns='u'/>", "1:4 prefix xmlns cannot be declared so"},
		{"<a xmlns:xml='u'/>", "1:4 prefix xml cannot be declared so"},
		{"<a xmlns:p='http://www.w3.org/XML/1998/namespace'/>", "1:4 prefix p cannot be declared so"},
		{"<a xmlns:p='http://www.w3.org/2000/xmlns/'/>", "1:4 prefix p cannot be declared so"},

		// Text.
		{"<a>\n]]></a>", "2:1 ]]> is not allowed in text"},
		{"<a>x]]]></a>", "1:6 ]]> is not allowed in text"},
		{"<a>\x00</a>", "1:4 character U+0000 is not allowed"},
		{"<a>é\x1F</a>", "1:5 character U+001F is not allowed"},
		{"<a>\uFFFE</a>", "1:4 character U+FFFE is not allowed"},
		{"<a>\uFFFF</a>", "1:4 character U+FFFF is not allowed"},
		{"<a>\xE9</a>", "1:4 byte 0xe9 is not UTF-8"},
		{"<a>\xED\xA0\x80</a>", "1:4 byte 0xed is not UTF-8"},
		{"<a>\xC0\x80</a>", "1:4 byte 0xc0 is not UTF-8"},
		{"<a>\xF4\x90\x80\x80</a>", "1:4 byte 0xf4 is not UTF-8"},
		{"<a><![CDATA[\x01]]></a>", "1:13 character U+0001 is not allowed"},
		{"<a><![CDATA[\xFF]]></a>", "1:13 byte 0xff is not UTF-8"},
		{"<a><![CDATA[x]]</a>", "1:20 the document ends inside a CDATA section"},

		// References.
		{"<a>&</a>", "1:4 & does not begin a reference"},
		{"<a>&amp</a>", "1:4 & does not begin a reference"},
		{"<a>&am<b/>p;</a>", "1:4 & does not begin a reference"},
		{"<a>&;</a>", "1:4 & does not begin a reference"},
		{"<a>a & b;</a>", "1:6 & does not begin a reference"},
		{"<a>\n&nbsp;</a>", "2:1 entity &nbsp; is not known"},
		{"<a>&AMP;</a>", "1:4 entity &AMP; is not known"},
		{"<a>&#;</a>", "1:4 a character reference is malformed"},
		{"<a>&#x;</a>", "1:4 a character reference is malformed"},
		{"<a>&#X41;</a>", "1:4 a character reference is malformed"},
		{"<a>&#1a;</a>", "1:4 a character reference is malformed"},
		{"<a>&#xg;</a>", "1:4 a character reference is malformed"},
		{"<a>&#-1;</a>", "1:4 a character reference is malformed"},
		{"<a>&#0;</a>", "1:4 character reference &#0; is not allowed"},
		{"<a>&#x1f;</a>", "1:4 character reference &#x1f; is not allowed"},
		{"<a>&#xD800;</a>", "1:4 character reference &#xD800; is not allowed"},
		{"<a>&#xDFFF;</a>", "1:4 character reference &#xDFFF; is not allowed"},
		{"<a>&#xFFFE;</a>", "1:4 character reference &#xFFFE; is not allowed"},
		{"<a>&#x110000;</a>", "1:4 character reference &#x110000; is not allowed"},
		{"<a>&#4294967361;</a>", "1:4 character reference &#4294967361; is not allowed"},
		{"<a>&#x100000000000041;</a>", "1:4 character reference &#x100000000000041; is not allowed"},

		// Comments, processing instructions, declarations.
		{"<!DOCTYPE a><a/>", "1:1 a DOCTYPE is not allowed"},
		{"<a><!DOCTYPE a></a>", "1:4 a DOCTYPE is not allowed"},
		{"<!doctype a><a/>", "1:1 <! begins neither a comment nor a CDATA section"},
		{"<a><!ENTITY b 'c'></a>", "1:4 <! begins neither a comment nor a CDATA section"},
		{"<a><![cdata[x]]></a>", "1:4 <! begins neither a comment nor a CDATA section"},
		{"<!", "1:1 <! begins neither a comment nor a CDATA section"},
		{"<!-- a -- b --><a/>", "1:8 -- is not allowed in a comment"},
		{"<!-- a ---><a/>", "1:8 -- is not allowed in a comment"},
		{"<a><!-->", "1:9 the document ends inside a comment"},
		{"<a><!-- \x02 --></a>", "1:9 character U+0002 is not allowed"},
		{"<a><!-- \xFF --></a>", "1:9 byte 0xff is not UTF-8"},
		{"<a><?p \x02?></a>", "1:8 character U+0002 is not allowed"},
		{"<? p?><a/>", "1:3 a name cannot begin with ' '"},
		{"<?p!?><a/>", "1:4 expected white space or ?>, found '!'"},
		{"<?p:q?><a/>", "1:4 expected white space or ?>, found ':'"},
		{"<?p", "1:4 the document ends where white space or ?> is expected"},
		{"<?p ?", "1:6 the document ends inside a processing instruction"},
		{" <?xml version='1.0'?><a/>", "1:2 an XML declaration is allowed only at the beginning of the document"},
		{"<a/><?XmL x?>", "1:5 an XML declaration is allowed only at the beginning of the document"},
		{"<?XML version='1.0'?><a/>", "1:1 an XML declaration is allowed only at the beginning of the document"},
		{"<?xml?><a/>", "1:6 the XML declaration has no version"},
		{"<?xml encoding='UTF-8'?><a/>", "1:7 the XML declaration has no version"},
		{"<?xml version='2.0'?><a/>", "1:7 the XML declaration's version is malformed"},
		{"<?xml version='1.'?><a/>", "1:7 the XML declaration's version is malformed"},
		{"<?xml version=1.0?><a/>", "1:7 the XML declaration's version is malformed"},
		{"<?xml version '1.0'?><a/>", "1:7 the XML declaration's version is malformed"},
		{"<?xml version='1.0", "1:7 the XML declaration's version is malformed"},
		{"<?xml version", "1:7 the XML declaration's version is malformed"},
		{"<?xml version='1.0'encoding='UTF-8'?><a/>", "1:20 expected white space before encoding"},
		{"<?xml version='1.0' encoding=''?><a/>", "1:21 the XML declaration's encoding is malformed"},
		{"<?xml version='1.0' encoding='8'?><a/>", "1:21 the XML declaration's encoding is malformed"},
		{"<?xml version='1.0' standalone='maybe'?><a/>", "1:21 the XML declaration's standalone is malformed"},
		{"<?xml version='1.0' standalone='no' encoding='x'?><a/>",
			"1:37 expected ?> at the end of the XML declaration"},
		{"<?xml version='1.0' x='y'?><a/>", "1:21 expected ?> at the end of the XML declaration"},
		{"<?xml version='1.0'>\n<a/>", "1:20 expected ?> at the end of the XML declaration"},

		// Places behind every kind of line end, in characters.
		{"<a>\n\r\n\r日本&x;</a>", "4:3 entity &x; is not known"},
		{"<a" + strings.Repeat("é", 40) + "></b>", "1:44 element <a" + strings.Repeat("é",
			31) + "…> is closed by </b>"},
	}
	for _, tt := range tests {
		_, err := tokens(NewReader([]byte(tt.doc), Limits{}))
		got := "no error"
		if e, ok := errors.AsType[*SyntaxError](err); ok {
			got = fmt.Sprintf("%d:%d %s", e.Line, e.Column, e.Message)
		}
		if got != tt.want {
			t.Errorf("%q:\n got %s\nwant %s", tt.doc, got, tt.want)
		}
	}
}

// TestNames goes over both sides of every border of the characters that names are made of.
func TestNames(t *testing.T) {
	const start = "AZ_azÀÖØöø\u02FF\u0370\u037D\u037F\u1FFF\u200C\u200D\u2070\u218F\u2C00\u2FEF\u3001\uD7FF\uF900\uFDCF\uFDF0\uFFFD" +
		"\U00010000\U000EFFFF"
	const part = "-.09\u00B7\u0300\u036F\u203F\u2040"
	const neither = "@[`{;\u00B6\u00B8\u00BF×÷\u037E\u2000\u200B\u200E\u203E\u2041\u206F\u2190\u2BFF\u2FF0\u3000\uE000\uF8FF\uFDD0\uFDEF" +
		"\uFFFE\U000F0000"
	accepts := func(name string) bool {
		_, err := tokens(NewReader([]byte("<"+name+"/>"), Limits{}))
		return err == nil
	}
	check := func(chars string, first, later bool) {
		for _, c := range chars {
			got := [4]bool{
				accepts(string(c)), accepts("a" + string(c)), accepts("é" + string(c) + "b"), accepts("é" + string(c)),
			}
			if want := [4]bool{first, later, later, later}; got != want {
				t.Errorf("%U alone and inside a name: got %v, want %v", c, got, want)
			}
		}
	}
	check(start, true, true)
	check(part, false, true)
	check(neither, false, false)
}

func TestSyntaxErrorText(t *testing.T) {
	_, err := tokens(NewReader([]byte("<x>\n\n   <a>12345678</b></x>"), Limits{}))
	if want := "line 3, column 15: element <a> is closed by </b>"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestLimits(t *testing.T) {
	tests := []struct {
		name, doc string
		limits    Limits
		want      string
	}{
		{"depth held", strings.Repeat("<a>", 63) + "<b/><b/>" + strings.Repeat("</a>", 63), Limits{Depth: 64}, ""},
		{"depth broken", strings.Repeat("<a>", 64) + "<b/>" + strings.Repeat("</a>", 64), Limits{Depth: 64},
			"line 1, column 193: nesting is deeper than 64 elements"},
		{"elements held", "<a>" + strings.Repeat("<b/>", 9999) + "</a>", Limits{Elements: 10000}, ""},
		{"elements broken", "<a>" + strings.Repeat("<b/>", 10000) + "</a>", Limits{Elements: 10000},
			"line 1, column 40000: more than 10000 elements"},
		{"plain depth broken", strings.Repeat("<a>", 65) + strings.Repeat("</a>", 65), Limits{Depth: 64},
			"line 1, column 193: nesting is deeper than 64 elements"},
		{"plain elements broken", "<a>" + strings.Repeat("<b></b>", 10000) + "</a>", Limits{Elements: 10000},
			"line 1, column 69997: more than 10000 elements"},
		{"no limits", strings.Repeat("<a>", 100000) + strings.Repeat("</a>", 100000), Limits{}, ""},
		{"attributes held", "<a" + numbered(" a%d=''", maxAttrs) + "/>", Limits{}, ""},
		{"attributes broken", "<a\n" + numbered(" a%d=''", maxAttrs+1) + "/>", Limits{},
			"line 2, column 916: more than 128 attributes"},
		{"namespaces held", "<a" + numbered(" xmlns:a%d='u'", maxSpaces) + "/>", Limits{}, ""},
		{"namespaces broken", "<a" + numbered(" xmlns:a%d='u'", maxSpaces) + ">\n<b xmlns:x='u'/></a>", Limits{},
			"line 2, column 4: more than 128 namespace declarations"},
	}
	for _, tt := range tests {
		for _, read := range []func(*Reader) (string, error){tokens, tags} {
			_, err := read(NewReader([]byte(tt.doc), tt.limits))
			got := ""
			if err != nil {
				got = err.Error()
			}
			if got != tt.want {
				t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
			}
		}
	}
}

// numbered returns a format n times, with the numbers from 0.
func numbered(format string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

func TestReplace(t *testing.T) {
	tests := []struct{ doc, want string }{
		{"<a>x\x00\x1Fy</a>", `<a>"x` + "\uFFFD\uFFFD" + `y"</a>`},
		{"<a>é\xE9\xED\xA0\x80</a>", `<a>"é` + strings.Repeat("\uFFFD", 4) + `"</a>`},
		{"<a>\uFFFE\uFFFD</a>", "<a>\"\uFFFD\uFFFD\"</a>"},
		{"<a>&#0;&#x1f;&#xD800;&#x110000;&#9999999999;</a>", `<a>"` + strings.Repeat("\uFFFD", 5) + `"</a>`},
		{"<a b='\x01&#1;\xFFc\td'/>", `<a b="` + strings.Repeat("\uFFFD", 3) + `c d"></a>`},
		{"<a b='\x01'/>", "<a b=\"\uFFFD\"></a>"},
		{"<a><![CDATA[\x01]]></a>", "<a>\"\uFFFD\"</a>"},
		{"<a><![CDATA[\x01\r\n\xFF]]></a>", "<a>\"\uFFFD\\n\uFFFD\"</a>"},
		{"<!--\x01--><?p \xFF?><a><!--\x01--></a>", `<a></a>`},
		{"<a>plain</a>", `<a>"plain"</a>`},
	}
	for _, tt := range tests {
		r := NewReader([]byte(tt.doc), Limits{})
		r.Replace(true)
		if got, err := tokens(r); got != tt.want || err != nil {
			t.Errorf("%q: got %s, %v, want %s", tt.doc, got, err, tt.want)
		}
	}
}

func TestReplaceStaysStrict(t *testing.T) {
	for _, doc := range []string{
		"<a\x01/>", "<\x01/>", "<a \xFF=''/>", "<a>&#;</a>", "<a>&nbsp;</a>", "<a>&</a>", "\x01<a/>", "<a/>\xFF",
		"<?p\x01?><a/>",
		"<!DOCTYPE a><a/>", "<a \x01/>",
	} {
		r := NewReader([]byte(doc), Limits{})
		r.Replace(true)
		if got, err := tokens(r); err == nil {
			t.Errorf("%q: got %s, want an error", doc, got)
		}
	}
}

func TestBare(t *testing.T) {
	for doc, want := range map[string]string{
		"<!DOCTYPE a><a/>":                           "line 1, column 1: <! is not allowed",
		"<a>x<!-- c --></a>":                         "line 1, column 5: <! is not allowed",
		"<a><b>1</b>\n<![CDATA[2]]></a>":             "line 2, column 1: <! is not allowed",
		"<a/><!--c-->":                               "line 1, column 5: <! is not allowed",
		"<?xml version='1.0'?><a>!<b>2</b><?p?></a>": "",
	} {
		r := NewReader([]byte(doc), Limits{Bare: true})
		_, err := r.Tag()
		for token := Start; err == nil && token != EOF; {
			token, err = r.Tag()
		}
		if got := fmt.Sprint(err); got != want && (err != nil || want != "") {
			t.Errorf("%s: got %v, want %q", doc, err, want)
		}
	}
}
