package sqldb

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"muster/internal/message"
)

// ErrTooLong is wrapped by the errors of what the database had not enough time for. The database itself answers,
// and the same call may succeed later, so they wrap ErrUnavailable too. Their message says what took too long.
var ErrTooLong = fmt.Errorf("%w: it took too long", ErrUnavailable)

// tookTooLong returns the error of work that had begun at a time and was ended.
func tookTooLong(begun time.Time, cause error) error {
	return late(message.New("this was not done after %d s and was ended, so nothing was changed: "+
		"try again later, or do less at once", secondsSince(begun)), cause)
}

// Waited returns the error of a call that waited for its turn since begun, until its context ended.
func Waited(ctx context.Context, begun time.Time) error {
	if !outOfTime(ctx) {
		return fmt.Errorf("%w: %w", ErrUnavailable, context.Cause(ctx))
	}
	return late(message.New("this waited %d s for its turn at the database and was ended, so nothing was changed: "+
		"try again later", secondsSince(begun)), context.Cause(ctx))
}

// wasLocked returns the error of a change that waited since begun for another one of the same records.
func wasLocked(begun time.Time, cause error) error {
	return late(message.New("this waited %d s for another change of the same records and was ended, "+
		"so nothing was changed: try again later", secondsSince(begun)), cause)
}

// alwaysBeaten returns the error of a change that lost against others each time that it was tried.
func alwaysBeaten(cause error) error {
	return late(message.New("others changed the same records again and again, so nothing was changed: "+
		"try again later"), cause)
}

// late returns the error that says what took too long.
func late(text message.Text, cause error) error {
	return fmt.Errorf("%w: %w", &message.Error{Text: text, Cause: ErrTooLong}, cause)
}

func outOfTime(ctx context.Context) bool { return errors.Is(ctx.Err(), context.DeadlineExceeded) }

// secondsSince returns how long ago a time was, at least a second.
func secondsSince(begun time.Time) int64 {
	return int64(max(1, math.Round(time.Since(begun).Seconds())))
}
