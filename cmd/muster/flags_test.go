//go:build full

package main_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"net/http"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"muster/internal/mustertest"
)

// flags are those of each command. Scripts rely on them.
var flags = map[string]string{
	"":             "help",
	"serve":        "help data database database-file key-file realm listen base-url allow-host trusted-proxy cert-file cert-key plain-http acme acme-email acme-http acme-directory acme-ca hsts demo rate-limit login-limit ballast cache jobs log-level slow-request observe observe-token-file drain max-requests max-connections",
	"doctor":       "help data database database-file key-file realm listen base-url cert-file cert-key plain-http acme acme-directory observe-token-file fix json",
	"backup":       "help force without-keys for data database database-file key-file realm",
	"backup-key":   "help",
	"restore":      "help check drill backup-key data database database-file key-file realm",
	"rollback":     "help data database database-file key-file realm",
	"user":         "help",
	"user add":     "help role read-only password-stdin data database database-file key-file realm",
	"user list":    "help data database database-file key-file realm",
	"user passwd":  "help keep-tokens password-stdin data database database-file key-file realm",
	"user disable": "help data database database-file key-file realm",
	"user enable":  "help data database database-file key-file realm",
	"token":        "help",
	"token add":    "help user name read-only expires data database database-file key-file realm",
	"token list":   "help user data database database-file key-file realm",
	"token revoke": "help data database database-file key-file realm",
	"session":      "help",
	"session list": "help user data database database-file key-file realm",
	"session end":  "help user data database database-file key-file realm",
	"agent":        "help",
	"agent token":  "help",
	"agent run":    "help server ca every print state",
	"setting":      "help",
	"setting get":  "help data database database-file key-file realm",
	"setting set":  "help data database database-file key-file realm",
	"setting list": "help data database database-file key-file realm",
	"audit":        "help",
	"audit verify": "help head data database database-file key-file realm",
	"version":      "help",
	"health":       "help listen plain-http",
	"completion":   "help",

	"agent token add":    "help site department tag replaces for-new-images for-computer url data database database-file key-file realm",
	"agent token change": "help replaces for-new-images data database database-file key-file realm",
	"claim":              "help",
	"claim list":         "help agent-token data database database-file key-file realm",
	"claim accept":       "help agent-token data database database-file key-file realm",
	"claim refuse":       "help agent-token data database database-file key-file realm",
	"agent token list":   "help data database database-file key-file realm",
	"agent token revoke": "help data database database-file key-file realm",
	"computer":           "help",
	"computer merge":     "help data database database-file key-file realm",
	"computer split":     "help agent data database database-file key-file realm",
	"import":             "help match key zone clear only-good check report undo data database database-file key-file realm",
}

var helpLine = regexp.MustCompile(`(?m)^ {2,6}(?:-h, )?--(?:\[no-\])?([a-z-]+)\S* +(\S.*(?:\n {20,}\S.*)*)`)

func TestHelp(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	for command, want := range flags {
		help := f.must(append(strings.Fields(command), "--help")...)
		var got []string
		for _, m := range helpLine.FindAllStringSubmatch(help, -1) {
			name, text := m[1], strings.Join(strings.Fields(m[2]), " ")
			got = append(got, name)
			variable := "($MUSTER_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_")) + ")"
			if name != "help" && (!strings.Contains(text, variable) || len(text) < len(variable)+20) {
				t.Errorf("muster %s --help: --%s: got %q, want an explanation and %s", command, name, text, variable)
			}
		}
		if !slices.Equal(got, strings.Fields(want)) {
			t.Errorf("muster %s --help: got the flags %v, want %s\n%s", command, got, want, help)
		}
	}
	all := f.must()
	for command := range flags {
		if !isGroup(command) && !strings.Contains(all, "\n  "+command) {
			t.Errorf("muster: got\n%s\nwant the command %q in it", all, command)
		}
	}
}

func TestVersion(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	want := fmt.Sprintf("muster v0.0.0-test %s %s/%s (commit abc of 2026-01-31)\n", runtime.Version(), runtime.GOOS,
		runtime.GOARCH)
	if got := f.must("version"); got != want {
		t.Errorf("muster version: got %q, want %q", got, want)
	}
	if f.exists("") {
		t.Error("muster version made a data folder")
	}
}

