package api_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/text/encoding/charmap"

	"muster/internal/inventory"
	"muster/internal/mustertest"
	"muster/internal/server"
)

var challengePattern = regexp.MustCompile(`^Digest realm="Muster", nonce="[A-Za-z0-9_-]{40}", algorithm=(SHA-256|MD5), qop="auth"(, stale=true)?$`)

// challenged checks that an answer is 401 with the right challenge.
func challenged(t *testing.T, what string, r *mustertest.Response, algorithms string, stale bool) {
	t.Helper()
	refused(t, what, r, http.StatusUnauthorized, "authentication failed")
	var offered []string
	for _, line := range r.Header.Values("WWW-Authenticate") {
		found := challengePattern.FindStringSubmatch(line)
		if found == nil {
			t.Errorf("%s: got the challenge %q, want one like %s", what, line, challengePattern)
			continue
		}
		offered = append(offered, found[1])
		if got := found[2] != ""; got != stale {
			t.Errorf("%s: got stale=%v, want %v", what, got, stale)
		}
	}
	equal(t, what+": algorithms", strings.Join(offered, " "), algorithms)
	equal(t, what+": Authentication-Info", r.Header.Get("Authentication-Info"), "")
}

const both = "SHA-256 MD5"

// with makes a GET request with an Authorization header.
func with(s *mustertest.Server, target, authorization string, header ...string) *mustertest.Response {
	return s.Anonymous().Get(target, append(header, "Authorization", authorization)...)
}

func TestChallenge(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		fresh := nonce(t, s)
		wrong, unknown := admin, admin
		wrong.password, unknown.user = "wrong password", "nobody@example.com"
		for what, authorization := range map[string]string{
			"a wrong password": wrong.header("GET", "/api.xml", fresh, 1),
			"an unknown user":  unknown.header("GET", "/api.xml", fresh, 1),
			"a user in capitals": login{"ADMIN@localhost", admin.password, "MD5"}.header("GET", "/api.xml", fresh,
				1),
			"another target": admin.header("GET", "/hardwares.xml", fresh, 1),
			"another method": admin.header("POST", "/api.xml", fresh, 1),
			"an empty nonce": admin.header("GET", "/api.xml", "", 1),
			"another realm": strings.Replace(admin.header("GET", "/api.xml", fresh, 1), `"Muster"`,
				`"Other"`, 1),
			"Basic":                  "Basic YWRtaW5AbG9jYWxob3N0OnB3",
			"Bearer":                 "Bearer abc",
			"no parameters":          "Digest",
			"what does not parse":    `Digest username="a`,
			"a hostile name":         `Digest username="' OR 1=1 --", realm="Muster", nonce="x", uri="/api.xml", response="0", qop=auth, nc=00000001, cnonce="c"`,
			"bytes that are no text": "Digest username=\"\xff\xfe\"",
		} {
			challenged(t, what, with(s, "/api.xml", authorization), both, false)
		}
		challenged(t, "no credentials", s.Anonymous().Get("/api.xml"), both, false)
		for agent, algorithms := range map[string]string{
			"Python-urllib/3.11": "MD5", "Ruby": "MD5", "curl/8.5.0": both, "": both, "Ruby/3": both,
			"python-requests/2.28": both,
		} {
			challenged(t, "agent "+agent, s.Anonymous().Get("/api.xml", "User-Agent", agent), algorithms, false)
		}
		// Nothing reveals to the caller what there is, or whether the request is valid.
		for _, target := range []string{
			"/nothing", "/hardwares/99", "/hardwares?x=%zz", "/hardwares.pdf", "//", "/" + strings.Repeat("a", 9000),
		} {
			for _, method := range []string{"GET", "POST", "PATCH", "OPTIONS"} {
				r := s.Anonymous().Do(method, target, "", "Accept", "image/png")
				challenged(t, method+" "+target[:min(20, len(target))], r, both, false)
			}
		}
		challenged(t, "POST", s.Anonymous().Do("POST", "/hardwares", "<"), both, false)
	})
}

// TestDigestAlgorithms switches MD5 off and on again, for all who come then.
func TestDigestAlgorithms(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		old := login{admin.user, admin.password, "MD5"}
		set := func(value string) {
			t.Helper()
			s.Settings(server.SettingCommand{Do: "set", Name: "digest-algorithms", Value: value})
		}
		set("SHA-256")
		for _, agent := range []string{"curl/8.5.0", "Ruby", "Python-urllib/3.11"} {
			r := s.Anonymous().Get("/api.xml", "User-Agent", agent)
			challenged(t, agent, r, "SHA-256", false)
			refused(t, agent, r, http.StatusUnauthorized, "MD5 is switched off here")
			challenged(t, "MD5 of "+agent, with(s, "/api", old.header("GET", "/api", nonce(t, s), 1), "User-Agent",
				agent), "SHA-256", false)
			equal(t, "SHA-256 of "+agent, with(s, "/api", admin.header("GET", "/api", nonce(t, s), 1), "User-Agent",
				agent).Status, http.StatusOK)
		}
		set("sha-256,md5")
		challenged(t, "on again", s.Anonymous().Get("/api.xml"), both, false)
		equal(t, "MD5 again", with(s, "/api", old.header("GET", "/api", nonce(t, s), 1)).Status, http.StatusOK)
		if _, err := s.Server.Setting(t.Context(),
			server.SettingCommand{Do: "set", Name: "digest-algorithms", Value: "md5"}); err == nil ||
			!strings.Contains(err.Error(), "digest-algorithms must be sha-256,md5 or sha-256") {
			t.Errorf("MD5 alone: got %v, want it refused", err)
		}
	})
}

