//go:build full

package web_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"path"
	"regexp"
	"strings"
	"testing"

	"muster/internal/inventory"
	"muster/internal/mustertest"
	"muster/internal/server"
	"muster/internal/web"
)

// A seenPage is a page that is opened in every look, by the name of its picture.
// What its path has in braces is of the house that the pages are of.
type seenPage struct{ name, path string }

// openPages are those that nobody need sign in for.
var openPages = []seenPage{
	{"signin", "/app/signin"},
}

// requesterPages are those of the self-service, for who asks.
var requesterPages = []seenPage{
	{"portal", "/app/"},
	{"portal-articles", "/app/portal?q=password"},
	{"requests", "/app/requests"},
	{"request", "/app/requests/{ticket}"},
	{"help", "/app/help/1"},
	{"device", "/app/devices/5"},
	{"requester-profile", "/app/profile"},
	{"requester-preferences", "/app/preferences"},
}

// staffPages are those of an administrator.
var staffPages = []seenPage{
	{"dashboard", "/app/"},
	{"search", "/app/search?q=dell"},
	{"nothing", "/app/computers?name=nosuchname"},
	{"preferences", "/app/preferences"},
	{"keyspage", "/app/keys"},
	{"jobs", "/app/jobs"},
	{"jobs-scheduled", "/app/jobs/scheduled"},
	{"jobs-failed", "/app/jobs/failed"},
	{"jobs-done", "/app/jobs/done"},
	{"jobs-mine", "/app/jobs/mine"},
	{"jobs-mine-failed", "/app/jobs/mine/failed"},
	{"jobs-mine-done", "/app/jobs/mine/done"},
	{"job", "/app/jobs/1"},
	{"profile", "/app/profile"},
	{"second-factor", "/app/profile/second-factor"},
	{"own-api", "/app/profile/api"},
	{"own-token-revoke", "/app/profile/api/tokens/1/revoke"},

	{"tickets", "/app/tickets?state=New&state=Assigned"},
	{"ticket", "/app/tickets/3"},
	{"ticket-new", "/app/tickets/new"},
	{"ticket-edit", "/app/tickets/3/edit"},
	{"ticket-delete", "/app/tickets/3/delete"},
	{"ticket-bulk", "{tickets/bulk}"},
	{"articles", "/app/articles"},
	{"article", "/app/articles/1"},
	{"article-new", "/app/articles/new"},
	{"article-edit", "/app/articles/1/edit"},
	{"article-delete", "/app/articles/1/delete"},

	{"computers", "/app/computers"},
	{"computers-filtered", "/app/computers?status=Operational&add=site"},
	{"computer", "/app/computers/5"},
	{"computer-hardware", "/app/computers/5?tab=hardware"},
	{"computer-software", "/app/computers/5?tab=software"},
	{"computer-tickets", "/app/computers/5?tab=tickets"},
	{"computer-risks", "/app/computers/5?tab=risks"},
	{"computer-contracts", "/app/computers/5?tab=contracts"},
	{"computer-history", "/app/computers/5?tab=history"},
	{"computer-new", "/app/computers/new"},
	{"computer-edit", "/app/computers/5/edit"},
	{"computer-delete", "/app/computers/5/delete"},
	{"computer-merging", "/app/computers/5/merge"},
	{"computer-split", "/app/computers/35/split"},
	{"computer-labels", "/app/computers/labels?id=5&id=6"},
	{"computer-bulk", "{computers/bulk}"},
	{"software", "/app/software"},
	{"program", "/app/software/3"},
	{"program-new", "/app/software/new"},
	{"program-edit", "/app/software/3/edit"},
	{"program-delete", "/app/software/3/delete"},
	{"program-computers", "/app/software/1/computers"},
	{"program-licences", "/app/software/1/licences"},
	{"program-bulk", "{software/bulk}"},
	{"printers", "/app/printers"},
	{"printer", "/app/printers/1"},
	{"printer-new", "/app/printers/new"},
	{"printer-edit", "/app/printers/1/edit"},
	{"printer-delete", "/app/printers/1/delete"},
	{"printer-computers", "/app/printers/1/computers"},
	{"printer-labels", "/app/printers/labels?id=1"},
	{"printer-bulk", "{printers/bulk}"},
	{"assets", "/app/assets"},
	{"asset", "/app/assets/1"},
	{"asset-new", "/app/assets/new"},
	{"asset-edit", "/app/assets/1/edit"},
	{"asset-delete", "/app/assets/1/delete"},
	{"asset-labels", "/app/assets/labels?id=1"},
	{"asset-bulk", "{assets/bulk}"},

	{"contracts", "/app/contracts"},
	{"contract", "/app/contracts/2"},
	{"contract-new", "/app/contracts/new"},
	{"contract-edit", "/app/contracts/2/edit"},
	{"contract-delete", "/app/contracts/2/delete"},
	{"contract-licence", "/app/contracts/{licence}"},
	{"contract-computers", "/app/contracts/{licence}/computers"},
	{"contract-use", "/app/contracts/{licence}/use"},
	{"contract-programs", "/app/contracts/{licence}/programs"},
	{"contract-bulk", "{contracts/bulk}"},
	{"vendors", "/app/vendors"},
	{"vendor", "/app/vendors/1"},
	{"vendor-new", "/app/vendors/new"},
	{"vendor-edit", "/app/vendors/1/edit"},
	{"vendor-delete", "/app/vendors/1/delete"},
	{"vendor-contracts", "/app/vendors/1/contracts"},

	{"risks", "/app/risks"},
	{"risk", "/app/risks/1"},
	{"risk-new", "/app/risks/new"},
	{"risk-edit", "/app/risks/1/edit"},
	{"risk-delete", "/app/risks/1/delete"},
	{"risk-bulk", "{risks/bulk}"},
	{"activity", "/app/activity"},
	{"change", "/app/activity/20"},

	{"users", "/app/users"},
	{"user", "/app/users/2"},
	{"user-new", "/app/users/new"},
	{"user-edit", "/app/users/2/edit"},
	{"user-delete", "/app/users/2/delete"},
	{"user-disable", "/app/users/2/disable"},
	{"user-factor-reset", "/app/users/2/second-factor/reset"},
	{"agents", "/app/agents"},
	{"agent-refused", "/app/agents/refused"},
	{"agent-tokens", "/app/agents/tokens"},
	{"agent-token", "/app/agents/tokens/1"},
	{"agent-token-revoke", "/app/agents/tokens/1/revoke"},
	{"duplicates", "/app/agents/duplicates"},
	{"duplicates-merge", "/app/agents/duplicates/1/2"},
	{"sessions", "/app/sessions"},
	{"sessions-of-one", "/app/sessions?user=admin@localhost"},
	{"sessions-end", "/app/sessions/end?user=admin@localhost"},
	{"tokens-end", "/app/tokens/end?user=admin@localhost"},
	{"tokens", "/app/tokens"},
	{"token-revoke", "/app/tokens/1/revoke"},
	{"settings", "/app/settings"},
	{"about", "/app/about"},
	{"storage", "/app/storage"},
	{"import", "/app/import"},
	{"import-table", "{import}"},
}