func TestBadFlags(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	for args, want := range map[string]string{
		"nonsense":                                     "nonsense",
		"user":                                         `"add"`,
		"serve --nonsense":                             "--nonsense",
		"serve extra":                                  "extra",
		"serve --rate-limit many":                      "--rate-limit",
		"serve --drain=-1s":                            "--drain must not be negative",
		"serve --drain soon":                           "--drain",
		"serve --log-level loud":                       "--log-level",
		"serve --cert-file own.pem":                    "--cert-file and --cert-key",
		"serve --base-url ftp://localhost":             "base URL",
		"serve --base-url localhost:8443":              "base URL",
		"serve --base-url https://me@localhost":        "base URL",
		"serve --base-url https://host/a/../b":         "path",
		"serve --trusted-proxy elsewhere":              "trusted proxy",
		"serve --acme assets.example.com --plain-http": "--plain-http",
		"serve --acme assets.example.com --cert-file own.pem --cert-key own.key": "--cert-file",
		"serve --acme 192.0.2.7":                                               "DNS name",
		"serve --acme *.example.com":                                           "DNS name",
		"serve --acme localhost":                                               "DNS name",
		"serve --acme https://assets.example.com":                              "DNS name",
		"serve --acme assets.example.com --acme-directory http://acme.example": "--acme-directory",
		"serve --acme assets.example.com --acme-email nobody":                  "--acme-email",
		"serve --acme assets.example.com --acme-ca none.pem":                   "none.pem",
		"serve --hsts year":                                                    "--hsts",
		"serve --hsts -1":                                                      "--hsts",
		"serve --acme-http :80":                                                "--acme",
		"serve --database mysql://root@host/db":                                "postgres:// address or the path of a file",
		"serve --database a.db --database-file b":                              "give one of them",
		"serve --database-file none":                                           "none",
		"user list --listen localhost:0":                                       "--listen",
		"serve --observe :9464":                                                "loopback",
		"agent run":                                                            "MUSTER_SERVER",
		"agent run --server https://h --every 1s":                              "--every",
		"agent run --server ftp://h":                                           "https://",
		"agent run --server http://assets.example.com/ocsinventory":            "https://",
		"agent run --server https://h --every 24":                              `--every: must be a time such as 24h, 90m or 500ms, not "24"`,
		"agent run --server https://h --every=":                                `--every: must be a time such as 24h, 90m or 500ms, not ""`,
		"agent run --server https://h --every":                                 "--every",
		"serve --slow-request quickly":                                         `--slow-request: must be a time such as 24h, 90m or 500ms, not "quickly"`,
	} {
		f.refused(strings.Fields(args), want)
	}
	write(t, filepath.Join(f.dir, "empty.pem"), "")
	for _, name := range []string{"none.pem", "empty.pem"} {
		f.refused([]string{"agent", "run", "--server", "https://h", "--ca", name},
			"--ca must name a file with the certificate, in PEM, of the authority that signed the server's",
			filepath.Join(f.dir, name))
	}
	if f.exists("") {
		t.Error("a command line that was refused made a data folder")
	}
}

// TestDatabaseAway: the text about a database that does not answer keeps its
// password.
func TestDatabaseAway(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	for _, command := range [][]string{{"serve", "--listen", "localhost:0"}, {"user", "list"}} {
		for address, want := range map[string]string{
			"postgres://someone:hush-hush@localhost:1/muster":    "localhost",
			"postgres://localhost:1/muster?password=hush-hush":   "localhost",
			"postgres://someone:hush-hush%zz@localhost:1/muster": "does not parse",
			"postgres://someone:hush-hush@localhost:many/muster": "does not parse",
			"mysql://someone:hush-hush@localhost/muster":         "database",
		} {
			args := append(slices.Clone(command), "--database", address)
			got := f.run(args...)
			f.refusal(got, args, "database", want)
			if strings.Contains(got.err, "hush-hush") {
				t.Errorf("muster %v: got %q, want no password in it", args, got.err)
			}
		}
	}
	write(t, filepath.Join(f.dir, "address"), "postgres://someone:hush-hush@localhost:1/muster\n")
	write(t, filepath.Join(f.dir, "lines"), "postgres://someone:hush-hush@localhost:1/muster\nmore")
	write(t, filepath.Join(f.dir, "empty"), " \n")
	for file, want := range map[string]string{
		"address": "localhost", "lines": "must have one line", "empty": "must have one line",
	} {
		args := []string{"user", "list", "--database-file", file}
		got := f.run(args...)
		f.refusal(got, args, want)
		if strings.Contains(got.err, "hush-hush") {
			t.Errorf("muster %v: got %q, want no password in it", args, got.err)
		}
	}
}

