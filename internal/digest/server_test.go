package digest

import (
	"strings"
	"testing"
	"time"
)

// TestRules sends one request for each rule of the contract. A case may edit what is hashed and sent, the header
// thereafter, or the request thereafter.
func TestRules(t *testing.T) {
	replace := func(old, new string) func(string) string {
		return func(header string) string {
			if !strings.Contains(header, old) {
				panic("the header has no " + old)
			}
			return strings.Replace(header, old, new, 1)
		}
	}
	add := func(text string) func(string) string {
		return func(header string) string { return header + text }
	}
	md5 := func(c *call) { c.algorithm = "MD5" }
	tests := []struct {
		name   string
		call   func(*call)
		header func(string) string
		after  func(*call)
		want   Outcome
	}{
		{name: "right, SHA-256", want: Verified},
		{name: "right, MD5", call: md5, want: Verified},
		{name: "right, by POST", call: func(c *call) { c.method = "POST" }, want: Verified},

		{name: "no algorithm means MD5", call: md5, header: replace("algorithm=MD5, ", ""), want: Verified},
		{name: "no algorithm means MD5, not SHA-256", header: replace("algorithm=SHA-256, ", ""), want: Malformed},
		{name: "quoted algorithm", header: replace("=SHA-256", `="SHA-256"`), want: Verified},
		{name: "algorithm in lower case", call: md5, header: replace("=MD5", `="md5"`), want: Verified},
		{name: "algorithm MD5-sess", call: md5, header: replace("=MD5", "=MD5-sess"), want: Malformed},
		{name: "algorithm SHA-512-256", header: replace("=SHA-256", "=SHA-512-256"), want: Malformed},
		{name: "empty algorithm", call: md5, header: replace("=MD5", `=""`), want: Malformed},

		{name: "SHA-256 from Python", call: func(c *call) { c.agent = "Python-urllib/3.12" }, want: Malformed},
		{name: "SHA-256 from Ruby", call: func(c *call) { c.agent = "Ruby" }, want: Malformed},
		{name: "MD5 from Python", call: func(c *call) { c.agent, c.algorithm = "Python-urllib/3.12", "MD5" },
			want: Verified},
		{name: "MD5 from Ruby", call: func(c *call) { c.agent, c.algorithm = "Ruby", "MD5" }, want: Verified},

		{name: "quoted qop", header: replace("qop=auth", `qop="auth"`), want: Verified},
		{name: "qop auth-int", call: func(c *call) { c.qop = "auth-int" }, want: Malformed},
		{name: "no qop", header: replace("qop=auth, ", ""), want: Malformed},
		{name: "empty qop", header: replace("qop=auth", `qop=""`), want: Malformed},
		{name: "two qops", header: replace("qop=auth", `qop="auth,auth-int"`), want: Malformed},

		{name: "quoted nc", header: replace("nc=00000001", `nc="00000001"`), want: Verified},
		{name: "nc 00000000", call: func(c *call) { c.nc = "00000000" }, want: Verified},
		{name: "nc out of order", call: func(c *call) { c.nc = "00ff00fe" }, want: Verified},
		{name: "nc in capitals", call: func(c *call) { c.nc = "0000ABCF" }, want: Verified},
		{name: "nc exactly 0", call: func(c *call) { c.nc = "0" }, header: replace("nc=0", `nc="0"`), want: Verified},
		{name: "nc 1", call: func(c *call) { c.nc = "1" }, want: Malformed},
		{name: "nc 00", call: func(c *call) { c.nc = "00" }, want: Malformed},
		{name: "nc of 7 digits", call: func(c *call) { c.nc = "0000001" }, want: Malformed},
		{name: "nc of 9 digits", call: func(c *call) { c.nc = "000000001" }, want: Malformed},
		{name: "nc not hexadecimal", call: func(c *call) { c.nc = "0000000g" }, want: Malformed},
		{name: "nc with a sign", call: func(c *call) { c.nc = "+0000001" }, want: Malformed},
		{name: "empty nc", header: replace("nc=00000001", `nc=""`), want: Malformed},
		{name: "no nc", header: replace("nc=00000001, ", ""), want: Malformed},

		{name: "an opaque of somebody's", header: add(`, opaque="x"`), want: Verified},
		{name: "unknown parameters", header: add(`, foo=bar, charset=UTF-8, x="1,\"2"`), want: Verified},
		{name: "too many parameters", header: add(manyParams(maxParams)), want: Malformed},
		{name: "userhash=false", header: add(", userhash=false"), want: Verified},
		{name: "userhash=true", header: add(", userhash=true"), want: Malformed},

		{name: "any order of parameters", header: reverse, want: Verified},
		{name: "no blanks", header: func(h string) string { return strings.ReplaceAll(h, ", ", ",") }, want: Verified},
		{name: "blanks around =", header: replace("qop=auth", "qop = auth"), want: Verified},
		{name: "empty elements", header: replace("qop=auth,", ", qop=auth ,\t,"), want: Verified},
		{name: "scheme in lower case", header: replace("Digest", "digest"), want: Verified},
		{name: "names in capitals", header: replace("response=", "RESPONSE="), want: Verified},
		{name: "response in capitals", header: func(h string) string {
			return upperAfter(h, `response="`)
		}, want: Verified},
		{name: "escapes in a quoted string", header: replace("ada@", `\a\d\a@`), want: Verified},

		{name: "repeated known parameter", header: add(`, nc=00000001`), want: Malformed},
		{name: "repeated in capitals", header: add(`, NC=00000001`), want: Malformed},
		{name: "repeated unknown parameter", header: add(`, a=1, a=1`), want: Malformed},
		{name: "repeated response", header: add(`, response="0"`), want: Malformed},
		{name: "no comma", header: replace(", qop", " qop"), want: Malformed},
		{name: "open quote", header: add(`, a="b`), want: Malformed},
		{name: "no value", header: add(`, a`), want: Malformed},
		{name: "empty value", header: add(`, a=`), want: Malformed},
		{name: "a second scheme", header: add(`, Basic YTpi`), want: Malformed},
		{name: "too long", header: add(`, a="` + strings.Repeat("x", maxHeader) + `"`), want: Malformed},
		{name: "a control character", header: add(", a=\"\x01\""), want: Malformed},

		{name: "username* beside username", header: add(`, username*=UTF-8''ada%40example.com`), want: Malformed},
		{name: "username* alone", header: replace(`username="ada@example.com"`, `username*=UTF-8''ada%40example.com`),
			want: Verified},
		{name: "username* with a language", header: replace(`username="ada@example.com"`,
			`username*=utf-8'en'ada%40example.com`), want: Verified},
		{name: "username* in ISO-8859-1", header: replace(`username="ada@example.com"`,
			`username*=ISO-8859-1''ada%40example.com`), want: Malformed},
		{name: "username* not encoded", header: replace(`username="ada@example.com"`, `username*="ada@example.com"`),
			want: Malformed},
		{name: "username* badly encoded", header: replace(`username="ada@example.com"`, `username*=UTF-8''ada%4`),
			want: Malformed},
		{name: "username* with a control", header: replace(`username="ada@example.com"`, `username*=UTF-8''ada%0a`),
			want: Malformed},
		{name: "username not UTF-8", call: func(c *call) { c.user = "ad\xe4" }, want: Malformed},
		{name: "username too long", call: func(c *call) { c.user = strings.Repeat("a", maxName+1) }, want: Malformed},
		{name: "no username", header: replace(`username="ada@example.com", `, ""), want: Malformed},

		{name: "no realm", header: replace(`realm="Muster", `, ""), want: Malformed},
		{name: "another realm", call: func(c *call) { c.realm = "Other" }, want: Malformed},
		{name: "no cnonce", header: replace(`, cnonce="0a4f113b"`, ""), want: Malformed},
		{name: "empty cnonce", call: func(c *call) { c.cnonce = "" }, want: Verified},
		{name: "cnonce with quotes", call: func(c *call) { c.cnonce = `a"b\c` }, want: Verified},
		{name: "cnonce too long", call: func(c *call) { c.cnonce = strings.Repeat("a", maxCNonce+1) }, want: Malformed},
		{name: "no response", header: replace("response=", "other="), want: Malformed},
		{name: "response of MD5's length", header: replace("SHA-256", "MD5"), want: Malformed},
		{name: "response not hexadecimal", header: func(h string) string {
			i := strings.Index(h, `response="`) + len(`response="`)
			return h[:i] + "g" + h[i+1:]
		}, want: Malformed},

		{name: "uri of another path", after: func(c *call) { c.target = "/tickets.xml?page=2&status=a%20b" },
			want: Malformed},
		{name: "uri of another path as long", after: func(c *call) { c.target = "/computerz.xml?page=2&status=a%20b" },
			want: Malformed},
		{name: "uri without the query", after: func(c *call) { c.target += "&x=1" }, want: Malformed},
		{name: "uri encoded otherwise", after: func(c *call) { c.target = strings.Replace(c.target, "%20", "+", 1) },
			want: Malformed},
		{name: "absolute uri", after: func(c *call) { c.target = "http://example.com" + c.target }, want: Malformed},
		{name: "no uri", header: replace("uri=", "other="), want: Malformed},
		{name: "uri with backslashes, as curl sends it", call: func(c *call) {
			c.target = `/computers.xml?name=\*a\\b`
		}, want: Verified},
		{name: "uri with other backslashes", call: func(c *call) { c.target = `/computers.xml?name=\*` },
			after: func(c *call) { c.target = `/computers.xml?name=*` }, want: Failed},
		{name: "a long uri", call: func(c *call) { c.target = "/" + strings.Repeat("a", 7000) }, want: Verified},
		{name: "another method", after: func(c *call) { c.method = "DELETE" }, want: Failed},

		{name: "empty nonce", call: func(c *call) { c.nonce = "" }, want: Missing},
		{name: "no nonce", header: func(string) string { return `Digest username="ada@example.com"` }, want: Missing},
		{name: "empty everything", header: func(string) string {
			return `Digest username="a", realm="", nonce="", uri="", response=""`
		}, want: Missing},
		{name: "the scheme alone", header: func(string) string { return "Digest" }, want: Missing},
		{name: "Basic", header: func(string) string { return "Basic YTpi" }, want: Missing},
		{name: "Bearer", header: func(string) string { return "Bearer abc" }, want: Missing},
		{name: "a scheme that begins alike", header: replace("Digest ", "Digestive "), want: Missing},
		{name: "empty field", header: func(string) string { return "" }, want: Missing},

		{name: "wrong password", call: func(c *call) { c.password = "wrong" }, want: Failed},
		{name: "wrong password, MD5", call: func(c *call) { c.password, c.algorithm = "wrong", "MD5" }, want: Failed},
		{name: "empty password", call: func(c *call) { c.password = "" }, want: Failed},
		{name: "unknown user", call: func(c *call) { c.user = "eve@example.com" }, want: Failed},
		{name: "unknown user, empty password", call: func(c *call) { c.user, c.password = "eve@example.com", "" },
			want: Failed},
		{name: "another cnonce than hashed", header: replace("0a4f113b", "0a4f113c"), want: Failed},
		{name: "another nc than hashed", header: replace("00000001", "00000002"), want: Failed},

		{name: "a foreign nonce", call: func(c *call) { c.nonce = "dcd98b7102dd2f0e8b11d0f600bfb0c093" }, want: Stale},
		{name: "a nonce of our length", call: func(c *call) { c.nonce = strings.Repeat("A", len(c.nonce)) },
			want: Stale},
		{name: "a nonce with another signature", call: func(c *call) { c.nonce = flip(c.nonce, len(c.nonce)-1) },
			want: Stale},
		{name: "a nonce with another time", call: func(c *call) { c.nonce = flip(c.nonce, 7) }, want: Stale},
		{name: "a foreign nonce and a wrong password", call: func(c *call) { c.nonce, c.password = "abc", "wrong" },
			want: Failed},
		{name: "a foreign nonce and an unknown user", call: func(c *call) {
			c.nonce, c.user = "abc",
				"eve@example.com"
		}, want: Failed},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s, _ := newServer(t)
			c := newCall(freshNonce(t, s))
			if test.call != nil {
				test.call(&c)
			}
			header := c.header()
			if test.header != nil {
				header = test.header(header)
			}
			if test.after != nil {
				test.after(&c)
			}
			got := s.Authenticate(c.request(header))
			if got.Outcome != test.want {
				t.Errorf("%s\ngot outcome %d (%s), want %d", header, got.Outcome, got.Reason, test.want)
			}
			if (got.Reason == "") != (got.Outcome == Verified) {
				t.Errorf("got reason %q for outcome %d", got.Reason, got.Outcome)
			}
		})
	}
}