// pageless are the routes that answer a GET with something else than a page, or
// with one that is looked at elsewhere.
var pageless = regexp.MustCompile(`^/static/|^/suggest/|^/search/instant$|/values$|/events$|/export\.\w+$|/rest\.csv$|` +
	`^/jobs/\{id\}/file$|` + // of TestExportByJob
	`^/jobs/chip$|` + // by TestBrowserJobs
	`^/signin/code$|` + // by TestBrowserOwnAccess
	`^/password$`) // by TestBrowserFirstPassword

// A pageHouse is an organisation in which every page has something to show.
type pageHouse struct {
	*mustertest.Server
	has *strings.Replacer // what paths have in braces
}

// asker is the requester of the house.
const asker = "ask@example.com"

// openPageHouse starts a server with an invented organisation, and adds what that
// has not: a requester with a computer and a ticket, a licence, tokens, an import
// and changes of many records.
func openPageHouse(t *testing.T) *pageHouse {
	t.Helper()
	h := &pageHouse{Server: start(t, mustertest.SQLite)}
	h.AddUser(asker, inventory.Requester, false)
	if got := h.Admin().Do("PUT", "/hardwares/5.xml",
		"<hardware><owner>"+asker+"</owner></hardware>"); got.Status != http.StatusOK {
		t.Fatalf("an owner: got %d: %s", got.Status, got.Body)
	}
	ticket := h.made(t, "/hardwares/5/tickets",
		"<ticket><name>The fan hums</name><description>Since *today*.</description><requester>"+asker+
			"</requester></ticket>")
	h.made(t, "/tickets/"+ticket+"/comments", "<comment><body>Is it **hot**?</body></comment>")
	h.made(t, "/hardwares/5/risks", "<risk><name>The fan stands still</name></risk>")
	licence := h.made(t, "/contracts",
		"<contract><name>Office for a few</name><type>SoftwareLicense</type><items><item><name>Microsoft 365 Apps*</name><quantity>2</quantity></item></items>"+
			"<hardwares><hardware><id>5</id></hardware></hardwares></contract>")
	h.Tokens(server.TokenCommand{Do: "add", Email: server.Administrator, Name: "nightly export"})
	v := h.SignIn(server.Administrator)
	expect(t, "an agent token", v.Post("/app/agents/tokens", url.Values{"name": {"notebooks"}}), http.StatusOK)
	begun := v.Upload("/app/import", url.Values{"kind": {"computers"}}, "stock.csv", table)
	expect(t, "an import", begun, http.StatusSeeOther)
	has := []string{"{ticket}", ticket, "{licence}", licence, "{import}", begun.Header.Get("Location")}
	for _, section := range []string{"tickets", "computers", "software", "printers", "assets", "contracts", "risks"} {
		form := url.Values{"field": {"tag"}, "to-tag": {"one"}, "id": {"1", absent}} // of which one fails
		if section == "risks" {
			form = url.Values{"field": {"status"}, "to-status": {"Resolved"}, "id": {"1", absent}}
		}
		done := v.Post("/app/"+section+"/bulk", form)
		expect(t, "a change of many "+section, done, http.StatusSeeOther)
		has = append(has, "{"+section+"/bulk}", done.Header.Get("Location"))
	}
	h.has = strings.NewReplacer(has...)
	return h
}

