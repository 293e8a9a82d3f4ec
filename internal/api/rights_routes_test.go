//go:build full

package api_test

import (
	"fmt"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"

	"muster/internal/inventory"
	"muster/internal/mustertest"
	"muster/internal/server"
)

// A right is what one verb of one path is answered with, by role. Where the
// path has an id there is a status for an own, a foreign and an absent record;
// where it has two, for each of these in each parent.
type right struct {
	verb, path                           string
	administrator, technician, requester string
}

const (
	every   = "200 200 404"
	made    = "201 201 404"
	own     = "200 404 404"
	seen    = "403 404 404" // what is seen may not be done
	none    = "404 404 404"
	nested  = "200 200 404 200 200 404 404 404 404"
	ownOnly = "200 404 404 404 404 404 404 404 404"
	noneIn  = "404 404 404 404 404 404 404 404 404"
)

// rights has a row for each verb of each path. HEAD and .json are answered as
// GET is, OPTIONS always; those who may only read are answered 403 where
// others change something.
var rights = []right{
	{"GET", "/api", "200", "200", "200"},

	{"GET", "/hardwares", "200", "200", "200"},
	{"POST", "/hardwares", "201", "201", "403"},
	{"GET", "/hardwares/{id}", every, every, own},
	{"PUT", "/hardwares/{id}", every, every, seen},
	{"DELETE", "/hardwares/{id}", every, every, seen},
	{"POST", "/hardwares/{id}/merge", every, every, seen},
	{"POST", "/hardwares/{id}/split", "409 409 404", "409 409 404", seen}, // no agent has reported them
	{"GET", "/hardwares/{parent}/tickets", every, every, own},
	{"POST", "/hardwares/{parent}/tickets", made, made, "201 404 404"},
	{"GET", "/hardwares/{parent}/tickets/{id}", nested, nested, ownOnly},
	{"GET", "/hardwares/{parent}/risks", every, every, seen},
	{"POST", "/hardwares/{parent}/risks", made, made, seen},
	{"GET", "/hardwares/{parent}/risks/{id}", nested, nested, noneIn},
	{"GET", "/hardwares/{parent}/audits", every, every, seen},
	{"GET", "/hardwares/{parent}/softwares", every, every, seen},
	{"POST", "/hardwares/{parent}/softwares", made, made, seen},
	{"GET", "/hardwares/{parent}/softwares/{id}", nested, nested, noneIn},
	{"DELETE", "/hardwares/{parent}/softwares/{id}", nested, nested, noneIn},

	{"GET", "/tickets", "200", "200", "200"},
	{"POST", "/tickets", "201", "201", "201"},
	{"GET", "/tickets/{id}", every, every, own},
	{"PUT", "/tickets/{id}", every, every, own},
	{"DELETE", "/tickets/{id}", every, every, seen},
	{"GET", "/tickets/{parent}/comments", every, every, own},
	{"POST", "/tickets/{parent}/comments", made, made, "201 404 404"},
	{"GET", "/tickets/{parent}/comments/{id}", nested, nested, ownOnly},

	{"GET", "/incidents", "200", "200", "200"},
	{"POST", "/incidents", "201", "201", "201"},
	{"GET", "/incidents/{id}", every, every, own},
	{"PUT", "/incidents/{id}", every, every, own},
	{"DELETE", "/incidents/{id}", every, every, seen},
	{"GET", "/incidents/{parent}/comments", every, every, own},
	{"POST", "/incidents/{parent}/comments", made, made, "201 404 404"},
	{"GET", "/incidents/{parent}/comments/{id}", nested, nested, ownOnly},

	{"GET", "/solutions", "200", "200", "200"},
	{"POST", "/solutions", "201", "201", "403"},
	{"GET", "/solutions/{id}", every, every, own},
	{"PUT", "/solutions/{id}", every, every, seen},
	{"DELETE", "/solutions/{id}", every, every, seen},

	{"GET", "/risks", "200", "200", "403"},
	{"POST", "/risks", "201", "201", "403"},
	{"GET", "/risks/{id}", every, every, none},
	{"PUT", "/risks/{id}", every, every, none},
	{"DELETE", "/risks/{id}", every, every, none},

	{"GET", "/contracts", "200", "200", "403"},
	{"POST", "/contracts", "201", "201", "403"},
	{"GET", "/contracts/{id}", every, every, none},
	{"PUT", "/contracts/{id}", every, every, none},
	{"DELETE", "/contracts/{id}", every, every, none},
	{"GET", "/contracts/{parent}/hardwares", every, every, none},

	{"GET", "/softwares", "200", "200", "403"},
	{"POST", "/softwares", "201", "201", "403"},
	{"GET", "/softwares/{id}", every, every, none},
	{"PUT", "/softwares/{id}", every, every, none},
	{"DELETE", "/softwares/{id}", every, every, none},
	{"GET", "/softwares/{parent}/hardwares", every, every, none},

	{"GET", "/other_assets", "200", "200", "403"},
	{"POST", "/other_assets", "201", "201", "403"},
	{"GET", "/other_assets/{id}", every, every, none},
	{"PUT", "/other_assets/{id}", every, every, none},
	{"DELETE", "/other_assets/{id}", every, every, none},

	{"GET", "/vendors", "200", "200", "403"},
	{"POST", "/vendors", "201", "201", "403"},
	{"GET", "/vendors/{id}", every, every, none},
	{"PUT", "/vendors/{id}", every, every, none},
	{"DELETE", "/vendors/{id}", every, every, none},
	{"GET", "/vendors/{parent}/contracts", every, every, none},

	{"GET", "/printers", "200", "200", "403"},
	{"POST", "/printers", "201", "201", "403"},
	{"GET", "/printers/{id}", every, every, none},
	{"PUT", "/printers/{id}", every, every, none},
	{"DELETE", "/printers/{id}", every, every, none},
	{"GET", "/printers/{parent}/hardwares", every, every, none},

	{"GET", "/audits", "200", "200", "403"},
	{"GET", "/audits/{id}", every, every, none},
	{"GET", "/audits/{parent}/changes", every, every, none},

	{"GET", "/agent_claims", "200", "200", "403"},
	{"GET", "/agent_claims/{id}", every, every, none},
	{"POST", "/agent_claims/{id}/accept", every, every, none},
	{"POST", "/agent_claims/{id}/refuse", every, every, none},

	{"GET", "/sessions", "200", "403", "403"},
	{"GET", "/sessions/{id}", every, none, none},
	{"DELETE", "/sessions/{id}", every, none, none},
	{"GET", "/tokens", "200", "403", "403"},
	{"GET", "/tokens/{id}", every, none, none},
	{"DELETE", "/tokens/{id}", every, none, none},

	{"GET", "/users", "200", "200", "200"},
	{"POST", "/users", "201", "403", "403"},
	{"GET", "/users/{id}", every, every, own},
	{"PUT", "/users/{id}", every, "403 403 404", seen},
	{"DELETE", "/users/{id}", "409 200 404", "403 403 404", seen}, // who has done something stays
}

