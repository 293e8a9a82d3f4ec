package server

import "context"

// A Progress is told how far a command has come: in what, and how much of how
// much.
type Progress func(part string, done, total int64)

type progressKey struct{}

// withProgress returns a context by which a command tells how far it has come,
// in this process or through the socket.
func withProgress(ctx context.Context, p Progress) context.Context {
	return context.WithValue(ctx, progressKey{}, p)
}

// progressOf returns what a command tells its progress, which may do nothing
// with it.
func progressOf(ctx context.Context) Progress {
	if p, ok := ctx.Value(progressKey{}).(Progress); ok && p != nil {
		return p
	}
	return func(string, int64, int64) {}
}
