package cert_test

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"muster/internal/cert"
)

var (
	start = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	names = []string{"localhost", "127.0.0.1", "::1", "Desk.Example.org."}
)

// A clock is a time that a test sets.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) Add(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

const day = 24 * time.Hour

func newLocal(t *testing.T, dir string, names []string, c *clock) *cert.Source {
	t.Helper()
	s, err := cert.Local(dir, names, c.Now)
	if err != nil {
		t.Fatalf("Local: %v", err)
	}
	return s
}

func current(t *testing.T, s *cert.Source) *x509.Certificate {
	t.Helper()
	c, err := s.Certificate(nil)
	if err != nil {
		t.Fatalf("Certificate: %v", err)
	}
	return c.Leaf
}

func readFile(t *testing.T, path ...string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(path...))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// handshake connects to a listener with the source's certificate as a client that trusts dir/ca.pem alone.
func handshake(t *testing.T, s *cert.Source, dir, name string, now func() time.Time) error {
	t.Helper()
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(readFile(t, dir, "ca.pem")) {
		t.Fatal("ca.pem holds no certificate")
	}
	listener, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{GetCertificate: s.Certificate, Time: now})
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	go func() {
		if conn, err := listener.Accept(); err == nil {
			_ = conn.(*tls.Conn).Handshake()
			_ = conn.Close()
		}
	}()
	conn, err := tls.Dial("tcp", listener.Addr().String(), &tls.Config{RootCAs: pool, ServerName: name, Time: now})
	if err != nil {
		return err
	}
	return conn.Close()
}

func TestHandshake(t *testing.T) {
	dir, c := t.TempDir(), &clock{now: start}
	s := newLocal(t, dir, names, c)
	for _, name := range []string{"localhost", "127.0.0.1", "::1", "desk.example.org"} {
		if err := handshake(t, s, dir, name, c.Now); err != nil {
			t.Errorf("%s: got %v, want a handshake", name, err)
		}
	}
	if err := handshake(t, s, dir, "evil.example.org", c.Now); err == nil {
		t.Error("evil.example.org: got a handshake, want an error")
	}
	if got, want := s.Names(), []string{"localhost", "desk.example.org", "127.0.0.1", "::1"}; !slices.Equal(got, want) {
		t.Errorf("Names: got %q, want %q", got, want)
	}
}

// TestForm checks what browsers and strict verifiers ask of the two certificates.
func TestForm(t *testing.T) {
	dir, c := t.TempDir(), &clock{now: start}
	leaf := current(t, newLocal(t, dir, names, c))
	own, err := tls.LoadX509KeyPair(filepath.Join(dir, "ca.pem"), filepath.Join(dir, "ca.key"))
	if err != nil {
		t.Fatal(err)
	}
	ca := own.Leaf
	for _, check := range []struct {
		what string
		ok   bool
	}{
		{"authority is one", ca.IsCA && ca.BasicConstraintsValid && ca.MaxPathLenZero},
		{"authority's usage", ca.KeyUsage == x509.KeyUsageCertSign|x509.KeyUsageCRLSign},
		{"authority's name", strings.HasPrefix(ca.Subject.CommonName, "Muster local authority")},
		{"authority's life", ca.NotAfter.Equal(start.AddDate(10, 0, 0))},
		{"certificate is no authority", !leaf.IsCA && leaf.BasicConstraintsValid},
		{"usage", leaf.KeyUsage == x509.KeyUsageDigitalSignature},
		{"extended usage", slices.Equal(leaf.ExtKeyUsage, []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth})},
		{"life", leaf.NotAfter.Sub(leaf.NotBefore) == 397*day && leaf.NotBefore.Before(start)},
		{"key identifiers", len(ca.SubjectKeyId) > 0 && bytes.Equal(leaf.AuthorityKeyId, ca.SubjectKeyId)},
		{"own key identifier", len(leaf.SubjectKeyId) > 0 && !bytes.Equal(leaf.SubjectKeyId, ca.SubjectKeyId)},
		{"serial number", leaf.SerialNumber.BitLen() > 64},
		{"algorithm", leaf.SignatureAlgorithm == x509.ECDSAWithSHA256},
	} {
		if !check.ok {
			t.Errorf("%s: got false, want true", check.what)
		}
	}
}