// ownership is the part of a document that makes a record visible to a requester; the
// rest of the document is what each record of the kind needs.
var ownership = map[string]struct{ needs, own, foreign string }{
	"hardwares":    {"<name>N</name>", "<owner>USER</owner>", "<owner>admin@localhost</owner>"},
	"tickets":      {"<name>N</name>", "<requester>USER</requester>", "<requester>admin@localhost</requester>"},
	"incidents":    {"<name>N</name>", "<requester>USER</requester>", "<requester>admin@localhost</requester>"},
	"comments":     {"<body>N</body>", "", "<is-private>true</is-private>"},
	"solutions":    {"<name>N</name>", "<state>Published</state>", "<state>Internal</state>"},
	"risks":        {needs: "<name>N</name>"},
	"contracts":    {needs: "<name>N</name>"},
	"softwares":    {needs: "<name>N</name>"},
	"other_assets": {"<name>N</name>", "<owner>USER</owner>", ""},
	"vendors":      {needs: "<name>N</name>"},
	"printers":     {needs: "<name>N</name>"},
	"users":        {needs: "<email>N</email>"},
}

// TestRights tries every verb of every path as every sort of user, on records
// that are their own, another's and nobody's. A path or verb without a row
// fails, and so does a row without a path.
func TestRights(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		var served, rows []string
		allow := map[string]string{}
		for _, r := range s.Routes() {
			allow[r.Path] = r.Allow
			for _, verb := range strings.Split(r.Allow, ", ") {
				if verb != "HEAD" && verb != "OPTIONS" {
					served = append(served, verb+" "+r.Path)
				}
			}
		}
		for _, r := range rights {
			rows = append(rows, r.verb+" "+r.path)
		}
		slices.Sort(served)
		slices.Sort(rows)
		equal(t, "the rows of the table", rows, served)

		for _, u := range visitors(s) {
			for _, r := range rights {
				u.try(t, r, allow[r.path])
			}
		}
		strangers(t, s)
	})
}