// TestVariables: each setting is a variable too, and a flag beats it.
func TestVariables(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	f.env = []string{
		"MUSTER_DATA=other", "MUSTER_DATABASE=other.db", "MUSTER_KEY_FILE=other.key", "MUSTER_REALM=Other",
		"MUSTER_LISTEN=127.0.0.1:0",
		"MUSTER_BASE_URL=http://assets.example.com", "MUSTER_PLAIN_HTTP=true", "MUSTER_DEMO=true",
		"MUSTER_RATE_LIMIT=1", "MUSTER_LOGIN_LIMIT=1", "MUSTER_LOG_LEVEL=info",
		"MUSTER_MAX_REQUESTS=2", "MUSTER_MAX_CONNECTIONS=20",
	}
	s := f.serve("--realm", "Flag")
	for _, name := range []string{"other", "other.db", "other.key"} {
		if matches, _ := filepath.Glob(filepath.Join(f.dir, name)); matches == nil {
			t.Errorf("there is no %s", name)
		}
	}
	if f.exists("") || s.base != "http://assets.example.com" || !strings.HasPrefix(s.address, "http://") {
		t.Errorf("got the base %s and the address %s, want http://assets.example.com and http", s.base, s.address)
	}
	c := s.admin()
	if got := c.Get("/hardwares.xml?per_page=1"); !strings.Contains(got.Body, "<total_entries>250</total_entries>") ||
		!strings.Contains(got.Body, "<href>http://assets.example.com/hardwares/1.xml</href>") {
		t.Errorf("the demo list: got %d %s", got.Status, got.Body)
	}
	eventually(t, "one request a second", func() bool { return c.Get("/api").Status == http.StatusTooManyRequests })
	var statuses []int
	for range 3 { // each by a new client: one that is refused tries again by itself
		statuses = append(statuses, s.client("nobody@example.com", "whatever it is").Get("/api").Status)
	}
	if want := []int{401, 429, 429}; !slices.Equal(statuses, want) {
		t.Errorf("failed logins: got %v, want %v", statuses, want)
	}
	if got := s.client("", "").Get("/api").Header.Get("WWW-Authenticate"); !strings.Contains(got, `realm="Flag"`) {
		t.Errorf("the challenge: got %q, want the flag's realm", got)
	}
	f.env = append(f.env, "MUSTER_ROLE=requester", "MUSTER_READ_ONLY=true", "MUSTER_PASSWORD_STDIN=true",
		"MUSTER_REALM=Flag")
	if got := f.feed(password, "user", "add", "eve@example.com"); got != (outcome{}) {
		t.Errorf("user add by variables: got %+v, want silence", got)
	}
	if list := f.must("user",
		"list"); !regexp.MustCompile(`eve@example.com +eve@example.com +requester +read-only`).MatchString(list) {
		t.Errorf("user list: got\n%s\nwant a read-only requester", list)
	}
}

// TestLoginLimits are 20 failures in a quarter of an hour of one user from one address,
// and 300 of one address, by default.
func TestLoginLimits(t *testing.T) {
	t.Parallel()
	s := newFolder(t).serve()
	failures := func(user string) (n int) { // until the user has to wait
		for ; n < 400 && s.client(user, "whatever it is").Get("/api").Status == http.StatusUnauthorized; n++ {
		}
		return n
	}
	all := 0
	for i := range 16 {
		n, want := failures(fmt.Sprintf("user%d@example.com", i)), 20
		if i == 15 {
			want = 0
		}
		if all += n; n != want {
			t.Errorf("user %d: got %d failures and then 429, want %d", i, n, want)
		}
	}
	if got := s.admin().Get("/api").Status; got != http.StatusTooManyRequests {
		t.Errorf("another user after %d failures: got %d, want 429", all, got)
	}
}

func TestPlainHTTP(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	s := f.serve("--plain-http")
	if !strings.HasPrefix(s.base, "http://localhost:") || strings.Contains(s.curl, "--cacert") || f.exists("ca.pem") {
		t.Errorf("got the address %s and the line %q, want http and no authority", s.base, s.curl)
	}
	got := s.admin().Do("POST", "/hardwares", "<hardware><name>plain</name></hardware>")
	if want := s.base + "/hardwares/1.xml"; got.Header.Get("Location") != want ||
		!strings.Contains(got.Body, "<href>"+want+"</href>") {
		t.Errorf("got %d, Location %q, want %q", got.Status, got.Header.Get("Location"), want)
	}
}

// TestBaseURL: addresses in documents are the configured ones, whatever the
// request's host is.
func TestBaseURL(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	s := f.serve("--base-url", "https://assets.example.com:8000/", "--allow-host", "desk.example.com")
	if want := "https://assets.example.com:8000"; s.base != want || !strings.Contains(s.curl, " https://localhost:") {
		t.Errorf("got the address %s and the line %q, want %s and a line for this machine", s.base, s.curl, want)
	}
	if names := certificateNames(t, f); !slices.Contains(names, "assets.example.com") {
		t.Errorf("got a certificate for %q, want the base URL's host among them", names)
	}
	c := s.admin()
	c.Host = "assets.example.com"
	made := c.Do("POST", "/hardwares", "<hardware><name>far</name></hardware>")
	c.Host = ""
	for _, text := range []string{
		made.Header.Get("Location"), made.Body, c.Get("/api.xml").Body, c.Get("/hardwares.xml").Body,
		c.Get("/hardwares.xml").Header.Get("Link"),
	} {
		if !strings.Contains(text, "https://assets.example.com:8000/hardwares") || strings.Contains(text, "localhost") {
			t.Errorf("got %s, want addresses that begin with the base URL", text)
		}
	}
	for host, want := range map[string]int{
		"desk.example.com": http.StatusOK, "evil.example.com": http.StatusMisdirectedRequest,
	} {
		c.Host = host
		if got := c.Get("/api.xml"); got.Status != want {
			t.Errorf("as %s: got %d, want %d", host, got.Status, want)
		}
	}
}

