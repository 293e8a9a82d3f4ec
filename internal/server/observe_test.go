// Package server_test looks at a running server from outside.
package server_test

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"muster/internal/desk/bulk"
	"muster/internal/inventory"
	"muster/internal/mustertest"
	"muster/internal/server"
	"muster/internal/store"
	"muster/internal/store/queue"
)

const computer = "<hardware><name>a</name></hardware>"

// TestMetrics counts what happens, on both databases.
func TestMetrics(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := mustertest.Start(t, mustertest.Options{On: db, Change: func(cfg *server.Config) {
			cfg.RateLimit, cfg.Jobs = 10, 0 // jobs make transactions of their own
		}})
		mustertest.Insert(s, inventory.Computers, &inventory.Computer{Name: "before"}) // the first look counts
		plan(t, s)
		before := s.Metrics()
		c := s.Admin()
		for _, call := range []struct {
			method, target, body string
			status               int
		}{
			{"GET", "/hardwares.xml", "", 200}, {"GET", "/hardwares?status=x", "", 200},
			{"GET", "/hardwares?x=1", "", 400},
			{"POST", "/hardwares", computer, 201}, {"GET", "/hardwares/1-name.xml", "", 200},
			{"HEAD", "/hardwares/1", "", 200},
			{"GET", "/hardwares/999", "", 404}, {"PATCH", "/hardwares/1", "", 405}, {"GET", "/nothing", "", 404},
			{"BREW", "/hardwares", "", 405},
			{"GET", "/api", "", 429},
		} {
			if got := c.Do(call.method, call.target, call.body); got.Status != call.status {
				t.Errorf("%s %s: got %d, want %d", call.method, call.target, got.Status, call.status)
			}
		}
		s.Client("nobody@example.com", "wrong").Get("/api")
		s.Anonymous().Get("/healthz")
		after := s.Metrics()
		for series, want := range map[string]float64{
			`muster_http_requests_total{method="GET",route="/hardwares",status="2xx"}`:        2,
			`muster_http_requests_total{method="GET",route="/hardwares",status="4xx"}`:        1,
			`muster_http_requests_total{method="POST",route="/hardwares",status="2xx"}`:       1,
			`muster_http_requests_total{method="GET",route="/hardwares/{id}",status="2xx"}`:   1,
			`muster_http_requests_total{method="HEAD",route="/hardwares/{id}",status="2xx"}`:  1,
			`muster_http_requests_total{method="GET",route="/hardwares/{id}",status="4xx"}`:   1,
			`muster_http_requests_total{method="other",route="/hardwares/{id}",status="4xx"}`: 1,
			`muster_http_requests_total{method="other",route="/hardwares",status="4xx"}`:      1,
			`muster_http_requests_total{method="GET",route="/healthz",status="2xx"}`:          1,
			`muster_http_request_duration_seconds_count{method="GET",route="/hardwares"}`:     3,
			`muster_logins_total{outcome="verified"}`:                                         11,
			`muster_logins_total{outcome="failed"}`:                                           1,
			// the first of each client
			`muster_logins_total{outcome="missing"}`:                                            2,
			`muster_limited_requests_total{limit="requests_of_user"}`:                           1,
			`muster_limited_requests_total{limit="logins_of_user"}`:                             0,
			`muster_database_errors_total{sort="unavailable"}`:                                  0,
			`muster_http_request_duration_seconds_bucket{method="GET",route="/api",le="0.001"}`: 0,
		} {
			if got := after[series] - before[series]; got != want {
				t.Errorf("%s: got %v more, want %v", series, got, want)
			}
		}
		for _, series := range []string{
			`muster_database_transaction_duration_seconds_bucket{mode="update",le="+Inf"}`,
			`muster_database_wait_duration_seconds_count{mode="update"}`,
		} {
			// the login is noted, where it came from, and the use of the password; where nodes share a
			// database, adding to the audit trail each second may come besides
			const want = 4
			if got := after[series] - before[series]; got < want || got > want && !s.Store().Shared() {
				t.Errorf("%s: got %v more, want %v", series, got, want)
			}
		}
		const views = `muster_database_transaction_duration_seconds_count{mode="view"}`
		// of a page that is not in memory; looking for changes of users is one each second
		if got := after[views] - before[views]; got < 1 {
			t.Errorf("%s: got %v more, want 1 at least", views, got)
		}
		for series, want := range map[string]float64{
			`muster_http_requests_in_flight`: 0, `muster_records{kind="users"}`: 1,
			`muster_records{kind="hardwares"}`:                   1,
			`muster_database_waiting{mode="update"}`:             0,
			`muster_jobs{handler="change-many",state="waiting"}`: 1, `muster_jobs{handler="change-many",state="failed"}`: 0,
			`muster_jobs_late_seconds{handler="change-many"}`: 0, `muster_jobs_held`: 0,
		} {
			if got, ok := after[series]; !ok || got != want {
				t.Errorf("%s: got %v, %t, want %v", series, got, ok, want)
			}
		}
		for _, series := range []string{
			`muster_http_response_body_bytes_total{route="/hardwares"}`,
			`muster_http_response_body_bytes_total{route="none"}`,
			`muster_database_size_bytes`, `muster_disk_free_bytes{folder="data"}`, "go_goroutines", "process_open_fds",
		} {
			if after[series] <= 0 {
				t.Errorf("%s: got %v, want more than 0", series, after[series])
			}
		}
		if got := time.Unix(int64(after["muster_certificate_expiry_timestamp_seconds"]),
			0); got.Before(s.Clock.Now().AddDate(1, 0, 0)) {
			t.Errorf("the certificate's end: got %v, want it a year from %v", got, s.Clock.Now())
		}
	})
}