// strangers are the callers whom no path answers.
func strangers(t *testing.T, s *mustertest.Server) {
	t.Helper()
	disabled := s.AddUser("disabled@example.com", inventory.Administrator, false)
	s.User(server.UserCommand{Do: "disable", Email: "disabled@example.com"})
	for _, r := range rights {
		target := strings.NewReplacer("{parent}", "1", "{id}", "1").Replace(r.path)
		for _, verb := range []string{r.verb, "HEAD", "OPTIONS", "PATCH"} {
			equal(t, "a disabled user: "+verb+" "+target, disabled.Do(verb, target, "").Status, http.StatusUnauthorized)
			equal(t, "nobody: "+verb+" "+target, s.Anonymous().Do(verb, target, "").Status, http.StatusUnauthorized)
		}
	}
}

// A visitor is a user who tries what they may do.
type visitor struct {
	*mustertest.Client
	server   *mustertest.Server
	boss     *mustertest.Client // who makes the records
	email    string
	role     string
	readOnly bool
	made     map[string]string // ids of records by their collection and whose they are
	count    int               // of documents
}

// visitors returns a user of each role, and one who may only read.
func visitors(s *mustertest.Server) (all []*visitor) {
	for _, role := range []string{inventory.Administrator, inventory.Technician, inventory.Requester} {
		for _, readOnly := range []bool{false, true} {
			email := fmt.Sprintf("%s-%v@example.com", role, readOnly)
			all = append(all, &visitor{
				s.AddUser(email, role, readOnly), s, s.Admin(), email, role, readOnly, map[string]string{}, 0,
			})
		}
	}
	return all
}

// absent is an id that no record has.
const absent = "999999"

// try makes the requests of one row.
func (u *visitor) try(t *testing.T, r right, allow string) {
	t.Helper()
	want := strings.Fields(map[string]string{
		inventory.Administrator: r.administrator, inventory.Technician: r.technician, inventory.Requester: r.requester,
	}[u.role])
	if u.readOnly && r.verb != "GET" {
		want = strings.Fields(strings.NewReplacer("200", "403", "201", "403", "409", "403").Replace(strings.Join(want,
			" ")))
	}
	targets := u.targets(t, r)
	if len(targets) != len(want) {
		t.Fatalf("%s %s: got %d statuses in the table, want %d", r.verb, r.path, len(want), len(targets))
	}
	for i, target := range targets {
		what := fmt.Sprintf("%s: %s %s, case %d", u.email, r.verb, r.path, i+1)
		got := u.Do(r.verb, target, u.document(t, r))
		if strconv.Itoa(got.Status) != want[i] {
			t.Errorf("%s: got %d %s, want %s", what, got.Status, got.Body, want[i])
		}
		if r.verb == "GET" && !u.readOnly {
			equal(t, what+": HEAD", u.Do("HEAD", target, "").Status, got.Status)
			equal(t, what+": .json", u.Get(target+".json").Status, got.Status)
		}
	}
	if len(targets) == 9 { // a record in the list of another parent is in none
		misplaced := path.Join(path.Dir(targets[0]), path.Base(targets[3]))
		equal(t, u.email+": "+r.verb+" "+r.path+" of another parent", u.Do(r.verb, misplaced, "").Status,
			http.StatusNotFound)
	}
	equal(t, u.email+": OPTIONS "+r.path, u.Do("OPTIONS", targets[len(targets)-1], "").Header.Get("Allow"), allow)
	for _, verb := range []string{"POST", "PUT", "DELETE"} {
		if r.verb == "GET" && !strings.Contains(allow, verb) {
			equal(t, u.email+": "+verb+" "+r.path, u.Do(verb, targets[0], "").Status, http.StatusMethodNotAllowed)
		}
	}
}

