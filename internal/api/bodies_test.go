package api_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"

	"muster/internal/mustertest"
)

func TestMalformedDocuments(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("<a>", 64) + strings.Repeat("</a>", 64)
	tests := []struct {
		what, body, place string // where the fault is
	}{
		{"nothing", "", "line 1, column 1:"},
		{"text", "hello", "line 1, column 1:"},
		{"not closed", "<hardware>\n  <name>a</nam>\n</hardware>", "line 2, column"},
		{"cut off", "<hardware><name>a", "line 1, column"},
		{"a second root", "<hardware/>\n<hardware/>", "line 2, column 1:"},
		{"text behind the root", "<hardware/>x", "line 1, column 12:"},
		{"a DOCTYPE", "<!DOCTYPE hardware>\n<hardware/>", "line 1, column 1:"},
		{"an external entity", `<!DOCTYPE h [<!ENTITY x SYSTEM "file:///etc/passwd">]><hardware><name>&x;</name></hardware>`, "line 1, column 1:"},
		{"an unknown entity", "<hardware><name>&nbsp;</name></hardware>", "line 1, column"},
		{"a control character", "<hardware><name>a\x01</name></hardware>", "line 1, column"},
		{"a control character as a reference", "<hardware><name>&#1;</name></hardware>", "line 1, column"},
		{"NUL", "<hardware><name>a\x00</name></hardware>", "line 1, column"},
		{"half a surrogate pair", "<hardware><name>&#xD800;</name></hardware>", "line 1, column"},
		{"bytes that are not UTF-8", "<hardware>\n\n<name>a\xff</name></hardware>", "line 3, column"},
		{"an undeclared prefix", "<hardware><x:name>a</x:name></hardware>", "line 1, column"},
		{"a repeated attribute", `<hardware a="1" a="2"/>`, "line 1, column"},
		{"a bare ampersand", "<hardware><name>a & b</name></hardware>", "line 1, column"},
		{"65 levels", "<hardware>" + deep + "</hardware>", "line 1, column"},
		{"10,001 elements", hardware(strings.Repeat("<a/>", 10_000)), "line 1, column"},
		{"faults of fields before the end", "<hardware><colour>a</colour><", "line 1, column"},
		{"another root, cut off", "<computer><name>", "line 1, column"},
	}
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		fleet(s, 1)
		c := s.Admin()
		for _, test := range tests {
			for method, target := range map[string]string{"POST": "/hardwares.xml", "PUT": "/hardwares/1"} {
				r := c.Do(method, target, test.body)
				refused(t, method+" "+test.what, r, http.StatusBadRequest,
					"the document is not well-formed XML: "+test.place)
			}
		}
		equal(t, "computers", c.Get("/hardwares").Header.Get("X-Total-Count"), "1")
		ok := hardware("<name>deep</name>" + strings.Repeat("<videos>", 1) + "</videos>" + strings.Repeat("<id/>",
			9_997))
		equal(t, "POST of 10,000 elements", c.Do("POST", "/hardwares", ok).Status, http.StatusCreated)
	})
}

