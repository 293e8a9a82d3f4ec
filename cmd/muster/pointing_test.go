//go:build full

package main_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"muster/internal/mustertest"
)

// TestAgentTokenAddress: the address is the one by which agents reach the server,
// and a certificate of its own authority is mentioned when they need it.
func TestAgentTokenAddress(t *testing.T) {
	t.Parallel()
	const ownAuthority = "The server has a certificate of its own authority"
	for _, c := range []struct {
		name, serve, add string
		want             string   // what the address is like, without the credential
		has, lacks       []string // what is said
	}{
		{"usual", "", "", `https://localhost:\d+/`, []string{ownAuthority, "listens on this machine alone"}, nil},
		{"base URL", "--base-url https://assets.example.com:8000/muster/", "",
			`https://assets.example.com:8000/muster/`,
			[]string{ownAuthority}, []string{"alone", "guess", "is not for"}},
		{"proxy", "--base-url https://assets.example.com --trusted-proxy 127.0.0.1", "", `https://assets.example.com/`,
			nil, []string{ownAuthority, "is not for"}},
		{"own certificate", "--cert-file one.pem --cert-key one.key --base-url https://assets.test", "",
			`https://assets.test/`, nil, []string{ownAuthority, "is not for"}},
		{"of another name", "--cert-file one.pem --cert-key one.key --base-url https://assets.example.com", "",
			`https://assets.example.com/`,
			[]string{"certificate is not for assets.example.com"}, []string{ownAuthority}},
		{"plain HTTP", "--plain-http", "", `http://localhost:\d+/`, []string{
			"MUSTER_SERVER=http://", "MUSTER_SERVER='http://", "SSL=0",
		},
			[]string{"muster-ca.pem", "ca-certificates.crt", "--ca", "SSL=1", "Without TLS"}},
		{"given", "", "--url http://10.0.0.1/muster/ocsinventory/", `http://10.0.0.1/muster/`,
			[]string{"Without TLS", "its settings are left out", "/SSL=0 ", "\n    SSL=0\n", "/etc/glpi-agent"},
			[]string{"muster-ca.pem", "alone", "MUSTER_SERVER", "SSL=1"}},
		{"given, of another name", "", "--url https://assets.example.com", `https://assets.example.com/`,
			[]string{ownAuthority, "is not for assets.example.com", "--base-url https://assets.example.com"},
			[]string{"alone"}},
		{"ACME", "--acme assets.example.com --acme-directory https://localhost:1/directory", "",
			`https://assets.example.com/`, nil, []string{ownAuthority, "is not for"}},
		{"other database", "", "--database other.db --url https://[fd00::1]:8443", `https://\[fd00::1\]:8443/`,
			[]string{ownAuthority}, []string{"guess", "is not for"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFolder(t)
			makeCertificate(t, f.dir, "one")
			f.must("user", "add", admin, "--role", "administrator", "--database", "other.db")
			f.serve(strings.Fields(c.serve)...)
			secret, out := f.addAgentToken(strings.Fields(c.add)...)
			want := strings.Replace(c.want, "://", "://agent:"+secret+"@", 1) + "ocsinventory"
			if address, _, _ := strings.Cut(out, "\n"); !regexp.MustCompile("^" + want + "$").MatchString(address) {
				t.Errorf("got the address %s, want %s", address, want)
			}
			for _, text := range c.has {
				if !strings.Contains(out, text) {
					t.Errorf("got\n%s\nwant %q in it", out, text)
				}
			}
			for _, text := range c.lacks {
				if strings.Contains(out, text) {
					t.Errorf("got\n%s\nwant no %q in it", out, text)
				}
			}
		})
	}
}