// certificateNames returns the names of the certificate that the local
// authority has issued.
func certificateNames(t *testing.T, f *folder) []string {
	block, _ := pem.Decode([]byte(read(t, f.data("tls.pem"))))
	c, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	return c.DNSNames
}

func TestOwnCertificate(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	certFile, keyFile := makeCertificate(t, f.dir, "one")
	_, otherKey := makeCertificate(t, f.dir, "two")
	f.refused([]string{"serve", "--listen", "localhost:0", "--cert-file", certFile, "--cert-key", otherKey},
		certFile, otherKey)
	s := f.serve("--cert-file", certFile, "--cert-key", keyFile)
	if strings.Contains(s.curl, "--cacert") || f.exists("ca.pem") || f.exists("tls.pem") {
		t.Errorf("got the line %q, want no local authority", s.curl)
	}
	c := mustertest.Connect(t, mustertest.Account{Base: s.address, CA: certFile, User: admin, Password: s.password})
	for _, c.Host = range []string{"assets.test", "192.0.2.7"} {
		if got := c.Get("/api.xml"); got.Status != http.StatusOK ||
			!strings.Contains(got.Body, "https://"+c.Host+"/hardwares.xml") {
			t.Errorf("as %s, which the certificate carries: got %d %s", c.Host, got.Status, got.Body)
		}
	}
}

// TestNewCertificate is taken into use while the server runs: at a signal, or
// when its files change; one that is damaged is not.
func TestNewCertificate(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	certFile, keyFile := makeCertificate(t, f.dir, "one")
	s := f.serve("--cert-file", certFile, "--cert-key", keyFile)
	works := func(ca string) bool {
		pool := x509.NewCertPool()
		pool.AppendCertsFromPEM([]byte(read(t, ca)))
		conn, err := tls.Dial("tcp", strings.TrimPrefix(s.address, "https://"),
			&tls.Config{RootCAs: pool, ServerName: "localhost"})
		if err == nil {
			_ = conn.Close()
		}
		return err == nil
	}
	replace := func(cert, key string) {
		write(t, certFile, read(t, cert))
		write(t, keyFile, read(t, key))
	}
	for _, name := range []string{"two", "three"} {
		nextCert, nextKey := makeCertificate(t, f.dir, name)
		replace(nextCert, nextKey)
		if name == "two" {
			s.signal(syscall.SIGHUP)
		}
		eventually(t, "certificate "+name+" is in use", func() bool { return works(nextCert) })
		write(t, certFile, "damaged")
		s.signal(syscall.SIGHUP)
		s.await(s.log, `{"time":`) // the log has begun
		eventually(t, "the damaged one is refused",
			func() bool { return strings.Contains(s.log.String(), "cannot be used") })
		if !works(nextCert) {
			t.Error("after a damaged certificate: the one before is not in use any more")
		}
	}
}

// makeCertificate writes a certificate that signs itself.
func makeCertificate(t *testing.T, dir, name string) (certFile, keyFile string) {
	t.Helper()
	return writeCertificate(t, dir, name, &x509.Certificate{
		DNSNames: []string{"localhost", "assets.test"}, IPAddresses: []net.IP{net.IPv4(192, 0, 2, 7)},
		NotAfter: time.Now().Add(time.Hour),
	})
}

// writeCertificate writes a certificate like template that signs itself.
func writeCertificate(t *testing.T, dir, name string, template *x509.Certificate) (certFile, keyFile string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template.SerialNumber, template.IsCA, template.BasicConstraintsValid = big.NewInt(1), true, true
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	keyDER, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	certFile, keyFile = filepath.Join(dir, name+".pem"), filepath.Join(dir, name+".key")
	write(t, certFile, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})))
	write(t, keyFile, string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: keyDER})))
	return certFile, keyFile
}

// isGroup reports whether a command is there for those below it alone.
func isGroup(command string) bool {
	for other := range flags {
		if command != "" && strings.HasPrefix(other, command+" ") {
			return true
		}
	}
	return false
}
