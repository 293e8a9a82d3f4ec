//go:build full

package main_test

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"muster/internal/mustertest"
)

// A stock client does the five verbs on a computer of its own and prints what
// came of each, always in the same words.
const story = "list 200 5\ncreate 201 %[1]s\nupdate 200 %[1]s\nread 200 %[1]s %[1]s\ndelete 200 %[1]s\ngone 404\n"

// statuses are what the server logs of it, without the challenges.
var statuses = []string{
	"GET /hardwares.xml?per_page=5 200", "POST /hardwares.xml 201", "PUT /hardwares/ID.xml 200",
	"GET /hardwares/ID.xml 200", "DELETE /hardwares/ID.xml 200", "GET /hardwares/ID.xml 404",
}

// A script is a stock client other than Go's.
type script struct{ command, env []string }

var scripts = map[string]script{
	"curl-sha256": {
		[]string{"sh", "curl.sh"}, []string{"AGENT=curl/7.88.1", "HTTP=2", "PROOF=Digest .*algorithm=SHA-256"},
	},
	"curl-md5": {[]string{"sh", "curl.sh"}, []string{"AGENT=Ruby", "HTTP=2", "PROOF=Digest .*algorithm=MD5"}},
	"curl-1.1": {
		[]string{"sh", "curl.sh"}, []string{"AGENT=curl/7.88.1", "HTTP=1.1", "PROOF=Digest .*algorithm=SHA-256"},
	},
	"wget":         {[]string{"sh", "wget.sh"}, nil},
	"requests":     {[]string{"/usr/bin/python3", "with_requests.py"}, nil},
	"urllib":       {[]string{"/usr/bin/python3", "with_urllib.py"}, nil},
	"lwp":          {[]string{"perl", "lwp.pl"}, nil},
	"ruby-counted": {[]string{"ruby", "nethttp.rb"}, []string{"STYLE=counted"}},
	"ruby-zero":    {[]string{"ruby", "nethttp.rb"}, []string{"STYLE=zero"}},
	"curl-umlaut": {
		[]string{"sh", "curl.sh"}, []string{
			"AGENT=curl/7.88.1", "HTTP=2", "PROOF=Digest .*algorithm=SHA-256", "LOGIN_PASSWORD=Blaue Kühe grüßen",
		},
	},
	"python-umlaut": {[]string{"/usr/bin/python3", "with_requests.py"}, []string{"LOGIN_PASSWORD=Blaue Kühe grüßen"}},
	"curl-token":    {[]string{"sh", "curl.sh"}, []string{"AGENT=curl/7.88.1", "HTTP=2", "PROOF=Bearer muster_"}},
	"python-token":  {[]string{"/usr/bin/python3", "with_requests.py"}, nil},
	"perl-latin-1":  {[]string{"perl", "lwp.pl"}, []string{"LOGIN_PASSWORD=Blaue K\xfche gr\xfc\xdfen"}},
}

// TestClients: clients written years ago work without a change.
func TestClients(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	s := f.serve("--demo")
	for name := range scripts {
		t.Run(name, func(t *testing.T) {
			got, err := runScript(t, s, name, scripts[name])
			checkStory(t, s, name+"@example.com", name, got, err)
		})
	}
	t.Run("go", func(t *testing.T) {
		c := s.client(admin, s.password)
		checkStory(t, s, admin, "go", tellStory(c, "go"), nil)
	})
}

