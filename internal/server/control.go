package server

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"syscall"

	"muster/internal/agentsetup"
	"muster/internal/witness"
)

// socketName is the socket in the data folder through which commands reach a
// running server: one process writes an SQLite file, and of a server on
// PostgreSQL they learn the database.
const socketName = "muster.sock"

// errNoServer means that no server runs on the data folder.
var errNoServer = errors.New("no server is running")

// knock sends a request to the running server.
func (p *Place) knock(ctx context.Context, method, path string, body []byte) (*http.Response, error) {
	client := http.Client{Transport: &http.Transport{
		DisableKeepAlives: true,
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "unix", p.path(socketName))
		},
	}}
	req, err := http.NewRequestWithContext(ctx, method, "http://muster"+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	resp, err := client.Do(req)
	if e, ok := errors.AsType[*net.OpError](err); ok && e.Op == "dial" {
		return nil, errNoServer
	}
	if err != nil {
		return nil, fmt.Errorf("ask the running server: %w", err)
	}
	return resp, nil
}

// running returns the place with the database of the server that runs on it,
// if there is one and no other database was given.
func (p *Place) running(ctx context.Context) (*Place, error) {
	place := *p
	if p.Database != "" {
		return &place, nil
	}
	resp, err := p.knock(ctx, http.MethodGet, "/database", nil)
	if errors.Is(err, errNoServer) {
		return &place, nil
	}
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	name, err := io.ReadAll(resp.Body)
	place.Database = string(name)
	return &place, err
}

// listenSocket opens the socket, which only the owner of the data folder can
// reach.
func listenSocket(path string) (net.Listener, error) {
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("remove an old socket: %w", err)
	}
	l, err := net.Listen("unix", path)
	if errors.Is(err, syscall.EINVAL) {
		return nil, fmt.Errorf("the path %s is too long for a socket: choose a data folder with a shorter path", path)
	}
	if err != nil {
		return nil, fmt.Errorf("listen for commands: %w", err)
	}
	if err := os.Chmod(path, 0o600); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

// control returns what serves commands about the database on the socket; access
// returns how agents reach the server.
func (p *Place) control(h *installation, access func(given string) (*agentsetup.Access, error)) *http.Server {
	database := absolute(p.database())
	mux := http.NewServeMux()
	mux.HandleFunc("GET /database", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, database) // the command may be gone
	})
	take[UserCommand](mux, p, h)
	take[TokenCommand](mux, p, h)
	take[SessionCommand](mux, p, h)
	take[SettingCommand](mux, p, h)
	take[ComputerCommand](mux, p, h)
	take[ClaimCommand](mux, p, h)
	take[ImportCommand](mux, p, h)
	take[ImportUndoCommand](mux, p, h)
	take[AgentTokenCommand](mux, p, h)
	take[JobCommand](mux, p, h)
	take[MendCommand](mux, p, h)
	answer(mux, p, accessPath, func(_ context.Context, q accessQuestion) (*agentsetup.Access, error) {
		return access(q.URL)
	})
	answer(mux, p, acceptPath, func(ctx context.Context, _ acceptQuestion) (*witness.Accepted, error) {
		return h.keeper.Accept(ctx, p.stamp())
	})
	return &http.Server{Handler: mux, ReadHeaderTimeout: headerTime}
}
