//go:build full

package main_test

import (
	"context"
	"encoding/pem"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"muster/internal/report"
)

const agentToken = "hush-hush-hush"

// An intake is a server that reads what agents send as the real one does.
type intake struct {
	*httptest.Server
	mu  sync.Mutex
	by  func(report.Action) report.Answer
	got []report.Message
}

func newIntake(t *testing.T) *intake {
	t.Helper()
	i := &intake{by: func(action report.Action) report.Answer {
		if action == report.Prolog {
			return report.Send(24)
		}
		return report.Taken(report.XML)
	}}
	i.Server = httptest.NewTLSServer(i)
	t.Cleanup(i.Close)
	return i
}

// ServeHTTP reads a message and answers it.
func (i *intake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if _, password, _ := r.BasicAuth(); password != agentToken {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the agent is gone
	}
	m, err := report.Read(body, report.Source{})
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.got = append(i.got, m)
	_, _ = w.Write(i.by(m.Action).Body) // an agent that is gone needs no answer
}

// answer makes a function give all answers from now on.
func (i *intake) answer(by func(report.Action) report.Answer) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.by = by
}

// inventories returns the reports that came.
func (i *intake) inventories() (all []report.Message) {
	i.mu.Lock()
	defer i.mu.Unlock()
	for _, m := range i.got {
		if m.Action == report.Inventory {
			all = append(all, m)
		}
	}
	return all
}

// configure gives a folder's agent the address with the token, as its service has it, and the certificate.
func (i *intake) configure(f *folder) {
	ca := filepath.Join(f.dir, "agent-ca.pem")
	write(f.t, ca, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: i.Certificate().Raw})))
	f.env = []string{
		"MUSTER_SERVER=https://agent:" + agentToken + "@" + i.Listener.Addr().String() + "/ocsinventory",
		"MUSTER_CA=" + ca,
		"MUSTER_STATE=" + filepath.Join(f.dir, "state"),
	}
}

// TestAgentRun: the computer is reported as itself, under the same id each time, and it is said to where.
func TestAgentRun(t *testing.T) {
	t.Parallel()
	f, i := newFolder(t), newIntake(t)
	i.configure(f)
	name, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if got, want := f.must("agent", "run"), "Reported "+name+" to "+i.URL+".\n"; got != want {
			t.Fatalf("got %q, want %q", got, want)
		}
	}
	name, _, _ = strings.Cut(name, ".")
	all := i.inventories()
	if len(all) != 2 || all[0].Report.Computer.Name != name || all[0].DeviceID != all[1].DeviceID ||
		!strings.HasPrefix(all[0].DeviceID, name+"-2") {
		t.Fatalf("got %+v, want two reports of %s", all, name)
	}
	if id := all[0].Report.Identity; id.Program != report.Own || id.ProgramVersion != "0.0.0-test" {
		t.Errorf("got the program %q %q, want our own and its version", id.Program, id.ProgramVersion)
	}
	if kept := strings.TrimSpace(read(t, filepath.Join(f.dir, "state", "device-id"))); kept != all[0].DeviceID {
		t.Errorf("got the kept id %q, want %q", kept, all[0].DeviceID)
	}
	i.answer(func(report.Action) report.Answer { return report.Stop(24) })
	if got := f.run("agent", "run"); got.status != 0 || !strings.Contains(got.out, "wants no report") {
		t.Errorf("told to stop: got %+v, want status 0 and that no report is wanted", got)
	}
}

// TestAgentPrint: people can see what would leave their computer; nothing is sent or kept, and no server is needed.
func TestAgentPrint(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	text := f.must("agent", "run", "--print", "--state", "state", "--every", "24h")
	m, err := report.Read([]byte(text), report.Source{})
	if err != nil || m.Action != report.Inventory || m.Report.Computer.Name == "" {
		t.Errorf("got %v and\n%s\nwant an inventory", err, text)
	}
	if matches, _ := filepath.Glob(filepath.Join(f.dir, "*")); matches != nil {
		t.Errorf("got %v, want no file", matches)
	}
}

// TestAgentFaults: errors say what to do, and do not contain the token.
func TestAgentFaults(t *testing.T) {
	t.Parallel()
	f, i := newFolder(t), newIntake(t)
	i.configure(f)
	server, ca, state := f.env[0], f.env[1], f.env[2]
	faults := func(env []string, texts ...string) {
		f.env = env
		got := f.run("agent", "run")
		f.refusal(got, []string{"agent", "run"}, texts...)
		if strings.Contains(got.err, agentToken) {
			t.Errorf("got %q, which tells the token", got.err)
		}
	}
	faults([]string{server, state}, "--ca")
	faults([]string{strings.Replace(server, agentToken, "wrong", 1), ca, state}, "401", "muster agent token add")
	faults([]string{server, "MUSTER_STATE=/proc/none"}, "--state")
	i.Close()
	faults([]string{server, state}, "nobody listens")
}

// TestAgentEvery: the first report is sent at once, and the agent stops on a signal.
func TestAgentEvery(t *testing.T) {
	t.Parallel()
	for name, sig := range map[string]os.Signal{"terminated": syscall.SIGTERM, "interrupted": os.Interrupt} {
		t.Run(name, func(t *testing.T) {
			f, i := newFolder(t), newIntake(t)
			i.configure(f)
			ctx, cancel := context.WithTimeout(context.Background(), patience)
			defer cancel()
			log := newOutput()
			cmd := f.command(ctx, "agent", "run", "--every", "24h")
			cmd.Stderr = log
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			eventually(t, "the first report", func() bool { _, ok := log.line(`"msg":"reported"`); return ok })
			if err := cmd.Process.Signal(sig); err != nil {
				t.Fatal(err)
			}
			if err := cmd.Wait(); err != nil || len(i.inventories()) != 1 {
				t.Errorf("got %v after %d reports, want a good end after one:\n%s", err, len(i.inventories()), log)
			}
			if strings.Contains(log.String(), agentToken) {
				t.Errorf("the log tells the token:\n%s", log)
			}
		})
	}
}