func manyParams(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(", p" + string(rune('A'+i%26)) + strings.Repeat("x", i/26) + "=1")
	}
	return b.String()
}

func reverse(header string) string {
	parts := strings.Split(strings.TrimPrefix(header, "Digest "), ", ")
	for i, j := 0, len(parts)-1; i < j; i, j = i+1, j-1 {
		parts[i], parts[j] = parts[j], parts[i]
	}
	return "Digest " + strings.Join(parts, ", ")
}

// upperAfter puts the quoted value after a mark into capitals.
func upperAfter(s, mark string) string {
	head, tail, _ := strings.Cut(s, mark)
	value, rest, _ := strings.Cut(tail, `"`)
	return head + mark + strings.ToUpper(value) + `"` + rest
}

// flip changes one character of a nonce to another that base64url knows.
func flip(nonce string, i int) string {
	other := "A"
	if nonce[i] == 'A' {
		other = "B"
	}
	return nonce[:i] + other + nonce[i+1:]
}

func TestAuthorizationFields(t *testing.T) {
	s, _ := newServer(t)
	c := newCall(freshNonce(t, s))
	tests := []struct {
		name   string
		fields []string
		want   Outcome
	}{
		{"none", nil, Missing},
		{"two alike", []string{c.header(), c.header()}, Malformed},
		{"beside Bearer", []string{"Bearer abc", c.header()}, Malformed},
		{"one", []string{c.header()}, Verified},
	}
	for _, test := range tests {
		if got := s.Authenticate(c.request(test.fields...)); got.Outcome != test.want {
			t.Errorf("%s: got outcome %d (%s), want %d", test.name, got.Outcome, got.Reason, test.want)
		}
	}
}