// TestVerified checks each accepted form of credentials, and the answer's proof
// that the server knows the password too.
func TestVerified(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		const password = "pässwörd für alle"
		s.User(server.UserCommand{Do: "add", Email: "anna@example.com", Role: inventory.Technician, Password: password})
		latin1, err := charmap.ISO8859_1.NewEncoder().String(password)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range []login{
			admin, {admin.user, admin.password, "MD5"},
			{"anna@example.com", password, "MD5"}, {"anna@example.com", password, "SHA-256"},
			{"anna@example.com", latin1, "MD5"}, {"anna@example.com", latin1, "SHA-256"},
		} {
			fresh, target := nonce(t, s), "/hardwares.xml?name=a%20b&site=%C3%A9"
			r := with(s, target, l.header("GET", target, fresh, 7))
			equal(t, l.user+" "+l.algorithm, r.Status, http.StatusOK)
			want := `rspauth="` + l.response("", target, fresh, "00000007",
				"c") + `", qop=auth, nc=00000007, cnonce="c"`
			equal(t, l.user+" "+l.algorithm+": Authentication-Info", r.Header.Get("Authentication-Info"), want)
			// The header does for this one request alone.
			challenged(t, "the same again", with(s, target, l.header("GET", target, fresh, 7)), both, true)
			equal(t, "the next count", with(s, target, l.header("GET", target, fresh, 3)).Status, http.StatusOK)
		}
		s.AddUser("anna+it@example.com", inventory.Technician, false)
		for _, escaped := range []string{"anna+it%40example.com", "anna%2Bit%40example.com"} {
			header := login{"anna+it@example.com", mustertest.AdminPassword, "SHA-256"}.header("GET", "/api",
				nonce(t, s), 1)
			header = strings.Replace(header, `username="anna+it@example.com"`, "username*=UTF-8''"+escaped, 1)
			equal(t, "username* "+escaped, with(s, "/api", header).Status, http.StatusOK)
		}
		fresh := nonce(t, s)
		challenged(t, "SHA-256 from one who was offered MD5",
			with(s, "/api", admin.header("GET", "/api", fresh, 1), "User-Agent", "Ruby"), "MD5", false)
	})
}

// TestIndistinguishable: no answer reveals whether the name or the password is
// wrong, or that the user is disabled.
func TestIndistinguishable(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		s.AddUser("anna@example.com", inventory.Technician, false)
		s.User(server.UserCommand{Do: "disable", Email: "anna@example.com"})
		var first string
		for _, l := range []login{
			{admin.user, "wrong password", "MD5"}, {"nobody@example.com", "wrong password", "MD5"},
			{"anna@example.com", mustertest.AdminPassword, "MD5"},
		} {
			r := with(s, "/api", l.header("GET", "/api", nonce(t, s), 1))
			challenged(t, l.user, r, both, false)
			for _, name := range []string{"X-Request-Id", "Date", "WWW-Authenticate"} {
				r.Header.Del(name)
			}
			answer := fmt.Sprint(r.Status, r.Header, r.Body)
			if first == "" {
				first = answer
			}
			equal(t, "the answer to "+l.user, answer, first)
		}
	})
}

// TestNonceAfterRestart: the memory of used responses ends with the server, so a
// nonce of its life must not outlive it; where several share a database, the
// nonce of one is good for the others.
func TestNonceAfterRestart(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		options := mustertest.Options{Database: db.New(t), Data: t.TempDir()}
		var header string
		t.Run("first", func(t *testing.T) {
			header = admin.header("GET", "/api", nonce(t, mustertest.Start(t, options)), 1)
		})
		t.Run("second", func(t *testing.T) {
			s := mustertest.Start(t, options)
			if r := with(s, "/api", header); db.Name == mustertest.SQLite.Name {
				challenged(t, "a nonce from before", r, both, true)
			} else {
				equal(t, "a nonce of another node", r.Status, http.StatusOK)
			}
		})
	})
}

func TestReplayedChange(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		authorization := admin.header("POST", "/hardwares", nonce(t, s), 1)
		doc := hardware("<name>a</name>")
		equal(t, "POST", s.Anonymous().Do("POST", "/hardwares", doc, "Authorization", authorization).Status,
			http.StatusCreated)
		challenged(t, "POST again", s.Anonymous().Do("POST", "/hardwares", doc, "Authorization", authorization),
			both, true)
		equal(t, "computers", s.Admin().Get("/hardwares").Header.Get("X-Total-Count"), "1")
	})
}

