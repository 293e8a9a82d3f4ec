package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"muster/internal/desk"
	"muster/internal/store"
)

// A command is what an administrator asks of an installation. Its fields are
// what the socket carries, and its outcome is an R.
type command[R any] interface {
	// path is where the running server takes it, on the socket.
	path() string
	// first reports whether it makes a database that is not there yet.
	first() bool
	carryOut(context.Context, *installation) (*R, error)
}

// origin is that of commands in the audit trail.
var origin = desk.Caller{Origin: "command"}

// A question is a command on its way to the running server.
type question[C any] struct {
	Database string // that the command is about, "" for the server's
	Command  C
}

// A reply is the outcome of a command. Replies with nothing but its progress may come
// before.
type reply[R any] struct {
	Result *R
	Error  string

	Part        string `json:",omitempty"` // "" in the last one
	Done, Total int64  `json:",omitempty"`
}

// maxQuestion is the longest question: one with a file to import.
const maxQuestion = 48 << 20

// How long a command waits for another process that has the database open but
// does not listen to commands: one that carries out a command itself, or a
// server that starts or stops.
const (
	lockTime  = 15 * time.Second
	lockRetry = 50 * time.Millisecond
)

// do carries out a command, whether or not a server runs on the data folder:
// through the server's socket when there is one, else on the database itself.
func do[R any](ctx context.Context, p *Place, cmd command[R]) (*R, error) {
	return retryWhileLocked(ctx, p, func() (*R, error) { return try(ctx, p, cmd) })
}

// retryWhileLocked does something again while another process has the database open
// and does not listen.
func retryWhileLocked[R any](ctx context.Context, p *Place, do func() (*R, error)) (*R, error) {
	retry := time.NewTicker(lockRetry)
	defer retry.Stop()
	for last := time.Now().Add(lockTime); ; {
		res, err := do()
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
// does not listen.
func try[R any](ctx context.Context, p *Place, cmd command[R]) (*R, error) {
	if res, err := ask[R](ctx, p, cmd.path(), cmd); !errors.Is(err, errNoServer) {
		return res, err
	}
	h, err := p.openFor(ctx, cmd.first())
	if err != nil {
		return nil, err
	}
	defer h.close()
	return cmd.carryOut(ctx, h)
}

// openFor opens the installation for a command. Only the server creates and alters
// tables, except for the command that adds the first user.
func (p *Place) openFor(ctx context.Context, first bool) (*installation, error) {
	if p.missing() && !first {
		return nil, fmt.Errorf("there is no database %s: start muster serve first, or name another with --data or --database", store.Public(p.database()))
	}
	if !p.missing() {
		h, err := p.open(ctx, true)
		if !first || !errors.Is(err, store.ErrMissing) {
			return h, err
		}
	}
	p.Log.Warn("there is no database yet; creating a new one", "database", store.Public(p.database()))
	return p.open(ctx, false)
}

// ask has the running server carry out a command that it takes at a path.
func ask[R any](ctx context.Context, p *Place, path string, cmd any) (*R, error) {
	body, err := json.Marshal(question[any]{absolute(p.Database), cmd})
	if err != nil {
		return nil, err
	}
	resp, err := p.knock(ctx, http.MethodPost, path, body)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	switch resp.StatusCode {
	case http.StatusOK:
	case http.StatusConflict:
		return nil, errNoServer // of this database
	default:
		return nil, errors.New("the running server does not know this command, since it is another version: restart it")
	}
	var out reply[R]
	for replies := json.NewDecoder(resp.Body); ; progressOf(ctx)(out.Part, out.Done, out.Total) {
		out = reply[R]{}
		if err := replies.Decode(&out); err != nil {
			return nil, fmt.Errorf("ask the running server: %w", err)
		}
		if out.Part == "" {
			break
		}
	}
	if out.Error != "" {
		return nil, errors.New(out.Error)
	}
	return out.Result, nil
}

// take has the running server take commands of one sort from the socket.
func take[C command[R], R any](mux *http.ServeMux, p *Place, h *installation) {
	var sort C
	answer(mux, p, sort.path(), func(ctx context.Context, cmd C) (*R, error) { return cmd.carryOut(ctx, h) })
}

// answer has the running server answer what the socket carries to a path.
func answer[C, R any](mux *http.ServeMux, p *Place, path string, do func(context.Context, C) (*R, error)) {
	mux.HandleFunc("POST "+path, func(w http.ResponseWriter, r *http.Request) {
		var q question[C]
		err := json.NewDecoder(io.LimitReader(r.Body, maxQuestion)).Decode(&q)
		if q.Database != "" && q.Database != absolute(p.database()) {
			w.WriteHeader(http.StatusConflict)
			return
		}
		var out reply[R]
		if err == nil {
			out.Result, err = do(withProgress(r.Context(), func(part string, done, total int64) {
				_ = json.NewEncoder(w).Encode(reply[R]{Part: part, Done: done, Total: total})
				_ = http.NewResponseController(w).Flush()
			}), q.Command)
		}
		if err != nil {
			out = reply[R]{Error: p.withRemedy(err).Error()}
		}
		_ = json.NewEncoder(w).Encode(out) // the command may be gone
	})
}
