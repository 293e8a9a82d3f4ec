package server

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"net/url"

	"muster/internal/acme"
	"muster/internal/cert"
)

// An issuance gets the server a certificate of an ACME authority while it runs. Without ACME there is none,
// and nothing to run or close.
type issuance struct {
	*acme.Manager
	listener net.Listener // for challenges by plain HTTP, nil for none
	plain    *http.Server
	cancel   context.CancelFunc
	done     chan struct{}
}

// checkACME returns an error if the settings of ACME are wrong, before anything is made.
func (cfg *Config) checkACME() error {
	asked := len(cfg.ACME.Names) > 0
	switch {
	case !asked && (cfg.ACME.Email != "" || cfg.ACME.Directory != "" || cfg.ACME.CAFile != "" || cfg.ACMEListen != ""):
		return errors.New("the --acme-… settings need --acme, with the DNS name that the certificate is for")
	case !asked:
		return nil
	case cfg.PlainHTTP:
		return errors.New("--acme gets a certificate, --plain-http serves without one: leave out one of the two; " +
			"behind a proxy that speaks TLS, the proxy gets the certificate")
	case cfg.CertFile != "" || cfg.CertKey != "":
		return errors.New("--acme gets a certificate, --cert-file names one that you have: leave out one of the two")
	}
	return cfg.ACME.Check()
}

// newIssuance prepares getting a certificate, nil when none was asked for.
func newIssuance(cfg *Config, base *url.URL, source *cert.Source) (*issuance, error) {
	if len(cfg.ACME.Names) == 0 {
		return nil, nil
	}
	ac := cfg.ACME
	ac.Plain, ac.Folder, ac.Now, ac.Log = cfg.ACMEListen != "", cfg.path("acme"), cfg.Now, cfg.Log
	ac.Address = "https://" + ac.Names[0]
	if base != nil {
		ac.Address = base.String()
	}
	manager, err := acme.Open(ac, source)
	if err != nil || !ac.Plain {
		return &issuance{Manager: manager}, err
	}
	i := &issuance{Manager: manager, plain: &http.Server{
		Handler: manager, ReadHeaderTimeout: headerTime, ReadTimeout: headerTime, WriteTimeout: headerTime,
		MaxHeaderBytes: maxHeader, DisableGeneralOptionsHandler: true, ErrorLog: log.New(&lineLogger{cfg.Log}, "", 0),
	}}
	if i.listener, err = net.Listen("tcp", cfg.ACMEListen); err != nil {
		return nil, fmt.Errorf("%w; choose another address with --acme-http", err)
	}
	return i, nil
}

// run begins to get a certificate; the server answers by now.
func (i *issuance) run() {
	if i == nil {
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	i.cancel, i.done = cancel, make(chan struct{})
	if i.plain != nil {
		go func() { _ = i.plain.Serve(i.listener) }() // ends when it is closed
	}
	go func() {
		defer close(i.done)
		i.Run(ctx)
	}()
}

// close ends what is under way.
func (i *issuance) close() {
	if i == nil {
		return
	}
	if i.cancel != nil {
		i.cancel()
		<-i.done
	}
	if i.plain != nil {
		_ = errors.Join(i.plain.Close(), i.listener.Close()) // one of them is closed by the other
	}
}
