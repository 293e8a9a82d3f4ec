package desk

import (
	"context"
	"errors"
	"testing"
	"time"

	"muster/internal/inventory"
	"muster/internal/store"
)

// TestPasswordsWait: passwords that administrators set are hashed in their turn, as
// those of people who sign in, and nobody waits for their transaction meanwhile.
func TestPasswordsWait(t *testing.T) {
	t.Parallel()
	command := Caller{Origin: "command"}
	for name, set := range map[string]func(ctx context.Context, d *Desk) error{
		"given": func(ctx context.Context, d *Desk) error {
			_, err := d.SetPassword(ctx, command, "ann@example.com", PasswordChange{New: "another password"})
			return err
		},
		"generated": func(ctx context.Context, d *Desk) error {
			_, err := d.SetPassword(ctx, command, "ann@example.com", PasswordChange{})
			return err
		},
		"of a new user": func(ctx context.Context, d *Desk) error {
			user := inventory.Users.New()
			user.Email, user.Role = "ben@example.com", inventory.Technician
			_, err := d.AddUser(ctx, command, user, "")
			return err
		},
	} {
		d := newDesk(t, nil)
		addAnn(t, d, "long password")
		for range HashesAtOnce() {
			d.hashing <- struct{}{}
		}
		soon, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
		if err := set(soon, d); !errors.Is(err, store.ErrUnavailable) || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: got %v while others are hashed, want %v", name, err, store.ErrUnavailable)
		}
		cancel()
		done := make(chan error)
		go func() { done <- set(context.Background(), d) }()
		if err := d.EnableUser(context.Background(), command, "ann@example.com"); err != nil {
			t.Errorf("%s: got %v of a change meanwhile", name, err)
		}
		<-d.hashing
		if err := <-done; err != nil {
			t.Errorf("%s: got %v when there is room", name, err)
		}
	}
}
