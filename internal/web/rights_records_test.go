//go:build full

package web_test

import (
	"net/http"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"

	"muster/internal/inventory"
	"muster/internal/mustertest"
	"muster/internal/server"
)

// A recordRight is what one verb of a path of the self-service is answered with,
// for an own, a foreign and an absent record: to staff and to requesters, and to
// those of both who may only read.
type recordRight struct {
	verb, path, of, form                             string
	staff, requester, readingStaff, readingRequester string
}

const (
	every = "200 200 404"
	own   = "200 404 404"
	led   = "303 303 303"
)

// recordRights has a row for each path of the self-service that is about a
// record, and for those of staff that lead there.
var recordRights = []recordRight{
	{"GET", "/requests/{id}", "tickets", "", every, own, every, own},
	{"GET", "/requests/{id}/events", "tickets", "", every, own, every, own},
	{"POST", "/requests/{id}/reply", "tickets", "body=text&version=1", "303 303 404", "303 404 404", "403 403 404",
		"403 404 404"},
	{"GET", "/tickets/{id}", "tickets", "", every, led, every, led},
	{"GET", "/help/{id}", "articles", "", every, own, every, own},
	{"GET", "/articles/{id}", "articles", "", every, led, every, led},
	{"GET", "/devices/{id}", "computers", "", every, own, every, own},
	{"POST", "/requests", "computers", "name=text&hardwares={id}", "303 303 422", "303 422 422", "403 403 403",
		"403 403 403"},
}

// makeOwn are the forms that make a record which a requester may see, and one of
// somebody else; USER is the requester.
var makeOwn = map[string][2]string{
	"tickets":   {"name=One&requester=USER", "name=One&requester=" + server.Administrator},
	"articles":  {"name=One&state=Published", "name=One&state=Internal"},
	"computers": {"name=One&owner=USER", "name=One&owner=" + server.Administrator},
}

// TestRecordRights comes to the records of the self-service, own, foreign and
// absent ones, as every role, as those who may only read, and as nobody. A path
// of the self-service that is about a record and has no row fails.
func TestRecordRights(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := mustertest.Start(t, mustertest.Options{On: db})
		for _, route := range s.WebRoutes() {
			base, about, _ := strings.Cut(strings.TrimPrefix(route.Path, "/"), "/")
			rows := slices.ContainsFunc(recordRights, func(r recordRight) bool { return r.path == route.Path })
			if slices.Contains([]string{"requests", "help", "devices"}, base) && about != "" && !rows {
				t.Errorf("%s: it has no row in the table", route.Path)
			}
		}
		boss := s.SignIn(server.Administrator)
		for _, v := range visits(s) {
			for _, r := range recordRights {
				v.tryRecords(t, boss, r)
			}
		}
	})
}

// tryRecords makes the requests of one row, about new records.
func (v *visit) tryRecords(t *testing.T, boss *mustertest.Visitor, r recordRight) {
	t.Helper()
	ids := []string{v.make(t, boss, r.of, 0), v.make(t, boss, r.of, 1), absent}
	for i, want := range strings.Fields(v.wants(r)) {
		target := "/app" + fill(r.path, ids[i])
		var got *mustertest.Response
		if r.verb == http.MethodPost {
			form, err := url.ParseQuery(fill(r.form, ids[i]))
			if err != nil {
				t.Fatal(err)
			}
			got = v.Post(target, form)
		} else {
			got = v.Head(target) // as GET, also where that would not end
		}
		what := strings.Join(v.is, " ") + ": " + r.verb + " " + r.path + ", " + [...]string{
			"own", "foreign", "absent",
		}[i]
		if strconv.Itoa(got.Status) != want {
			t.Errorf("%s: got %d to %q, want %s: %s", what, got.Status, got.Header.Get("Location"), want, got.Body)
		}
		if toSignIn := strings.HasPrefix(got.Header.Get("Location"), "/app/signin"); toSignIn != (v.email == "") {
			t.Errorf("%s: got 303 to sign in: %v", what, toSignIn)
		}
	}
}

// wants returns the statuses that the table has for them.
func (v *visit) wants(r recordRight) string {
	reads := len(v.is) > 1
	switch {
	case v.email == "":
		return led
	case v.is[0] == inventory.Requester && reads:
		return r.readingRequester
	case v.is[0] == inventory.Requester:
		return r.requester
	case reads:
		return r.readingStaff
	}
	return r.staff
}

// make makes a record that is theirs, or somebody else's, and returns its id.
func (v *visit) make(t *testing.T, boss *mustertest.Visitor, section string, whose int) string {
	t.Helper()
	user := v.email
	if user == "" {
		user = server.Administrator
	}
	form, err := url.ParseQuery(strings.ReplaceAll(makeOwn[section][whose], "USER", user))
	if err != nil {
		t.Fatal(err)
	}
	got := boss.Post("/app/"+section+"/new", form)
	if got.Status != http.StatusSeeOther {
		t.Fatalf("a new record of %s: got %d: %s", section, got.Status, got.Body)
	}
	return path.Base(got.Header.Get("Location"))
}
