//go:build full

package api_test

import "strings"

func hosts() []hostile {
	return []hostile{
		{what: "another host", request: "GET /api", header: []string{"Host: evil.example"}, status: 421,
			text: `the host "evil.example" is not served here`},
		{what: "our host as a beginning", request: "GET /api", header: []string{"Host: localhost.evil.example"},
			status: 421, text: "is not served here"},
		{what: "our host as a user", request: "GET /api", header: []string{"Host: localhost@evil.example"},
			status: 400, bare: true, text: "malformed Host header"},
		{what: "our host with a path", request: "GET /api", header: []string{"Host: localhost/evil"}, status: 400,
			bare: true, text: "malformed Host header"},
		{what: "our host in other letters", request: "GET /api", header: []string{"Host: lоcalhost"}, status: 400,
			bare: true, text: "malformed Host header"},
		{what: "our host by its ASCII form", request: "GET /api", header: []string{
			"Host: xn--lcalhost-9fg",
		}, status: 421, text: "is not served here"},
		{what: "an address as a number", request: "GET /api", header: []string{"Host: 2130706433"}, status: 421,
			text: "is not served here"},
		{what: "an address in octal", request: "GET /api", header: []string{"Host: 0177.0.0.1"}, status: 421,
			text: "is not served here"},
		{what: "a zone", request: "GET /api", header: []string{"Host: [::1%25lo]"}, status: 421,
			text: "is not served here"},
		{what: "a port that overflows", request: "GET /api", header: []string{"Host: localhost:65536"}, status: 421,
			text: "is not served here"},
		{what: "a long host", request: "GET /api", header: []string{"Host: " + strings.Repeat("a", 8000)}, status: 421,
			text: "is not served here"},
		{what: "no host", request: "GET /api", header: []string{"Host:"}, status: 421, text: "is not served here"},
		{what: "HTTP/1.0", request: "GET /api HTTP/1.0", status: 200, text: "<href>https://localhost/"},
		{what: "two hosts", request: "GET /api", header: []string{"Host: localhost", "Host: evil.example"},
			status: 400, bare: true, text: "400 Bad Request"},
		{what: "two hosts in one line", request: "GET /api", header: []string{"Host: localhost,evil.example"},
			status: 421, text: "is not served here"},
		{what: "another host in the request line", request: "GET https://evil.example/api", status: 421,
			text: "is not served here"},
		{what: "our host in the request line, another in the header", request: "GET https://localhost/api",
			header: []string{"Host: evil.example"}, status: 200, text: "<href>https://localhost/"},
		{what: "another scheme in the request line", request: "GET gopher://localhost/api", status: 200,
			text: "<href>https://localhost/"},
		{what: "a file in the request line", request: "GET file:///etc/passwd", status: 404,
			text: "there is nothing at file:///etc/passwd"},
		{what: "a forwarded host", request: "GET /api", header: []string{
			"X-Forwarded-Host: evil.example", "Forwarded: host=evil.example;proto=http", "X-Forwarded-Proto: http",
			"X-Forwarded-Prefix: /evil",
		},
			status: 200, text: "<href>https://localhost/hardwares.xml</href>"},
		{what: "a forwarded address", request: "GET /api", header: []string{
			"X-Forwarded-For: " + strings.Repeat("127.0.0.1, ", 1000), "X-Real-IP: 127.0.0.1", "True-Client-IP: ::1",
		}, status: 200, text: "<services"},
		{what: "a rewritten path", request: "GET /api", header: []string{
			"X-Original-URL: /hardwares", "X-Rewrite-URL: /hardwares",
		}, status: 200, text: "<services"},
	}
}

