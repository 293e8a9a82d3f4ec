//go:build full

package api_test

import (
	"bytes"
	"compress/gzip"
	"strings"
	"unicode/utf16"
)

const malformed = "the document is not well-formed XML: line "

// post is a case that sends a document that is refused.
func post(what, body, text string) hostile {
	return hostile{what: what, request: "POST /hardwares", body: body, status: 400, text: text}
}

// laughs are entities of entities.
func laughs() string {
	var b strings.Builder
	b.WriteString(`<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY lol0 "lol">`)
	b.WriteString(list(9, `<!ENTITY lol1%[1]d "&lol%[1]d;&lol%[1]d;&lol%[1]d;&lol%[1]d;&lol%[1]d;&lol%[1]d;">`))
	return b.String() + "]><hardware><name>&lol18;</name></hardware>"
}

const most = 1<<20 - 200 // almost as long as a document may be

func bombs() []hostile {
	return []hostile{
		post("entities of entities", laughs(), malformed+"1, column 22: a DOCTYPE is not allowed"),
		post("one long entity", "<!DOCTYPE h [<!ENTITY a \""+strings.Repeat("a", 50_000)+"\">]><hardware><name>"+
			strings.Repeat("&a;", 50_000)+"</name></hardware>", "a DOCTYPE is not allowed"),
		post("a file", `<!DOCTYPE h [<!ENTITY x SYSTEM "file:///etc/passwd">]><hardware><name>&x;</name></hardware>`,
			"a DOCTYPE is not allowed"),
		post("an address", `<!DOCTYPE h SYSTEM "http://127.0.0.1:1/x.dtd"><hardware/>`, "a DOCTYPE is not allowed"),
		post("a parameter entity", `<!DOCTYPE h [<!ENTITY % x SYSTEM "file:///dev/zero">%x;]><hardware/>`,
			"a DOCTYPE is not allowed"),
		post("a DOCTYPE in UTF-16", inUTF16("<!DOCTYPE h [<!ENTITY x 'y'>]><hardware><name>&x;</name></hardware>",
			true), "a DOCTYPE is not allowed"),
		post("an entity that is not declared", named("<tag>&xxe;</tag>"), malformed),
		{what: "an inclusion", request: "POST /hardwares",
			body:   `<hardware xmlns:xi="http://www.w3.org/2001/XInclude"><name>a</name><xi:include href="file:///etc/passwd" parse="text"/></hardware>`,
			status: 422, text: "Include is not a field"},
		{what: "a style sheet", request: "POST /hardwares", body: `<?xml-stylesheet href="file:///etc/passwd"?>` +
			named(""), status: 201, text: "<name>h<"},
		post("nesting", strings.Repeat("<a>", 300_000), malformed+"1, column 193: nesting is deeper than 64 elements"),
		post("nesting of what is known", "<hardware>"+strings.Repeat("<videos><video>", 60_000), malformed),
		post("elements", hardware(strings.Repeat("<a/>", 250_000)), malformed),
		post("attributes", "<hardware "+list(50_000, `a%d="" `)+"/>", malformed),
		post("namespaces", "<hardware "+list(40_000, `xmlns:a%d="u" `)+"/>", malformed),
		{what: "a long attribute", request: "POST /hardwares", body: `<hardware a="` + strings.Repeat("a",
			most) + `"><name>h</name></hardware>`, status: 201, text: "<name>h<"},
		{what: "a long name of an element", request: "POST /hardwares",
			body: named("<" + strings.Repeat("n", 400_000) + "/>"), status: 422, text: "is not a field"},
		{what: "a long comment", request: "POST /hardwares", body: "<!--" + strings.Repeat("a",
			most) + "-->" + named(""), status: 201, text: "<name>h<"},
		{what: "a long text", request: "POST /hardwares",
			body: hardware("<name>" + strings.Repeat("a", most) + "</name>"), status: 422,
			text: "Name is too long (maximum is 255 characters)"},
		{what: "a long text of references", request: "POST /hardwares",
			body: hardware("<name>" + strings.Repeat("&#x41;", most/6) + "</name>"), status: 422,
			text: "Name is too long"},
		{what: "a long number", request: "POST /hardwares",
			body: named("<memory>" + strings.Repeat("9", most) + "</memory>"), status: 422, text: "Memory"},
		{what: "a long number of zeros", request: "POST /hardwares",
			body: named("<memory>" + strings.Repeat("0", most) + "1</memory>"), status: 201, text: "<memory>1<"},
		{what: "many items", request: "POST /hardwares",
			body: named("<videos>" + strings.Repeat("<video><name>v</name></video>", 4900) + "</videos>"), status: 201,
			text: "<name>h<"},
		{what: "many unknown elements", request: "POST /hardwares", body: named(list(9_900, "<x%d/>")), status: 422,
			text: "X0 is not a field"},
		{what: "elements whose names collide in weak hashes", request: "POST /hardwares",
			body: named(strings.Repeat("<AaAaAaBB/><BBAaBBAa/><AaBBBBBB/>", 3000)), status: 422,
			text: "is not a field"},
		post("a document that never ends", "<hardware><name>"+strings.Repeat("a", most), malformed),
		{what: "too large", request: "POST /hardwares", body: named("") + strings.Repeat(" ", 1<<20), status: 413,
			text: "larger than 1048576 bytes"},
		{what: "too large without credentials", request: "POST /hardwares", who: nobody, body: strings.Repeat(" ",
			4<<20), status: 401, text: "authentication failed"},
	}
}