// plan adds a job that waits for tomorrow.
func plan(t *testing.T, s *mustertest.Server) {
	t.Helper()
	now := s.Clock.Now()
	err := s.Store().Update(context.Background(), func(tx *store.Tx) error {
		_, err := queue.Add(context.Background(), tx, &queue.Job{Handler: bulk.Handler, Payload: []byte("{}"), Created: now,
			DueAt: now.AddDate(0, 0, 1)})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestBoundedLabels: whatever strangers and users send, there are no more
// series.
func TestBoundedLabels(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{Change: func(cfg *server.Config) { cfg.LoginLimit = 0 }})
	c, anonymous := s.Admin(), s.Anonymous()
	send := func(i int) {
		for _, path := range []string{
			"/path%d", "/hardwares/%d", "/hardwares/1-%d.xml", "/hardwares?name=%d", "/api/%d",
		} {
			c.Get(fmt.Sprintf(path, i))
			anonymous.Get(fmt.Sprintf(path, i))
		}
		c.Do(fmt.Sprintf("METHOD%d", i), "/hardwares", "")
		s.Client(fmt.Sprintf("user%d@example.com", i), "wrong").Get("/api")
	}
	send(0)
	mustertest.Eventually(t, "the tables were measured",
		func() bool { return s.Metrics()[`muster_database_table_bytes{table="hardwares"}`] > 0 })
	before := s.Metrics()
	for i := range 30 {
		send(i)
	}
	after := s.Metrics()
	maps.DeleteFunc(after, func(series string, _ float64) bool {
		_, known := before[series]
		return known
	})
	if len(after) > 0 {
		t.Errorf("got the new series %v, want none", after)
	}
}

// TestCommits: changes that wait are committed together.
func TestCommits(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{Change: func(cfg *server.Config) { cfg.Jobs = 0 }})
	before := s.Metrics()["muster_database_commits_total"]
	if got := s.Admin().Do("POST", "/hardwares", computer); got.Status != http.StatusCreated {
		t.Fatalf("got %d, want 201", got.Status)
	}
	// the login is noted, where it came from, and that a program used the password
	if got := s.Metrics()["muster_database_commits_total"] - before; got != 4 {
		t.Errorf("got %v commits, want 4", got)
	}
}

// TestObserver serves profiles and metrics to those on this machine alone, and
// nothing else.
func TestObserver(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	for path, want := range map[string]string{
		"/debug/pprof/": "goroutine", "/debug/pprof/goroutine?debug=1": "goroutine profile",
		"/debug/pprof/cmdline":            "test",
		"/debug/pprof/trace?seconds=0.01": "go 1.", "/metrics": "# HELP muster_build_info",
	} {
		if got := s.Observed(path); !strings.Contains(got, want) {
			t.Errorf("%s: got %.100q, want %q in it", path, got, want)
		}
	}
	for _, test := range []struct {
		host, path string
		want       int
	}{
		{"evil.example.com", "/metrics", 421}, {"10.0.0.1:9464", "/debug/pprof/", 421},
		{"localhost:1", "/metrics", 200}, {"[::1]", "/metrics", 200},
		{"127.0.0.1", "/api.xml", 404}, {"127.0.0.1", "/", 404},
	} {
		req, err := http.NewRequest("GET", "http://"+s.ObserveAddress()+test.path, nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Host = test.host
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		if resp.StatusCode != test.want {
			t.Errorf("%s of %s: got %d, want %d", test.path, test.host, resp.StatusCode, test.want)
		}
	}
	for _, path := range []string{"/metrics", "/debug/pprof/"} {
		if got := s.Admin().Get(path).Status; got != http.StatusNotFound {
			t.Errorf("%s of the API: got %d, want 404", path, got)
		}
	}
}

// token is one for metrics.
const token = "0123456789abcdef0123456789abcdef"

// TestObserveToken serves metrics to other machines by TLS, to those who have
// the token, and no profiles.
func TestObserveToken(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte(token+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*server.Config){
		"other machines": func(cfg *server.Config) { cfg.Observe, cfg.ObserveToken = "0.0.0.0:0", token },
		"this machine":   func(cfg *server.Config) { cfg.ObserveTokenFile = file },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := mustertest.Start(t, mustertest.Options{Change: change})
			base, profiles := "http://"+s.ObserveAddress(), http.StatusOK
			if name == "other machines" {
				_, port, _ := net.SplitHostPort(s.ObserveAddress())
				base, profiles = "https://localhost:"+port, http.StatusForbidden
			}
			for _, test := range []struct {
				path, credential string
				want             int
			}{
				{"/metrics", "", 401}, {"/metrics", "Bearer " + token, 200}, {"/metrics", "bearer " + token, 200},
				{"/metrics", "Bearer " + token[1:], 401}, {"/metrics", "Bearer " + token + "0", 401}, {"/metrics", "Bearer ", 401},
				{"/metrics", "Basic " + token, 401}, {"/metrics", token, 401}, {"/debug/pprof/", "", 401},
				{"/debug/pprof/", "Bearer " + token, profiles}, {"/debug/pprof/heap", "Bearer " + token, profiles},
				{"/api", "Bearer " + token, 404},
			} {
				if got, _ := scrape(t, s, base+test.path, test.credential); got != test.want {
					t.Errorf("%s with %q: got %d, want %d", test.path, test.credential, got, test.want)
				}
			}
			if _, text := scrape(t, s, base+"/metrics", "Bearer "+token); !strings.Contains(text, "\nmuster_observe_refused_total 7\n") {
				t.Errorf("got %q, want 7 refused requests", text)
			}
			if log := s.Log.String(); strings.Contains(log, token) {
				t.Errorf("the log has the token: %s", log)
			}
		})
	}
}

