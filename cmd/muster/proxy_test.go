//go:build full

package main_test

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"muster/internal/mustertest"
)

// TestNginx reaches the server through a real proxy, which may speak TLS or
// leave it to the server, and may serve it below a path.
func TestNginx(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, scheme, below string
		args                []string
	}{
		{"TLS at the proxy", "https", "", []string{"--plain-http"}},
		{"TLS at the server", "http", "", nil},
		{"TLS at both", "https", "", nil},
		{"below a path", "https", "/it/muster", []string{"--plain-http"}},
		{"below a path, TLS at the server", "http", "/it/muster", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := newFolder(t)
			port := freePort(t)
			public := fmt.Sprintf("%s://localhost:%s%s", test.scheme, port, test.below)
			args := append(test.args, "--trusted-proxy", "127.0.0.1", "--trusted-proxy", "::1")
			if test.below != "" {
				args = append(args, "--base-url", public)
			}
			s := f.serve(args...)
			own := newFolder(t).serve() // whose certificate the proxy has
			startNginx(t, nginxConfig(test.scheme, port, test.below, s, own))
			c := mustertest.Connect(t,
				mustertest.Account{Base: public, CA: own.f.data("ca.pem"), User: admin, Password: s.password})
			if got, want := tellStory(c, "behind"), fmt.Sprintf(story, "behind"); got != want {
				t.Errorf("got\n%s\nwant\n%s\nlog of the server:\n%s", got, want, s.log)
			}
			made := c.Do("POST", "/hardwares", "<hardware><name>x</name></hardware>")
			if location := made.Header.Get("Location"); !strings.HasPrefix(location, public+"/hardwares/") {
				t.Errorf("got Location %s, want one below %s", location, public)
			}
			if list := c.Get("/hardwares?name=*%20x&site=a%2Fb"); list.Status != 200 {
				t.Errorf("a query with encoded characters: got %d %s", list.Status, list.Body)
			}
		})
	}
}

// TestNginxHSTS: HSTS is sent when the proxy serves browsers by HTTPS, and not
// otherwise.
func TestNginxHSTS(t *testing.T) {
	t.Parallel()
	const name = "assets.example.com"
	for _, test := range []struct {
		scheme, host, want string
		args               []string
	}{
		{"https", name, "max-age=2592000", []string{"--plain-http"}},
		{"https", name, "max-age=2592000", nil},
		{"https", name, "", []string{"--plain-http", "--hsts", "off"}},
		{"https", "localhost", "", []string{"--plain-http"}},
		{"http", name, "", []string{"--plain-http"}},
		{"http", name, "", nil},
	} {
		t.Run(fmt.Sprint(test.scheme, test.host, test.args), func(t *testing.T) {
			port := freePort(t)
			s := newFolder(t).serve(append(test.args, "--trusted-proxy", "127.0.0.1", "--trusted-proxy", "::1",
				"--allow-host", name)...)
			own := newFolder(t).serve() // whose certificate the proxy has
			startNginx(t, nginxConfig(test.scheme, port, "", s, own))
			c := mustertest.Connect(t,
				mustertest.Account{Base: test.scheme + "://localhost:" + port, CA: own.f.data("ca.pem"), User: admin,
					Password: s.password})
			c.Host = test.host
			r := c.Get("/api.xml")
			if got := r.Header.Get("Strict-Transport-Security"); r.Status != 200 || got != test.want {
				t.Errorf("got %d and Strict-Transport-Security %q, want 200 and %q", r.Status, got, test.want)
			}
		})
	}
}

// nginxConfig returns a configuration that passes everything on to s, with the
// certificate of own.
func nginxConfig(scheme, port, below string, s, own *service) string {
	_, at, _ := strings.Cut(s.address, "://")
	upstream, verify, listen := "http://"+at, "", "127.0.0.1:"+port
	if s.f.exists("ca.pem") { // it speaks TLS
		upstream = "https://" + at
		verify = fmt.Sprintf("proxy_ssl_trusted_certificate %s; proxy_ssl_verify on; proxy_ssl_name localhost;",
			s.f.data("ca.pem"))
	}
	if scheme == "https" {
		listen += fmt.Sprintf(" ssl; ssl_certificate %s; ssl_certificate_key %s", own.f.data("tls.pem"),
			own.f.data("tls.key"))
	}
	return fmt.Sprintf(`daemon off; master_process off; pid nginx.pid; error_log stderr;
events {}
http {
	access_log off;
	client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi; uwsgi_temp_path uwsgi; scgi_temp_path scgi;
	server {
		listen %s;
		location %s/ {
			proxy_pass %s;
			proxy_http_version 1.1;
			proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
			proxy_set_header X-Forwarded-Proto $scheme;
			proxy_set_header X-Forwarded-Host $http_host;
			%s
		}
	}
}
`, listen, below, upstream, verify)
}

// startNginx runs nginx until the test ends.
func startNginx(t *testing.T, config string) {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "nginx.conf"), config)
	cmd := exec.Command("/usr/sbin/nginx", "-p", dir, "-c", filepath.Join(dir, "nginx.conf"))
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatalf("start nginx: %v", err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // it was killed
	})
	_, rest, _ := strings.Cut(config, "listen ")
	address := rest[:strings.IndexAny(rest, "; ")]
	eventually(t, "nginx listens", func() bool {
		c, err := net.Dial("tcp", address)
		if err == nil {
			_ = c.Close()
		}
		return err == nil
	})
}
