package sqldb

import "context"

type aloneKey struct{}

// CommitAlone returns a context for an update that takes long. SQLite commits it separately, so that other
// changes wait for at most one such update.
func CommitAlone(ctx context.Context) context.Context {
	return context.WithValue(ctx, aloneKey{}, true)
}

func isAlone(ctx context.Context) bool { return ctx.Value(aloneKey{}) != nil }
