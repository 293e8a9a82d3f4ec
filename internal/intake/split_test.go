//go:build full

package intake_test

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"muster/internal/mustertest"
	"muster/internal/server"
)

// A joined is two computers that are one by mistake: both have the same UUID, and one reports no serial number.
type joined struct {
	*mustertest.Server
	agent *agent
	admin *mustertest.Client
}

// first and second are the two computers.
var (
	first = box{device: "pc-first", name: "first", maker: "Dell Inc.", serial: "SERA",
		uuid: "12345678-9abc-def0-1122-334455667788", mac: "A4:C3:F0:11:00:01", address: "10.0.0.1"}
	second = box{device: "pc-second", name: "second", maker: "Dell Inc.", serial: "None", uuid: first.uuid,
		mac: "A4:C3:F0:11:00:02", address: "10.0.0.2"}
)

// join lets both computers report.
func join(t *testing.T, db mustertest.Database) *joined {
	t.Helper()
	s := start(t, db, nil)
	j := &joined{s, newAgent(t, s), s.Admin()}
	j.report(t, first, "one", "Editor", "Shared")
	j.Clock.Advance(time.Hour)
	j.report(t, second, "two", "Painter", "Shared")
	if got := computers(t, s); got != "1" {
		t.Fatalf("got %s computers, want one", got)
	}
	return j
}

// report posts the report of a computer with a mark and programs.
func (j *joined) report(t *testing.T, b box, mark string, programs ...string) {
	t.Helper()
	more := ""
	for _, name := range programs {
		more += "<SOFTWARES><NAME>" + name + "</NAME></SOFTWARES>"
	}
	document := strings.Replace(b.document(0, mark), "</CONTENT>", more+"</CONTENT>", 1)
	j.agent.post(deflated(document)).expect(t, b.name, http.StatusOK, taken)
}

// shows checks what a computer shows: its name, mark and programs.
func (j *joined) shows(t *testing.T, what string, id int, want string) {
	t.Helper()
	body := j.admin.Get(fmt.Sprintf("/hardwares/%d.xml?include=softwares", id)).Body
	got := []string{element(body, "name"), element(body, "domain")}
	for _, name := range []string{"Editor", "Painter", "Shared"} {
		if strings.Contains(body, "<name>"+name+"</name>") {
			got = append(got, name)
		}
	}
	if got := strings.Join(got, " "); got != want {
		t.Errorf("%s: computer %d: got %q, want %q", what, id, got, want)
	}
}

// history returns the audit messages of a computer.
func (j *joined) history(id int) (messages []string) {
	body := j.admin.Get(fmt.Sprintf("/hardwares/%d/audits.xml?per_page=100", id)).Body
	for _, m := range regexp.MustCompile("<message>([^<]*)</message>").FindAllStringSubmatch(body, -1) {
		messages = append(messages, m[1])
	}
	return messages
}

func which(agent int) string { return fmt.Sprintf("<agent><id>%d</id></agent>", agent) }

// TestSplit undoes a wrong join: the new computer is there at once, with what its agent reported, and both stay two.
func TestSplit(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		j := join(t, db)
		j.shows(t, "joined", 1, "second two Painter Shared")
		j.admin.Do("PUT", "/hardwares/1", "<hardware><notes>kept</notes><owner>admin@localhost</owner></hardware>")
		j.admin.Do("POST", "/hardwares/1/tickets", "<ticket><name>broken</name></ticket>")

		got := j.admin.Do("POST", "/hardwares/1/split.xml", which(2))
		if got.Status != http.StatusCreated || got.Header.Get("Location") != j.Base+"/hardwares/2.xml" ||
			element(got.Body, "name") != "second" {
			t.Fatalf("got %d %s %s", got.Status, got.Header, got.Body)
		}
		j.shows(t, "split", 1, "first one Editor Shared")
		j.shows(t, "split", 2, "second two Painter Shared")
		for id, want := range map[int]string{1: "kept", 2: ""} {
			body := j.admin.Get(fmt.Sprintf("/hardwares/%d.xml", id)).Body
			if element(body, "notes") != want || strings.Contains(body, "admin@localhost") != (want != "") {
				t.Errorf("computer %d: got %s, want notes and owner %q", id, body, want)
			}
			tickets := j.admin.Get(fmt.Sprintf("/hardwares/%d/tickets.xml", id)).Body
			if has := strings.Contains(tickets, "broken"); has != (want != "") {
				t.Errorf("computer %d: got the ticket %t", id, has)
			}
		}
		j.historyOfSplit(t)
		for i := range 3 {
			j.Clock.Advance(time.Hour)
			j.report(t, first, fmt.Sprint("one", i), "Editor")
			j.report(t, second, fmt.Sprint("two", i), "Painter")
			j.shows(t, "reported again", 1, fmt.Sprintf("first one%d Editor", i))
			j.shows(t, "reported again", 2, fmt.Sprintf("second two%d Painter", i))
		}
		if got := computers(t, j.Server); got != "2" {
			t.Errorf("got %s computers, want two", got)
		}
	})
}