func TestPermissions(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	newLocal(t, dir, names, &clock{now: start})
	for name, want := range map[string]fs.FileMode{
		".": 0o700, "ca.pem": 0o644, "ca.key": 0o600, "tls.pem": 0o644, "tls.key": 0o600,
	} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Mode().Perm(); got != want {
			t.Errorf("%s: got mode %o, want %o", name, got, want)
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 4 {
		t.Errorf("got %d files (%v), want 4: nothing is left over", len(entries), err)
	}
}

// TestSecondStart checks when a stored certificate is used again.
func TestSecondStart(t *testing.T) {
	remove := func(name string) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			if err := os.Remove(filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	damage := func(name, with string) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(with), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	foreign := func(t *testing.T, dir string) {
		other := t.TempDir()
		newLocal(t, other, names, &clock{now: start})
		for _, name := range []string{"tls.pem", "tls.key"} {
			damage(name, string(readFile(t, other, name)))(t, dir)
		}
	}
	for _, test := range []struct {
		name   string
		later  time.Duration
		names  []string
		change func(*testing.T, string)
		reused bool
	}{
		{name: "at once", names: names, reused: true},
		{name: "fewer names", names: names[:1], reused: true},
		{name: "31 days before the end", later: 365 * day, names: names, reused: true},
		{name: "29 days before the end", later: 368 * day, names: names},
		{name: "after the end", later: 500 * day, names: names},
		{name: "clock set back", later: -30 * time.Minute, names: names, reused: true},
		{name: "another name", names: append([]string{"new.example.org"}, names...)},
		{name: "another address", names: append([]string{"192.0.2.7"}, names...)},
		{name: "no certificate", names: names, change: remove("tls.pem")},
		{name: "no key", names: names, change: remove("tls.key")},
		{name: "damaged certificate", names: names, change: damage("tls.pem", "-----BEGIN")},
		{name: "damaged key", names: names, change: damage("tls.key", "")},
		{name: "another authority's", names: names, change: foreign},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir, c := t.TempDir(), &clock{now: start}
			first := current(t, newLocal(t, dir, names, c))
			if test.change != nil {
				test.change(t, dir)
			}
			ca := readFile(t, dir, "ca.pem")
			c.Add(test.later)
			s := newLocal(t, dir, test.names, c)
			if got := current(t, s).Equal(first); got != test.reused {
				t.Errorf("reused: got %v, want %v", got, test.reused)
			}
			if !bytes.Equal(ca, readFile(t, dir, "ca.pem")) {
				t.Error("ca.pem: got a new authority, want the first")
			}
			if err := handshake(t, s, dir, "localhost", c.Now); err != nil {
				t.Errorf("got %v, want a handshake", err)
			}
			if again := current(t, newLocal(t, dir, test.names, c)); !again.Equal(current(t, s)) {
				t.Error("third start: got another certificate, want the second")
			}
		})
	}
}

// TestAuthorityKept checks that an authority that cannot be used is reported and left as it is.
func TestAuthorityKept(t *testing.T) {
	for _, test := range []struct {
		name, file, with string // without a text, the file is removed
		later            time.Duration
		want             string
	}{
		{name: "no certificate", file: "ca.pem", want: "ca.pem"},
		{name: "no key", file: "ca.key", want: "ca.key"},
		{name: "damaged certificate", file: "ca.pem", with: "x", want: "ca.pem"},
		{name: "damaged key", file: "ca.key", with: "x", want: "ca.key"},
		{name: "past its end", later: 3660 * day, want: "set the clock"},
		{name: "not yet valid", later: -2 * time.Hour, want: "set the clock"},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir, c := t.TempDir(), &clock{now: start}
			newLocal(t, dir, names, c)
			file := filepath.Join(dir, test.file)
			if test.file != "" {
				if err := os.Remove(file); err != nil {
					t.Fatal(err)
				}
			}
			if test.with != "" {
				if err := os.WriteFile(file, []byte(test.with), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			c.Add(test.later)
			before := contents(t, dir)
			_, err := cert.Local(dir, names, c.Now)
			if err == nil || !strings.Contains(err.Error(), filepath.Join(dir, "ca.")) ||
				!strings.Contains(err.Error(), test.want) {
				t.Errorf("got error %v, want one that names the file and has %q", err, test.want)
			}
			if got := contents(t, dir); got != before {
				t.Errorf("folder: got %s, want %s", got, before)
			}
		})
	}
}

// TestAuthorityOfAnotherKey puts another authority's key beside ca.pem, and a certificate that is no authority's.
func TestAuthorityOfAnotherKey(t *testing.T) {
	for _, test := range []struct{ certificate, key, want string }{
		{"ca.pem", "tls.key", "does not match"},
		{"tls.pem", "tls.key", "not the certificate of an authority"},
	} {
		dir, other, c := t.TempDir(), t.TempDir(), &clock{now: start}
		newLocal(t, other, names, c)
		for to, from := range map[string]string{"ca.pem": test.certificate, "ca.key": test.key} {
			if err := os.WriteFile(filepath.Join(dir, to), readFile(t, other, from), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := cert.Local(dir, names, c.Now); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s with %s: got error %v, want %q", test.certificate, test.key, err, test.want)
		}
	}
}

// contents returns all that is in a folder, to compare.
func contents(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		fmt.Fprintf(&b, "%s=%q ", e.Name(), readFile(t, dir, e.Name()))
	}
	return b.String()
}

