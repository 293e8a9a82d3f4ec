//go:build full && volume

package main_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/icholy/digest"

	"muster/internal/mustertest"
)

// loadStop: a server that is stopped amid requests answers all of them.
func loadStop(t *testing.T, g *figures) {
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		f := newFolder(t)
		f.env = []string{"MUSTER_DATABASE=" + db.New(t), "MUSTER_RATE_LIMIT=0"}
		s := f.serve("--demo")
		var answered, broken atomic.Int64
		var all sync.WaitGroup
		enough := make(chan struct{}, 1)
		work := func(do func(i int) (last bool, err error)) {
			for i := 0; ; i++ {
				last, err := do(i)
				if errors.Is(err, syscall.ECONNREFUSED) {
					return // it came after the end
				}
				if err != nil {
					broken.Add(1)
					t.Logf("a request: %v", err)
					return
				}
				if answered.Add(1) == 20_000 {
					enough <- struct{}{}
				}
				if last {
					return
				}
			}
		}
		for i, c := range s.callers(t, 60, s.password) {
			all.Go(func() {
				work(func(n int) (bool, error) {
					method, target, body := mixed(i*1000 + n)
					resp, err := c.do(method, target, body)
					return err == nil && resp.Close, err
				})
			})
		}
		for i := range 4 {
			two := s.client(admin, s.password)
			forceHTTP2(two)
			all.Go(func() {
				work(func(n int) (bool, error) {
					method, target, body := mixed(i*1000 + n)
					return false, request(two, method, target, body)
				})
			})
		}
		<-enough
		begin := time.Now()
		s.signal(syscall.SIGTERM)
		status := s.wait()
		g.atMost(t, "stop under load, "+db.Name+": the end after", secondsSince(begin), 30, "s")
		all.Wait()
		g.atMost(t, "stop under load, "+db.Name+": requests without an answer", float64(broken.Load()), 0, "")
		if status != 0 {
			t.Errorf("exit status: got %d, want 0\n%s", status, s.log)
		}
	})
}

// mixed returns the i-th of requests of all sorts on the demo organisation.
func mixed(i int) (method, target, body string) {
	switch computer := i*7919%250 + 1; i % 4 {
	case 0:
		return http.MethodGet, "/hardwares.xml?per_page=250&page=1", ""
	case 1:
		return http.MethodPut, fmt.Sprintf("/hardwares/%d.xml", computer),
			fmt.Sprintf("<hardware><notes>%d</notes></hardware>", i)
	case 2:
		return http.MethodGet, "/hardwares.xml?status=Operational&per_page=100", ""
	default:
		return http.MethodGet, fmt.Sprintf("/hardwares/%d.xml", computer), ""
	}
}

// forceHTTP2 makes a client speak HTTP/2.
func forceHTTP2(c *mustertest.Client) {
	c.HTTP.Transport.(*digest.Transport).Transport.(*http.Transport).ForceAttemptHTTP2 = true
}

// request makes a request and reads the answer.
func request(c *mustertest.Client, method, target, body string) error {
	req, err := http.NewRequest(method, c.Base+target, strings.NewReader(body))
	if err != nil {
		return err
	}
	resp, err := c.HTTP.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, err = io.Copy(io.Discard, resp.Body)
	return err
}