func traversals() []hostile {
	return []hostile{
		{what: "upwards", request: "GET /../../../../etc/passwd", status: 404,
			text: "there is nothing at /../../../../etc/passwd"},
		{what: "upwards, escaped", request: "GET /%2e%2e/%2e%2e/etc/passwd", status: 404, text: "there is nothing at"},
		{what: "upwards, escaped slashes", request: "GET /..%2f..%2fetc%2fpasswd", status: 404,
			text: "there is nothing at"},
		{what: "upwards, escaped twice", request: "GET /%252e%252e%252fetc%252fpasswd", status: 404,
			text: "there is nothing at"},
		{what: "upwards, backslashes", request: `GET /..\..\windows\win.ini`, status: 404, text: "there is nothing at"},
		{what: "upwards, escaped backslashes", request: "GET /..%5c..%5cwindows%5cwin.ini", status: 404,
			text: "there is nothing at"},
		{what: "upwards, parameters of a path", request: "GET /..;/..;/etc/passwd", status: 404,
			text: "there is nothing at"},
		{what: "upwards from a record", request: "GET /hardwares/1/../../api", status: 404,
			text: "there is nothing at"},
		{what: "upwards to a record that may be read", request: "GET /hardwares/1/../2", who: anna, status: 404,
			text: "there is nothing at"},
		{what: "NUL", request: "GET /hardwares/1%00.xml", status: 404, text: "no computer with the id"},
		{what: "a device", request: "GET /hardwares/CON.xml", status: 404, text: "no computer with the id"},
		{what: "another root", request: "GET //etc/passwd", status: 404, text: "there is nothing at //etc/passwd"},
		{what: "our own files", request: "GET /muster-data/server.key", status: 404, text: "there is nothing at"},
		{what: "a hidden file", request: "GET /.git/config", status: 404, text: "there is nothing at"},
		{what: "profiles", request: "GET /debug/pprof/", status: 404, text: "there is nothing at"},
		{what: "without credentials", request: "GET /../../etc/passwd", who: nobody, status: 401,
			text: "authentication failed"},
	}
}

func numbers() []hostile {
	return []hostile{
		{what: "an id past 2^63", request: "GET /hardwares/9223372036854775808", status: 404,
			text: "no computer with the id"},
		{what: "an id of 2^63-1", request: "DELETE /hardwares/9223372036854775807", status: 404,
			text: "no computer with the id"},
		{what: "an id that wraps to 1", request: "GET /hardwares/18446744073709551617", status: 404,
			text: "no computer with the id"},
		{what: "an id of 5000 digits", request: "GET /hardwares/" + strings.Repeat("1", 5000), status: 404,
			text: "no computer with the id"},
		{what: "an id with zeros before it", request: "GET /hardwares/" + strings.Repeat("0", 5000) + "1", status: 200,
			text: "<id>1<"},
		{what: "an id in another base", request: "GET /hardwares/0x1", status: 404, text: "no computer with the id"},
		{what: "an id with an exponent", request: "GET /hardwares/1e0", status: 404, text: "no computer with the id"},
		{what: "minus zero", request: "GET /hardwares/-0", status: 404, text: "no computer with the id"},
		{what: "a page past 2^31", request: "GET /hardwares?page=2147483648", status: 400,
			text: "page must be a number"},
		{what: "the last page of all", request: "GET /hardwares?page=2147483647&per_page=1000", status: 200,
			text: "<page>2147483647<"},
		{what: "a page of 5000 digits", request: "GET /hardwares?page=" + strings.Repeat("9", 5000), status: 400,
			text: "page must be a number"},
		{what: "a page that is not a number", request: "GET /hardwares?page=NaN", status: 400,
			text: "page must be a number"},
		{what: "more a page than allowed", request: "GET /hardwares?per_page=1001", status: 400,
			text: "per_page must be a number from 1 to 1000"},
		{what: "a negative page", request: "GET /hardwares?page=-1", status: 400, text: "page must be a number"},
		{what: "after the last id of all", request: "GET /hardwares?after=9223372036854775807", status: 200,
			text: "<hardwares>"},
		{what: "after past 2^63", request: "GET /hardwares?after=9223372036854775808", status: 400,
			text: "after must be an id"},
		{what: "days that overflow", request: "GET /hardwares?not_reporting=106751992", status: 400,
			text: "not_reporting must be"},
		{what: "the last day", request: "GET /hardwares?updated_since=9999-12-31T23:59:59Z", status: 200,
			text: "<total_entries>0<"},
		{what: "a year that never was", request: "GET /hardwares?updated_since=0000-01-01", status: 400,
			text: "updated_since must be"},
		{what: "a year of five digits", request: "GET /hardwares?updated_since=99999-01-01", status: 400,
			text: "updated_since must be"},
		{what: "a size past 2^63", request: "POST /hardwares", body: named("<memory>9223372036854775808</memory>"),
			status: 422, text: "Memory must be less than or equal to 9223372036854775807"},
		{what: "a size of 2^63-1", request: "POST /hardwares", body: named("<memory>9223372036854775807</memory>"),
			status: 201, text: "<memory>9223372036854775807<"},
		{what: "a negative size", request: "POST /hardwares", body: named("<swap>-9223372036854775808</swap>"),
			status: 422, text: "Swap must be greater than or equal to 0"},
		{what: "a size with an exponent", request: "POST /hardwares", body: named("<memory>1e9</memory>"), status: 422,
			text: "Memory is not a number"},
		{what: "a person's id past 2^63", request: "POST /hardwares",
			body: named("<owner><id>9223372036854775808</id></owner>"), status: 422, text: "Owner"},
		{what: "a nested size past 2^63", request: "POST /hardwares",
			body: named("<drives><drive><free-space>99999999999999999999</free-space></drive></drives>"), status: 422,
			text: "Drives item 1: free space must be less than"},
	}
}

