package mustertest

import (
	"io"
	"net"
	"strconv"
	"sync"
	"testing"
)

// A Relay has an address before its server has one. It passes connections on to the
// server once the server's address is set; until then they wait.
type Relay struct {
	listener net.Listener
	known    *sync.Cond // of target
	target   string
}

// NewRelay returns a relay that listens until the test ends.
func NewRelay(t testing.TB) *Relay {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	r := &Relay{listener: l, known: sync.NewCond(new(sync.Mutex))}
	go r.accept()
	return r
}

// Lead makes connections from now on lead to an address, or wait again for none.
func (r *Relay) Lead(address string) {
	r.known.L.Lock()
	defer r.known.L.Unlock()
	r.target = address
	r.known.Broadcast()
}

// leads waits for an address and returns it.
func (r *Relay) leads() string {
	r.known.L.Lock()
	defer r.known.L.Unlock()
	for r.target == "" {
		r.known.Wait()
	}
	return r.target
}

// Port returns the port of this machine on which the relay listens.
func (r *Relay) Port() int {
	_, text, _ := net.SplitHostPort(r.listener.Addr().String())
	port, _ := strconv.Atoi(text)
	return port
}

func (r *Relay) accept() {
	for {
		from, err := r.listener.Accept()
		if err != nil {
			return // it was closed
		}
		go r.pass(from)
	}
}

// pass copies both ways until one side ends.
func (r *Relay) pass(from net.Conn) {
	defer from.Close()
	to, err := net.Dial("tcp", r.leads())
	if err != nil {
		return
	}
	defer to.Close()
	go func() {
		_, _ = io.Copy(to, from)
		_ = to.Close()
	}()
	_, _ = io.Copy(from, to)
}
