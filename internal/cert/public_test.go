package cert_test

import (
	"crypto/tls"
	"net"
	"path/filepath"
	"slices"
	"testing"

	"muster/internal/cert"
)

// arrived is a connection at an address of this machine.
type arrived struct {
	net.Conn
	at net.IP
}

func (a arrived) LocalAddr() net.Addr { return &net.TCPAddr{IP: a.at, Port: 443} }

// publicOf returns a certificate that another authority has issued for names.
func publicOf(t *testing.T, names ...string) (certFile, keyFile string) {
	t.Helper()
	dir := t.TempDir()
	newLocal(t, dir, names, &clock{now: start})
	return filepath.Join(dir, "tls.pem"), filepath.Join(dir, "tls.key")
}

// TestPublic checks who is shown which certificate once there is a public one.
func TestPublic(t *testing.T) {
	s := newLocal(t, t.TempDir(), names, &clock{now: start})
	local := current(t, s)
	public, err := tls.LoadX509KeyPair(publicOf(t, "assets.example.com", "desk.example.org"))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Public(&public); err != nil {
		t.Fatalf("Public: %v", err)
	}
	loopback, elsewhere := net.IPv6loopback, net.IPv4(192, 0, 2, 7)
	for _, test := range []struct {
		asked  string
		at     net.IP
		public bool
	}{
		{"assets.example.com", elsewhere, true},
		{"ASSETS.example.com", elsewhere, true},
		{"assets.example.com", loopback, true},
		{"desk.example.org", elsewhere, true},
		{"localhost", loopback, false},
		{"evil.example.com", elsewhere, false},
		{"", loopback, false},
		{"", elsewhere, true},
	} {
		got, err := s.Certificate(&tls.ClientHelloInfo{ServerName: test.asked, Conn: arrived{at: test.at}})
		if err != nil || got.Leaf.Equal(public.Leaf) != test.public || got.Leaf.Equal(local) == test.public {
			t.Errorf("%q at %s: got the certificate for %q (%v), want public %v", test.asked, test.at,
				got.Leaf.DNSNames, err, test.public)
		}
	}
	if !current(t, s).Equal(public.Leaf) {
		t.Error("without a handshake: got the local certificate, want the public one")
	}
	want := []string{"assets.example.com", "desk.example.org", "localhost", "127.0.0.1", "::1"}
	if got := s.Names(); !slices.Equal(got, want) {
		t.Errorf("Names: got %q, want %q", got, want)
	}
}

// TestVouched checks for which names others than the local authority vouch.
func TestVouched(t *testing.T) {
	certFile, keyFile := publicOf(t, "assets.example.com")
	own, err := cert.Files(certFile, keyFile)
	if err != nil {
		t.Fatal(err)
	}
	public, err := tls.LoadX509KeyPair(certFile, keyFile)
	if err != nil {
		t.Fatal(err)
	}
	if err := own.Public(&public); err == nil {
		t.Error("a public certificate in front of an own one: got no error, want one")
	}
	local := newLocal(t, t.TempDir(), names, &clock{now: start})
	both := newLocal(t, t.TempDir(), names, &clock{now: start})
	if err := both.Public(&public); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		what string
		s    *cert.Source
		name string
		want bool
	}{
		{"own", own, "assets.example.com", true},
		{"own", own, "desk.example.org", false},
		{"local", local, "desk.example.org", false},
		{"both", both, "assets.example.com", true},
		{"both", both, "desk.example.org", false},
	} {
		if got := test.s.Vouched(test.name); got != test.want {
			t.Errorf("%s, %s: got %v, want %v", test.what, test.name, got, test.want)
		}
	}
}

// TestNamesCost: names are asked for at most requests.
func TestNamesCost(t *testing.T) {
	s := newLocal(t, t.TempDir(), names, &clock{now: start})
	if got := testing.AllocsPerRun(100, func() { s.Names() }); got != 0 {
		t.Errorf("got %v allocations, want none: they are made once a certificate", got)
	}
}
