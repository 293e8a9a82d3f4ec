package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"muster/internal/inventory"
	"muster/internal/mustertest"
)

// other is a document that names the computer that another is merged with.
func other(id any) string { return fmt.Sprintf("<hardware><id>%v</id></hardware>", id) }

// TestMerge makes two computers one: all that is tied to either is tied to the
// older one.
func TestMerge(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		sc := &scene{Server: s, Client: s.Admin()}
		for _, name := range []string{"one", "two", "three"} {
			sc.post(t, inventory.Computers.Schema, "<name>"+name+"</name>")
		}
		on := func(ids ...int) (out string) {
			for _, id := range ids {
				out += other(id)
			}
			return "<hardwares>" + out + "</hardwares>"
		}
		asset := "<affected-asset><asset-type>hardware</asset-type><id>%d</id></affected-asset>"
		sc.post(t, inventory.OtherAssets.Schema, "<name>x</name>")
		sc.post(t, inventory.Tickets.Schema, "<name>a</name>"+on(1))
		sc.post(t, inventory.Tickets.Schema, "<name>b</name>"+on(2))
		sc.post(t, inventory.Tickets.Schema, "<name>c</name>"+on(1, 2, 3))
		sc.post(t, inventory.Risks.Schema, "<name>a</name><affected-assets>"+fmt.Sprintf(asset, 2)+
			"<affected-asset><asset-type>other-asset</asset-type><id>1</id></affected-asset></affected-assets>")
		sc.post(t, inventory.Contracts.Schema,
			"<name>Licence</name><type>SoftwareLicense</type><items><item><name>Editor*</name><quantity>5</quantity></item></items>"+on(2, 3))
		for _, install := range []string{"1 A", "1 Editor", "2 Editor", "2 B", "3 Editor Pro"} {
			id, name, _ := strings.Cut(install, " ")
			equal(t, "install "+install, sc.Do("POST", "/hardwares/"+id+"/softwares",
				"<software><name>"+name+"</name></software>").Status, http.StatusCreated)
		}
		equal(t, "computers of the licence", value(t, sc.Get("/contracts/1").Body, "installed"), "3")

		r := sc.Do("POST", "/hardwares/2-two/merge.xml", other(1))
		equal(t, "the answer", []string{
			fmt.Sprint(r.Status), value(t, r.Body, "id"), value(t, r.Body, "name"), r.Header.Get("Location"),
		},
			[]string{"200", "1", "one", sc.Base() + "/hardwares/1.xml"})
		now := sc.Get("/hardwares/1")
		equal(t, "its document and tag", []string{r.Body, r.Header.Get("ETag")},
			[]string{now.Body, now.Header.Get("ETag")})
		for target, want := range map[string]string{
			"/hardwares": "1 3", "/hardwares/1/tickets": "1 2 3", "/hardwares/1/risks": "1",
			"/contracts/1/hardwares": "1 3", "/hardwares/1/softwares": "1 2 3",
			"/softwares/2/hardwares": "1", "/hardwares?name=two": "", "/hardwares?q=two": "",
		} {
			equal(t, target, ids(t, sc.Get(target).Body), want)
		}
		equal(t, "computers of the licence", value(t, sc.Get("/contracts/1").Body, "installed"), "2")
		equal(t, "computers with the editor", value(t, sc.Get("/softwares/2").Body, "installs"), "1")
		exact(t, s)
		mergeTold(t, sc)
		gone := sc.Get("/hardwares/2")
		refused(t, "the other one", gone, http.StatusNotFound,
			"there is no computer with the id 2: it was merged into computer 1")
		refused(t, "its tickets", sc.Get("/hardwares/2/tickets"), http.StatusNotFound, "it was merged into computer 1")
	})
}

// mergeTold looks at the audit records of a merge.
func mergeTold(t *testing.T, sc *scene) {
	t.Helper()
	var messages []string
	for _, n := range parse(t, sc.Get("/hardwares/1/audits?per_page=100").Body).Nodes[3:] {
		messages = append(messages,
			n.child("action").Text+" "+n.child("user").child("email").Text+": "+n.child("message").Text)
	}
	admin := "admin@localhost: "
	equal(t, "the history of the computer", messages, []string{
		"create " + admin + "Computer one created", "create " + admin + "Computer two created",
		"create " + admin + "Ticket a created", "create " + admin + "Ticket b created",
		"create " + admin + "Ticket c created", "create " + admin + "Risk a created",
		"update " + admin + "Software added: A", "update " + admin + "Software added: Editor",
		"update " + admin + "Software added: Editor", "update " + admin + "Software added: B",
		"delete " + admin + "Computer two merged into computer 1 (one)",
		"update " + admin + "Computer two (id 2, asset id MUS-000002) merged into this one",
	})
	last := parse(t, sc.Get("/hardwares/1/audits?action=update&sort_by=id&sort_order=DESC&per_page=1").Body).Nodes[3]
	equal(t, "what changed",
		[]string{last.child("changes").Nodes[0].child("field").Text, last.child("changes").Nodes[0].child("to").Text},
		[]string{"softwares", `name: "B"`})
	equal(t, "the change of a ticket", value(t, sc.Get("/audits?record_type=ticket&action=update&record_id=2").Body,
		"audit", "message"), "Computer removed: two; Computer added: one")
}