func TestInvalidDocuments(t *testing.T) {
	t.Parallel()
	const name = "<name>a</name>"
	long := strings.Repeat("ä", 256)
	tests := []struct {
		doc  string
		want []string
	}{
		{"<computer>" + name + "</computer>", []string{"the document's root is <computer>, want <hardware>"}},
		{"<hardwares><hardware>" + name + "</hardware></hardwares>", []string{
			"the document's root is <hardwares>, want <hardware>",
		}},
		{hardware(""), []string{"Name can't be blank"}},
		{hardware("<name>  </name>"), []string{"Name can't be blank"}},
		{hardware("<name nil='true'/>"), []string{"Name can't be blank"}},
		{hardware(name + "<status>Gone</status>"), []string{
			"Status must be one of Operational, Broken, In Repair, Spare, Disposed, Lost",
		}},
		{hardware(name + "<operating-system>" + long + "</operating-system>"), []string{
			"Operating system is too long (maximum is 255 characters)",
		}},
		{hardware(name + "<notes>" + strings.Repeat("a", 64<<10+1) + "</notes>"), []string{
			"Notes is too long (maximum is 65536 bytes)",
		}},
		{hardware(name + "<colour>red</colour>"), []string{"Colour is not a field of hardware (element <colour>)"}},
		{hardware(name + "<set-model>x</set-model>"), []string{
			"Set model is not a field of hardware (element <set-model>)",
		}},
		{hardware(name + "<tag>a</tag><tag>b</tag>"), []string{"Tag is given more than once"}},
		{hardware(name + "<asset_id>a</asset_id><asset-id>a</asset-id>"), []string{"Asset id is given more than once"}},
		{hardware(name + "<tag><b>x</b></tag>"), []string{"Tag must be plain text, not hold <b>"}},
		{hardware(name + "text"), []string{"Hardware holds text outside its fields"}},
		{hardware(name + "<memory>lots</memory>"), []string{`Memory is not a number: "lots"`}},
		{hardware(name + "<memory>-1</memory>"), []string{"Memory must be greater than or equal to 0"}},
		{hardware(name + "<memory>1.5</memory>"), []string{`Memory is not a number: "1.5"`}},
		{hardware(name + "<swap>9223372036854775808</swap>"), []string{
			"Swap must be less than or equal to 9223372036854775807",
		}},
		{hardware(name + "<videos><mouse/></videos>"), []string{"Videos holds <mouse>, want <video>"}},
		{hardware(name + "<networks><network><mac-address>1</mac-address></network><network><status>Maybe</status></network></networks>"),
			[]string{"Networks item 2: status must be one of Up, Down"}},
		{hardware(name + "<drives><drive><free-space>-5</free-space><colour>1</colour></drive></drives>"),
			[]string{
				"Drives item 1: free space must be greater than or equal to 0",
				"Drives item 1: colour is not a field of drive (element <colour>)",
			}},
		{hardware("<status>x</status><memory>x</memory><colour/><tag>" + long + "</tag><owner><id>99</id></owner>"),
			[]string{
				`Memory is not a number: "x"`, "Colour is not a field of hardware (element <colour>)",
				"Owner does not exist: no user has the id 99",
				"Name can't be blank", "Status must be one of Operational, Broken, In Repair, Spare, Disposed, Lost",
				"Tag is too long (maximum is 255 characters)",
			}},
	}
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		c := s.Admin()
		for _, test := range tests {
			r := c.Do("POST", "/hardwares.xml", test.doc)
			equal(t, "POST "+test.doc[:min(80, len(test.doc))]+": status", r.Status, http.StatusUnprocessableEntity)
			equal(t, "POST "+test.doc[:min(80, len(test.doc))], faults(t, r), test.want)
		}
		equal(t, "computers", c.Get("/hardwares").Header.Get("X-Total-Count"), "0")
		equal(t, "audit records of computers", len(s.Audits()), 2)
		equal(t, "the first computer", create(t, c, name+"<tag>"+long[:2*255]+"</tag>"), "/hardwares/1")
		for _, doc := range []string{hardware("<name/>"), hardware("<status/>")} {
			refused(t, "PUT "+doc, c.Do("PUT", "/hardwares/1", doc), http.StatusUnprocessableEntity, " can't be blank")
		}
	})
}

func TestDocumentTypes(t *testing.T) {
	t.Parallel()
	const doc = "<hardware><name>Genf €</name></hardware>"
	declared := func(charset string) string { return `<?xml version="1.0" encoding="` + charset + `"?>` }
	utf16 := func(text string) string { // big-endian
		var b strings.Builder
		for _, c := range text {
			b.WriteString(string([]byte{byte(c >> 8), byte(c)}))
		}
		return b.String()
	}
	windows := strings.ReplaceAll(doc, "€", "\x80")
	tests := []struct {
		what, contentType, coding, body string
		status                          int
		want                            string // the name, or in the error
	}{
		{"XML", "application/xml", "", doc, 201, "Genf €"},
		{"text", "text/xml", "", doc, 201, "Genf €"},
		{"no type", "", "", doc, 201, "Genf €"},
		{"another case", "Text/XML; Charset=\"UTF-8\"", "identity", doc, 201, "Genf €"},
		{"a byte-order mark", "application/xml; charset=iso-8859-1", "", "\ufeff" + doc, 201, "Genf €"},
		{"Windows by type", "application/xml; charset=windows-1252", "", windows, 201, "Genf €"},
		{"Windows by declaration", "application/xml", "", declared("Windows-1252") + windows, 201, "Genf €"},
		{"type before declaration", "application/xml; charset=utf-8", "", declared("iso-8859-1") + doc, 201, "Genf €"},
		{"Latin 1", "text/xml; charset=ISO-8859-1", "", strings.ReplaceAll(doc, "€", "\xe9"), 201, "Genf é"},
		{"ASCII", "text/xml; charset=us-ascii", "", strings.ReplaceAll(doc, "€", "&#x20ac;"), 201, "Genf €"},
		{"UTF-16 by mark", "text/xml", "", "\xfe\xff" + utf16(doc), 201, "Genf €"},
		{"UTF-16 by type", "text/xml; charset=utf-16", "", utf16(doc), 201, "Genf €"},
		{"not ASCII", "text/xml; charset=us-ascii", "", doc, 400, "line 1, column"},
		{"JSON", "application/json", "", "{}", 415,
			`"application/json" is not understood; send application/xml or text/xml`},
		{"a form", "application/x-www-form-urlencoded", "", "a=b", 415, "is not understood"},
		{"the vendor type", "application/vnd.service.v1+xml", "", doc, 415, "is not understood"},
		{"no media type", "xml", "", doc, 415, "is not understood"},
		{"a broken type", "application/xml; charset", "", doc, 415, "is not understood"},
		{"markup as a type", "<b>", "", doc, 415, "is not understood"},
		{"an unknown charset", "application/xml; charset=koi8-r", "", doc, 415, `charset "koi8-r" is not supported`},
		{"an unknown charset declared", "application/xml", "", declared("EBCDIC-CP-US") + doc, 415,
			`charset "EBCDIC-CP-US" is not supported`},
		{"gzip", "application/xml", "gzip", "\x1f\x8b", 415, "content coding"},
		{"several codings", "application/xml", "identity, deflate", doc, 415, "content coding"},
	}
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		c := s.Admin()
		for _, test := range tests {
			header := []string{"Content-Type", test.contentType}
			if test.coding != "" {
				header = append(header, "Content-Encoding", test.coding)
			}
			r := c.Do("POST", "/hardwares.xml", test.body, header...)
			if test.status != http.StatusCreated {
				refused(t, test.what, r, test.status, test.want)
				continue
			}
			equal(t, test.what+": status", r.Status, http.StatusCreated)
			equal(t, test.what, value(t, r.Body, "name"), test.want)
		}
	})
}