func parameters() []hostile {
	return []hostile{
		{what: "1,000 unknown ones", request: "GET /hardwares?" + list(1000, "p%d&"), status: 400,
			text: "unknown parameter p"},
		{what: "one given 1,000 times", request: "GET /hardwares?" + strings.Repeat("tag=a&", 1000), status: 400,
			text: "at most 100 are possible"},
		{what: "one of paging given 1,000 times", request: "GET /hardwares?" + strings.Repeat("p=1&", 1000),
			status: 400, text: "unknown parameter p"},
		{what: "separators alone", request: "GET /hardwares?" + strings.Repeat("&", 6000), status: 200,
			text: "<hardwares>"},
		{what: "names that collide in weak hashes", request: "GET /hardwares?" +
			strings.Repeat("AaAa=1&BBBB=1&AaBB=1&BBAa=1&", 200), status: 400, text: "unknown parameter"},
		{what: "brackets in brackets", request: "GET /hardwares?site" + strings.Repeat("[]", 2000) + "=a", status: 400,
			text: "unknown parameter site[]"},
		{what: "a prototype", request: "GET /hardwares?__proto__[admin]=1", status: 400,
			text: "unknown parameter __proto__[admin]"},
		{what: "an empty name", request: "GET /hardwares?=1", status: 400, text: "unknown parameter"},
		{what: "a semicolon", request: "GET /hardwares?site=a;page=2", status: 400, text: "the query does not parse"},
		{what: "a bad escape", request: "GET /hardwares?site=%zz", status: 400, text: "the query does not parse"},
		{what: "a second question mark", request: "GET /hardwares?page=1?per_page=1", status: 400,
			text: "page must be a number"},
		{what: "a fragment", request: "GET /hardwares?site=a#b", status: 200, text: "<total_entries>0<"},
		{what: "a form in the document", request: "POST /hardwares", header: []string{
			"Content-Type: application/x-www-form-urlencoded",
		}, body: "name=a", status: 415, text: "is not understood"},
		{what: "a form of many parts", request: "POST /hardwares", header: []string{
			"Content-Type: multipart/form-data; boundary=x",
		}, body: "--x--", status: 415, text: "is not understood"},
		{what: "a long address", request: "GET /hardwares?name=" + strings.Repeat("a", 7000), status: 414,
			text: "longer than 6144 bytes"},
	}
}

const (
	chunked  = "Transfer-Encoding: chunked"
	smuggled = "GET /hardwares/2 HTTP/1.1\r\nHost: localhost\r\n\r\n"
)

