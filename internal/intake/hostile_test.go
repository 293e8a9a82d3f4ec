//go:build full

package intake_test

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"crypto/tls"
	"encoding/base64"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"muster/internal/mustertest"
)

// mark is in what hostile agents send, and must not be anywhere else.
const mark = "HIDDEN-TEXT"

// stretched returns a body in zlib that unpacks to head and then to so many times chunk, without packing all of it.
func stretched(head string, chunk []byte, times int) []byte {
	var b bytes.Buffer
	w, err := zlib.NewWriterLevel(&b, zlib.BestCompression)
	if err != nil {
		panic(err)
	}
	io.WriteString(w, head)
	w.Write(chunk)
	w.Flush()
	start := b.Len()
	w.Write(chunk) // whose matches reach back to nothing but a chunk
	w.Flush()
	return append(b.Bytes(), bytes.Repeat(b.Bytes()[start:], times-2)...)
}

// bomb unpacks to 1 GiB.
func bomb() []byte {
	return stretched("<REQUEST><DEVICEID>"+mark+"</DEVICEID>", bytes.Repeat([]byte(" "), 1<<20), 1<<10)
}

// An attack is a body that is refused.
type attack struct {
	what   string
	body   []byte
	status int
	reason string
}

func attacks() []attack {
	whole := deflated(small(1))
	damaged := bytes.Clone(whole)
	damaged[len(damaged)-1] ^= 1
	deep := strings.Repeat("<A>", 1000)
	return []attack{
		{"a bomb", bomb(), 413, "100 times"},
		{"a bomb in gzip", gzipped("<REQUEST>" + strings.Repeat(" ", 32<<20)), 413, "100 times"},
		{"a bomb in JSON", stretched(`{"`+mark+`":"`, bytes.Repeat([]byte("a"), 1<<20), 1<<10), 413, "100 times"},
		{"9 MiB", bytes.Repeat([]byte("<"+mark), 9<<20/(len(mark)+1)), 413, "8 MiB"},
		{"9 MiB of noise", deflated("<REQUEST>" + noise(9<<20)), 413, "8 MiB"},
		{"a DTD", plain(`<!DOCTYPE a [<!ENTITY x "` + mark + `">]><REQUEST>&x;</REQUEST>`), 400, "is not allowed"},
		{"a file", plain(`<?xml version="1.0"?><!DOCTYPE r [<!ENTITY f SYSTEM "file:///etc/passwd">]><REQUEST><DEVICEID>&f;</DEVICEID></REQUEST>`), 400, "is not allowed"},
		{"billions of laughs", deflated(`<!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;"><!ENTITY c "&b;&b;">]><REQUEST>&c;</REQUEST>`), 400, "is not allowed"},
		{"CDATA", plain(inventory("a", "<HARDWARE><NAME><![CDATA["+mark+"]]></NAME></HARDWARE>")), 400,
			"is not allowed"},
		{"a comment", plain(inventory("a", "<!-- "+mark+" -->")), 400, "is not allowed"},
		{"a deep document", plain(inventory("a", deep)), 400, "deeper than 12"},
		{"deep JSON", plain(`{"` + mark + `":` + strings.Repeat("[", 1000)), 400, "deeper than 12"},
		{"an endless document", deflated(inventory("a", strings.Repeat("<A/>", 500_000))), 400, "400000 elements"},
		{"endless JSON", plain(`{"a":[` + strings.Repeat("0,", 900_000) + `0]}`), 413, "400000 elements"},
		{"endless software", deflated(inventory("a", strings.Repeat("<SOFTWARES><NAME>"+mark+"</NAME></SOFTWARES>",
			20_001))), 413, "20000 rows"},
		{"half of zlib", whole[:len(whole)/2], 400, "ends too early"},
		{"zlib without its sum", whole[:len(whole)-4], 400, "ends too early"},
		{"damaged zlib", damaged, 400, "damaged"},
		{"half of gzip", gzipped(small(1))[:40], 400, "ends too early"},
		{"an unknown charset", plain(`<?xml version="1.0" encoding="EBCDIC-` + mark + `"?><REQUEST/>`), 400, "charset"},
		{"half of UTF-16", plain("\xff\xfe<\x00R"), 400, "UTF-16"},
		{"another root", plain("<" + mark + "/>"), 400, "root"},
		{"a tag not closed", plain("<REQUEST><" + mark + "></REQUEST>"), 400, "closed by"},
		{"no device id", deflated(inventory(" ", "<HARDWARE><NAME>"+mark+"</NAME></HARDWARE>")), 422, "no device id"},
		{"nothing", nil, 400, "ends too early"},
		{"words", plain(mark), 400, "neither XML nor JSON"},
	}
}

