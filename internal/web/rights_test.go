//go:build full

package web_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"muster/internal/desk"
	"muster/internal/front"
	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/mustertest"
	"muster/internal/server"
	"muster/internal/web"
	"muster/internal/web/records"
)

// A visit is somebody who tries what they may do.
type visit struct {
	*mustertest.Visitor
	email string
	is    []string // in the words of the table: their role, and what limits them
}

// visits returns somebody of each role, those who may only read, and nobody.
func visits(s *mustertest.Server) []*visit {
	all := []*visit{{s.Visitor(), "", []string{"nobody"}}}
	for _, role := range []string{inventory.Administrator, inventory.Technician, inventory.Requester} {
		for _, is := range [][]string{{role}, {role, "reader"}} {
			email := strings.Join(is, "-") + "@example.com"
			s.AddUser(email, role, len(is) > 1)
			all = append(all, &visit{s.SignIn(email), email, is})
		}
	}
	return all
}

// may reports whether the table names them.
func (v *visit) may(who string) bool {
	named := strings.Fields(who)
	return !slices.ContainsFunc(v.is, func(word string) bool { return !slices.Contains(named, word) })
}

// writes reports whether what they send could change something.
func (v *visit) writes() bool { return len(v.is) == 1 && v.is[0] != "nobody" }

// TestWebRights comes to every path of the application as every role, as those
// who may only read, as somebody who must set up a second factor first, and as
// nobody: each is answered to those alone whom the table names. A path or verb
// without a row fails, and so does a row without a path.
func TestWebRights(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		compareRoutes(t, s.WebRoutes())
		all := visits(s)
		for _, v := range all {
			for _, r := range allRights() {
				v.try(t, s, r)
			}
		}
		readersChange(t, s)

		s.Settings(server.SettingCommand{Do: "set", Name: "second-factor", Value: "everyone"})
		late := &visit{s.SignIn(all[1].email), all[1].email, []string{inventory.Administrator, "enrolling"}}
		for _, r := range allRights() {
			late.try(t, s, r)
		}
	})
}

// allRights returns the table, with the rows of kinds that have no refinement and
// follow from their declaration.
func allRights() []webRight {
	all := slices.Clone(webRights)
	for _, s := range web.Sections(inventory.Served()) {
		if !slices.ContainsFunc(webRights, func(r webRight) bool { return r.path == "/"+s.Path }) {
			all = append(all, usualRights(s)...)
		}
	}
	return all
}

// usualRights returns the rows of a section about which nothing is known but the kind.
func usualRights(s *records.Section) []webRight {
	look, write := staff, staffWrite
	if desk.ForAdministrators(s.Kind) {
		look, write = admins, adminsWrite
	}
	at := "/" + s.Path
	rows := []webRight{
		{at, look, "", ""}, {at + "/{id}", look, "", ""}, {at + "/look", "", look, ""},
		{at + "/views", "", look, "name=One"},
		{at + "/values", look, "", ""}, {at + "/export.csv", look, look, ""}, {at + "/export.xlsx", look, look, ""},
		{"/suggest" + at + "/{field}", look, "", ""},
	}
	if s.Add != "" {
		for _, one := range []string{"/new", "/{id}/edit", "/{id}/delete"} {
			rows = append(rows, webRight{at + one, look, write, ""})
		}
	}
	if s.Bulk != nil {
		form := "field=" + s.Bulk[0] + "&id={id}"
		rows = append(rows, webRight{at + "/bulk", look, write, form}, webRight{"/undo" + at, "", write, ""})
	}
	if s.Labelled() {
		rows = append(rows, webRight{at + "/labels", look, look, "id=1"})
	}
	return rows
}

// TestUsualRights comes to the pages of a kind that is only declared as every role, as
// those who may only read, and as nobody.
func TestUsualRights(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s, tech := startRovers(t, db)
		addRover(t, tech, "Ada")
		rows := usualRights(web.Sections([]*kind.Schema{rovers.Schema})[0])
		for _, route := range s.WebRoutes() {
			known := func(r webRight) bool { return r.path == route.Path }
			if strings.Contains(route.Path, "moon-rovers") && !slices.ContainsFunc(rows, known) {
				t.Errorf("%s: it has no row", route.Path)
			}
		}
		for _, v := range visits(s) {
			for _, r := range rows {
				v.try(t, s, r)
			}
		}
		readersChange(t, s)
	})
}