// runScript runs a stock client as a technician of its name and returns what it
// prints.
func runScript(t *testing.T, s *service, name string, script script) (string, error) {
	t.Helper()
	user, own := name+"@example.com", password
	if strings.Contains(strings.Join(script.env, " "), "LOGIN_PASSWORD=") {
		own = "Blaue Kühe grüßen"
	}
	if got := s.f.feed(own, "user", "add", user, "--role", "technician", "--password-stdin"); got.status != 0 {
		t.Fatalf("user add: %s", got.err)
	}
	cmd := exec.CommandContext(t.Context(), script.command[0], filepath.Join("testdata", "clients", script.command[1]))
	cmd.Env = append(cmd.Environ(), "BASE="+s.base, "CA="+s.f.data("ca.pem"), "WORK="+t.TempDir(), "NAME="+name,
		"LOGIN_USER="+user, "LOGIN_PASSWORD="+own, "LC_ALL=C.UTF-8", "PYTHONDONTWRITEBYTECODE=1")
	cmd.Env = append(cmd.Env, script.env...)
	if strings.HasSuffix(name, "-token") {
		cmd.Env = append(cmd.Env, "TOKEN="+strings.TrimSpace(s.f.must("token", "add", "--user", user, "--name", name)))
	}
	got, err := cmd.CombinedOutput()
	return string(got), err
}

// TestRubySavesBack: what a stock Ruby client reads and saves back untouched
// changes nothing, whatever it makes of collections and their names.
func TestRubySavesBack(t *testing.T) {
	t.Parallel()
	s := newFolder(t).serve("--demo")
	got, err := runScript(t, s, "activesupport", script{[]string{"ruby", "activesupport.rb"}, []string{"STYLE=zero"}})
	want := "list 1 5 250 1 2 3 4 5\n"
	for id := range 5 {
		want += strings.Repeat(fmt.Sprintf("save %d 200 same\n", id+1), 2)
	}
	if got != want || err != nil {
		t.Errorf("got (%v)\n%s\nwant\n%s", err, got, want)
	}
}

// tellStory is the story of the scripts in Go.
func tellStory(c *mustertest.Client, name string) string {
	value := func(r *mustertest.Response, tag string) string {
		return regexp.MustCompile("<" + tag + ">(.*?)<").FindStringSubmatch(r.Body + "<" + tag + "><")[1]
	}
	list := c.Get("/hardwares.xml?per_page=5")
	made := c.Do("POST", "/hardwares.xml", "<hardware><name>"+name+"</name></hardware>")
	path := strings.TrimPrefix(made.Header.Get("Location"), c.Base)
	put := c.Do("PUT", path, "<hardware><tag>"+name+"</tag></hardware>")
	got := c.Get(path)
	deleted := c.Do("DELETE", path, "")
	gone := c.Get(path)
	return fmt.Sprintf("list %d %s\ncreate %d %s\nupdate %d %s\nread %d %s %s\ndelete %d %s\ngone %d\n",
		list.Status, value(list, "per_page"), made.Status, value(made, "name"), put.Status, value(put, "tag"),
		got.Status, value(got, "name"), value(got, "tag"), deleted.Status, value(deleted, "name"), gone.Status)
}

// checkStory compares what a client prints with what the server has.
func checkStory(t *testing.T, s *service, user, name, got string, err error) {
	t.Helper()
	if want := fmt.Sprintf(story, name); got != want || err != nil {
		t.Errorf("got (%v)\n%s\nwant\n%s\nlog of the server:\n%s", err, got, want,
			strings.Join(requestsOf(s, user), "\n"))
	}
	eventually(t, "the last request is logged", func() bool { return len(requestsOf(s, user)) >= len(statuses) })
	if got, want := strings.Join(requestsOf(s, user), "\n"), strings.Join(statuses, "\n"); got != want {
		t.Errorf("log of the server: got\n%s\nwant\n%s", got, want)
	}
}

var recordPath = regexp.MustCompile(`/hardwares/[0-9]+\.xml`)

// requestsOf returns the requests of a user in the server's log.
func requestsOf(s *service, user string) (requests []string) {
	for line := range strings.Lines(s.log.String()) {
		var entry struct {
			Msg, User, Method, Path string
			Status                  int
		}
		if json.Unmarshal([]byte(line), &entry) == nil && entry.Msg == "request" && entry.User == user {
			path := recordPath.ReplaceAllString(entry.Path, "/hardwares/ID.xml")
			requests = append(requests, fmt.Sprintf("%s %s %d", entry.Method, path, entry.Status))
		}
	}
	return requests
}