// noise returns text that packs to so many bytes.
func noise(n int) string {
	b := make([]byte, n)
	rand.NewChaCha8([32]byte{}).Read(b)
	return base64.StdEncoding.EncodeToString(b)
}

// TestAttacks refuses each attack with a reason, stores nothing of it and logs nothing of it; meanwhile other
// agents are answered as ever.
func TestAttacks(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db, nil)
		bad, good := newAgent(t, s), newAgent(t, s)
		var busy sync.WaitGroup
		stop, answered := make(chan struct{}), 0
		busy.Go(func() {
			for ; ; answered++ {
				select {
				case <-stop:
					return
				default:
					good.post(deflated(small(7))).expect(t, "an agent beside", http.StatusOK, taken)
				}
			}
		})
		all := attacks()
		for _, attack := range all {
			bad.post(attack.body).refuses(t, attack.what, attack.status, attack.reason)
		}
		close(stop)
		busy.Wait()
		if answered < 2 || computers(t, s) != "1" {
			t.Errorf("got %d answers to the agent beside and %s computers, want some and one", answered,
				computers(t, s))
		}
		got := reports(s)
		if diff := cmp.Diff(float64(len(all)), got["malformed"]+got["too_large"]+got["invalid"]); diff != "" {
			t.Errorf("attacks in the metrics (-want +got):\n%s", diff)
		}
		if log := s.Log.String(); strings.Contains(log, mark) || strings.Contains(log, "panic") ||
			strings.Contains(log, "ERROR") || !strings.Contains(log, `"outcome":"too_large"`) {
			t.Errorf("got the log\n%s\nwant nothing of the bodies in it, and no errors", log)
		}
	})
}

// TestCrowd posts bombs from many agents at once, while others report new computers: all of these are taken.
func TestCrowd(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db, nil)
		bad, good, body := newAgent(t, s), newAgent(t, s), bomb()
		var all sync.WaitGroup
		for i := range 8 {
			all.Go(func() {
				for range 4 {
					bad.report(body).refuses(t, "a bomb", http.StatusRequestEntityTooLarge, "100 times")
				}
			})
			all.Go(func() {
				for j := range 4 {
					good.report(deflated(small(10*i+j))).expect(t, "an agent beside", http.StatusOK, taken)
				}
			})
		}
		all.Wait()
		if got := computers(t, s); got != "32" {
			t.Errorf("got %s computers, want 32", got)
		}
	})
}

// TestSlowSenders keeps nobody waiting: a message is received before it has a turn, and what does not end is cut off.
func TestSlowSenders(t *testing.T) {
	t.Parallel()
	s := start(t, mustertest.SQLite, nil)
	good := newAgent(t, s)
	var conns []*tls.Conn
	for range 100 {
		conn, err := tls.Dial("tcp", s.Address(), &tls.Config{RootCAs: s.Roots, ServerName: "localhost"})
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if _, err := fmt.Fprintf(conn,
			"POST /ocsinventory/t/%s HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9000000\r\n\r\n<REQUEST>",
			good.secret); err != nil {
			t.Fatal(err)
		}
		conns = append(conns, conn)
	}
	good.post(deflated(small(1))).expect(t, "an agent beside", http.StatusOK, taken)
	for i, conn := range conns {
		var head [12]byte
		if _, err := io.ReadFull(conn, head[:]); err != nil || string(head[:]) != "HTTP/1.1 408" {
			t.Fatalf("slow sender %d: got %q, %v, want 408", i, head, err)
		}
	}
	if got := reports(s); got["slow"] != 100 || got["new"] != 1 {
		t.Errorf("got the metrics %v, want 100 slow and one new", got)
	}
}

// TestSlowLargeSenders: those who stop within a large body take up places of their own token only, and not for long.
func TestSlowLargeSenders(t *testing.T) {
	t.Parallel()
	s := start(t, mustertest.SQLite, nil)
	slow, other := newAgent(t, s), newAgent(t, s)
	var conns []*tls.Conn
	for range 8 {
		conn, err := tls.Dial("tcp", s.Address(), &tls.Config{RootCAs: s.Roots, ServerName: "localhost"})
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if _, err := fmt.Fprintf(conn,
			"POST /ocsinventory/t/%s HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9000000\r\n\r\n%s", slow.secret,
			strings.Repeat(" ", 300<<10)); err != nil {
			t.Fatal(err)
		}
		conns = append(conns, conn)
	}
	large := func(i int) []byte {
		return []byte(inventory(fmt.Sprint("large-", i), "<X>"+strings.Repeat("x", 300<<10)+"</X>"))
	}
	begun := time.Now()
	for i := range 3 {
		other.post(large(i)).expect(t, "another token", http.StatusOK, taken)
	}
	slow.post(large(3)).expect(t, "the same token", http.StatusOK, taken)
	if took := time.Since(begun); took > 25*time.Second {
		t.Errorf("it took %v until the same token had a place, want some seconds", took)
	}
	for i, conn := range conns {
		var head [12]byte
		if _, err := io.ReadFull(conn, head[:]); err != nil || string(head[:]) != "HTTP/1.1 408" {
			t.Fatalf("slow sender %d: got %q, %v, want 408", i, head, err)
		}
	}
}