// historyOfSplit checks whose history is whose after the split.
func (j *joined) historyOfSplit(t *testing.T) {
	t.Helper()
	const fromSecond, byNew = "Domain changed from one to two", "Reported by a new agent, OCS 2.10.0 (pc-second)"
	stays, goes := j.history(1), j.history(2)
	for _, message := range []string{fromSecond, byNew} {
		if slices.Contains(stays, message) || !slices.Contains(goes, message) {
			t.Errorf("%q: got %q and %q", message, stays, goes)
		}
	}
	for _, message := range []string{"Computer first created by its first report", "Ticket broken created",
		"Agent OCS 2.10.0 (pc-second) split off as computer 2 (second)"} {
		if !slices.Contains(stays, message) || slices.Contains(goes, message) {
			t.Errorf("%q: got %q and %q", message, stays, goes)
		}
	}
	if want := "Computer second split off computer 1 (first), with the agent OCS 2.10.0 (pc-second)"; !slices.Contains(goes, want) {
		t.Errorf("got %q, want %q among them", goes, want)
	}
	if got := j.admin.Get("/hardwares/1/audits.xml?action=split").Body; element(got, "total_entries") != "1" {
		t.Errorf("got %s, want one record of the split", got)
	}
}

// TestSplitFirst gives the agent that was there first a computer of its own: what it reported before the join stays.
func TestSplitFirst(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		j := join(t, db)
		j.Clock.Advance(73 * time.Hour) // so that it is heard again
		j.report(t, first, "three", "Editor")
		if got := j.admin.Do("POST", "/hardwares/1/split", which(1)); got.Status != http.StatusCreated {
			t.Fatalf("got %d %s", got.Status, got.Body)
		}
		j.shows(t, "split", 1, "second two Painter Shared")
		j.shows(t, "split", 2, "first three Editor")
		if stays := j.history(1); !slices.Contains(stays, "Computer first created by its first report") ||
			slices.Contains(stays, "Domain changed from two to three") {
			t.Errorf("got %q", stays)
		}
		if goes := j.history(2); !slices.Contains(goes, "Domain changed from two to three") {
			t.Errorf("got %q", goes)
		}
	})
}

// TestSplitForGood: no rule makes the two one again, whatever they report, until a person merges them.
func TestSplitForGood(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db, nil)
		j := &joined{s, newAgent(t, s), s.Admin()}
		dock := "A4:C3:F0:11:00:99"
		one := box{device: "pc-first", name: "first", mac: dock}
		two := box{device: "pc-second", name: "second", mac: dock}
		j.report(t, one, "one")
		j.report(t, two, "two")
		if got := j.admin.Do("POST", "/hardwares/1/split", which(2)); got.Status != http.StatusCreated {
			t.Fatalf("got %d %s", got.Status, got.Body)
		}
		j.report(t, two.but(func(b *box) { b.mac = "A4:C3:F0:11:00:02" }), "two at another dock")
		j.report(t, two.but(func(b *box) { b.name = "renamed" }), "two back")
		j.shows(t, "the other dock", 1, "first one")
		if got := computers(t, s); got != "3" { // a renamed one without its adapter looks like a copy
			t.Errorf("got %s computers, want three", got)
		}
		if got := j.admin.Do("POST", "/hardwares/1/merge",
			"<hardware><id>2</id></hardware>"); got.Status != http.StatusOK {
			t.Fatalf("got %d %s", got.Status, got.Body)
		}
		if got := j.admin.Do("POST", "/hardwares/1/split", which(2)); got.Status != http.StatusCreated {
			t.Errorf("split once more: got %d %s", got.Status, got.Body)
		}
	})
}

// TestSplitPartly splits a computer of whose agents too little is known, as of those of before, and of
// reports that are too large.
func TestSplitPartly(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db, nil)
		j := &joined{s, newAgent(t, s), s.Admin()}
		large := ""
		for i := range 500 {
			large += fmt.Sprintf("<SOUNDS><NAME>%s</NAME></SOUNDS>", noise(40)[:20]+fmt.Sprint(i))
		}
		j.report(t, first, "one", "Editor")
		document := strings.Replace(second.document(0, "two"), "</CONTENT>", large+"</CONTENT>", 1)
		j.agent.post(deflated(document)).expect(t, "large", http.StatusOK, taken)
		if got := j.admin.Do("POST", "/hardwares/1/split", which(2)); got.Status != http.StatusCreated {
			t.Fatalf("got %d %s", got.Status, got.Body)
		}
		j.shows(t, "split", 2, "second two")
		sounds := func() int { return strings.Count(j.admin.Get("/hardwares/2.xml").Body, "<sound>") }
		if got := sounds(); got != 0 {
			t.Errorf("got %d sounds, want none until the next report", got)
		}
		j.agent.post(deflated(document)).expect(t, "large", http.StatusOK, taken)
		if got := sounds(); got != 500 {
			t.Errorf("got %d sounds, want 500", got)
		}
	})
}