func TestResult(t *testing.T) {
	s, clock := newServer(t)
	c := newCall(freshNonce(t, s))
	got := c.send(s)
	if got.Outcome != Verified || got.Name != testUser || got.Triple != (Triple{c.nonce, c.nc, c.cnonce}) {
		t.Errorf("got %+v, want the user and the triple as sent", got)
	}
	if want := clock.now().Add(5 * time.Minute); !got.Expires.Equal(want) {
		t.Errorf("got end of nonce %v, want %v", got.Expires, want)
	}
	other := c
	other.cnonce = "0a4f113c"
	if got.Key() == other.send(s).Key() {
		t.Error("two triples have the same key")
	}
	c.user, c.password = "Eve@Example.com", "guess"
	if got := c.send(s); got.Outcome != Failed || got.Name != c.user || got.Reason != "unknown user" {
		t.Errorf("got outcome %d (%s), name %q, want an unknown user with the name as sent", got.Outcome, got.Reason,
			got.Name)
	}
	c.user, c.nc = testUser, "x"
	if got := c.send(s); got.Outcome != Malformed || got.Name != testUser {
		t.Errorf("got outcome %d, name %q, want malformed with the name as sent", got.Outcome, got.Name)
	}
}

// TestZeroSecret sees that a secret that was never filled lets nobody in, though its hashes can be guessed.
func TestZeroSecret(t *testing.T) {
	s, _ := newServer(t, func(c *Config) { c.Lookup = func(string) *Secret { return new(Secret) } })
	c := newCall(freshNonce(t, s))
	zero := strings.Repeat("0", 64)
	response := c.hash(strings.Join([]string{zero, c.nonce, c.nc, c.cnonce, "auth", c.hash("GET:" + c.target)}, ":"))
	header := strings.Replace(c.header(), c.response("GET"), response, 1)
	if got := s.Authenticate(c.request(header)); got.Outcome != Failed {
		t.Errorf("got outcome %d, want a failure", got.Outcome)
	}
}

func TestNewPanics(t *testing.T) {
	good := Config{Realm: "r", Key: make([]byte, 32), Lookup: func(string) *Secret { return nil }}
	tests := map[string]func(*Config){
		"no realm":  func(c *Config) { c.Realm = "" },
		"short key": func(c *Config) { c.Key = c.Key[:8] },
		"no lookup": func(c *Config) { c.Lookup = nil },
	}
	New(good)
	for name, spoil := range tests {
		config := good
		spoil(&config)
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: New did not panic", name)
				}
			}()
			New(config)
		}()
	}
}