// TestUnannounced takes bodies of any size without a Content-Length, as a proxy may pass them on, and refuses
// those without an end; more of them than there are places for large ones, so that none is lost.
func TestUnannounced(t *testing.T) {
	t.Parallel()
	s := start(t, mustertest.SQLite, nil)
	a := newAgent(t, s)
	for i := range 10 {
		for _, test := range []struct {
			size, status int
			reason       string
		}{{100 << 10, 200, taken}, {600 << 10, 200, taken}, {5 << 20, 200, taken}, {9 << 20, 413, "8 MiB"}} {
			text := inventory(fmt.Sprintf("pc%d-%d", i, test.size), "<X>"+strings.Repeat("x", test.size)+"</X>")
			got, err := a.try(http.MethodPost, io.MultiReader(strings.NewReader(text)))
			if err != nil || got.status != test.status || !strings.Contains(got.text, test.reason) {
				t.Fatalf("body %d of %d bytes: got %d %q, %v, want %d %q", i, test.size, got.status, got.text, err,
					test.status, test.reason)
			}
		}
	}
	if log := s.Log.String(); strings.Contains(log, "panic") {
		t.Errorf("got the log\n%s\nwant no panic", log)
	}
}

// TestTooLargeAndSlow answers a body that is too large and does not end, and then the connection ends.
func TestTooLargeAndSlow(t *testing.T) {
	t.Parallel()
	s := start(t, mustertest.SQLite, nil)
	a := newAgent(t, s)
	conn, err := tls.Dial("tcp", s.Address(), &tls.Config{RootCAs: s.Roots, ServerName: "localhost"})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Fprintf(conn,
		"POST /ocsinventory/t/%s HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n%s", a.secret, 8<<20+100,
		strings.Repeat(" ", 8<<20+50)); err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(conn); err != nil || !strings.HasPrefix(string(got), "HTTP/1.1 413 ") {
		t.Errorf("got %q, %v, want 413 and the end", got, err)
	}
	if got := reports(s); got["too_large"] != 1 {
		t.Errorf("got the metrics %v, want one too large", got)
	}
}

// TestBroken answers a body that does not arrive as it was announced: it is no report that cannot be read.
func TestBroken(t *testing.T) {
	t.Parallel()
	s := start(t, mustertest.SQLite, nil)
	a := newAgent(t, s)
	conn, err := tls.Dial("tcp", s.Address(), &tls.Config{RootCAs: s.Roots, ServerName: "localhost"})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := fmt.Fprintf(conn,
		"POST /ocsinventory/t/%s HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n<REQUEST>\r\n-1\r\n", a.secret); err != nil {
		t.Fatal(err)
	}
	got, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil || got.StatusCode != http.StatusBadRequest {
		t.Fatalf("got %v, %v, want 400", got, err)
	}
	text, err := io.ReadAll(got.Body)
	if err == nil {
		text, err = inflate(text)
	}
	if err != nil || !strings.Contains(string(text), "the report did not arrive whole") {
		t.Errorf("got %q, %v, want that it did not arrive whole", text, err)
	}
}

// TestForeignDeviceID reports with the device id of another computer, but another serial number: the other one is left
// alone.
func TestForeignDeviceID(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db, nil)
		a, b := newAgent(t, s), newAgent(t, s)
		a.post(deflated(small(1))).expect(t, "the computer", http.StatusOK, taken)
		before := s.Admin().Get("/hardwares/1.xml").Body
		stolen := inventory("pc1-2026-01-02-03-04-05",
			"<HARDWARE><NAME>"+mark+
				"</NAME></HARDWARE><BIOS><SMANUFACTURER>Acme</SMANUFACTURER><SSN>SN-999999</SSN></BIOS>")
		b.post(deflated(stolen)).expect(t, "its device id", http.StatusOK, taken)
		if after := s.Admin().Get("/hardwares/1.xml").Body; after != before || computers(t, s) != "2" {
			t.Errorf("got %s computers and the first (-before +after):\n%s", computers(t, s), cmp.Diff(before, after))
		}
		a.post(deflated(small(1))).expect(t, "the computer again", http.StatusOK, taken)
		if got := computers(t, s); got != "2" {
			t.Errorf("got %s computers, want 2", got)
		}
	})
}
