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
	"syscall"
	"time"

	"muster/internal/desk"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/store"
)

// socketName is the socket in the data folder through which commands reach a
// running server: one process writes an SQLite file, and of a server on
// PostgreSQL they learn the database.
const socketName = "muster.sock"

// A UserCommand changes or lists users.
type UserCommand struct {
	Do       string // add, passwd, disable, enable or list
	Email    string
	Role     string
	ReadOnly bool
	Password string // "" for a generated one
	Database string // that the command is about, "" for the server's
}

// A UserResult is the outcome of a UserCommand.
type UserResult struct {
	Password string // that holds now, of add and passwd
	Users    []*inventory.User
	Error    string
}

// How long a command waits for another process that has the database open but
// does not listen to commands: one that carries out a command itself, or a
// server that starts or stops.
const (
	lockTime  = 5 * time.Second
	lockRetry = 50 * time.Millisecond
)

// Do carries out a command, whether or not a server runs on the data folder:
// through the server's socket when there is one, else on the database itself.
func (p *Place) Do(ctx context.Context, cmd UserCommand) (*UserResult, error) {
	retry := time.NewTicker(lockRetry)
	defer retry.Stop()
	for last := time.Now().Add(lockTime); ; {
		res, err := p.try(ctx, cmd)
		err = p.withRemedy(err)
		if !errors.Is(err, errLocked) || time.Now().After(last) {
			return res, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-retry.C:
		}
	}
}

// try carries out a command, unless another process has the database open and
// does not listen. Only the first user makes a database.
func (p *Place) try(ctx context.Context, cmd UserCommand) (*UserResult, error) {
	cmd.Database = absolute(p.Database)
	if res, err := p.ask(ctx, cmd); !errors.Is(err, errNoServer) {
		return res, err
	}
	h, err := p.openFor(ctx, cmd)
	if err != nil {
		return nil, err
	}
	defer h.close()
	return carryOut(ctx, h.desk, cmd)
}

// openFor opens the installation for a command. Tables are made and altered by
// the server alone, but for the first user of all.
func (p *Place) openFor(ctx context.Context, cmd UserCommand) (*house, error) {
	first := cmd.Do == "add"
	if p.missing() && !first {
		return nil, fmt.Errorf("there is no database %s: start muster serve first, or name another with --data or --database", p.database())
	}
	if !p.missing() {
		h, err := p.open(ctx, true)
		if !first || !errors.Is(err, store.ErrMissing) {
			return h, err
		}
	}
	p.Log.Warn("there was no database yet, a new one is made", "database", store.Public(p.database()))
	return p.open(ctx, false)
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
	case "enable":
		err = d.EnableUser(ctx, who, cmd.Email)
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
	resp, err := p.knock(ctx, http.MethodPost, "/users", body)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode == http.StatusConflict {
		return nil, errNoServer // of this database
	}
	res := &UserResult{}
	if err := json.NewDecoder(resp.Body).Decode(res); err != nil {
		return nil, fmt.Errorf("ask the running server: %w", err)
	}
	if res.Error != "" {
		return nil, errors.New(res.Error)
	}
	return res, nil
}

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

// control returns what serves commands about the database on the socket.
func (p *Place) control(d *desk.Desk) *http.Server {
	database := absolute(p.database())
	mux := http.NewServeMux()
	mux.HandleFunc("GET /database", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, database) // the command may be gone
	})
	mux.HandleFunc("POST /users", func(w http.ResponseWriter, r *http.Request) {
		var cmd UserCommand
		err := json.NewDecoder(io.LimitReader(r.Body, 1<<20)).Decode(&cmd)
		if cmd.Database != "" && cmd.Database != database {
			w.WriteHeader(http.StatusConflict)
			return
		}
		res := &UserResult{}
		if err == nil {
			res, err = carryOut(r.Context(), d, cmd)
		}
		if err != nil {
			res = &UserResult{Error: p.withRemedy(err).Error()}
		}
		_ = json.NewEncoder(w).Encode(res) // the command may be gone
	})
	return &http.Server{Handler: mux, ReadHeaderTimeout: headerTime}
}
