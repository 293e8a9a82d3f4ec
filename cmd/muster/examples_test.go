//go:build full && volume

package main_test

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"muster/internal/mustertest"
)

// example returns a file of packaging/examples, with texts replaced that it must have: pairs of what it has and what
// takes its place.
func example(t *testing.T, name string, replaced ...string) string {
	t.Helper()
	text := read(t, filepath.Join("../../packaging/examples", name))
	for i := 0; i < len(replaced); i += 2 {
		if !strings.Contains(text, replaced[i]) {
			t.Fatalf("%s has no %q, which this test replaces", name, replaced[i])
		}
		text = strings.ReplaceAll(text, replaced[i], replaced[i+1])
	}
	return text
}

// must runs a program that is to succeed.
func must(t *testing.T, name string, args ...string) {
	t.Helper()
	if out, err := exec.Command(name, args...).CombinedOutput(); err != nil {
		t.Errorf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
}

// TestVolumeExampleFiles has each example read by the program that it is for, with no change but names and addresses,
// and lets each alert be raised by what it is about.
func TestVolumeExampleFiles(t *testing.T) {
	t.Parallel()
	s := newFolder(t).serve() // which has certificates
	dir := t.TempDir()
	file := func(name, text string) string {
		write(t, filepath.Join(dir, name), text)
		return filepath.Join(dir, name)
	}
	rules, token := file("muster-rules.yml", example(t, "muster-rules.yml")), file("token", exampleToken)
	must(t, "promtool", "check", "config", file("prometheus.yml", example(t, "prometheus.yml",
		"/etc/prometheus/muster-rules.yml", rules, "/etc/prometheus/muster-token", token,
		"/etc/prometheus/muster-ca.pem", s.f.data("ca.pem"))))
	must(t, "promtool", "test", "rules", file("test.yml", read(t, "testdata/muster-rules-test.yml")))
	must(t, "/usr/sbin/haproxy", "-c", "-f", file("haproxy.cfg", haproxyConfig(t, dir, s, s.f.data("ca.pem"), freePort(t), "localhost:1", "localhost:2")))
	must(t, "/usr/sbin/nginx", "-t", "-p", dir, "-c", file("nginx.conf",
		"pid nginx.pid; error_log stderr; events {}\nhttp { access_log off;\n"+example(t, "nginx.conf",
			"node1.example.com:8443", "localhost:1", "node2.example.com:8443", "localhost:2", "listen 443", "listen 127.0.0.1:"+freePort(t),
			"/etc/ssl/assets.pem", s.f.data("tls.pem"), "/etc/ssl/assets.key", s.f.data("tls.key"),
			"/etc/ssl/muster-ca.pem", s.f.data("ca.pem"))+"}\n"))
}

// haproxyConfig returns the example with the certificate of a server and an authority, before two nodes.
func haproxyConfig(t *testing.T, dir string, s *service, ca, port string, nodes ...string) string {
	t.Helper()
	pem := filepath.Join(dir, "assets.pem")
	write(t, pem, read(t, s.f.data("tls.pem"))+read(t, s.f.data("tls.key")))
	return example(t, "haproxy.cfg", "/etc/haproxy/assets.pem", pem, "/etc/haproxy/muster-ca.pem", ca,
		"maxconn 20000", "maxconn 1000", "bind :443", "bind 127.0.0.1:"+port, "verifyhost assets.example.com", "verifyhost localhost",
		"node1.example.com:8443", nodes[0], "node2.example.com:8443", nodes[1])
}

// exampleToken is one for metrics.
const exampleToken = "0123456789abcdef0123456789abcdef"

// A prometheus is a server of that name.
type prometheus struct {
	t    *testing.T
	base string
}

// startPrometheus runs one with the example configuration until the test ends, which scrapes two servers by TLS and
// with their token, each second.
func startPrometheus(t *testing.T, ca string, targets ...string) *prometheus {
	t.Helper()
	dir, port := t.TempDir(), freePort(t)
	token, rules := filepath.Join(dir, "token"), filepath.Join(dir, "rules.yml")
	write(t, token, exampleToken)
	write(t, rules, example(t, "muster-rules.yml"))
	write(t, filepath.Join(dir, "prometheus.yml"), example(t, "prometheus.yml", "interval: 15s", "interval: 1s",
		"/etc/prometheus/muster-rules.yml", rules, "/etc/prometheus/muster-token", token,
		"/etc/prometheus/muster-ca.pem", ca, "node1.example.com:9464", targets[0], "node2.example.com:9464", targets[1]))
	cmd := exec.Command("prometheus", "--config.file", filepath.Join(dir, "prometheus.yml"),
		"--storage.tsdb.path", filepath.Join(dir, "data"), "--web.listen-address", "127.0.0.1:"+port)
	log := newOutput()
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		t.Fatalf("start prometheus: %v", err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // it was killed
		if t.Failed() {
			t.Log(log.String())
		}
	})
	p := &prometheus{t, "http://127.0.0.1:" + port}
	eventually(t, "Prometheus is ready", func() bool {
		resp, err := http.Get(p.base + "/-/ready")
		return err == nil && resp.Body.Close() == nil && resp.StatusCode == http.StatusOK
	})
	return p
}

// get reads a document of its API.
func (p *prometheus) get(path string, into any) error {
	resp, err := http.Get(p.base + path)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	return json.NewDecoder(resp.Body).Decode(into)
}

