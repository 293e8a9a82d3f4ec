package server

import "context"

// A Progress is called with how far a command has come: the part that it works on, and
// how much of how much is done.
type Progress func(part string, done, total int64)

type progressKey struct{}

// withProgress returns a context through which a command reports its progress, in this
// process or through the socket.
func withProgress(ctx context.Context, p Progress) context.Context {
	return context.WithValue(ctx, progressKey{}, p)
}

// progressOf returns the Progress of a context, one that does nothing if it has none.
func progressOf(ctx context.Context) Progress {
	if p, ok := ctx.Value(progressKey{}).(Progress); ok && p != nil {
		return p
	}
	return func(string, int64, int64) {}
}