func laxities() []hostile {
	return []hostile{
		post("a second root", named("")+named(""), malformed),
		post("text behind the root", named("")+"x", malformed),
		post("NUL behind the root", named("")+"\x00", malformed),
		post("an attribute twice", `<hardware a="1" a="2"><name>h</name></hardware>`, malformed),
		post("an attribute twice by two prefixes",
			`<hardware xmlns:p="u" xmlns:q="u" p:a="1" q:a="2"><name>h</name></hardware>`, malformed),
		post("an undeclared prefix", named("<p:tag>x</p:tag>"), malformed),
		post("half a surrogate pair", named("<tag>&#xD800;</tag>"), malformed),
		post("a reference past Unicode", named("<tag>&#x110000;</tag>"), malformed),
		post("a reference that overflows", named("<tag>&#99999999999999999999;</tag>"), malformed),
		post("a reference to NUL", named("<tag>&#0;</tag>"), malformed),
		post("]]> in text", named("<tag>]]></tag>"), malformed),
		post("< in an attribute", `<hardware a="<"><name>h</name></hardware>`, malformed),
		post("-- in a comment", "<!-- -- -->"+named(""), malformed),
		post("a declaration that is not first", " <?xml version='1.0'?>"+named(""), malformed),
		post("an end without a beginning", "</hardware>", malformed),
		post("ends in the wrong order", "<hardware><videos><video></videos></video></hardware>", malformed),
		{what: "a field twice", request: "POST /hardwares", body: named("<tag>a</tag><tag>b</tag>"), status: 422,
			text: "Tag is given more than once"},
		{what: "a field twice by two namespaces", request: "POST /hardwares",
			body: `<hardware xmlns:p="u"><name>h</name><tag>a</tag><p:tag>b</p:tag></hardware>`, status: 422,
			text: "Tag is given more than once"},
		{what: "an element inside a plain value", request: "POST /hardwares", body: named("<tag>a<b>c</b></tag>"),
			status: 422, text: "Tag must be plain text"},
		{what: "text between fields", request: "POST /hardwares", body: named("text"), status: 422,
			text: "text outside its fields"},
		{what: "null as a number", request: "POST /hardwares", body: named(`<memory nil="true"/>`), status: 201,
			text: `<memory nil="true"/>`},
		{what: "null with a value", request: "POST /hardwares", body: named(`<memory nil="true">5</memory>`),
			status: 201, text: "<name>h<"},
	}
}

// bomb is 64 MiB of blanks, compressed.
func bomb() string {
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // the level is a right one
	for range 64 {
		_, _ = w.Write(bytes.Repeat([]byte(" "), 1<<20)) // memory takes all
	}
	_ = w.Close()
	return b.String()
}