func TestRenewWhileServing(t *testing.T) {
	dir, c := t.TempDir(), &clock{now: start}
	s := newLocal(t, dir, names, c)
	first := current(t, s)
	c.Add(365 * day)
	if !current(t, s).Equal(first) {
		t.Error("31 days before the end: got another certificate, want the first")
	}
	c.Add(3 * day)

	var all sync.WaitGroup
	seen := make([]*x509.Certificate, 50)
	for n := range seen {
		all.Go(func() {
			if got, err := s.Certificate(nil); err == nil {
				seen[n] = got.Leaf
			}
		})
	}
	all.Wait()
	for n, got := range seen {
		if got == nil || got.Equal(first) || !got.Equal(seen[0]) {
			t.Fatalf("handshake %d of %d: got %v, want the same new certificate for all", n, len(seen), got)
		}
	}
	if err := handshake(t, s, dir, "localhost", c.Now); err != nil {
		t.Errorf("got %v, want a handshake", err)
	}
	if stored := current(t, newLocal(t, dir, names, c)); !stored.Equal(seen[0]) {
		t.Error("next start: got another certificate, want the renewed one")
	}
}

// TestRenewWithoutFolder checks that a server outlives the folder it would store its next certificate in.
func TestRenewWithoutFolder(t *testing.T) {
	dir, c := filepath.Join(t.TempDir(), "data"), &clock{now: start}
	s := newLocal(t, dir, names, c)
	first := current(t, s)
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	c.Add(380 * day)
	if next := current(t, s); next.Equal(first) || next.NotAfter.Before(c.Now().Add(300*day)) {
		t.Errorf("got a certificate until %v, want a new one", next.NotAfter)
	}
}

// TestAuthorityEnds checks that a certificate ends with its authority at the latest, and is then not issued over
// and over.
func TestAuthorityEnds(t *testing.T) {
	dir, c := t.TempDir(), &clock{now: start}
	newLocal(t, dir, names, c)
	end := start.AddDate(10, 0, 0)
	c.Add(end.Sub(start) - 20*day)
	s := newLocal(t, dir, names, c)
	last := current(t, s)
	if !last.NotAfter.Equal(end) {
		t.Errorf("got a certificate until %v, want %v", last.NotAfter, end)
	}
	if !current(t, s).Equal(last) || !current(t, newLocal(t, dir, names, c)).Equal(last) {
		t.Error("got another certificate, want the last one again")
	}
}

func TestFiles(t *testing.T) {
	dir, c := t.TempDir(), &clock{now: start}
	local := newLocal(t, dir, names, c)
	leaf := current(t, local)
	certFile, keyFile := filepath.Join(dir, "tls.pem"), filepath.Join(dir, "tls.key")
	own, err := cert.Files(certFile, keyFile)
	if err != nil {
		t.Fatalf("Files: %v", err)
	}
	c.Add(500 * day)
	if !current(t, own).Equal(leaf) || !slices.Equal(own.Names(), local.Names()) {
		t.Errorf("got %q, want the certificate of the file", own.Names())
	}
	for _, files := range [][2]string{
		{certFile, filepath.Join(dir, "none.key")},
		{filepath.Join(dir, "none.pem"), keyFile},
		{certFile, filepath.Join(dir, "ca.key")},
		{keyFile, keyFile},
	} {
		if _, err := cert.Files(files[0], files[1]); err == nil || !strings.Contains(err.Error(), files[0]) {
			t.Errorf("%q: got error %v, want one that names the file", files, err)
		}
	}
}

func TestBadNames(t *testing.T) {
	for _, names := range [][]string{nil, {""}, {"a b"}, {"bücher.example"}, {"-a"}, {"a..b"}, {"[::1]"}, {
		"host:8443",
	}} {
		dir := t.TempDir()
		if _, err := cert.Local(dir, names, time.Now); err == nil {
			t.Errorf("%q: got no error, want one", names)
		}
		if got := contents(t, dir); got != "" {
			t.Errorf("%q: got files %s, want none", names, got)
		}
	}
}

func TestMachineNames(t *testing.T) {
	got := cert.MachineNames()
	if want := []string{"localhost", "127.0.0.1", "::1"}; !slices.Equal(got[:3], want) {
		t.Errorf("got %q, want it to begin with %q", got, want)
	}
	if host, err := os.Hostname(); err == nil && !slices.Contains(got, strings.ToLower(host)) {
		t.Errorf("got %q, want the host name %q in it", got, host)
	}
	for n, name := range got {
		if ip := net.ParseIP(name); ip != nil && ip.IsLinkLocalUnicast() {
			t.Errorf("got the link-local address %s, want none", name)
		}
		if slices.Contains(got[:n], name) {
			t.Errorf("got %s twice, want it once", name)
		}
	}
	newLocal(t, t.TempDir(), got, &clock{now: start})
}
