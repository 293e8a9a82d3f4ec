package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"time"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/store"
)

// socketName is the socket in the data folder through which commands reach a
// running server: one process writes an SQLite file.
const socketName = "muster.sock"

// A UserCommand changes or lists users.
type UserCommand struct {
	Do       string // add, passwd, disable or list
	Email    string
	Role     string
	ReadOnly bool
	Password string // "" for a generated one
}

// A UserResult is the outcome of a UserCommand.
type UserResult struct {
	Password string // that holds now, of add and passwd
	Users    []*inventory.User
	Error    string
}

// Do carries out a command, whether or not a server runs on the data folder:
// through the server's socket when there is one, else on the database itself.
func (p *Place) Do(ctx context.Context, cmd UserCommand) (*UserResult, error) {
	if !store.IsPostgres(p.database()) {
		if res, err := p.ask(ctx, cmd); !errors.Is(err, errNoServer) {
			return res, err
		}
	}
	h, err := p.open(ctx)
	if err != nil {
		return nil, err
	}
	defer h.close()
	return carryOut(ctx, h.desk, cmd)
}

// Do carries out a command on the running server.
func (s *Server) Do(ctx context.Context, cmd UserCommand) (*UserResult, error) {
	return carryOut(ctx, s.house.desk, cmd)
}

// carryOut carries out a command on the desk.
func carryOut(ctx context.Context, d *desk.Desk, cmd UserCommand) (res *UserResult, err error) {
	who := desk.Caller{Origin: "command"}
	res = &UserResult{}
	switch cmd.Do {
	case "add":
		user := inventory.Users.New()
		user.Email, user.Role, user.ReadOnly = cmd.Email, cmd.Role, kind.Some(cmd.ReadOnly)
		res.Password, err = d.AddUser(ctx, who, user, cmd.Password)
	case "passwd":
		res.Password, err = d.SetPassword(ctx, who, cmd.Email, cmd.Password)
	case "disable":
		err = d.DisableUser(ctx, who, cmd.Email)
	case "list":
		res.Users, err = d.Users(ctx)
	default:
		err = fmt.Errorf("unknown command %q", cmd.Do)
	}
	return res, err
}

// errNoServer means that no server runs on the data folder.
var errNoServer = errors.New("no server is running")

// ask has the running server carry out a command.
func (p *Place) ask(ctx context.Context, cmd UserCommand) (*UserResult, error) {
	body, err := json.Marshal(cmd)
	if err != nil {
		return nil, err
	}
	client := http.Client{Transport: &http.Transport{
		DisableKeepAlives: true,
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "unix", p.path(socketName))
		},
	}}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://muster/users", bytes.NewReader(body))
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
	defer resp.Body.Close()
	res := &UserResult{}
	if err := json.NewDecoder(resp.Body).Decode(res); err != nil {
		return nil, fmt.Errorf("ask the running server: %w", err)
	}
	if res.Error != "" {
		return nil, errors.New(res.Error)
	}
	return res, nil
}

// control serves commands on the socket, which only the owner of the data
// folder can open.
func control(d *desk.Desk, path string) (*http.Server, error) {
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("remove an old socket: %w", err)
	}
	l, err := net.Listen("unix", path)
	if err != nil {
		return nil, fmt.Errorf("listen for commands: %w", err)
	}
	if err := os.Chmod(path, 0o600); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /users", func(w http.ResponseWriter, r *http.Request) {
		var cmd UserCommand
		err := json.NewDecoder(io.LimitReader(r.Body, 1<<20)).Decode(&cmd)
		res := &UserResult{}
		if err == nil {
			res, err = carryOut(r.Context(), d, cmd)
		}
		if err != nil {
			res = &UserResult{Error: err.Error()}
		}
		_ = json.NewEncoder(w).Encode(res) // the command may be gone
	})
	s := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	go func() { _ = s.Serve(l) }() // ends when it is closed
	return s, nil
}
