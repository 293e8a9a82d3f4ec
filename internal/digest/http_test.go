package digest

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	client "github.com/icholy/digest"
)

// serve starts a real server that greets verified users, and counts outcomes.
func serve(t *testing.T, s *Server) (url string, count func(Outcome) int) {
	t.Helper()
	var mu sync.Mutex
	outcomes := make(map[Outcome]int)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		result := s.Authenticate(r)
		mu.Lock()
		outcomes[result.Outcome]++
		mu.Unlock()
		if result.Outcome != Verified {
			s.Challenge(w.Header(), r.UserAgent(), result.Outcome == Stale)
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		s.Inform(w.Header(), result)
		fmt.Fprintf(w, "%s %s %s", r.Method, result.Name, result.proof.algorithm)
	}))
	t.Cleanup(server.Close)
	return server.URL, func(o Outcome) int {
		mu.Lock()
		defer mu.Unlock()
		return outcomes[o]
	}
}

func fetch(t *testing.T, c *http.Client, method, url, agent string) (status int, body string, header http.Header) {
	t.Helper()
	r, err := http.NewRequest(method, url, strings.NewReader("body"))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("User-Agent", agent)
	answer, err := c.Do(r)
	if err != nil {
		t.Fatalf("%s %s: %v", method, url, err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatalf("%s %s: %v", method, url, err)
	}
	return answer.StatusCode, string(text), answer.Header
}

func TestRealClient(t *testing.T) {
	s, clock := newServer(t)
	url, count := serve(t, s)
	good := &http.Client{Transport: &client.Transport{Username: testUser, Password: testPassword}}
	tests := []struct {
		method, path, agent, want string
	}{
		{"GET", "/", "test", "GET ada@example.com SHA-256"},
		{"POST", "/computers.xml", "test", "POST ada@example.com SHA-256"},
		{"PUT", "/computers/1.xml?a=b%20c&d=%C3%A4,x=%22", "test", "PUT ada@example.com SHA-256"},
	}
	for _, test := range tests {
		status, body, header := fetch(t, good, test.method, url+test.path, test.agent)
		if status != 200 || body != test.want || !strings.HasPrefix(header.Get("Authentication-Info"), "rspauth=") {
			t.Errorf("%s %s: got %d %q, %v, want %q", test.method, test.path, status, body, header, test.want)
		}
	}

	clock.advance(6 * time.Minute)
	if status, body, _ := fetch(t, good, "GET", url, "test"); status != 200 || count(Stale) == 0 {
		t.Errorf("after the nonce has expired: got %d %q and %d stale, want the client to try again", status, body,
			count(Stale))
	}
	ruby := &http.Client{Transport: &client.Transport{Username: testUser, Password: testPassword}}
	if status, body, _ := fetch(t, ruby, "GET", url, "Ruby"); status != 200 || body != "GET ada@example.com MD5" {
		t.Errorf("as Ruby: got %d %q, want MD5", status, body)
	}
	for _, user := range []string{testUser, "eve@example.com"} {
		before := count(Failed)
		bad := &http.Client{Transport: &client.Transport{Username: user, Password: "wrong"}}
		status, body, header := fetch(t, bad, "GET", url, "test")
		stale := strings.Contains(strings.Join(header.Values("WWW-Authenticate"), ""), "stale")
		if status != 401 || stale || count(Failed) == before {
			t.Errorf("%s with a wrong password: got %d %q, %v, want 401 and never stale", user, status, body, header)
		}
	}
}

func TestRealClientsInParallel(t *testing.T) {
	s, _ := newServer(t)
	url, count := serve(t, s)
	c := &http.Client{Transport: &client.Transport{Username: testUser, Password: testPassword}}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 20 {
				if status, body, _ := fetch(t, c, "GET", url, "test"); status != 200 {
					t.Errorf("got %d %q, want 200", status, body)
				}
			}
		})
	}
	all.Wait()
	if count(Verified) != 160 || count(Failed)+count(Malformed) != 0 {
		t.Errorf("got %d verified, %d failed, %d malformed, want 160, 0, 0", count(Verified), count(Failed),
			count(Malformed))
	}
}
