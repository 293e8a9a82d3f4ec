package agent

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"syscall"
)

// unreachable says why there is no answer, and what to do. The error of a client contains the address, which
// may have a token; the error that it wraps does not.
func (s *Server) unreachable(ctx context.Context, err error) error {
	if inner, ok := errors.AsType[*url.Error](err); ok {
		err = inner.Err
	}
	advice := ""
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		return context.Canceled
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("%s does not answer in time; check the address, and whether a firewall blocks the way", s)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET):
		advice = "the connection was closed before an answer came; the server's log may say why"
	case errors.Is(err, syscall.ECONNREFUSED):
		advice = "nobody listens there: is the server running, and are its name and port right?"
	case is[x509.UnknownAuthorityError](err):
		advice = "give the file of the authority that signed the server's certificate with --ca; a server that made its own has it as ca.pem in its data folder"
	case is[x509.HostnameError](err):
		advice = "the certificate is for another name: use the one that it is for in --server"
	case is[x509.CertificateInvalidError](err):
		advice = "the server's certificate is not valid now: is the clock of this computer right?"
	case is[*tls.CertificateVerificationError](err):
		advice = "the server's certificate cannot be trusted; --ca names the authority that signed it"
	case is[tls.RecordHeaderError](err):
		advice = "it does not speak TLS there; is the port right?"
	case is[*net.DNSError](err):
		advice = "there is no such name: is --server spelled right, and does this computer have a network?"
	}
	if advice == "" {
		return fmt.Errorf("reach %s: %w", s, err)
	}
	return fmt.Errorf("reach %s: %w: %s", s, err, advice)
}

// is reports whether an error is of a type, or wraps one that is.
func is[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

// refused says why the server did not take a message, and what to do.
func (s *Server) refused(resp *http.Response, message string) error {
	advice := message
	switch status := resp.StatusCode; {
	case status == http.StatusUnauthorized && offers(resp, "Digest") &&
		!offers(resp, "Basic"): // which people and programs are asked for
		advice = "the path of the address is wrong: it should be /ocsinventory, behind that of the server's base URL if it has one"
	case status == http.StatusUnauthorized:
		advice = "the token in the address is not known there, or was revoked; muster agent token add on the server prints a new one"
	case status >= 300 && status < 400:
		advice = "it sends agents on to " + elsewhere(resp) +
			", and reports follow no such answer: give the address of the server itself with --server"
	case status == http.StatusNotFound, status == http.StatusMethodNotAllowed:
		advice = "there is nothing for agents at this path; mostly it is /ocsinventory"
	case status == http.StatusTooManyRequests && message == "":
		advice = "it gets too many reports now; try again later"
	case status >= 500 && message == "":
		advice = "it cannot take reports now; its log says why"
	}
	if advice == "" {
		return fmt.Errorf("%s answers %s", s, resp.Status)
	}
	return fmt.Errorf("%s answers %s: %s", s, resp.Status, advice)
}

// offers reports whether an answer asks for credentials of a scheme.
func offers(resp *http.Response, scheme string) bool {
	return slices.ContainsFunc(resp.Header.Values("WWW-Authenticate"), func(challenge string) bool {
		offered, _, _ := strings.Cut(challenge, " ")
		return strings.EqualFold(offered, scheme)
	})
}

// elsewhere returns the server that an answer sends on to.
func elsewhere(resp *http.Response) string {
	to, err := resp.Location()
	if err != nil {
		return "nowhere"
	}
	return to.Scheme + "://" + to.Host
}
