package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"muster/internal/kind"
	"muster/internal/mustertest"
	"muster/internal/server"
)

// A task is a record whose creation takes as long as a test wants.
type task struct {
	kind.Record
	Name string
}

// running are the channels that end the creation of a task, by its name.
var running sync.Map

var tasks = kind.Define("test-task", "test-tasks", "Tasks List", func(k *task, f *kind.Fields) {
	f.Noun("task")
	f.Record(&k.Record)
	f.Text("name", &k.Name).Required()
	f.Stamps(&k.Record)
	f.Listed()
	kind.Settle(f, func(k, _ *task) {
		if k.Name == "boom" {
			panic("a task that fails")
		}
		if end, ok := running.Load(k.Name); ok {
			<-end.(chan struct{})
		}
	})
})

// startGate starts a server that works on one request at a time; others wait for so
// long at most, or for the usual time.
func startGate(t *testing.T, db mustertest.Database, wait time.Duration) *mustertest.Server {
	t.Helper()
	return mustertest.Start(t, mustertest.Options{
		Database: db.New(t), Kinds: []*kind.Schema{tasks.Schema},
		Change: func(cfg *server.Config) { cfg.MaxRequests, cfg.MaxWait = 1, wait },
	})
}

// occupy keeps the server at work until end is called, which waits for the rest
// of it.
func occupy(t *testing.T, s *mustertest.Server) (end func()) {
	t.Helper()
	stop := make(chan struct{})
	running.Store(t.Name(), stop)
	c := s.Admin()
	done := make(chan struct{})
	go func() {
		defer close(done)
		c.Do("POST", "/test_tasks", "<test-task><name>"+t.Name()+"</name></test-task>")
	}()
	end = sync.OnceFunc(func() {
		close(stop)
		<-done
	})
	t.Cleanup(end)
	eventually(t, "a request is worked on", func() bool { return s.Load().Working == 1 })
	return end
}

// eventually waits until a condition is true.
func eventually(t *testing.T, what string, condition func() bool) {
	t.Helper()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(time.Minute); !condition(); <-tick.C {
		if time.Now().After(deadline) {
			t.Fatalf("%s: not so after a minute", what)
		}
	}
}

const busy = "the server has more requests than it can answer at the moment"

// TestGateWait: a request that waits too long is refused in its own format, and
// those who watch are answered beside.
func TestGateWait(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		begun, s := time.Now(), startGate(t, db, 0)
		end := occupy(t, s)
		c := s.Admin()
		r := c.Get("/test_tasks.xml")
		refused(t, "GET", r, http.StatusServiceUnavailable, busy)
		equal(t, "Retry-After", r.Header.Get("Retry-After"), "2")
		r = c.Get("/test_tasks.json")
		if r.Status != http.StatusServiceUnavailable || !strings.HasPrefix(r.Body, `{"errors":["`+busy) {
			t.Errorf("GET .json: got %d %s, want 503 as JSON", r.Status, r.Body)
		}
		equal(t, "/healthz", s.Anonymous().Get("/healthz").Status, http.StatusOK)
		equal(t, "no credentials", s.Anonymous().Get("/api").Status, http.StatusUnauthorized)
		load := s.Load()
		equal(t, "the load", []any{load.Working, load.Waiting, load.Refused}, []any{1, 0, int64(2)})
		end()
		equal(t, "GET when there is room", c.Get("/test_tasks.xml").Status, http.StatusOK)
		most := 1 + int(time.Since(begun)/(10*time.Second))
		if warnings := strings.Count(s.Log.String(), "requests are refused"); warnings < 1 || warnings > most {
			t.Errorf("got %d warnings, want one in ten seconds:\n%s", warnings, s.Log)
		}
		if strings.Contains(s.Log.String(), "request failed") {
			t.Errorf("got a line in the log for each refusal, want the warning alone:\n%s", s.Log)
		}
	})
}