// TestMergeRefused asks for what cannot be merged.
func TestMergeRefused(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		c := s.Admin()
		for _, name := range []string{"one", "two", "three"} {
			c.Do("POST", "/hardwares", "<hardware><name>"+name+"</name></hardware>")
		}
		tag := c.Get("/hardwares/2").Header.Get("ETag")
		c.Do("PUT", "/hardwares/2", "<hardware><tag>t</tag></hardware>")
		for _, test := range []struct {
			what, target, body string
			status             int
			want               string
			header             []string
		}{
			{"itself", "/hardwares/2/merge", other(2), 422, "Id must be that of another computer", nil},
			{"an unknown one", "/hardwares/2/merge", other(99), 422, "Id does not exist: no computer has the id 99",
				nil},
			{"an older one that is unknown", "/hardwares/99/merge", other(2), 404,
				"there is no computer with the id 99", nil},
			{"none", "/hardwares/2/merge", "<hardware/>", 422, "Id can't be blank", nil},
			{"an empty id", "/hardwares/2/merge", other(""), 422, "Id can't be blank", nil},
			{"no id", "/hardwares/2/merge", other("two"), 422, "Id ", nil},
			{"an id below 1", "/hardwares/2/merge", other(-1), 422, "Id ", nil},
			{"an id that is too high", "/hardwares/2/merge", other("99999999999999999999"), 422, "Id ", nil},
			{"two ids", "/hardwares/2/merge", "<hardware><id>1</id><id>3</id></hardware>", 422,
				"Id is given more than once", nil},
			{"fields", "/hardwares/2/merge", "<hardware><id>1</id><name>x</name></hardware>", 422,
				"Name is not a field of hardware", nil},
			{"another root", "/hardwares/2/merge", "<ticket><id>1</id></ticket>", 422,
				"the document's root is <ticket>", nil},
			{"no document", "/hardwares/2/merge", "", 400, "", nil},
			{"a parameter", "/hardwares/2/merge?id=1", other(1), 400, "unknown parameter id", nil},
			{"an old version", "/hardwares/2/merge", other(1), 412, "not in the version that the request expects",
				[]string{"If-Match", tag}},
			{"the tag of another", "/hardwares/1/merge", other(2), 412, "not in the version that the request expects",
				[]string{"If-Match", tag}},
			{"a bad key", "/hardwares/2/merge", other(1), 400, "Idempotency-Key", []string{"Idempotency-Key", ""}},
			{"another kind", "/tickets/1/merge", other(1), 404, "", nil},
		} {
			refused(t, test.what, c.Do("POST", test.target, test.body, test.header...), test.status, test.want)
		}
		equal(t, "as JSON", c.Do("POST", "/hardwares/2/merge.json", other(1)).Status, http.StatusMethodNotAllowed)
		equal(t, "GET", c.Get("/hardwares/2/merge").Status, http.StatusMethodNotAllowed)
		equal(t, "the computers", ids(t, c.Get("/hardwares").Body), "1 2 3")
		equal(t, "audit records", ids(t, c.Get("/audits?action=delete").Body), "")

		requester := s.AddUser("r@example.com", inventory.Requester, false)
		c.Do("PUT", "/hardwares/3", "<hardware><owner>r@example.com</owner></hardware>")
		equal(t, "merge with the right version", c.Do("POST", "/hardwares/2/merge", other(1), "If-Match",
			c.Get("/hardwares/2").Header.Get("ETag")).Status, http.StatusOK)
		refused(t, "a requester reads what was merged", requester.Get("/hardwares/2"), http.StatusNotFound,
			"there is no computer with the id 2")
		if body := requester.Get("/hardwares/2").Body; strings.Contains(body, "merged") {
			t.Errorf("a requester learns of a merge: %s", body)
		}
		refused(t, "a requester merges their own", requester.Do("POST", "/hardwares/3/merge", other(1)),
			http.StatusForbidden, "may not delete computer records")
	})
}

// TestMergeOnce repeats a merge under its key.
func TestMergeOnce(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		c := s.Admin()
		for _, name := range []string{"one", "two", "three"} {
			c.Do("POST", "/hardwares", "<hardware><name>"+name+"</name></hardware>")
		}
		for i, want := range []string{"", "true"} {
			r := c.Do("POST", "/hardwares/1/merge", other(2), "Idempotency-Key", "k")
			equal(t, fmt.Sprint("merge ", i+1),
				[]string{fmt.Sprint(r.Status), value(t, r.Body, "id"), r.Header.Get("Location"),
					r.Header.Get("Idempotent-Replayed")},
				[]string{"200", "1", s.Base + "/hardwares/1.xml", want})
		}
		refused(t, "another document", c.Do("POST", "/hardwares/1/merge", other(3), "Idempotency-Key", "k"),
			http.StatusUnprocessableEntity, "used before with another document")
		refused(t, "without the key", c.Do("POST", "/hardwares/1/merge", other(2)), http.StatusUnprocessableEntity,
			"no computer has the id 2")
		equal(t, "computers that were deleted", value(t, c.Get("/audits?action=delete").Body, "total_entries"), "1")
	})
}
