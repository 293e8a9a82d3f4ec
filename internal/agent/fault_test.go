package agent_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"muster/internal/report"
)

// TestFaults: errors say what is wrong and what to do, and never contain the token.
func TestFaults(t *testing.T) {
	t.Parallel()
	other := newDesk(t)
	for name, test := range map[string]struct {
		serve func(w http.ResponseWriter, r *http.Request)
		want  string
	}{
		"token": {func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusUnauthorized) },
			"muster agent token add"},
		"one of": {
			func(w http.ResponseWriter, r *http.Request) { challenge(w, "Digest realm=\"x\"", "Basic realm=\"x\"") },
			"muster agent token add",
		},
		"people": {
			func(w http.ResponseWriter, r *http.Request) { challenge(w, "Digest realm=\"x\"", "digest realm=\"x\"") },
			"the path of the address is wrong: it should be /ocsinventory",
		},
		"path": {http.NotFound, "/ocsinventory"},
		"page": {func(w http.ResponseWriter, r *http.Request) { _, _ = w.Write([]byte("<html><body>Hello")) },
			"/ocsinventory"},
		"garbage": {func(w http.ResponseWriter, r *http.Request) { _, _ = w.Write([]byte("\x78\x9cnonsense")) },
			"does not answer like a server for agents"},
		"nothing": {func(w http.ResponseWriter, r *http.Request) {}, "does not answer like a server for agents"},
		"broken": {func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusInternalServerError) },
			"its log"},
		"busy": {
			func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusTooManyRequests) }, "later",
		},
		"odd":    {func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusTeapot) }, "418"},
		"closed": {func(w http.ResponseWriter, r *http.Request) { panic(http.ErrAbortHandler) }, "closed"},
		"cut":    {cut, "closed"},
		"redirect": {http.RedirectHandler(other.URL+"/ocsinventory/t/"+token, http.StatusTemporaryRedirect).ServeHTTP,
			"--server"},
		"moved": {http.RedirectHandler(other.URL+"/ocsinventory", http.StatusMovedPermanently).ServeHTTP, "--server"},
		"unknown": {func(w http.ResponseWriter, r *http.Request) { answer(w, 200, report.Taken(report.XML)) },
			"NO_ACCOUNT_UPDATE"},
		"refusal": {func(w http.ResponseWriter, r *http.Request) {
			answer(w, 403, report.Refused(report.XML, "not this computer"))
		}, "not this computer"},
		"bomb": {func(w http.ResponseWriter, r *http.Request) {
			answer(w, 200, report.Refused(report.XML, strings.Repeat(" ", 8<<20)))
		}, "does not answer like a server for agents"},
		"a refusal": {
			func(w http.ResponseWriter, r *http.Request) { answer(w, 200, report.Refused(report.XML, "no")) },
			`"ERROR"`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := httptest.NewTLSServer(http.HandlerFunc(test.serve))
			defer s.Close()
			for _, address := range []string{strings.Replace(s.URL, "://", "://agent:"+token+"@", 1) + "/ocsinventory",
				s.URL + "/ocsinventory/t/" + token} {
				refused(t, address, authority(t, s), test.want)
			}
		})
	}
	if n := len(other.got()); n > 0 {
		t.Errorf("another server got %d messages with the token, want none", n)
	}
}

// answer gives an agent an answer with a status.
func answer(w http.ResponseWriter, status int, a report.Answer) {
	w.Header().Set("Content-Type", a.ContentType)
	w.WriteHeader(status)
	_, _ = w.Write(a.Body)
}

// challenge asks for credentials of one of some schemes.
func challenge(w http.ResponseWriter, schemes ...string) {
	w.Header()["Www-Authenticate"] = schemes
	w.WriteHeader(http.StatusUnauthorized)
}

// cut promises more than it sends.
func cut(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Length", "100")
	_, _ = w.Write([]byte("<REPLY>"))
}

// refused checks that a report fails with a text.
func refused(t *testing.T, address, ca, want string) {
	t.Helper()
	err := reporter(t, address, ca).Report(context.Background())
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want a text with %q", err, want)
	}
	if err != nil && strings.Contains(err.Error(), token) {
		t.Errorf("got %v, which tells the token", err)
	}
}

// TestUnreachable: servers that are not there, or are not who they say.
func TestUnreachable(t *testing.T) {
	t.Parallel()
	d, plain := newDesk(t), httptest.NewServer(http.NotFoundHandler())
	defer plain.Close()
	refused(t, d.address(), "", "--ca")
	own := newAuthority(t)
	refused(t, d.address(), own, "--ca")
	_, port, _ := net.SplitHostPort(d.Listener.Addr().String())
	refused(t, "https://agent:"+token+"@localhost:"+port, d.ca, "another name")
	odd, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer odd.Close()
	go func() {
		if conn, err := odd.Accept(); err == nil {
			_, _ = conn.Write([]byte("SSH-2.0-OpenSSH_9.2\r\n"))
			_ = conn.Close()
		}
	}()
	refused(t, "https://agent:"+token+"@"+odd.Addr().String(), d.ca, "does not speak TLS")
	refused(t, strings.Replace(plain.URL, "http:", "https:", 1), d.ca, "HTTPS")
	address := d.address()
	d.Close()
	refused(t, address, d.ca, "nobody listens")
	refused(t, "https://agent:"+token+"@no-such-host.invalid", d.ca, "no such name")
}

// newAuthority writes the certificate of an authority that signed no server here.
func newAuthority(t *testing.T) string {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), IsCA: true, BasicConstraintsValid: true, NotAfter: time.Now().Add(time.Hour),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "other.pem")
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestRefusedReport: the server's reason comes through.
func TestRefusedReport(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.taken = report.Refused(report.XML, "too many computers today")
	refused(t, d.address(), d.ca, "too many computers today")
}

// TestState: without a place for its id an agent does not report; a damaged id is replaced.
func TestState(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	r := reporter(t, d.address(), d.ca)
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, []byte("\x00\xff"), 0o600); err != nil {
		t.Fatal(err)
	}
	good := r.State
	r.State = filepath.Join(file, "below")
	if err := r.Report(context.Background()); err == nil || !strings.Contains(err.Error(), "--state") ||
		len(d.got()) > 0 {
		t.Errorf("got %v and %d messages, want an error that names --state, and none", err, len(d.got()))
	}
	r.State = good
	if _, err := r.Document(context.Background()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(good); err == nil {
		t.Error("to show the document, an id was kept")
	}
	for _, damage := range []string{"", "\x00\xff\n", strings.Repeat("x", 1000)} {
		if err := os.MkdirAll(good, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(good, "device-id"), []byte(damage), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := r.Report(context.Background()); err != nil {
			t.Fatal(err)
		}
		if text, err := os.ReadFile(filepath.Join(good, "device-id")); err != nil ||
			string(text) != "front-desk-2026-11-15-13-50-07\n" {
			t.Errorf("after %.20q: got %q, %v, want a new id", damage, text, err)
		}
	}
}