// TestGateFull: when enough wait, others are refused before anything is done for
// them, but for those who watch.
func TestGateFull(t *testing.T) {
	t.Parallel()
	s := startGate(t, mustertest.SQLite, time.Minute)
	end := occupy(t, s)
	enough := flood(t, s)
	anonymous := s.Anonymous()
	eventually(t, "a request is refused before it says who makes it", func() bool {
		return anonymous.Do("POST", "/test_tasks", "<test-task/>").Status == http.StatusServiceUnavailable
	})
	equal(t, "/healthz", anonymous.Get("/healthz").Status, http.StatusOK)
	equal(t, "/readyz", anonymous.Get("/readyz").Status, http.StatusOK)
	if waiting := s.Load().Waiting; waiting > 256 {
		t.Errorf("got %d requests that wait, want up to 256", waiting)
	}
	end()
	enough()
	equal(t, "when there is room", anonymous.Get("/test_tasks").Status, http.StatusUnauthorized)
}

// flood makes more requests than can wait, again and again until it is stopped.
func flood(t *testing.T, s *mustertest.Server) (enough func()) {
	t.Helper()
	const atOnce = 260
	transports := []*http.Transport{s.Transport(), s.Transport(), s.Transport()}
	for _, transport := range transports {
		transport.ForceAttemptHTTP2 = true // one connection for up to 100 requests
		if err := roundTrip(transport, s.Base+"/healthz", ""); err != nil {
			t.Fatal(err)
		}
	}
	fresh := nonce(t, s)
	var all sync.WaitGroup
	var stopped atomic.Bool
	for i := range atOnce {
		all.Go(func() {
			for n := i + 1; !stopped.Load(); n += atOnce {
				if err := roundTrip(transports[i%len(transports)], s.Base+"/test_tasks",
					admin.header("GET", "/test_tasks", fresh, n)); err != nil {
					t.Errorf("a request of many: %v", err)
					return
				}
			}
		})
	}
	enough = sync.OnceFunc(func() {
		stopped.Store(true)
		all.Wait()
		for _, transport := range transports {
			transport.CloseIdleConnections()
		}
	})
	t.Cleanup(enough)
	return enough
}

// roundTrip makes a request and drops the answer.
func roundTrip(transport *http.Transport, address, authorization string) error {
	req, err := http.NewRequest("GET", address, nil)
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", authorization)
	resp, err := transport.RoundTrip(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// TestGatePanic: a request that fails badly leaves room for the next.
func TestGatePanic(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := startGate(t, db, 0)
		c := s.Admin()
		for range 2 {
			equal(t, "POST", c.Do("POST", "/test_tasks", "<test-task><name>boom</name></test-task>").Status,
				http.StatusInternalServerError)
		}
		equal(t, "GET", c.Get("/test_tasks").Status, http.StatusOK)
		equal(t, "working", s.Load().Working, 0)
	})
}

// TestGateSlowClients: who sends or reads slowly keeps nobody from being
// answered.
func TestGateSlowClients(t *testing.T) {
	t.Parallel()
	s := startGate(t, mustertest.SQLite, time.Minute)
	fleet(s, 1000)
	c := s.Admin()
	fresh := nonce(t, s)

	sender := dial(t, s)
	document := hardware("<name>slow</name>")
	sender.send("POST /hardwares HTTP/1.1", "Host: localhost", fmt.Sprintf("Content-Length: %d", len(document)),
		"Expect: 100-continue", "Authorization: "+admin.header("POST", "/hardwares", fresh, 1))
	equal(t, "before the document", sender.answer().Status, http.StatusContinue)
	sender.write(document[:10])
	equal(t, "beside a slow sender", c.Get("/hardwares/1").Status, http.StatusOK)
	sender.write(document[10:])
	equal(t, "the slow sender", sender.answer().Status, http.StatusCreated)

	const long, times = "/hardwares?per_page=1000", 20 // more than the system would keep for the reader
	reader := dial(t, s)
	for i := range times {
		reader.send("GET "+long+" HTTP/1.1", "Host: localhost", "Authorization: "+admin.header("GET", long, fresh, i+2))
	}
	sent := func() int { return strings.Count(s.Log.String(), long) }
	eventually(t, "an answer is sent", func() bool { return sent() > 0 })
	for still, last := 0, 0; still < 20; still++ { // answers beside, until the reader gets no further
		equal(t, "beside a slow reader", c.Get("/hardwares/1").Status, http.StatusOK)
		if now := sent(); now > last {
			still, last = 0, now
		}
	}
	if sent() == times {
		t.Error("the slow reader was sent everything: the test shows nothing")
	}
	for range times {
		equal(t, "the slow reader", reader.answer().Status, http.StatusOK)
	}
}