func smugglings() []hostile {
	return []hostile{
		{what: "length and chunks", request: "POST /hardwares", header: []string{"Content-Length: 6", chunked},
			body: "0\r\n\r\nG", status: 400, text: malformed},
		{what: "two lengths", request: "POST /hardwares", header: []string{"Content-Length: 10", "Content-Length: 11"},
			body: named(""), status: 400, bare: true, text: "400 Bad Request"},
		{what: "two lengths in one line", request: "POST /hardwares", header: []string{
			"Content-Length: 10, 11",
		}, body: named(""), status: 400, bare: true, text: "400 Bad Request"},
		{what: "the same length twice", request: "POST /hardwares", header: []string{
			"Content-Length: 35", "Content-Length: 35",
		}, body: named(""), status: 201, text: "<name>h<"},
		{what: "a length with a sign", request: "POST /hardwares", header: []string{
			"Content-Length: +35",
		}, body: named(""), status: 400, bare: true, text: "400 Bad Request"},
		{what: "a negative length", request: "POST /hardwares", header: []string{
			"Content-Length: -1",
		}, body: named(""), status: 400, bare: true, text: "400 Bad Request"},
		{what: "a length in another base", request: "POST /hardwares", header: []string{
			"Content-Length: 0x23",
		}, body: named(""), status: 400, bare: true, text: "400 Bad Request"},
		{what: "a length that overflows", request: "POST /hardwares", header: []string{
			"Content-Length: 18446744073709551651",
		}, body: named(""), status: 400, bare: true, text: "400 Bad Request"},
		{what: "an empty length", request: "POST /hardwares", header: []string{"Content-Length:"}, body: named(""),
			status: 400, bare: true, text: "400 Bad Request"},
		{what: "a length that leaves a second request", request: "GET /hardwares/1", header: []string{
			"Content-Length: 0",
		}, body: smuggled, status: 200, text: "<id>1<"},
		{what: "a request as a document", request: "GET /hardwares/1", body: smuggled, status: 200, text: "<id>1<"},
		{what: "chunks twice", request: "POST /hardwares", header: []string{chunked, chunked}, body: "0\r\n\r\n",
			status: 501, bare: true, text: "transfer encoding"},
		{what: "chunks and identity", request: "POST /hardwares", header: []string{
			"Transfer-Encoding: chunked, identity",
		}, body: "0\r\n\r\n", status: 501, bare: true, text: "transfer encoding"},
		{what: "chunks by another name", request: "POST /hardwares", header: []string{"Transfer-Encoding: xchunked"},
			body: "0\r\n\r\n", status: 501, bare: true, text: "transfer encoding"},
		{what: "chunks behind a tab", request: "POST /hardwares", header: []string{"Transfer-Encoding:\tchunked"},
			body: "23\r\n" + named("") + "\r\n0\r\n\r\n", status: 201, text: "<name>h<"},
		{what: "chunks behind a vertical tab", request: "POST /hardwares", header: []string{
			"Transfer-Encoding: \vchunked",
		}, body: "0\r\n\r\n", status: 400, bare: true, text: "400 Bad Request"},
		{what: "a blank before the colon", request: "POST /hardwares", header: []string{"Transfer-Encoding : chunked"},
			body: "0\r\n\r\n", status: 400, bare: true, text: "400 Bad Request"},
		{what: "chunks in HTTP/1.0", request: "POST /hardwares HTTP/1.0", header: []string{
			chunked,
		}, body: "23\r\n" + named("") + "\r\n0\r\n\r\n", status: 400, text: malformed},
		{what: "a chunk whose size overflows", request: "POST /hardwares", header: []string{
			chunked,
		}, body: "10000000000000023\r\n" + named("") + "\r\n0\r\n\r\n", status: 400,
			text: "the document did not arrive whole"},
		{what: "a chunk with a negative size", request: "POST /hardwares", header: []string{
			chunked,
		}, body: "-1\r\n\r\n", status: 400, text: "the document did not arrive whole"},
		{what: "a chunk without an end", request: "POST /hardwares", header: []string{chunked},
			body: "23\r\n" + named("") + "xx0\r\n\r\n", status: 400, text: "the document did not arrive whole"},
		{what: "a chunk with a long extension", request: "POST /hardwares", header: []string{
			chunked,
		}, body: "23;" + strings.Repeat("a", 20_000) + "\r\n" + named("") + "\r\n0\r\n\r\n", status: 400,
			text: "the document did not arrive whole"},
		{what: "many small chunks with extensions", request: "POST /hardwares", header: []string{
			chunked,
		}, body: strings.Repeat("1;"+strings.Repeat("a", 100)+"\r\n \r\n", 5000) + "0\r\n\r\n", status: 400,
			text: "the document did not arrive whole"},
		{what: "credentials behind the document", request: "POST /hardwares", who: nobody, header: []string{
			chunked, "Trailer: Authorization",
		}, body: "23\r\n" + named("") + "\r\n0\r\nAuthorization: Basic eDp4\r\n\r\n", status: 401,
			text: "authentication failed"},
		{what: "a folded line", request: "GET /hardwares/1", header: []string{"X-Folded: a\r\n Host: evil.example"},
			status: 200, text: "<id>1<"},
		{what: "a folded first line", request: "GET /hardwares/1", header: []string{" X: a"}, status: 400, bare: true,
			text: "400 Bad Request"},
		{what: "line feeds alone", request: "GET /hardwares/1", header: []string{"X-A: a\nX-B: b"}, status: 200,
			text: "<id>1<"},
		{what: "a carriage return alone", request: "GET /hardwares/1", header: []string{"X-A: a\rHost: evil.example"},
			status: 400, bare: true, text: "400 Bad Request"},
		{what: "a line without a colon", request: "GET /hardwares/1", header: []string{
			"evil",
		}, status: 400, bare: true, text: "400 Bad Request"},
		{what: "a line without a name", request: "GET /hardwares/1", header: []string{
			": evil",
		}, status: 400, bare: true, text: "400 Bad Request"},
		{what: "an upgrade", request: "GET /hardwares/1", header: []string{
			"Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAMAAABkAAQAAP__",
		}, status: 200, text: "<id>1<"},
		{what: "our headers as hops", request: "GET /hardwares/1", header: []string{"Connection: Authorization, Host"},
			status: 200, text: "<id>1<"},
	}
}