// TestSplitRefused asks for what cannot be split.
func TestSplitRefused(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		j := join(t, db)
		j.admin.Do("POST", "/hardwares", "<hardware><name>typed</name></hardware>")
		j.report(t, box{device: "pc-third", name: "third", maker: "Dell Inc.", serial: "SERC"}, "three")
		tag := j.admin.Get("/hardwares/1").Header.Get("ETag")
		j.admin.Do("PUT", "/hardwares/1", "<hardware><tag>t</tag></hardware>")
		requester := j.AddUser("r@example.com", "requester", false)
		j.admin.Do("PUT", "/hardwares/1", "<hardware><owner>r@example.com</owner></hardware>")
		for _, c := range []struct {
			what, target, body string
			status             int
			want               string
			header             []string
		}{
			{"an unknown agent", "/hardwares/1/split", which(99), 404,
				"the computer 1 has no agent with the id 99: it has 1 (OCS 2.10.0, pc-first), 2 (", nil},
			{"the agent of another", "/hardwares/1/split", which(3), 404, "has no agent with the id 3", nil},
			{"one agent", "/hardwares/3/split", which(3), 409,
				"the computer 3 cannot be split: one agent alone reports it", nil},
			{"no agent", "/hardwares/2/split", which(1), 409,
				"the computer 2 cannot be split: no agent has reported it", nil},
			{"an unknown computer", "/hardwares/99/split", which(1), 404, "there is no computer with the id 99", nil},
			{"none", "/hardwares/1/split", "<agent/>", 422, "Id can&#39;t be blank: it names the agent", nil},
			{"no number", "/hardwares/1/split", "<agent><id>x</id></agent>", 422, "Id ", nil},
			{"another root", "/hardwares/1/split", "<hardware><id>2</id></hardware>", 422,
				"the document&#39;s root is &lt;hardware&gt;", nil},
			{"fields", "/hardwares/1/split", "<agent><id>2</id><name>x</name></agent>", 422,
				"Name is not a field of agent", nil},
			{"no document", "/hardwares/1/split", "", 400, "", nil},
			{"a parameter", "/hardwares/1/split?agent=2", which(2), 400, "unknown parameter agent", nil},
			{"an old version", "/hardwares/1/split", which(2), 412, "not in the version", []string{"If-Match", tag}},
			{"another kind", "/tickets/1/split", which(2), 404, "", nil},
		} {
			if got := j.admin.Do("POST", c.target, c.body, c.header...); got.Status != c.status ||
				!strings.Contains(strings.ReplaceAll(got.Body, "'", "&#39;"), c.want) {
				t.Errorf("%s: got %d %s, want %d %s", c.what, got.Status, got.Body, c.status, c.want)
			}
		}
		if got := requester.Do("POST", "/hardwares/1/split", which(2)); got.Status != http.StatusForbidden {
			t.Errorf("a requester splits their own: got %d %s", got.Status, got.Body)
		}
		if got := computers(t, j.Server); got != "3" {
			t.Errorf("got %s computers, want three", got)
		}
		for i, want := range []string{"", "true"} {
			got := j.admin.Do("POST", "/hardwares/1/split", which(2), "Idempotency-Key", "k")
			if got.Status != http.StatusCreated || element(got.Body, "id") != "4" ||
				got.Header.Get("Idempotent-Replayed") != want {
				t.Errorf("split %d: got %d %s %s", i, got.Status, got.Header, got.Body)
			}
		}
	})
}

// TestSplitPerhapsTwo: a computer that may be two is not listed any more once it was split.
func TestSplitPerhapsTwo(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db, nil)
		j := &joined{s, newAgent(t, s), s.Admin()}
		j.report(t, first.but(func(b *box) { b.serial, b.uuid = "LAB 7", "" }), "one")
		j.report(t, second.but(func(b *box) { b.serial, b.uuid = "LAB 7", "" }), "two")
		set(s, "not-serials", "LAB 7")
		v := s.SignIn(server.Administrator)
		listed := func() bool { return strings.Contains(v.Get("/app/agents/duplicates").Body, "/computers/1/split") }
		mustertest.Eventually(t, "a computer that is perhaps two", listed)
		if got := j.admin.Do("POST", "/hardwares/1/split", which(2)); got.Status != http.StatusCreated {
			t.Fatalf("got %d %s", got.Status, got.Body)
		}
		if listed() {
			t.Error("the computer is listed as perhaps two still")
		}
		j.report(t, first.but(func(b *box) { b.serial, b.uuid = "LAB 7", "" }), "one more")
		j.report(t, second.but(func(b *box) { b.serial, b.uuid = "LAB 7", "" }), "two more")
		j.shows(t, "reported again", 1, "first one more")
		j.shows(t, "reported again", 2, "second two more")
	})
}
