package main

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strconv"
	"time"

	"muster/internal/cert"
	"muster/internal/digest"
	"muster/internal/server"
)

// childArgument makes the program a child, which serves until its standard
// input ends. The first line of its input says what to serve, each further one
// asks what it has used; it answers each line with one.
const childArgument = "child"

// listen is where children listen: any free port.
const listen = "localhost:0"

// An order says what a child serves.
type order struct {
	Fixed    bool   // a body of the size that the path names, instead of the product
	Data     string // folder
	Database string // as in server.Place
	Observe  string // as in server.Config
}

// A reply is a child's answer.
type reply struct {
	Address string // after the start
	Use     use
	Error   string
}

// runChild is the whole life of a child.
func runChild(in io.Reader, out io.Writer) error {
	commands, replies := json.NewDecoder(in), json.NewEncoder(out)
	var o order
	if err := commands.Decode(&o); err != nil {
		return err
	}
	address, stop, err := o.serve()
	if err != nil {
		return errors.Join(err, replies.Encode(reply{Error: err.Error()}))
	}
	defer stop()
	answer := reply{Address: address}
	for {
		if err := replies.Encode(answer); err != nil {
			return err
		}
		if err := commands.Decode(&struct{}{}); err != nil {
			return nil // the parent has gone, or wants no more
		}
		answer = reply{Use: useOfProcess()}
	}
}

// serve begins to serve what is ordered.
func (o *order) serve() (address string, stop func(), err error) {
	if o.Fixed {
		return serveFixed(o.Data)
	}
	server.LimitGarbage()
	// The log is written as in production, and goes nowhere.
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return "", nil, err
	}
	s, err := server.Start(context.Background(), server.Config{
		Place: server.Place{
			Data: o.Data, Database: o.Database, Realm: realm, Now: time.Now,
			Log: slog.New(slog.NewJSONHandler(null, nil)),
		},
		Listen: listen, Observe: o.Observe, Cache: server.DefaultCache, Jobs: server.DefaultJobs, Out: io.Discard,
	})
	if err != nil {
		return "", nil, err
	}
	go s.KeepMemory()
	return s.Address(), func() {
		ctx, cancel := context.WithTimeout(context.Background(), stopTime)
		defer cancel()
		_ = s.Stop(ctx) // the database is thrown away
	}, nil
}

// serveFixed serves the ceiling: what no server that uses net/http, TLS and
// digest authentication can go below.
func serveFixed(data string) (address string, stop func(), err error) {
	source, err := cert.Local(data, []string{"localhost"}, time.Now)
	if err != nil {
		return "", nil, err
	}
	l, err := net.Listen("tcp", listen)
	if err != nil {
		return "", nil, err
	}
	s := &http.Server{
		Handler:   &fixed{digest.New(digestConfig()), make([]byte, maxFixed)},
		TLSConfig: &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: source.Certificate},
	}
	go func() { _ = s.ServeTLS(l, "", "") }() // ends when it is closed
	return l.Addr().String(), func() { _ = s.Close() }, nil
}

// maxFixed is the longest body of the ceiling.
const maxFixed = 4 << 20

// A fixed answers /N with a body of N bytes.
type fixed struct {
	digest *digest.Server
	body   []byte
}

// ServeHTTP answers a request.
func (f *fixed) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	result := f.digest.Authenticate(r)
	if result.Outcome != digest.Verified {
		f.digest.Challenge(w.Header(), r.UserAgent(), result.Outcome == digest.Stale)
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	size, err := strconv.Atoi(r.URL.Path[1:])
	if err != nil || size < 0 || size > len(f.body) {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	if _, err := io.Copy(io.Discard, r.Body); err != nil {
		return // the client has gone
	}
	f.digest.Inform(w.Header(), result)
	w.Header().Set("Content-Type", "application/xml; charset=utf-8")
	w.Header().Set("Content-Length", strconv.Itoa(size))
	_, _ = w.Write(f.body[:size]) // the client may be gone
}