// TestCodings: a document that is coded in any way is not read, however its
// coding is said.
func TestCodings(t *testing.T) {
	t.Parallel()
	s := start(t, mustertest.SQLite)
	doc, fresh := hardware("<name>a</name>"), nonce(t, s)
	for i, test := range []struct {
		codings []string
		status  int
	}{
		{nil, 201}, {[]string{"identity"}, 201}, {[]string{"Identity"}, 201}, {[]string{"gzip"}, 415},
		{[]string{"identity", "gzip"}, 415},
		{[]string{"identity, gzip"}, 415}, {[]string{"x-unknown"}, 415},
	} {
		w := dial(t, s)
		lines := []string{"POST /hardwares HTTP/1.1", "Host: localhost", "Content-Length: " + strconv.Itoa(len(doc)),
			"Authorization: " + admin.header("POST", "/hardwares", fresh, i)}
		for _, coding := range test.codings {
			lines = append(lines, "Content-Encoding: "+coding)
		}
		w.send(lines...)
		w.write(doc)
		equal(t, strings.Join(test.codings, " and "), w.answer().Status, test.status)
	}
}

// TestLargeDocuments sends more than is read: the client must see the answer.
func TestLargeDocuments(t *testing.T) {
	t.Parallel()
	const limit = 1 << 20
	padded := func(size int) string {
		doc := hardware("<name>a</name>")
		return doc + strings.Repeat(" ", size-len(doc))
	}
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		c := s.Admin()
		c.Get("/api") // so that the documents are sent once, with credentials
		equal(t, "POST of the limit", c.Do("POST", "/hardwares", padded(limit)).Status, http.StatusCreated)
		for _, size := range []int{limit + 1, 12 << 20} {
			for method, target := range map[string]string{"POST": "/hardwares", "PUT": "/hardwares/1.xml"} {
				r := c.Do(method, target, padded(size))
				refused(t, method+" of "+strconv.Itoa(size), r, http.StatusRequestEntityTooLarge,
					"larger than 1048576 bytes")
			}
			w := dial(t, s) // like clients that read nothing before they have sent all
			w.send("POST /hardwares HTTP/1.1", "Host: localhost", "Content-Length: "+strconv.Itoa(size))
			w.write(padded(size))
			refused(t, "anonymous POST of "+strconv.Itoa(size), w.answer(), http.StatusUnauthorized,
				"authentication failed")
		}
	})
}

// TestEndlessDocument: a client that never ends its document is heard out for
// 64 MiB, and then answered.
func TestEndlessDocument(t *testing.T) {
	t.Parallel()
	const chunk, most = 1 << 20, 512
	s := start(t, mustertest.SQLite)
	w := dial(t, s)
	w.send("POST /hardwares HTTP/1.1", "Host: localhost", "Content-Length: "+strconv.Itoa(most*chunk))
	sent, blanks := 0, strings.Repeat(" ", chunk)
	for ; sent < most; sent++ {
		if _, err := w.Write([]byte(blanks)); err != nil { // the server has closed the connection
			break
		}
	}
	if sent > 100 { // what the connection itself buffers comes on top
		t.Errorf("got %d MiB taken, want about 64", sent)
	}
}

// TestExpect is about clients that wait for 100 Continue before they send a
// document.
func TestExpect(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		fresh := nonce(t, s)
		ask := func(l login, count, size int) *wire {
			w := dial(t, s)
			w.send("POST /hardwares HTTP/1.1", "Host: localhost", "Expect: 100-continue",
				"Content-Length: "+strconv.Itoa(size),
				"Authorization: "+l.header("POST", "/hardwares", fresh, count))
			return w
		}
		wrong := admin
		wrong.password = "wrong"
		doc := hardware("<name>a</name>")

		refused(t, "wrong credentials", ask(wrong, 1, len(doc)).answer(), http.StatusUnauthorized,
			"authentication failed")

		w := ask(admin, 2, len(doc))
		equal(t, "right credentials", w.answer().Status, http.StatusContinue)
		w.write(doc)
		equal(t, "right credentials, with the document", w.answer().Status, http.StatusCreated)

		const size = 20 << 20
		w = ask(admin, 3, size)
		equal(t, "right credentials, a large document", w.answer().Status, http.StatusContinue)
		w.write(strings.Repeat(" ", size))
		refused(t, "right credentials, with a large document", w.answer(), http.StatusRequestEntityTooLarge,
			"larger than")
	})
}
