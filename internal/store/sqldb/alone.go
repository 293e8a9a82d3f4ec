package sqldb

import "context"

type aloneKey struct{}

// CommitAlone returns the context of an update that takes long. On SQLite it is committed
// alone, so that others wait for one such update at most.
func CommitAlone(ctx context.Context) context.Context {
	return context.WithValue(ctx, aloneKey{}, true)
}

// isAlone reports whether the update of a context is committed alone.
func isAlone(ctx context.Context) bool { return ctx.Value(aloneKey{}) != nil }