// compareRoutes fails unless the table has a row for each path, with its verbs
// and the roles that the server lets in.
func compareRoutes(t *testing.T, routes []front.Route) {
	t.Helper()
	var served, rows []string
	for _, route := range routes {
		served = append(served, route.Path+": "+route.Allow+" by "+strings.Join(route.Roles, " "))
	}
	for _, r := range allRights() {
		var verbs, roles []string
		if r.get != "" {
			verbs = append(verbs, http.MethodGet, http.MethodHead)
		}
		if r.post != "" {
			verbs = append(verbs, http.MethodPost)
		}
		for _, role := range []string{inventory.Administrator, inventory.Technician, inventory.Requester} {
			if who := strings.Fields(r.get + " " + r.post); slices.Contains(who, role) &&
				!slices.Contains(who, "nobody") {
				roles = append(roles, role)
			}
		}
		rows = append(rows, r.path+": "+strings.Join(verbs, ", ")+" by "+strings.Join(roles, " "))
	}
	for _, one := range served {
		if !slices.Contains(rows, one) {
			t.Errorf("%s: it has no such row in the table", one)
		}
	}
	for _, one := range rows {
		if !slices.Contains(served, one) {
			t.Errorf("%s: the server has no such path", one)
		}
	}
}

// absent is an id that no record has.
const absent = "999999"

// fill returns a path or a form of the table with an id in it.
func fill(text, id string) string {
	return strings.NewReplacer("{$}", "", "{id}", id, "{older}", id, "{newer}", id+"1", "{changes}", id, "{field}",
		"site", "{job}", "x", "{hash}", "x", "{name}", "muster.css").Replace(text)
}

// try makes the requests of one row. Those who could change something send forms
// about records that are not there, so that nothing changes under the others;
// what is sent by those who may not is about one that is.
func (v *visit) try(t *testing.T, s *mustertest.Server, r webRight) {
	t.Helper()
	if r.get != "" {
		target := "/app" + fill(r.path, "1")
		got := v.Head(target) // as GET, also where that would not end
		if got.Status == http.StatusForbidden {
			got = v.Get(target) // whose body says why
		}
		v.judge(t, "GET "+target, r.get, got)
	}
	if r.post != "" {
		id := "1"
		if v.writes() {
			id = absent
		}
		form, err := url.ParseQuery(fill(r.form, id))
		if err != nil {
			t.Fatal(err)
		}
		from, target := v.Visitor, "/app"+fill(r.path, id)
		if r.path == "/signout" && v.email != "" {
			from = s.SignIn(v.email) // since that visit ends
		}
		v.judge(t, "POST "+target, r.post, from.Post(target, form))
	}
}

// judge compares what a request was answered with who may make it.
func (v *visit) judge(t *testing.T, what, who string, got *mustertest.Response) {
	t.Helper()
	post, to := strings.HasPrefix(what, "POST"), got.Header.Get("Location")
	sentTo := func(path string) bool { return got.Status == http.StatusSeeOther && strings.HasPrefix(to, "/app"+path) }
	forRole := got.Status == http.StatusForbidden && strings.Contains(got.Body, "This page is not for your role")
	right, want := false, ""
	switch open := slices.Contains(strings.Fields(who), "nobody"); {
	case v.may(who):
		right, want = got.Status < http.StatusInternalServerError && got.Status != http.StatusForbidden &&
			(open || !sentTo("/signin")), "an answer"
	case v.is[0] == "nobody":
		right, want = sentTo("/signin"), "303 to sign in"
	case slices.Contains(v.is, "enrolling"):
		right, want = sentTo("/profile/second-factor"), "303 to the second factor"
	case !slices.Contains(strings.Fields(who), v.is[0]):
		right, want = forRole, "403 for the role"
	case post: // refused for what it would do, or for something before that
		right, want = got.Status >= http.StatusBadRequest && got.Status < http.StatusInternalServerError && !forRole,
			"a refusal"
	default:
		right, want = got.Status == http.StatusForbidden && !forRole, "403 for who may only read"
	}
	if !right {
		t.Errorf("%s: %s: got %d to %q, want %s: %s", strings.Join(v.is, " "), what, got.Status, to, want, got.Body)
	}
}

// readersChange fails for what those have changed who may only read, beside what
// is their own.
func readersChange(t *testing.T, s *mustertest.Server) {
	t.Helper()
	for _, a := range s.Audits() {
		if strings.Contains(a.User.Email, "-reader@") &&
			(a.RecordType != inventory.Users.Item || a.RecordID.V != a.User.ID) {
			t.Errorf("%s changed the %s %d, and may only read: %s", a.User.Email, a.RecordType, a.RecordID.V, a.Message)
		}
	}
}
