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

// stopTime is how long requests in progress may take once the server is stopping, and has drained.
const stopTime = 25 * time.Second

type serveCmd struct {
	place
	Listen       string   `default:"localhost:8443" placeholder:"HOST:PORT" help:"Address to listen on (${default})."`
	BaseURL      string   `name:"base-url" placeholder:"URL" help:"Address of the service as clients see it. Default: the address of each request."`
	AllowHost    []string `placeholder:"NAME" help:"Additional host name or address that clients use for the server. Can be repeated."`
	TrustedProxy []string `placeholder:"IP" help:"Address or network of a proxy whose X-Forwarded-For, -Proto and -Host headers are trusted. Can be repeated."`
	CertFile     string   `type:"path" and:"certificate" placeholder:"FILE" help:"Your own TLS certificate in PEM, with its chain. Default: a certificate from a local authority, which clients trust once they have ca.pem from the data folder."`
	CertKey      string   `type:"path" and:"certificate" placeholder:"FILE" help:"Private key for the certificate in --cert-file."`
	PlainHTTP    bool     `name:"plain-http" help:"Serve without TLS. Use it only on loopback, or behind a proxy that handles TLS."`
	ACME         []string `name:"acme" placeholder:"NAME" help:"Get and renew a certificate for this DNS name from an ACME authority, by default Let's Encrypt. By using this flag you agree to the authority's terms of service. Can be repeated."`
	ACMEEmail    string   `name:"acme-email" placeholder:"ADDRESS" help:"E-mail address for messages from the ACME authority."`
	ACMEHTTP     string   `name:"acme-http" placeholder:"HOST:PORT" help:"Answer the ACME authority's checks over plain HTTP on this address. Port 80 of the names must lead here. Default: answer them over TLS on --listen, where port 443 must lead."`
	ACMEURL      string   `name:"acme-directory" placeholder:"URL" help:"Directory URL of the ACME authority, if it is not Let's Encrypt."`
	ACMECA       string   `name:"acme-ca" type:"path" placeholder:"FILE" help:"Certificate, in PEM, of the authority that signed the ACME server's own certificate, if this machine does not trust it."`
	HSTS         string   `name:"hsts" default:"30" placeholder:"DAYS" help:"Number of days for which browsers use only HTTPS for this host name, on all its ports. 0 makes browsers forget it, off sends no header (${default}). The header is sent only over HTTPS, with a certificate that is not from the local authority, or by a trusted proxy that uses HTTPS."`
	Demo         bool     `help:"Fill a new database with a demo organisation: 250 computers, people, tickets and contracts."`
	RateLimit    int      `default:"200" placeholder:"N" help:"Requests per second that a user can make; 0 for no limit (${default})."`
	LoginLimit   int      `default:"20" placeholder:"N" help:"Wrong passwords allowed for each user and address in 15 minutes; 0 for no limit (${default}). Where a user has not signed in before, further limits are five times as many for the user in an hour, and 15 times as many for the address in 15 minutes."`
	Ballast      int      `default:"64" placeholder:"MIB" help:"Maximum size, in MiB, of the file ballast beside an SQLite database. Remove that file to free room on a full disk. 0 for none (${default})."`
	Cache        int      `default:"16" placeholder:"MIB" help:"Maximum memory, in MiB, for the cache of rendered documents; 0 for none (${default})."`
	Jobs         int      `default:"4" placeholder:"N" help:"Jobs that this process does at the same time, such as changes of many records; 0 for none, where other nodes do them (${default})."`
	LogLevel     string   `default:"info" enum:"debug,info,warn,error" help:"Lowest level to log: debug, info, warn or error (${default})."`

	SlowRequest      time.Duration `default:"1s" placeholder:"TIME" help:"Log requests that take at least this long, such as 500ms, and where the time went; 0 for none (${default})."`
	Observe          string        `placeholder:"HOST:PORT" help:"Address for Prometheus metrics, such as 127.0.0.1:9464 or :9464. A loopback address needs no token and has profiles too. Any other needs a token, in the variable MUSTER_OBSERVE_TOKEN or --observe-token-file, and uses TLS unless --plain-http is given. Default: none."`
	ObserveTokenFile string        `type:"path" placeholder:"FILE" help:"File that contains the bearer token for --observe, on one line: at least 20 characters. Use it instead of the variable MUSTER_OBSERVE_TOKEN."`

	Drain time.Duration `default:"0s" placeholder:"TIME" help:"When told to stop, answer requests for this long, such as 5s, while /readyz says that the server is draining, so that a balancer sends its requests elsewhere (${default})."`

	MaxRequests    int `placeholder:"N" help:"Requests handled at the same time. 256 more wait up to 2 seconds, and any others are answered 503. Default: 32 for each processor."`
	MaxConnections int `default:"10000" placeholder:"N" help:"Connections open at the same time; 0 for as many as the system allows (${default}). When all are in use, a new connection closes the one that has been idle longest. If none is idle, it ends the newest request that is still arriving from an address with more than 64 such requests."`
}

// Run serves until the process is stopped.
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
	if c.Drain < 0 {
		return errors.New("--drain must not be negative: give a time such as 5s, or 0s")
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
		log.Warn("the service manager was not notified", "error", err)
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
	limited, cancel := context.WithTimeout(context.Background(), c.Drain+stopTime)
	defer cancel()
	return s.Stop(limited)
}

// config returns how the flags say to serve.
func (c *serveCmd) config(log *slog.Logger) server.Config {
	return server.Config{
		Place: c.place.place(log), Listen: c.Listen, BaseURL: c.BaseURL,
		CertFile: c.CertFile, CertKey: c.CertKey, PlainHTTP: c.PlainHTTP, Demo: c.Demo, Jobs: c.Jobs,
		ACME:       acme.Config{Names: c.ACME, Email: c.ACMEEmail, Directory: c.ACMEURL, CAFile: c.ACMECA},
		ACMEListen: c.ACMEHTTP, HSTS: c.HSTS,
		RateLimit: c.RateLimit, LoginLimit: c.LoginLimit, Ballast: c.Ballast, Cache: c.Cache, AllowHosts: c.AllowHost,
		Proxies:     c.TrustedProxy,
		SlowRequest: c.SlowRequest, Observe: c.Observe, ObserveToken: os.Getenv(server.ObserveTokenVariable),
		ObserveTokenFile: c.ObserveTokenFile, MaxRequests: c.MaxRequests, MaxConnections: c.MaxConnections,
		Drain: c.Drain,
		Out:   os.Stdout,
	}
}