// scrape returns the status and the text at an address of metrics.
func scrape(t *testing.T, s *mustertest.Server, address, credential string) (int, string) {
	t.Helper()
	req, err := http.NewRequest("GET", address, nil)
	if err != nil {
		t.Fatal(err)
	}
	if credential != "" {
		req.Header.Set("Authorization", credential)
	}
	client := http.Client{Transport: &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: s.Roots, Time: s.Clock.Now}, DisableKeepAlives: true,
	}}
	resp, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(text)
}

// TestObserveAddress refuses what others could reach without a token, before
// anything is made.
func TestObserveAddress(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	empty, short := filepath.Join(dir, "empty"), filepath.Join(dir, "short")
	if err := errors.Join(os.WriteFile(empty, []byte("\n"), 0o600), os.WriteFile(short, []byte("hush\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ address, token, file, want string }{
		{":9464", "", "", "loopback"}, {"0.0.0.0:9464", "", "", "loopback"}, {"[::]:9464", "", "", "loopback"},
		{"10.1.2.3:9464", "", "", "MUSTER_OBSERVE_TOKEN"}, {"example.com:9464", "", "", "--observe-token-file"},
		{"127.0.0.1", "", "", "127.0.0.1:9464"}, {"127.0.0.1:many", "", "", "--observe"},
		{":9464", "short", "", "MUSTER_OBSERVE_TOKEN: the token must have at least 20"},
		{":9464", "with a blank in the middle of it", "", "no blanks"}, {"127.0.0.1:9464", "", short, short},
		{":9464", "", empty, "is empty"}, {":9464", "", filepath.Join(dir, "none"), "no such file"},
		{":9464", token, short, "give one of them"}, {"", token, "", "give one with --observe"},
		{"", "", short, "give one with --observe"},
	} {
		data := filepath.Join(t.TempDir(), "data")
		s, err := server.Start(context.Background(), server.Config{
			Place:  server.Place{Data: data, Realm: "Muster", Now: time.Now, Log: slog.New(slog.DiscardHandler)},
			Listen: "localhost:0", Observe: test.address, ObserveToken: test.token, ObserveTokenFile: test.file, Out: io.Discard,
		})
		if err == nil {
			_ = s.Stop(context.Background())
		}
		if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), token) {
			t.Errorf("--observe %+v: got %v, want a text with %q", test, err, test.want)
		}
		if _, err := os.Stat(data); err == nil && test.address != "127.0.0.1:many" {
			t.Errorf("--observe %+v: a data folder was made", test)
		}
	}
}

// TestNotObserved: without an address nothing is served beside the API.
func TestNotObserved(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{Change: func(cfg *server.Config) { cfg.Observe = "" }})
	if got := s.ObserveAddress(); got != "" {
		t.Errorf("got the address %q, want none", got)
	}
	if got := s.Admin().Get("/api").Status; got != http.StatusOK {
		t.Errorf("a request: got %d, want 200", got)
	}
}

