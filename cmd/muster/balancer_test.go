//go:build full && volume

package main_test

import (
	"fmt"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"muster/internal/mustertest"
)

// TestFaultBalancer stops nodes one by one and starts them again behind HAProxy, with the configuration that the
// documentation names, while programs read and write through it: no request fails.
func TestFaultBalancer(t *testing.T) {
	t.Parallel()
	database, key := mustertest.Postgres.New(t), filepath.Join(t.TempDir(), "server.key")
	var nodes []*service
	var addresses, authorities []string
	password := ""
	for range 2 {
		f, address := newFolder(t), "127.0.0.1:"+freePort(t)
		f.env = []string{"MUSTER_DATABASE=" + database, "MUSTER_KEY_FILE=" + key, "MUSTER_RATE_LIMIT=0",
			"MUSTER_BASE_URL=https://assets.example", "MUSTER_LISTEN=" + address, "MUSTER_DRAIN=5s",
			"MUSTER_TRUSTED_PROXY=127.0.0.1"}
		s := f.serve()
		password += s.password
		nodes, addresses = append(nodes, s), append(addresses, address)
		authorities = append(authorities, read(t, f.data("ca.pem")))
	}
	ca := filepath.Join(t.TempDir(), "ca.pem")
	write(t, ca, strings.Join(authorities, ""))
	base := startHAProxy(t, nodes[0], ca, addresses)

	made, read := atomic.Int64{}, atomic.Int64{}
	end, working := make(chan struct{}), sync.WaitGroup{}
	for i := range 8 {
		c := mustertest.Connect(t, mustertest.Account{Base: base, CA: ca, User: admin, Password: password})
		working.Go(func() {
			for j := 0; ; j++ {
				select {
				case <-end:
					return
				default:
				}
				doc := fmt.Sprintf("<hardware><name>program %d, computer %d</name></hardware>", i, j)
				if got := c.Do("POST", "/hardwares", doc); got.Status == http.StatusCreated {
					made.Add(1)
				} else {
					t.Errorf("POST: got %d %s, want 201", got.Status, got.Body)
				}
				if got := c.Get("/hardwares.xml?per_page=5"); got.Status == http.StatusOK {
					read.Add(1)
				} else {
					t.Errorf("GET: got %d %s, want 200", got.Status, got.Body)
				}
			}
		})
	}
	// works waits until a node has answered some requests.
	works := func(s *service) {
		t.Helper()
		before := strings.Count(s.log.String(), `"msg":"request"`)
		eventually(t, "a node works", func() bool { return strings.Count(s.log.String(), `"msg":"request"`) > before+50 })
	}
	for i, s := range nodes {
		works(nodes[1-i])
		if status := s.stop(); status != 0 {
			t.Errorf("exit status: got %d, want 0\n%s", status, s.log)
		}
		nodes[i] = s.f.serve()
		works(nodes[i])
	}
	close(end)
	working.Wait()
	t.Logf("%d computers made, %d lists read", made.Load(), read.Load())
	c := mustertest.Connect(t, mustertest.Account{Base: base, CA: ca, User: admin, Password: password})
	eventually(t, "the list has all that was made", func() bool {
		return c.Get("/hardwares.xml?per_page=1").Header.Get("X-Total-Count") == fmt.Sprint(made.Load())
	})
}

// startHAProxy runs HAProxy before nodes until the test ends, with the certificate of one of them, and returns its
// address.
func startHAProxy(t *testing.T, s *service, ca string, nodes []string) (base string) {
	t.Helper()
	dir, port := t.TempDir(), freePort(t)
	config := filepath.Join(dir, "haproxy.cfg")
	write(t, config, haproxyConfig(t, dir, s, ca, port, nodes...))
	cmd := exec.Command("/usr/sbin/haproxy", "-db", "-f", config)
	log := newOutput()
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		t.Fatalf("start haproxy: %v", err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // it was killed
		if t.Failed() {
			t.Log(log.String())
		}
	})
	base = "https://localhost:" + port
	c := mustertest.Connect(t, mustertest.Account{Base: base, CA: ca})
	eventually(t, "HAProxy serves", func() bool {
		resp, err := c.HTTP.Get(base + "/healthz")
		return err == nil && resp.Body.Close() == nil && resp.StatusCode == http.StatusOK
	})
	return base
}