// TestAgentTokenReached: a server that listens on all addresses is reached at the
// one that is printed, whose certificate fits.
func TestAgentTokenReached(t *testing.T) {
	t.Parallel()
	for _, listen := range []string{":0", "0.0.0.0:0", "[::]:0"} {
		f := newFolder(t)
		f.serve("--listen", listen)
		_, out := f.addAgentToken()
		line, _, _ := strings.Cut(out, "\n")
		u, err := url.Parse(line)
		if err != nil || strings.HasPrefix(u.Hostname(), "localhost") || strings.HasPrefix(u.Hostname(), "127.") {
			t.Errorf("--listen %s: got %s, error %v, want a name or an address that others can reach", listen,
				line, err)
			continue
		}
		c := mustertest.Connect(t, mustertest.Account{Base: "https://" + u.Host, CA: f.data("ca.pem")})
		if got := c.Get("/healthz").Status; got != http.StatusOK {
			t.Errorf("--listen %s: %s: got %d, want 200", listen, line, got)
		}
	}
}

// TestAgentTokenGuess: without a server the address is a guess, which is said.
func TestAgentTokenGuess(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	f.serve().stop()
	_, out := f.addAgentToken()
	if line, _, _ := strings.Cut(out, "\n"); !strings.HasSuffix(line, ":8443/ocsinventory") ||
		!strings.Contains(out, "is a guess") || !strings.Contains(out, f.data("ca.pem")) {
		t.Errorf("got\n%s\nwant the usual port, that it is a guess, and the authority", out)
	}
	_, out = f.addAgentToken("--url", "https://assets.example.com")
	if line, _, _ := strings.Cut(out, "\n"); !strings.HasSuffix(line, "@assets.example.com/ocsinventory") ||
		strings.Contains(out, "guess") {
		t.Errorf("got\n%s\nwant the address that was given", out)
	}
	if _, out = f.addAgentToken("--url", "http://assets.example.com"); !strings.Contains(out, "Without TLS") ||
		strings.Contains(out, "MUSTER_SERVER") {
		t.Errorf("got\n%s\nwant a warning, and no settings of our own agent", out)
	}
}

// TestAgentTokenSettings are those of each sort of agent, by the names that their
// manuals have.
func TestAgentTokenSettings(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	certFile, keyFile := makeCertificate(t, f.dir, "one")
	s := f.serve("--base-url", "https://assets.test")
	ocs := func(ca string) []string {
		return []string{
			"\n    server=URL\n    ca=" + ca + "\n",
			"\n    OCS-Windows-Agent-Setup-x64.exe /S /NOW /SSL=1 /SERVER=URL /CA=C:\\ProgramData\\muster-ca.pem\n",
			"\n    Server=URL\n    SSL=1\n    CaBundle=C:\\ProgramData\\muster-ca.pem\n",
		}
	}
	expect := func(wants []string) {
		t.Helper()
		_, out := f.addAgentToken()
		address, rest, _ := strings.Cut(out, "\n")
		for _, want := range wants {
			if want = strings.ReplaceAll(want, "URL", address); !strings.Contains(rest, want) {
				t.Errorf("got\n%s\nwant in it\n%s", out, want)
			}
		}
	}
	expect(append(ocs("/etc/muster-ca.pem"),
		"first copy "+f.data("ca.pem")+" to each computer",
		"/etc/glpi-agent/conf.d/muster.cfg", "/etc/fusioninventory/conf.d/muster.cfg",
		"\n    server = URL\n    ca-cert-file = /etc/muster-ca.pem\n",
		"\n    msiexec /i GLPI-Agent-x64.msi /quiet RUNNOW=1 SERVER=URL CA_CERT_FILE=C:\\ProgramData\\muster-ca.pem\n",
		" /server=URL /ca-cert-file=C:\\ProgramData\\muster-ca.pem\n",
		"\n    MUSTER_SERVER=URL\n    MUSTER_CA=/etc/muster-ca.pem\n",
		"\n    MUSTER_SERVER='URL' muster agent run --ca '"+f.data("ca.pem")+"'\n",
	))
	s.stop()
	f.serve("--base-url", "https://assets.test", "--cert-file", certFile, "--cert-key", keyFile)
	expect(append(ocs("/etc/ssl/certs/ca-certificates.crt"),
		"\n    server = URL\n\n", "/quiet RUNNOW=1 SERVER=URL\n", " /server=URL\n", "\n    MUSTER_SERVER=URL\n\n",
		"\n    MUSTER_SERVER='URL' muster agent run\n"))
}
