package main

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"time"

	"muster/internal/acme"
	"muster/internal/server"
)

// leastParallel is how many goroutines run at the same time, also where there is
// one processor. With one, requests that have their turn keep the scheduler from
// looking at the network: under overload new ones were refused after 3 seconds
// instead of at once.
const leastParallel = 2

// stopTime is how long requests under way may take once the server is told to
// stop.
const stopTime = 25 * time.Second

type serveCmd struct {
	place
	Listen       string   `default:"localhost:8443" placeholder:"HOST:PORT" help:"Address to listen on (${default})."`
	BaseURL      string   `name:"base-url" placeholder:"URL" help:"Address of the service as clients see it. By default that of each request."`
	AllowHost    []string `placeholder:"NAME" help:"Further host name or address under which clients reach the server. May be repeated."`
	TrustedProxy []string `placeholder:"IP" help:"Address or network of a proxy whose X-Forwarded-For, -Proto and -Host headers count. May be repeated."`
	CertFile     string   `type:"path" and:"certificate" placeholder:"FILE" help:"Own TLS certificate in PEM, with its chain. By default one of a local authority, whose certificate is ca.pem in the data folder."`
	CertKey      string   `type:"path" and:"certificate" placeholder:"FILE" help:"Private key of the own TLS certificate."`
	PlainHTTP    bool     `name:"plain-http" help:"Serve without TLS. Only for loopback, or behind a proxy that speaks TLS."`
	ACME         []string `name:"acme" placeholder:"NAME" help:"Get and renew a certificate for this DNS name from an ACME authority, by default Let's Encrypt, to whose terms of service you agree by that. May be repeated."`
	ACMEEmail    string   `name:"acme-email" placeholder:"ADDRESS" help:"E-mail address that the ACME authority may write to."`
	ACMEHTTP     string   `name:"acme-http" placeholder:"HOST:PORT" help:"Prove the names to the ACME authority by plain HTTP on this address, to which port 80 of the names must lead. By default by TLS on the address to listen on, to which port 443 must lead."`
	ACMEURL      string   `name:"acme-directory" placeholder:"URL" help:"Directory of another ACME authority."`
	ACMECA       string   `name:"acme-ca" type:"path" placeholder:"FILE" help:"Certificate in PEM of the authority that vouches for the ACME authority's own server, where this machine does not trust it."`
	HSTS         string   `name:"hsts" default:"30" placeholder:"DAYS" help:"How long browsers shall use HTTPS alone for the host name by which they came, on all its ports; 0 makes them forget it, off says nothing (${default}). Told over HTTPS with a certificate that is not the local authority's, or by a trusted proxy that speaks HTTPS."`
	Demo         bool     `help:"Fill a new database with a demo organisation of 250 computers, its people, tickets and contracts."`
	RateLimit    int      `default:"200" placeholder:"N" help:"Requests a second that one user may make; 0 for any number (${default})."`
	LoginLimit   int      `default:"20" placeholder:"N" help:"Wrong passwords of one user from one address in a quarter of an hour; five times as many of one user in an hour, and fifteen times as many from one address, do not count where the user was let in before; 0 for any number (${default})."`
	Ballast      int      `default:"64" placeholder:"MIB" help:"Largest size in MiB of the file ballast beside an SQLite file, which an administrator removes to make room on a full disk; 0 for none (${default})."`
	Cache        int      `default:"16" placeholder:"MIB" help:"Memory in MiB at most for documents that were made before, so that they need not be made again; 0 for none (${default})."`
	LogLevel     string   `default:"info" enum:"debug,info,warn,error" help:"What to log: debug, info, warn or error (${default})."`

	SlowRequest time.Duration `default:"1s" placeholder:"TIME" help:"Log requests that take at least so long, such as 500ms, and where their time went; 0 for none (${default})."`
	Observe     string        `placeholder:"HOST:PORT" help:"Loopback address, such as 127.0.0.1:9464, at which to serve metrics for Prometheus and profiles, without a password. By default none."`

	MaxRequests    int `placeholder:"N" help:"Requests that are worked on at the same time. 256 more wait up to 2 seconds, others are answered 503. By default 32 for each processor."`
	MaxConnections int `default:"10000" placeholder:"N" help:"Connections at the same time. When all are taken, the one that has been idle longest makes room for a new one, else the newest request that is still arriving from an address with more than 64 of them. 0 for as many as the system allows (${default})."`
}

// Run serves until the process is told to stop.
func (c *serveCmd) Run() error {
	server.LimitGarbage()
	var level slog.Level
	if err := level.UnmarshalText([]byte(c.LogLevel)); err != nil {
		return err
	}
	log := newLog(level)
	if c.Listen == "" {
		return errors.New("--listen is empty: give an address such as localhost:8443")
	}
	if os.Getenv("GOMAXPROCS") == "" && runtime.GOMAXPROCS(0) < leastParallel {
		runtime.GOMAXPROCS(leastParallel)
	}
	ctx, stop := interruptible()
	defer stop()
	hangup := make(chan os.Signal, 1)
	signal.Notify(hangup, syscall.SIGHUP) // before the server can be seen: unheard, it would end the process
	s, err := server.Start(ctx, c.config(log))
	if err != nil {
		return err
	}
	serving := []any{"address", s.Address(), "version", version}
	if observe := s.ObserveAddress(); observe != "" {
		serving = append(serving, "observe", observe)
	}
	log.Info("serving", serving...)
	if err := notify("READY=1"); err != nil {
		log.Warn("cannot say that the server is ready", "error", err)
	}
	go s.KeepMemory()
	for ctx.Err() == nil {
		select {
		case err := <-s.Wait():
			return err
		case <-hangup:
			s.Reload()
		case <-ctx.Done():
		}
	}
	stop() // a second signal ends the process at once
	log.Info("stopping")
	_ = notify("STOPPING=1") // who waits for the end sees it anyway
	limited, cancel := context.WithTimeout(context.Background(), stopTime)
	defer cancel()
	return s.Stop(limited)
}

// config returns how the flags say to serve.
func (c *serveCmd) config(log *slog.Logger) server.Config {
	return server.Config{
		Place: c.place.place(log), Listen: c.Listen, BaseURL: c.BaseURL,
		CertFile: c.CertFile, CertKey: c.CertKey, PlainHTTP: c.PlainHTTP, Demo: c.Demo,
		ACME:       acme.Config{Names: c.ACME, Email: c.ACMEEmail, Directory: c.ACMEURL, CAFile: c.ACMECA},
		ACMEListen: c.ACMEHTTP, HSTS: c.HSTS,
		RateLimit: c.RateLimit, LoginLimit: c.LoginLimit, Ballast: c.Ballast, Cache: c.Cache, AllowHosts: c.AllowHost,
		Proxies:     c.TrustedProxy,
		SlowRequest: c.SlowRequest, Observe: c.Observe, MaxRequests: c.MaxRequests, MaxConnections: c.MaxConnections,
		Out: os.Stdout,
	}
}
