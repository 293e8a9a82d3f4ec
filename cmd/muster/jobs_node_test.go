//go:build full

package main_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"muster/internal/desk"
	"muster/internal/desk/jobs"
	"muster/internal/inventory"
	"muster/internal/message"
	"muster/internal/server"
	"muster/internal/store"
)

// nodeVariable has the data folder of a node when the test's own binary is to be one.
const nodeVariable = "MUSTER_TEST_NODE"

// countedSteps is how many steps a job has that counts, and countedPause what it does between them, as far as others see.
const (
	countedSteps = 3
	countedPause = 30 * time.Millisecond
)

// counted adds a computer in each step of its job, so that steps that are lost or done twice can be seen.
var counted = jobs.Handler{Name: "counted", Title: func([]byte) message.Text { return message.Plain("Count") }, Do: count}

func count(ctx context.Context, r *jobs.Run) error {
	done := 0
	if err := r.Noted(&done); err != nil {
		return err
	}
	for ; done < countedSteps; done++ {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(countedPause):
		}
		err := r.Update(ctx, func(tx *store.Tx, _ desk.Caller) error {
			c := inventory.Computers.New()
			c.Name = countedName(r.ID(), done)
			if err := tx.Insert(ctx, inventory.Computers.Schema, c, time.Now()); err != nil {
				return err
			}
			return r.Note(ctx, tx, int64(done+1), countedSteps, done+1)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// countedName returns the name of the computer that a step adds.
func countedName(job int64, step int) string { return fmt.Sprintf("counted %d/%d", job, step) }

// startNode starts a server in this process that does so many jobs at once, those that count too. The data folders of an
// installation are beside each other.
func startNode(data, database string, jobsAtOnce int) (*server.Server, error) {
	return server.Start(context.Background(), server.Config{
		Place: server.Place{Data: data, Database: database, Realm: "Muster", Version: "v0.0.0-test",
			KeyFile: filepath.Join(filepath.Dir(data), "server.key"), Handlers: []*jobs.Handler{&counted}, Now: time.Now,
			Log: slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))},
		Listen: "localhost:0", PlainHTTP: true, Jobs: jobsAtOnce, Out: io.Discard,
	})
}

// beNode is a node until it is killed. It says when it has started.
func beNode(data string) int {
	s, err := startNode(data, os.Getenv("MUSTER_DATABASE"), server.DefaultJobs)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	fmt.Println("started")
	fmt.Fprintln(os.Stderr, <-s.Wait())
	return 1
}

// TestMain builds the program that the tests run, unless this process is to be a node.
func TestMain(m *testing.M) {
	if data := os.Getenv(nodeVariable); data != "" {
		os.Exit(beNode(data))
	}
	_ = os.Unsetenv("GOGC") // which the suite sets for itself: the program collects garbage as it does for its users
	os.Exit(buildAndRun(m))
}
