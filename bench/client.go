package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"encoding/hex"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"time"
)

// A request is what a client sends.
type request struct{ method, target, body string }

// A client speaks HTTP/1.1 on one connection that stays open, with one nonce.
// It does by hand what net/http would do, at a fraction of the cost: on a small
// machine the client takes its time from the server that it measures.
type client struct {
	conn    *tls.Conn
	in      *bufio.Reader
	out     []byte
	host    string
	signer  *signer  // nil until there is a nonce
	basic   string   // credentials that are sent instead, "" for none
	cookie  string   // that is sent instead, as a browser does, "" for none
	status  int      // of the last answer
	body    []byte   // of the last answer, valid until the next
	nonce   string   // of the last challenge
	cookies [][]byte // that the last answer has set
}

// clientTime is how long a connection may be used.
const clientTime = time.Minute

// dial connects to a server and gets a nonce from it.
func dial(ctx context.Context, s *process) (*client, error) {
	dialer := tls.Dialer{Config: &tls.Config{RootCAs: s.roots, ServerName: "localhost"}}
	conn, err := dialer.DialContext(ctx, "tcp", s.address)
	if err != nil {
		return nil, err
	}
	_, port, err := net.SplitHostPort(s.address)
	if err != nil {
		return nil, err
	}
	c := &client{conn: conn.(*tls.Conn), in: bufio.NewReaderSize(conn, 16<<10), host: "localhost:" + port}
	if err := c.greet(); err != nil {
		c.close()
		return nil, fmt.Errorf("get a nonce from %s: %w", s.address, err)
	}
	return c, nil
}

// greet makes a request without credentials, whose refusal carries a nonce.
func (c *client) greet() error {
	if err := c.conn.SetDeadline(time.Now().Add(clientTime)); err != nil {
		return err
	}
	if err := c.do(request{http.MethodGet, "/api.xml", ""}); err != nil {
		return err
	}
	if c.status != http.StatusUnauthorized || c.nonce == "" {
		return fmt.Errorf("there is no challenge but status %d", c.status)
	}
	c.signer = newSigner(sha256Hash, c.nonce)
	return nil
}

// close ends the connection.
func (c *client) close() { _ = c.conn.Close() } // nothing is under way

// do sends a request and reads the answer.
func (c *client) do(r request) error {
	b := append(c.out[:0], r.method...)
	b = append(append(b, ' '), r.target...)
	b = append(append(b, " HTTP/1.1\r\nHost: "...), c.host...)
	content := "application/xml"
	switch {
	case c.cookie != "":
		content = "application/x-www-form-urlencoded"
		b = append(append(b, "\r\nAccept-Encoding: gzip\r\nCookie: "...), c.cookie...)
	case c.basic != "":
		b = append(append(b, "\r\nAuthorization: Basic "...), c.basic...)
	case c.signer != nil:
		b = append(b, "\r\nAuthorization: "...)
		b = c.signer.append(b, r.method, r.target)
	}
	if r.body != "" {
		b = append(append(append(b, "\r\nContent-Type: "...), content...), "\r\nContent-Length: "...)
		b = strconv.AppendInt(b, int64(len(r.body)), 10)
	}
	b = append(append(b, "\r\n\r\n"...), r.body...)
	c.out = b
	if _, err := c.conn.Write(b); err != nil {
		return err
	}
	return c.read()
}

// read reads an answer, which must say its length.
func (c *client) read() error {
	line, err := c.in.ReadSlice('\n')
	if err != nil {
		return err
	}
	if c.status, err = strconv.Atoi(string(line[min(9, len(line)):min(12, len(line))])); err != nil {
		return fmt.Errorf("the status line %q: %w", line, err)
	}
	size := -1
	c.cookies = nil
	for {
		if line, err = c.in.ReadSlice('\n'); err != nil {
			return err
		}
		if len(line) <= len("\r\n") {
			break
		}
		if text, ok := bytes.CutPrefix(line, []byte("Content-Length: ")); ok {
			if size, err = strconv.Atoi(string(bytes.TrimSpace(text))); err != nil {
				return err
			}
		}
		if text, ok := bytes.CutPrefix(line, []byte("Set-Cookie: ")); ok {
			c.cookies = append(c.cookies, bytes.Clone(text))
		}
		if text, ok := bytes.CutPrefix(line, []byte("Www-Authenticate: ")); ok {
			if c.nonce, err = nonceIn(string(text)); err != nil {
				return err
			}
		}
	}
	if size < 0 {
		return fmt.Errorf("an answer with status %d does not say its length", c.status)
	}
	c.body = append(c.body[:0], make([]byte, size)...)
	_, err = io.ReadFull(c.in, c.body)
	return err
}

// A signer makes Authorization headers with one nonce and a rising count.
type signer struct {
	hash        digestHash
	nonce       string
	secret      []byte // H(user:realm:password) in hexadecimal digits
	count       int64
	text, space []byte
}

// cnonce is the client's own nonce.
const cnonce = "0a4f113b"

func newSigner(hash digestHash, nonce string) *signer {
	secret := hash.sum(nil, []byte(user+":"+realm+":"+password))
	return &signer{hash: hash, nonce: nonce, secret: hex.AppendEncode(nil, secret)}
}

// append appends the header's value for the next request.
func (s *signer) append(b []byte, method, target string) []byte {
	s.count++
	b = append(b, `Digest username="`+user+`", realm="`+realm+`", qop=auth, cnonce="`+cnonce+`", algorithm=`...)
	b = append(b, s.hash.name...)
	b = append(append(b, `, nonce="`...), s.nonce...)
	b = append(append(b, `", uri="`...), target...)
	b = append(b, `", nc=`...)
	b = appendCount(b, s.count)
	b = append(b, `, response="`...)
	b = s.appendResponse(b, method, target)
	return append(b, '"')
}

// appendResponse appends H(secret:nonce:nc:cnonce:auth:H(method:target)), all
// in hexadecimal digits.
func (s *signer) appendResponse(b []byte, method, target string) []byte {
	t := append(append(append(s.text[:0], method...), ':'), target...)
	s.space = s.hash.sum(s.space[:0], t)
	t = append(append(t[:0], s.secret...), ':')
	t = append(append(t, s.nonce...), ':')
	t = append(appendCount(t, s.count), ":"+cnonce+":auth:"...)
	t = hex.AppendEncode(t, s.space)
	s.text = t
	s.space = s.hash.sum(s.space[:0], t)
	return hex.AppendEncode(b, s.space)
}

// appendCount appends a request count as 8 hexadecimal digits.
func appendCount(b []byte, n int64) []byte {
	for shift := 28; shift >= 0; shift -= 4 {
		b = append(b, "0123456789abcdef"[n>>shift&15])
	}
	return b
}