// targets returns the path with the ids of own, foreign and absent records in
// each of its places.
func (u *visitor) targets(t *testing.T, r right) []string {
	t.Helper()
	targets := []string{""}
	for _, part := range strings.Split(r.path, "/")[1:] {
		var longer []string
		for _, target := range targets {
			if !strings.HasPrefix(part, "{") {
				longer = append(longer, target+"/"+part)
				continue
			}
			for _, whose := range []string{"own", "foreign", "absent"} {
				longer = append(longer, target+"/"+u.record(t, target, whose, r.verb == "DELETE"))
			}
		}
		targets = longer
	}
	return targets
}

// record returns the id of a record in a collection, made if there is none or a
// new one is needed.
func (u *visitor) record(t *testing.T, collection, whose string, isNew bool) string {
	t.Helper()
	name := collection[strings.LastIndex(collection, "/")+1:]
	switch {
	case whose == "absent" || strings.Contains(collection, absent):
		return absent
	case name == "agent_claims":
		u.count++
		return claim(t, u.server, fmt.Sprintf("%s%t%d", u.role, u.readOnly, u.count))
	case name == "sessions" || name == "tokens":
		return u.access(t, name, whose)
	case name == "audits":
		return map[string]string{"own": "1", "foreign": "2"}[whose]
	case name == "users" && whose == "own":
		return ids(t, u.boss.Get("/users?email="+u.email).Body)
	}
	if id := u.made[collection+whose]; id != "" && !isNew {
		return id
	}
	o := ownership[name]
	fields := o.needs + map[string]string{"own": o.own, "foreign": o.foreign}[whose]
	r := u.boss.Do("POST", collection, u.fill(name, fields))
	if r.Status != http.StatusCreated {
		t.Fatalf("POST %s: got %d %s, want 201", collection, r.Status, r.Body)
	}
	id := value(t, r.Body, "id")
	if !isNew { // which will be deleted
		u.made[collection+whose] = id
	}
	return id
}

// access makes a session or a token of the user or of another, and returns its id.
func (u *visitor) access(t *testing.T, name, whose string) string {
	t.Helper()
	u.count++
	user := map[string]string{"own": u.email, "foreign": server.Administrator}[whose]
	if name == "sessions" {
		u.server.SignIn(user)
	} else {
		u.server.Bearer(server.TokenCommand{Email: user, Name: fmt.Sprint(u.email, u.count)})
	}
	all := strings.Fields(ids(t, u.boss.Get("/"+name+"?per_page=1000&user="+user).Body))
	return all[len(all)-1]
}

// document returns what is sent: the least that makes a record, or one that
// changes nothing.
func (u *visitor) document(t *testing.T, r right) string {
	t.Helper()
	parts := strings.Split(r.path, "/")
	switch r.verb {
	case "POST":
		name := parts[len(parts)-1]
		if name == "accept" || name == "refuse" {
			return ""
		}
		if name == "split" {
			return "<agent><id>1</id></agent>"
		}
		if name == "merge" {
			return "<hardware><id>" + u.record(t, "/hardwares", "foreign", true) + "</id></hardware>"
		}
		return u.fill(name, ownership[name].needs)
	case "PUT":
		return u.fill(parts[len(parts)-2], "")
	}
	return ""
}

// fill makes a document of fields, with a name that no other has.
func (u *visitor) fill(name, fields string) string {
	u.count++
	unique := fmt.Sprintf("%d.%s", u.count, u.email)
	item := kindAt(name).Item
	return "<" + item + ">" + strings.NewReplacer("N<", unique+"<", "USER", u.email).Replace(fields) + "</" + item + ">"
}