func compressed() []hostile {
	bomb := bomb()
	return []hostile{
		{what: "gzip", request: "POST /hardwares", header: []string{"Content-Encoding: gzip"}, body: bomb, status: 415,
			text: `the content coding "gzip" is not understood`},
		{what: "gzip by another name", request: "POST /hardwares", header: []string{"Content-Encoding: X-GZIP"},
			body: bomb, status: 415, text: "content coding"},
		{what: "deflate", request: "PUT /hardwares/1", header: []string{"Content-Encoding: deflate"}, body: "x\x9c",
			status: 415, text: "content coding"},
		{what: "several codings", request: "POST /hardwares", header: []string{
			"Content-Encoding: identity, gzip, gzip, gzip",
		}, body: bomb, status: 415, text: "content coding"},
		{what: "codings in two lines", request: "POST /hardwares", header: []string{
			"Content-Encoding: identity", "Content-Encoding: gzip",
		}, body: bomb, status: 415, text: "content coding"},
		{what: "gzip that is not said", request: "POST /hardwares", body: bomb, status: 400, text: malformed},
		{what: "a zip archive", request: "POST /hardwares", header: []string{"Content-Type: application/zip"},
			body: "PK\x03\x04", status: 415, text: `"application/zip" is not understood`},
		{what: "a zip archive as XML", request: "POST /hardwares", body: "PK\x03\x04\x14\x00\x00\x00", status: 400,
			text: malformed},
		{what: "a compressed transfer", request: "POST /hardwares", header: []string{
			"Transfer-Encoding: gzip, chunked",
		}, body: "0\r\n\r\n", status: 501, bare: true, text: "transfer encoding"},
	}
}

// inUTF16 encodes a text, with a byte-order mark or without.
func inUTF16(text string, mark bool) string {
	if mark {
		text = "\uFEFF" + text
	}
	var b []byte
	for _, unit := range utf16.Encode([]rune(text)) {
		b = append(b, byte(unit>>8), byte(unit))
	}
	return string(b)
}

// in is a case that sends a document in a charset.
func in(what, charset, body string, status int, text string) hostile {
	h := hostile{what: what, request: "POST /hardwares", body: body, status: status, text: text}
	if charset != "" {
		h.header = []string{"Content-Type: text/xml; charset=" + charset}
	}
	return h
}

func declared(charset, document string) string {
	return `<?xml version="1.0" encoding="` + charset + `"?>` + document
}

func charsets() []hostile {
	return []hostile{
		in("UTF-7", "utf-7", "+ADw-hardware/+AD4-", 415, `charset "utf-7" is not supported`),
		in("UTF-7 declared", "", declared("UTF-7", named("")), 415, "is not supported"),
		in("UTF-7 that is not said", "", "+ADw-hardware+AD4-", 400, malformed),
		in("UTF-7 in a text", "", named("<tag>+ADw-script+AD4-</tag>"), 201, "<tag>+ADw-script+AD4-<"),
		in("UTF-32", "", "\x00\x00\xfe\xff\x00\x00\x00<", 400, malformed),
		in("UTF-32 by name", "utf-32", named(""), 415, "is not supported"),
		in("UTF-16 without a mark", "", inUTF16(named("<tag>16</tag>"), false), 201, "<tag>16<"),
		in("UTF-16 that says UTF-8", "", inUTF16(declared("utf-8", named("<tag>16</tag>")), true), 201, "<tag>16<"),
		in("UTF-8 that says UTF-16, as of .NET", "", declared("utf-16", named("<tag>ä</tag>")), 201, "<tag>ä<"),
		in("UTF-16 with half a character", "utf-16", inUTF16(named(""), true)+"\x00", 400, malformed),
		in("UTF-16 with half a pair", "utf-16",
			inUTF16("<hardware><name>", true)+"\xd8\x00"+inUTF16("</name></hardware>", false), 400, malformed),
		in("a mark twice", "", "\uFEFF\uFEFF"+named(""), 400, malformed),
		in("Latin 1 that says UTF-8", "utf-8", named("<tag>\xe9</tag>"), 400, "is not UTF-8"),
		in("UTF-8 that says ASCII", "us-ascii", named("<tag>é</tag>"), 400, malformed),
		in("EBCDIC", "", "\x4c\x6f\xa7\x94\x93", 400, malformed),
		in("an empty charset", `""`, named(""), 201, "<name>h<"),
		in("two charsets", "utf-8; charset=utf-16", named(""), 415, "is not understood"),
		in("a charset with a NUL escaped", `"utf-8%00"`, named(""), 415, "is not supported"),
		in("a long charset", strings.Repeat("x", 8000), named(""), 415, "is not supported"),
		in("a charset that holds a path", `"../../etc/passwd"`, named(""), 415, "is not supported"),
		in("a declared charset that holds markup", "", declared("&lt;", named("")), 400, malformed),
	}
}

