package front

import (
	"log/slog"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// TestGateOrder: requests that wait have their turn in the order in which they
// came, until each has waited long enough.
func TestGateOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const wait, requests = 2 * time.Second, 5
		g := NewGate(GateConfig{
			What: "requests", Inside: 1, Waiting: 4, Wait: wait, Log: slog.New(slog.DiscardHandler),
		})
		if err := g.Enter(t.Context()); err != nil {
			t.Fatal(err)
		}
		turns, refused := make(chan int, requests), make(chan int, requests)
		for i := range requests {
			go func() {
				if g.Enter(t.Context()) != nil {
					refused <- i
					return
				}
				turns <- i
				g.Leave()
			}()
			synctest.Wait()
			if i == 0 {
				time.Sleep(wait / 2) // of the bubble, whose clock goes on when all wait
			}
		}
		received(t, "refused for want of room", refused, 4)
		time.Sleep(wait / 2)
		received(t, "refused having waited long enough", refused, 0)
		g.Leave()
		received(t, "turns", turns, 1, 2, 3)
		if got, want := g.Load(), (Load{Refused: 2}); got != want {
			t.Errorf("got %+v in the end, want %+v", got, want)
		}
	})
}

// received checks what a channel contains once all goroutines are blocked.
func received(t *testing.T, what string, from <-chan int, want ...int) {
	t.Helper()
	synctest.Wait()
	var got []int
	for len(from) > 0 {
		got = append(got, <-from)
	}
	if !slices.Equal(got, want) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}