// TestCensus counts records at most once a minute.
func TestCensus(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := mustertest.Start(t, mustertest.Options{On: db})
		const computers = `muster_records{kind="hardwares"}`
		for _, step := range []struct {
			after time.Duration
			want  float64
		}{{0, 0}, {59 * time.Second, 0}, {time.Second, 2}} {
			s.Clock.Advance(step.after)
			if got := s.Metrics()[computers]; got != step.want {
				t.Errorf("%s after %v more: got %v, want %v", computers, step.after, got, step.want)
			}
			if r := s.Admin().Do("POST", "/hardwares",
				"<hardware><name>a</name></hardware>"); r.Status != http.StatusCreated {
				t.Fatalf("POST: got %d, want 201", r.Status)
			}
		}
	})
}

// TestTableSizes measures tables: on PostgreSQL at a look, at most once a minute; on SQLite, where that reads the whole
// file, once a day.
func TestTableSizes(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := mustertest.Start(t, mustertest.Options{On: db})
		const (
			computers = `muster_database_table_bytes{table="hardwares"}`
			words     = `muster_database_table_bytes{table="hardwares_search"}`
		)
		mustertest.Eventually(t, "the tables were measured", func() bool { return s.Metrics()[computers] > 0 })
		first := s.Metrics()
		if first[words] <= 0 || first[computers] > first["muster_database_size_bytes"] {
			t.Errorf("got %v for words, %v for computers, of %v in all", first[words], first[computers],
				first["muster_database_size_bytes"])
		}
		for range 200 {
			mustertest.Insert(s, inventory.Computers, &inventory.Computer{Name: "a", Notes: strings.Repeat("long ", 200)})
		}
		grown := func() bool { return s.Metrics()[computers] > first[computers] }
		s.Clock.Advance(time.Hour)
		if db.Name == "sqlite" {
			for range 20 { // each look would let it be measured
				s.Clock.Advance(time.Minute)
				if grown() {
					t.Fatal("the tables of an SQLite file were measured again after an hour")
				}
			}
			s.Clock.Advance(23 * time.Hour)
		}
		mustertest.Eventually(t, "the tables were measured again", grown)
	})
}

// TestIndexMetrics counts how often the indexes were loaded and dropped.
func TestIndexMetrics(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := mustertest.Start(t, mustertest.Options{On: db})
		loads, drops := s.Metrics()["muster_index_loads_total"], s.Metrics()["muster_index_drops_total"]
		if loads != 1 || drops != 0 {
			t.Errorf("after the start: got %v loads and %v drops, want 1 and 0", loads, drops)
		}
		if db.Name == "sqlite" {
			return // its writer drops them only when they cannot be read
		}
		run(t, s, "INSERT INTO feed (kind, ids) VALUES ('*', ARRAY[0])") // as an upgrade does
		mustertest.Eventually(t, "the indexes are loaded again", func() bool {
			now := s.Metrics()
			return now["muster_index_loads_total"] == 2 && now["muster_index_drops_total"] == 1
		})
	})
}

// TestWaitingMetrics shows what waits in tables, and what was run again, on PostgreSQL.
func TestWaitingMetrics(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		if db.Name == "sqlite" {
			return // nothing waits there
		}
		s := mustertest.Start(t, mustertest.Options{On: db})
		ctx := context.Background()
		again := true
		err := s.Store().Update(ctx, func(tx *store.Tx) error {
			if again {
				again = false
				return store.ErrAgain
			}
			// nobody adds to the chain meanwhile
			if err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock(7166453)"); err != nil {
				return err
			}
			mustertest.Insert(s, inventory.Computers, &inventory.Computer{Name: "a"})
			if r := s.Admin().Do("POST", "/hardwares", computer); r.Status != http.StatusCreated {
				return fmt.Errorf("POST: got %d", r.Status)
			}
			s.Clock.Advance(time.Minute)
			got := s.Metrics()
			for _, series := range []string{"muster_audits_pending", "muster_feed_rows", "muster_database_retries_total"} {
				if got[series] < 1 {
					t.Errorf("%s: got %v, want 1 at least", series, got[series])
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		mustertest.Eventually(t, "nothing waits any more", func() bool {
			s.Clock.Advance(time.Minute)
			return s.Metrics()["muster_audits_pending"] == 0
		})
	})
}

// run runs a statement on the database of a server.
func run(t *testing.T, s *mustertest.Server, statement string) {
	t.Helper()
	ctx := context.Background()
	if err := s.Store().Update(ctx, func(tx *store.Tx) error { return tx.Exec(ctx, statement) }); err != nil {
		t.Fatal(err)
	}
}