func methods() []hostile {
	return []hostile{
		{what: "TRACE", request: "TRACE /hardwares/1", status: 405, text: "TRACE is not possible here"},
		{what: "TRACE without credentials", request: "TRACE /", who: nobody, header: []string{
			"X-Secret: 1",
		}, status: 401, text: "authentication failed"},
		{what: "CONNECT", request: "CONNECT evil.example:22", status: 421, text: "is not served here"},
		{what: "CONNECT to this machine", request: "CONNECT 127.0.0.1:22", status: 404,
			text: "there is nothing at 127.0.0.1:22"},
		{what: "CONNECT to ourselves", request: "CONNECT localhost:443", status: 404, text: "there is nothing at"},
		{what: "OPTIONS *", request: "OPTIONS *", status: 404, text: "there is nothing at *"},
		{what: "OPTIONS * without credentials", request: "OPTIONS *", who: nobody, status: 401,
			text: "authentication failed"},
		{what: "GET *", request: "GET *", status: 404, text: "there is nothing at *"},
		{what: "an authority", request: "GET localhost:443", status: 404, text: "there is nothing at localhost:443"},
		{what: "no slash", request: "GET hardwares", status: 400, bare: true, text: "400 Bad Request"},
		{what: "an unknown one", request: "BREW /hardwares", status: 405, text: "BREW is not possible here"},
		{what: "one in small letters", request: "delete /hardwares/1", status: 405,
			text: "delete is not possible here"},
		{what: "one of WebDAV", request: "PROPFIND /hardwares", header: []string{"Depth: infinity"}, status: 405,
			text: "PROPFIND is not possible here"},
		{what: "PATCH", request: "PATCH /hardwares/1", body: named(""), status: 405,
			text: "PATCH is not possible here"},
		{what: "a long one", request: strings.Repeat("M", 6000) + " /hardwares", status: 405,
			text: "is not possible here"},
		{what: "none", request: " /hardwares", status: 400, bare: true, text: "400 Bad Request"},
		{what: "no token", request: "G<T /hardwares", status: 400, bare: true, text: "400 Bad Request"},
		{what: "a blank in the target", request: "GET /hard wares", status: 400, bare: true, text: "400 Bad Request"},
		{what: "a change at an address for reading", request: "DELETE /hardwares/1.json", status: 405,
			text: "DELETE is not possible here, only GET, HEAD, OPTIONS; JSON is for reading"},
		{what: "HTTP/0.9", request: "GET /hardwares HTTP/0.9", status: 505, bare: true,
			text: "505 HTTP Version Not Supported"},
		{what: "HTTP/3", request: "GET /hardwares HTTP/3.0", status: 505, bare: true,
			text: "505 HTTP Version Not Supported"},
		{what: "no version", request: "GET /hardwares HTTP/x", status: 400, bare: true, text: "400 Bad Request"},
		{what: "the beginning of HTTP/2", request: "PRI * HTTP/2.0", body: "SM\r\n\r\n", status: 404,
			text: "there is nothing at *"},
	}
}

func controls() []hostile {
	return []hostile{
		{what: "NUL in a path", request: "GET /hardwares\x00", status: 400, bare: true, text: "400 Bad Request"},
		{what: "NUL in a path, escaped", request: "GET /hardwares%00.xml", status: 404,
			text: "there is nothing at /hardwares%00.xml"},
		{what: "a line end in a path, escaped", request: "GET /hardwares/1%0d%0aSet-Cookie:%20a=b", status: 404,
			text: "no computer with the id"},
		{what: "a line end behind an id, escaped", request: "PUT /hardwares/1-%0d%0aX-Evil:%201", body: "<hardware/>",
			status: 200, text: "<id>1<"},
		{what: "an escape sequence in a path", request: "GET /%1b%5b2J", status: 404,
			text: "there is nothing at /%1b%5b2J"},
		{what: "DEL in a path", request: "GET /hardwares\x7f", status: 400, bare: true, text: "400 Bad Request"},
		{what: "NUL in a filter", request: "GET /hardwares?name=%00", status: 400, text: "bytes that are no text"},
		{what: "a line end in a filter", request: "GET /hardwares?name=a%0d%0ab&per_page=1", status: 200,
			text: "<total_entries>0<"},
		{what: "a line end in a parameter's name", request: "GET /hardwares?a%0d%0ab=1", status: 400,
			text: "unknown parameter a\r\nb"},
		{what: "NUL in a header", request: "GET /hardwares", header: []string{"X-A: \x00"}, status: 400, bare: true,
			text: "400 Bad Request"},
		{what: "NUL in a header's name", request: "GET /hardwares", header: []string{
			"X\x00A: a",
		}, status: 400, bare: true, text: "400 Bad Request"},
		{what: "bytes that are no text in a header", request: "GET /hardwares/1", header: []string{
			"User-Agent: \xff\xfe", "X-A: \xc0\x80",
		}, status: 200, text: "<id>1<"},
		{what: "an escape sequence in a header", request: "GET /hardwares", header: []string{
			"User-Agent: \x1b[2J",
		}, status: 400, bare: true, text: "400 Bad Request"},
		{what: "a control character in a person", request: "POST /hardwares", body: named("<owner>\x07</owner>"),
			status: 400, text: "U+0007"},
	}
}