func unicodes() []hostile {
	return []hostile{
		post("overlong <", "\xc0\xbchardware/>", malformed),
		post("overlong NUL", named("<tag>\xc0\x80</tag>"), "is not UTF-8"),
		post("overlong /", named("<tag>\xe0\x80\xaf</tag>"), "is not UTF-8"),
		post("a surrogate in UTF-8", named("<tag>\xed\xa0\x80</tag>"), "is not UTF-8"),
		post("past Unicode", named("<tag>\xf4\x90\x80\x80</tag>"), "is not UTF-8"),
		post("a character cut off", named("<tag>\xe2\x82</tag>"), "is not UTF-8"),
		post("a noncharacter", named("<tag>\uFFFF</tag>"), "U+FFFF"),
		post("a control character", named("<tag>\x1b[2J</tag>"), "U+001B"),
		{what: "right to left", request: "POST /hardwares", body: named("<tag>\u202Egpj.exe</tag>"), status: 201,
			text: "<tag>\u202Egpj.exe<"},
		{what: "of no width", request: "POST /hardwares", body: named("<tag>a\u200Bb\u2060\uFEFF</tag>"), status: 201,
			text: "<tag>a\u200Bb\u2060\uFEFF<"},
		{what: "of no width alone", request: "POST /hardwares", body: hardware("<name>\u200B</name>"), status: 201,
			text: "<name>\u200B<"},
		{what: "a decomposed form of a unique value", request: "POST /hardwares",
			body: named("<asset-id>A\u030Angstro\u0308m-i</asset-id>"), status: 409,
			text: "Asset id has already been taken"},
		{what: "Kelvin's sign, which folds to k", request: "GET /hardwares?operating_system=%E2%84%AA", status: 200,
			text: "<total_entries>0<"},
		{what: "the Turkish i without a dot", request: "POST /hardwares",
			body: named("<asset-id>ångström-\u0131</asset-id>"), status: 201, text: "<asset-id>ångström-\u0131<"},
		{what: "the Turkish I with a dot", request: "POST /hardwares",
			body: named("<asset-id>ångström-\u0130</asset-id>"), status: 201, text: "<asset-id>ångström-\u0130<"},
		{what: "the same, folded", request: "POST /hardwares", body: named("<asset-id>ångström-i\u0307</asset-id>"),
			status: 409, text: "Asset id has already been taken"},
		{what: "a status with a long s", request: "POST /hardwares", body: named("<status>Lo\u017Ft</status>"),
			status: 201, text: "<status>Lost<"},
		{what: "what grows threefold when folded", request: "POST /hardwares",
			body: named("<tag>" + strings.Repeat("\u0390", 255) + "</tag>"), status: 201, text: "\u0390<"},
		{what: "a filter that grows threefold when folded", request: "GET /hardwares?tag=" + strings.Repeat("%CE%90",
			900), status: 200, text: "<total_entries>0<"},
		{what: "marks upon marks", request: "POST /hardwares",
			body: named("<tag>a" + strings.Repeat("\u0301", 254) + "</tag>"), status: 201, text: "<name>h<"},
		{what: "more marks than a text may have", request: "POST /hardwares",
			body: named("<notes>" + strings.Repeat("\u0301\u0327", 16_000) + "</notes>"), status: 201,
			text: "<name>h<"},
		{what: "a field in other letters", request: "POST /hardwares", body: hardware("<nаme>h</nаme>"), status: 422,
			text: "is not a field"},
		{what: "digits of another script in a number", request: "POST /hardwares", body: named("<memory>٣</memory>"),
			status: 422, text: "Memory is not a number"},
		{what: "digits of full width in an id", request: "GET /hardwares/%EF%BC%91", status: 404,
			text: "no computer with the id"},
		{what: "overlong dots in a path", request: "GET /hardwares/%c0%ae%c0%ae/api", status: 404,
			text: "there is nothing at"},
		{what: "overlong bytes in a filter", request: "GET /hardwares?name=%c0%af", status: 400,
			text: "bytes that are no text"},
		{what: "a slash of full width", request: "GET /hardwares%EF%BC%8F1", status: 404, text: "there is nothing at"},
		{what: "raw UTF-8 in a path", request: "GET /hardwäres", status: 404, text: "there is nothing at /hardwäres"},
		{what: "raw bytes in a path", request: "GET /\xff\xfe", status: 404, text: "there is nothing at /"},
	}
}