// ask returns the values that a query gives now, without those that are no numbers.
func (p *prometheus) ask(query string) (values []float64, err error) {
	var got struct {
		Status, Error string
		Data          struct {
			Result []struct{ Value [2]any }
		}
	}
	if err := p.get("/api/v1/query?query="+url.QueryEscape(query), &got); err != nil {
		return nil, err
	}
	if got.Status != "success" {
		return nil, fmt.Errorf("%s", got.Error)
	}
	for _, r := range got.Data.Result {
		text, _ := r.Value[1].(string)
		if v, err := strconv.ParseFloat(text, 64); err == nil && !math.IsNaN(v) {
			values = append(values, v)
		}
	}
	return values, nil
}

// TestVolumeExampleQueries runs each query of the dashboard and each alert on a real Prometheus, which scrapes a server
// on SQLite and one on PostgreSQL under load: each query gives data, and there are the series that alerts look at.
func TestVolumeExampleQueries(t *testing.T) {
	t.Parallel()
	servers, targets := []*service{}, []string{}
	ca := filepath.Join(t.TempDir(), "ca.pem")
	var authorities strings.Builder
	for _, database := range []string{"", mustertest.Postgres.New(t)} {
		f, port := newFolder(t), freePort(t)
		f.env = []string{"MUSTER_OBSERVE=:" + port, "MUSTER_OBSERVE_TOKEN=" + exampleToken, "MUSTER_RATE_LIMIT=0"}
		if database != "" {
			f.env = append(f.env, "MUSTER_DATABASE="+database)
		}
		servers, targets = append(servers, f.serve("--demo")), append(targets, "localhost:"+port)
		authorities.WriteString(read(t, f.data("ca.pem")))
	}
	write(t, ca, authorities.String())
	p := startPrometheus(t, ca, targets...)
	load(t, servers...)
	for _, query := range exampleQueries(t) {
		p.gives(query)
	}
	p.evaluates()
}

// load uses servers as people and programs do, until the test ends.
func load(t *testing.T, servers ...*service) {
	t.Helper()
	end, working := make(chan struct{}), sync.WaitGroup{}
	t.Cleanup(func() { close(end); working.Wait() })
	for _, s := range servers {
		c, stranger := s.admin(), s.client("nobody@example.com", "wrong")
		working.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-end:
					return
				case <-time.After(20 * time.Millisecond): // a pace, not a wait for something
				}
				c.Get("/hardwares.xml?per_page=20&page=" + strconv.Itoa(i%10+1))
				c.Get("/tickets.xml?q=printer")
				c.Do("POST", "/hardwares", fmt.Sprintf("<hardware><name>load %d</name></hardware>", i))
				if i%50 == 0 {
					stranger.Get("/api")
				}
			}
		})
	}
}

// seriesName finds what a rule looks at.
var seriesName = regexp.MustCompile(`\b(?:muster_[a-z_]+|process_[a-z_]+|up)\b(?:\{[^}]*\})?`)

// exampleQueries returns the queries of the dashboard, for all nodes, and what the alerts look at.
func exampleQueries(t *testing.T) (queries []string) {
	t.Helper()
	var board struct {
		Panels []struct{ Targets []struct{ Expr string } }
	}
	if err := json.Unmarshal([]byte(example(t, "grafana-dashboard.json")), &board); err != nil {
		t.Fatal(err)
	}
	fill := strings.NewReplacer("$__rate_interval", "15s", "$instance", ".*")
	for _, panel := range board.Panels {
		for _, target := range panel.Targets {
			queries = append(queries, fill.Replace(target.Expr))
		}
	}
	if len(queries) < 35 {
		t.Fatalf("the dashboard has %d queries, want 35 at least", len(queries))
	}
	for _, expr := range exampleAlerts(t) {
		queries = append(queries, seriesName.FindAllString(expr, -1)...)
	}
	return queries
}

// exampleAlerts returns the expressions of all alerts by their names, as Prometheus's own tool reads them.
func exampleAlerts(t *testing.T) map[string]string {
	t.Helper()
	alerts, name := map[string]string{}, ""
	for line := range strings.Lines(example(t, "muster-rules.yml")) {
		line = strings.TrimSpace(line)
		switch key, rest, _ := strings.Cut(strings.TrimPrefix(line, "- "), ": "); key {
		case "alert":
			name = rest
		case "for", "labels", "annotations":
			name = ""
		default:
			if name != "" {
				alerts[name] += " " + strings.TrimPrefix(line, "expr: ")
			}
		}
	}
	if len(alerts) < 15 {
		t.Fatalf("got the alerts %v, want 15 at least", alerts)
	}
	return alerts
}

// gives waits until a query gives data.
func (p *prometheus) gives(query string) {
	p.t.Helper()
	eventually(p.t, query+" gives data", func() bool {
		values, err := p.ask(query)
		if err != nil {
			p.t.Fatalf("%s: %v", query, err)
		}
		return len(values) > 0
	})
}

// evaluates waits until Prometheus has evaluated all rules, without a fault.
func (p *prometheus) evaluates() {
	p.t.Helper()
	for alert := range exampleAlerts(p.t) {
		eventually(p.t, alert+" is evaluated", func() bool {
			var got struct {
				Data struct {
					Groups []struct {
						Rules []struct{ Name, Health, LastError string }
					}
				}
			}
			if err := p.get("/api/v1/rules", &got); err != nil {
				p.t.Fatal(err)
			}
			for _, group := range got.Data.Groups {
				for _, rule := range group.Rules {
					if rule.LastError != "" {
						p.t.Errorf("%s: %s", rule.Name, rule.LastError)
					}
					if rule.Name == alert {
						return rule.Health == "ok"
					}
				}
			}
			return false
		})
	}
}
