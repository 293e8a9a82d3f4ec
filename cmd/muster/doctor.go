package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"time"

	"muster/internal/acme"
	"muster/internal/doctor"
	"muster/internal/server"
)

type doctorCmd struct {
	place
	Listen           string   `default:"localhost:8443" placeholder:"HOST:PORT" help:"Address that the server listens on (${default})."`
	BaseURL          string   `name:"base-url" placeholder:"URL" help:"Address of the service as clients see it. The certificate must be valid for it."`
	CertFile         string   `type:"path" and:"certificate" placeholder:"FILE" help:"Your own TLS certificate in PEM, with its chain, if the server uses one."`
	CertKey          string   `type:"path" and:"certificate" placeholder:"FILE" help:"Private key for the certificate in --cert-file."`
	PlainHTTP        bool     `name:"plain-http" help:"Check a server that uses plain HTTP, without TLS."`
	ACME             []string `name:"acme" placeholder:"NAME" help:"DNS name for which the server gets a certificate by ACME. Can be repeated."`
	ACMEURL          string   `name:"acme-directory" placeholder:"URL" help:"Directory URL of the ACME authority, if it is not Let's Encrypt."`
	ObserveTokenFile string   `type:"path" placeholder:"FILE" help:"File that contains the bearer token for metrics, if the server has one."`
	Fix              bool     `help:"Count again what is counted beside records, such as the computers with a software, and mend what differs. The server may be running."`
	JSON             bool     `name:"json" help:"Print the findings as JSON, for scripts."`
}

// Run examines the installation. Problems are an error, warnings are not.
func (c *doctorCmd) Run() error {
	findings := doctor.Examine(context.Background(), doctor.Config{
		Config: server.Config{
			Place: c.place.place(newLog(slog.LevelWarn)), Listen: c.Listen, BaseURL: c.BaseURL,
			CertFile: c.CertFile, CertKey: c.CertKey, PlainHTTP: c.PlainHTTP,
			ACME: acme.Config{Names: c.ACME, Directory: c.ACMEURL}, ObserveTokenFile: c.ObserveTokenFile,
		},
		AddressFile: c.AddressFile, Built: built(), Fix: c.Fix,
	})
	show := showFindings
	if c.JSON {
		show = showJSON
	}
	if err := show(os.Stdout, findings); err != nil {
		return err
	}
	switch n := doctor.Count(findings, doctor.Problem); n {
	case 0:
		return nil
	case 1:
		return errors.New("there is a problem")
	default:
		return fmt.Errorf("there are %d problems", n)
	}
}

// showFindings prints one line a finding.
func showFindings(w io.Writer, findings []doctor.Finding) error {
	for _, f := range findings {
		if _, err := fmt.Fprintf(w, "%-8s %s: %s\n", f.Level, f.Check, strings.TrimSpace(f.Text+" "+f.Do)); err != nil {
			return err
		}
	}
	return nil
}

// showJSON prints the findings for programs.
func showJSON(w io.Writer, findings []doctor.Finding) error {
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	out.SetIndent("", "  ")
	return out.Encode(map[string]any{
		"findings": findings, "problems": doctor.Count(findings, doctor.Problem),
		"warnings": doctor.Count(findings, doctor.Warning),
	})
}

// built returns when the program's source was committed, zero when the build does not
// record it.
func built() time.Time {
	t, _ := time.Parse(time.DateOnly, date) // zero if it is none
	return t
}