func headers() []hostile {
	return []hostile{
		{what: "a range", request: "GET /hardwares/1", header: []string{"Range: bytes=0-10"}, status: 200,
			text: "</hardware>"},
		{what: "many ranges", request: "GET /hardwares/1", header: []string{
			"Range: bytes=" + list(1500, "%d-,"), `If-Range: "x"`,
		}, status: 200, text: "</hardware>"},
		{what: "many types", request: "GET /hardwares/1", header: []string{"Accept: " + strings.Repeat("a/b,", 3000)},
			status: 406, text: "names nothing that is served here"},
		{what: "many types, one of them ours", request: "GET /hardwares/1", header: []string{
			"Accept: " + list(900, "a%d/b;q=0.1,") + "*/*;q=0.001",
		}, status: 200, text: "<id>1<"},
		{what: "many parameters of a type", request: "GET /hardwares/1", header: []string{
			"Accept: application/xml" + list(1200, ";p%d=%[1]d"),
		}, status: 200, text: "<id>1<"},
		{what: "a type of quotes", request: "GET /hardwares/1", header: []string{
			"Accept: a/b;c=" + strings.Repeat(`"`, 12_000),
		}, status: 200, text: "<id>1<"},
		{what: "a type of backslashes", request: "GET /hardwares/1", header: []string{
			`Accept: a/b;c="` + strings.Repeat(`\`, 12_000),
		}, status: 200, text: "<id>1<"},
		{what: "a quality of many digits", request: "GET /hardwares/1", header: []string{
			"Accept: application/xml;q=0." + strings.Repeat("9", 12_000),
		}, status: 200, text: "<id>1<"},
		{what: "a version that overflows", request: "GET /hardwares/1", header: []string{
			"Accept: application/vnd.service.v" + strings.Repeat("9", 400) + "+xml",
		}, status: 406, text: "all of version 1"},
		{what: "an error in no served type", request: "GET /hardwares/99.json", header: []string{
			"Accept: image/png",
		}, status: 406, text: "names nothing"},
		{what: "many codings", request: "GET /hardwares", header: []string{
			"Accept-Encoding: " + strings.Repeat("br;q=1.0,", 1300) + "gzip;q=0",
		}, status: 200, text: "<hardwares>"},
		{what: "two content types", request: "POST /hardwares", header: []string{
			"Content-Type: application/xml", "Content-Type: text/html",
		}, body: named(""), status: 415, text: "is not understood"},
		{what: "a long content type", request: "POST /hardwares", header: []string{
			"Content-Type: application/xml" + list(1500, ";a%d=b"),
		}, body: named(""), status: 201, text: "<name>h<"},
		{what: "two keys", request: "POST /hardwares", header: []string{"Idempotency-Key: a", "Idempotency-Key: b"},
			body: named(""), status: 400, text: "must be one key"},
		{what: "an expectation", request: "POST /hardwares", header: []string{"Expect: 200-ok"}, body: named(""),
			status: 417, bare: true},
		{what: "headers of 17 KB", request: "GET /hardwares/1", header: []string{
			"X-A: " + strings.Repeat("a", 25_000),
		}, status: 431, bare: true, text: "431 Request Header Fields Too Large"},
		{what: "many headers", request: "GET /hardwares/1",
			header: strings.Split(strings.TrimSuffix(list(3000, "X-%d: a\n"), "\n"), "\n"), status: 431, bare: true,
			text: "431 Request Header Fields Too Large"},
		{what: "a long name of a header", request: "GET /hardwares/1", header: []string{
			strings.Repeat("X", 10_000) + ": a",
		}, status: 200, text: "<id>1<"},
		{what: "languages, preferences, do not track", request: "GET /hardwares/1", header: []string{
			"Accept-Language: ../../etc", "Prefer: respond-async, wait=100", "DNT: 1", "Save-Data: on",
		}, status: 200, text: "<id>1<"},
		{what: "the address of an attack on a logger", request: "GET /hardwares/1", header: []string{
			"User-Agent: ${jndi:ldap://127.0.0.1/a}", "X-Api-Version: ${jndi:ldap://127.0.0.1/a}", "Referer: %n%n%s%s",
		}, status: 200, text: "<id>1<"},
		{what: "a shell", request: "GET /hardwares/1", header: []string{
			"User-Agent: () { :; }; /bin/false", "Cookie: () { :; }; /bin/false",
		}, status: 200, text: "<id>1<"},
		{what: "another site asks before it writes", request: "OPTIONS /hardwares", who: nobody, header: []string{
			"Origin: https://evil.example", "Access-Control-Request-Method: DELETE",
		}, status: 401, text: "authentication failed"},
	}
}

func conditions() []hostile {
	return []hostile{
		{what: "many tags", request: "PUT /hardwares/1", header: []string{"If-Match: " + list(1200, `"1-%d.x",`)},
			body: hardware("<tag>many</tag>"), status: 200, text: "<tag>many<", audits: 1},
		{what: "many tags, none of them ours", request: "PUT /hardwares/1", header: []string{
			"If-Match: " + strings.Repeat(`"",`, 3000),
		}, body: named(""), status: 412, text: "not in the version"},
		{what: "a tag without an end", request: "DELETE /hardwares/1", header: []string{
			`If-Match: "` + strings.Repeat("a", 10_000),
		}, status: 412, text: "not in the version"},
		{what: "a tag without quotes", request: "DELETE /hardwares/1", header: []string{"If-Match: 1-1"}, status: 412,
			text: "not in the version"},
		{what: "an empty condition", request: "DELETE /hardwares/1", header: []string{"If-Match:"}, status: 412,
			text: "not in the version"},
		{what: "another record's tag", request: "DELETE /hardwares/1", header: []string{
			`If-Match: "2-1.0"`, `If-Match: "3-1.0"`,
		}, status: 412, text: "not in the version"},
		{what: "a version that overflows", request: "DELETE /hardwares/1", header: []string{
			`If-Match: "1-18446744073709551617."`,
		}, status: 412, text: "not in the version"},
		{what: "both conditions", request: "DELETE /hardwares/1", header: []string{"If-Match: *", "If-None-Match: *"},
			status: 412, text: "not in the version"},
		{what: "a condition on what is not there", request: "DELETE /hardwares/99", header: []string{
			"If-Match: *",
		}, status: 404, text: "no computer with the id 99"},
		{what: "a date", request: "DELETE /hardwares/99", header: []string{
			"If-Unmodified-Since: Thu, 01 Jan 1970 00:00:00 GMT",
		}, status: 404, text: "no computer with the id 99"},
		{what: "a star on a read", request: "GET /hardwares/1", header: []string{"If-None-Match: *"}, status: 304},
		{what: "a star on what may not be seen", request: "GET /hardwares/1", who: anna, header: []string{
			"If-None-Match: *",
		}, status: 404, text: "no computer with the id 1"},
		{what: "a star on a bad query", request: "GET /hardwares?x=1", header: []string{
			"If-None-Match: *",
		}, status: 400, text: "unknown parameter x"},
		{what: "an empty key", request: "POST /hardwares", header: key(""), body: named(""), status: 400,
			text: "1 to 255 visible ASCII characters"},
		{what: "a long key", request: "POST /hardwares", header: key(strings.Repeat("k", 10_000)), body: named(""),
			status: 400, text: "1 to 255 visible ASCII characters"},
		{what: "a key with a blank", request: "POST /hardwares", header: key("a b"), body: named(""), status: 400,
			text: "1 to 255 visible ASCII characters"},
		{what: "a key with bytes that are no text", request: "POST /hardwares", header: key("\xff"), body: named(""),
			status: 400, text: "1 to 255 visible ASCII characters"},
		{what: "a key with markup", request: "POST /hardwares", header: key("<script>"), body: named(""), status: 201,
			text: "<name>h<"},
		{what: "a key with another document", request: "POST /hardwares", header: key("<script>"),
			body: named("<tag>x</tag>"), status: 422, text: "used before with another document"},
		{what: "a key with a document that is refused", request: "POST /hardwares", header: key("refused"),
			body: "<hardware>", status: 400, text: malformed},
		{what: "a key on a change", request: "PUT /hardwares/1", header: key("<script>"), body: "<hardware/>",
			status: 200, text: "<id>1<"},
	}
}

// signed is an Authorization header with one part of its own.
func signed(part string) []string {
	return []string{`Authorization: Digest realm="Muster", uri="/api", algorithm=MD5, response="` + strings.Repeat("0",
		32) + `", qop=auth, cnonce="c", nc=00000001, nonce="n", ` + part}
}

func credentials() []hostile {
	return []hostile{
		{what: "an unknown user", request: "GET /api", who: login{"nobody@example.com", "x", "SHA-256"}, status: 401,
			text: "authentication failed: give the user name"},
		{what: "a wrong password", request: "GET /api", who: login{admin.user, "x", "SHA-256"}, status: 401,
			text: "authentication failed: give the user name"},
		{what: "an empty password", request: "GET /api", who: login{admin.user, "", "SHA-256"}, status: 401,
			text: "authentication failed"},
		{what: "an empty user", request: "GET /api", header: signed(`username=""`), status: 401,
			text: "authentication failed"},
		{what: "a user in capitals", request: "GET /api", who: login{"ADMIN@LOCALHOST", admin.password, "MD5"},
			status: 401, text: "authentication failed"},
		{what: "a user in other letters", request: "GET /api", who: login{"аdmin@localhost", admin.password, "MD5"},
			status: 401, text: "authentication failed"},
		{what: "a user with NUL", request: "GET /api", header: signed("username*=UTF-8''admin%40localhost%00"),
			status: 401, text: "authentication failed"},
		{what: "a user of 14 KB", request: "GET /api", who: login{strings.Repeat("a", 14_000), "x", "MD5"},
			status: 401, text: "authentication failed"},
		{what: "a user of 320 bytes", request: "GET /api", who: login{strings.Repeat("a", 320), "x", "MD5"},
			status: 401, text: "authentication failed"},
		{what: "a user of 14 KB, escaped", request: "GET /api",
			header: signed("username*=UTF-8''" + strings.Repeat("%41", 4600)), status: 401,
			text: "authentication failed"},
		{what: "many parameters", request: "GET /api", header: signed(list(900, "p%d=1, ")), status: 401,
			text: "authentication failed"},
		{what: "commas", request: "GET /api", header: []string{"Authorization: Digest " + strings.Repeat(",", 15_000)},
			status: 401, text: "authentication failed"},
		{what: "a quote without an end", request: "GET /api", header: []string{
			`Authorization: Digest username="` + strings.Repeat(`\"`, 7000),
		}, status: 401, text: "authentication failed"},
		{what: "a long client nonce", request: "GET /api", header: signed(`username="a", x="` + strings.Repeat("c",
			14_000) + `"`), status: 401, text: "authentication failed"},
		{what: "a parameter twice", request: "GET /api", header: signed(`username="a", username="b"`), status: 401,
			text: "authentication failed"},
		{what: "two fields", request: "GET /api", header: []string{
			"Authorization: Digest x=1", "Authorization: Digest x=1",
		}, status: 401, text: "authentication failed"},
		{what: "Basic", request: "GET /api", header: []string{"Authorization: Basic " + strings.Repeat("QQ", 7000)},
			status: 401, text: "authentication failed"},
		{what: "Bearer", request: "GET /api", header: []string{"Authorization: Bearer null"}, status: 401,
			text: "authentication failed"},
		{what: "Negotiate", request: "GET /api", header: []string{"Authorization: Negotiate YII="}, status: 401,
			text: "authentication failed"},
		{what: "a scheme alone", request: "GET /api", header: []string{"Authorization: Digest"}, status: 401,
			text: "authentication failed"},
		{what: "no scheme", request: "GET /api", header: []string{"Authorization:"}, status: 401,
			text: "authentication failed"},
		{what: "in the address", request: "GET https://admin%40localhost:x@localhost/api", who: nobody, status: 401,
			text: "authentication failed"},
		{what: "for a proxy", request: "GET /api", who: nobody, header: []string{"Proxy-Authorization: Basic eDp4"},
			status: 401, text: "authentication failed"},
		{what: "of another method", request: "DELETE /hardwares/1", header: []string{
			"Authorization: " + admin.header("GET", "/hardwares/1", "n", 1),
		}, status: 401, text: "authentication failed"},
	}
}