// made makes a record through the API and returns its id.
func (h *pageHouse) made(t *testing.T, to, document string) string {
	t.Helper()
	got := h.Admin().Do("POST", to+".xml", document)
	if got.Status != http.StatusCreated {
		t.Fatalf("%s: got %d: %s", document, got.Status, got.Body)
	}
	return path.Base(strings.TrimSuffix(got.Header.Get("Location"), ".xml"))
}

// TestPagesAreLookedAt finds each route that answers with a page among those that
// are opened in every look, and that these pages are there. Those of kinds without a
// refinement are alike, and TestBrowserOwnKind looks at them.
func TestPagesAreLookedAt(t *testing.T) {
	t.Parallel()
	h := openPageHouse(t)
	routes, looked := http.NewServeMux(), map[string]bool{}
	for _, route := range h.WebRoutes() {
		routes.HandleFunc("/app"+route.Path, http.NotFound)
	}
	for _, list := range []struct {
		who   *mustertest.Visitor
		pages []seenPage
	}{{h.Visitor(), openPages}, {h.SignIn(server.Administrator), staffPages}, {h.SignIn(asker), requesterPages}} {
		for _, p := range list.pages {
			target := h.has.Replace(p.path)
			got := list.who.Get(target)
			if got.Status != http.StatusOK || !strings.HasSuffix(strings.TrimSpace(got.Body), "</html>") {
				t.Errorf("%s: got %d to %q, want a page: %s", target, got.Status, got.Header.Get("Location"), got.Body)
			}
			_, pattern := routes.Handler(httptest.NewRequest(http.MethodGet, target, nil))
			looked[pattern] = true
		}
	}
	for _, s := range web.Sections(inventory.Served()) {
		for _, r := range usualRights(s) {
			looked["/app"+r.path] = looked["/app"+r.path] || !web.Refined(s.Kind)
		}
	}
	for _, route := range h.WebRoutes() {
		if strings.HasPrefix(route.Allow, http.MethodGet) && !pageless.MatchString(route.Path) &&
			!looked["/app"+route.Path] {
			t.Errorf("%s: it is in no list of pages that are looked at", route.Path)
		}
	}
}
