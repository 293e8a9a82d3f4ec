//go:build full && volume

package main_test

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"encoding/binary"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/icholy/digest"
)

// A caller makes requests on one connection that stays open, by HTTP/1.1. It
// does by hand what net/http would do at several times the cost: the driver must
// not be what is measured.
type caller struct {
	conn      *tls.Conn
	in        *bufio.Reader
	password  string
	challenge *digest.Challenge
}

// trust returns how to connect to the server with a protocol.
func (s *service) trust(t *testing.T, protocol string) *tls.Config {
	t.Helper()
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM([]byte(read(t, s.f.data("ca.pem"))))
	return &tls.Config{RootCAs: pool, ServerName: "localhost", NextProtos: []string{protocol}}
}

// connect opens connections, some at a time, and greets the server on each at
// once: it waits but a short time for a first request.
func (s *service) connect(t *testing.T, n int, protocol string, greet func(i int, conn *tls.Conn) error) {
	t.Helper()
	cfg := s.trust(t, protocol)
	conns := make([]*tls.Conn, n)
	inParallel(16, n, func(i int) {
		conn, err := tls.Dial("tcp", strings.TrimPrefix(s.address, "https://"), cfg)
		if err == nil {
			conns[i] = conn
			err = greet(i, conn)
		}
		if err != nil {
			t.Errorf("connection %d: %v", i, err)
		}
	})
	t.Cleanup(func() {
		for _, conn := range conns {
			if conn != nil {
				_ = conn.Close()
			}
		}
	})
	if t.Failed() {
		t.FailNow()
	}
}

// inParallel calls f with 0 to n-1, some at a time.
func inParallel(workers, n int, f func(i int)) {
	next := make(chan int)
	var all sync.WaitGroup
	for range workers {
		all.Go(func() {
			for i := range next {
				f(i)
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	all.Wait()
}

// callers returns so many callers who have a challenge.
func (s *service) callers(t *testing.T, n int, password string) []*caller {
	t.Helper()
	callers := make([]*caller, n)
	s.connect(t, n, "http/1.1", func(i int, conn *tls.Conn) error {
		callers[i] = &caller{conn: conn, in: bufio.NewReader(conn), password: password}
		return callers[i].greet()
	})
	return callers
}

// greet gets a challenge.
func (c *caller) greet() error {
	resp, err := c.send("GET /api.xml HTTP/1.1\r\nHost: localhost\r\n\r\n")
	if err != nil {
		return err
	}
	c.challenge, err = digest.FindChallenge(resp.Header)
	return err
}

// do makes a request as the administrator.
func (c *caller) do(method, target, body string) (*http.Response, error) {
	request, err := c.request(method, target, body)
	if err != nil {
		return nil, err
	}
	return c.send(request)
}

// request returns a request as it is sent.
func (c *caller) request(method, target, body string) (string, error) {
	credentials, err := digest.Digest(c.challenge, digest.Options{
		Username: admin, Password: c.password, Method: method, URI: target, Count: 1, // and a new cnonce
	})
	return fmt.Sprintf("%s %s HTTP/1.1\r\nHost: localhost\r\nAuthorization: %s\r\nContent-Type: application/xml\r\nContent-Length: %d\r\n\r\n%s",
		method, target, credentials, len(body), body), err
}

// send sends a request and reads the answer, and drops its body.
func (c *caller) send(request string) (*http.Response, error) {
	if err := c.conn.SetDeadline(time.Now().Add(patience)); err != nil {
		return nil, err
	}
	if _, err := io.WriteString(c.conn, request); err != nil {
		return nil, err
	}
	resp, err := http.ReadResponse(c.in, nil)
	if err != nil {
		return nil, err
	}
	_, err = io.Copy(io.Discard, resp.Body)
	return resp, err
}

// What a client of HTTP/2 says first, and types of its frames.
const (
	preface       = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
	frameHeaders  = 1
	frameReset    = 3
	frameSettings = 4
	framePing     = 6
	endOfHeader   = 0x5 // and of the stream
)

// frame returns a frame of HTTP/2.
func frame(kind, flags byte, stream uint32, payload string) string {
	head := binary.BigEndian.AppendUint32(nil, uint32(len(payload))<<8|uint32(kind))
	head = append(head, flags)
	return string(binary.BigEndian.AppendUint32(head, stream)) + payload
}

// anonymous is the header of GET / at localhost, as HPACK writes it.
const anonymous = "\x82\x87\x84\x41\x09localhost"

// awaitFrame reads frames until there is one of a kind.
func awaitFrame(conn io.Reader, kind byte) error {
	var head [9]byte
	for {
		if _, err := io.ReadFull(conn, head[:]); err != nil {
			return err
		}
		size := int64(binary.BigEndian.Uint32(head[:4]) >> 8)
		if _, err := io.CopyN(io.Discard, conn, size); err != nil {
			return err
		}
		if head[3] == kind {
			return nil
		}
	}
}