func TestStaleNonce(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		fresh := nonce(t, s)
		wrong := admin
		wrong.password = "wrong password"
		for i, test := range []struct {
			advance time.Duration
			status  int
			next    bool // whether a new nonce is handed out
		}{{0, 200, false}, {3 * time.Minute, 200, false}, {90 * time.Second, 200, true}, {
			29 * time.Second, 200, true,
		}, {time.Second, 401, false}} {
			s.Clock.Advance(test.advance)
			r := with(s, "/api", admin.header("GET", "/api", fresh, i))
			equal(t, "status "+strconv.Itoa(i), r.Status, test.status)
			equal(t, "nextnonce "+strconv.Itoa(i), strings.Contains(r.Header.Get("Authentication-Info"), "nextnonce="),
				test.next)
		}
		challenged(t, "after 5 minutes", with(s, "/api", admin.header("GET", "/api", fresh, 9)), both, true)
		challenged(t, "a wrong password after 5 minutes", with(s, "/api", wrong.header("GET", "/api", fresh, 9)),
			both, false)
		challenged(t, "a nonce that is not ours",
			with(s, "/api", admin.header("GET", "/api", strings.Repeat("A", 40), 1)), both, true)
		c := s.Admin()
		for range 3 {
			equal(t, "a client that goes on", c.Get("/api").Status, http.StatusOK)
			s.Clock.Advance(6 * time.Minute)
		}
	})
}

func TestDisabledUser(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		c := s.AddUser("anna@example.com", inventory.Technician, false)
		equal(t, "before", c.Get("/hardwares").Status, http.StatusOK)
		s.User(server.UserCommand{Do: "disable", Email: "anna@example.com"})
		challenged(t, "after", c.Get("/hardwares"), both, false)
		challenged(t, "after, a change", c.Do("POST", "/hardwares", hardware("<name>a</name>")), both, false)

		b := s.AddUser("bert@example.com", inventory.Technician, false)
		equal(t, "before", b.Get("/hardwares").Status, http.StatusOK)
		s.User(server.UserCommand{Do: "passwd", Email: "bert@example.com", Password: "another password"})
		challenged(t, "after another password", b.Get("/hardwares"), both, false)
		equal(t, "with it", s.Client("bert@example.com", "another password").Get("/hardwares").Status, http.StatusOK)
	})
}

// TestLastLogin: it is renewed at most hourly, without touching updated-at and
// without an audit record.
func TestLastLogin(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		c := s.AddUser("anna@example.com", inventory.Technician, false)
		before := len(s.Audits())
		begin := s.Clock.Now()
		for _, test := range []struct{ after, login time.Duration }{
			{0, 0}, {59 * time.Minute, 0}, {time.Hour, time.Hour},
			{time.Hour + 59*time.Minute + 59*time.Second, time.Hour}, {30 * time.Hour, 30 * time.Hour},
		} {
			s.Clock.Advance(begin.Add(test.after).Sub(s.Clock.Now()))
			equal(t, "GET", c.Get("/api").Status, http.StatusOK)
			anna := s.User(server.UserCommand{Do: "list"}).Users[1]
			equal(t, "last login after "+test.after.String(), anna.LastLogin.UTC(), begin.Add(test.login))
			equal(t, "updated-at after "+test.after.String(), anna.UpdatedAt.UTC(), begin)
			equal(t, "version after "+test.after.String(), anna.Version, int64(1))
		}
		equal(t, "audit records of logins", len(s.Audits())-before, 0)
		address := create(t, c, "<name>a</name><technical-contact>anna@example.com</technical-contact>")
		equal(t, "shown", value(t, c.Get(address).Body, "technical-contact", "last-login"), "2026-02-01T15:30:00Z")
	})
}

// TestSecretsInLog makes requests of every sort and looks for what must not be
// in the log.
func TestSecretsInLog(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		wrong := admin
		wrong.password = "wrong password"
		fresh := nonce(t, s)
		secrets := []string{admin.password, wrong.password, fresh, "Digest ", "sealed"}
		for i, l := range []login{admin, wrong, {"nobody@example.com", "some secret", "MD5"}, {
			admin.user, admin.password, "MD5",
		}, admin} {
			for _, target := range []string{"/api", "/nothing", "/hardwares"} {
				header := l.header("GET", target, fresh, i)
				secrets = append(secrets, l.response("GET", target, fresh, "0000000"+strconv.Itoa(i), "c"),
					l.hash(l.user+":Muster:"+l.password))
				with(s, target, header)
				with(s, target, header) // a replay
			}
		}
		with(s, "/api", `Digest username="a", response="0123456789abcdef"`)
		s.Admin().Do("POST", "/hardwares", "<hardware><secret>0123456789abcdef")
		s.Clock.Advance(time.Hour)
		with(s, "/api", admin.header("GET", "/api", fresh, 99))
		log := s.Log.String()
		for _, secret := range append(secrets, "0123456789abcdef") {
			if strings.Contains(log, secret) {
				t.Errorf("got %q in the log, want it nowhere", secret)
			}
		}
		if !strings.Contains(log, `"path":"/nothing"`) || !strings.Contains(log, `"user":"admin@localhost"`) {
			t.Errorf("got the log\n%s\nwant a line a request with path and user", log)
		}
	})
}
