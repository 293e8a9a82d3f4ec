package web_test

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"muster/internal/mustertest"
	"muster/internal/server"
)

// told returns what posts reports of the computer lap with some sections, and
// fails the test when one is not taken.
func told(t *testing.T, s *mustertest.Server) func(sections string) {
	t.Helper()
	token, err := s.AgentToken(context.Background(), server.AgentTokenCommand{Do: "add"})
	if err != nil {
		t.Fatal(err)
	}
	return func(sections string) {
		t.Helper()
		body := fmt.Sprintf(`<?xml version="1.0" encoding="UTF-8"?><REQUEST><CONTENT><VERSIONCLIENT>OCS-NG_unified_unix_agent_v2.10.0</VERSIONCLIENT>
			<HARDWARE><NAME>lap</NAME><UUID>4C4C4544-0042-3510-8052-B4C04F4D3331</UUID></HARDWARE>%s
			</CONTENT><DEVICEID>lap-2026-01-01-00-00-00</DEVICEID><QUERY>INVENTORY</QUERY></REQUEST>`, sections)
		got := s.Anonymous().Do(http.MethodPost, "/ocsinventory/t/"+token.Secret, body, "User-Agent", "OCS-NG_unified_unix_agent_v2.10.0")
		if got.Status != http.StatusOK {
			t.Fatalf("report: got %d: %s", got.Status, got.Body)
		}
	}
}

// TestRelease lets the agent tell a field again, also when the computer was changed
// since it was shown, and takes that back.
func TestRelease(t *testing.T) {
	s := mustertest.Start(t, mustertest.Options{})
	told(t, s)("<HARDWARE><WORKGROUP>agent.example</WORKGROUP></HARDWARE>")
	v := s.SignIn(server.Administrator)
	const path = "/app/computers/1"
	lacks(t, "before", v.Get(path), "set by a person")
	goes(t, "set", v.Post(path+"/fact", url.Values{"field": {"domain"}, "domain": {"office.example"}}), "/computers/1")
	shown := v.Get(path)
	holds(t, "set", shown, "office.example", "set by a person", "Release Domain")
	form := formOn(t, shown, path+"/release")
	form.Set("field", "domain")
	form.Set("version", "1")
	v.Post(path+"/edit", url.Values{"tag": {"x"}})
	goes(t, "release", v.Post(path+"/release", form), "/computers/1")
	released := v.Get(path)
	holds(t, "released", released, "Domain is what the agent tells again", "agent.example")
	lacks(t, "released", released, "Release Domain", "office.example</dd>")
	goes(t, "undo", v.Post(undoPath.FindStringSubmatch(released.Body)[1], url.Values{"to": {"/computers/1"}}), "/computers/1")
	holds(t, "undone", v.Get(path), "office.example", "Release Domain")
}

// TestReleaseTyped throws nothing away of a computer that no agent has reported:
// it offers no release and refuses one, but takes a change back.
func TestReleaseTyped(t *testing.T) {
	s := mustertest.Start(t, mustertest.Options{})
	v := s.SignIn(server.Administrator)
	path := addComputers(t, v, url.Values{"name": {"lej-1"}, "domain": {"office.example"}, "memory": {"4096"}})[0]
	below := strings.TrimPrefix(path, "/app")
	lacks(t, "the page", v.Get(path), "set by a person", path+"/release")
	for _, test := range []struct{ field, label string }{{"domain", "Domain"}, {"name", "Name"}, {"memory", "Memory"}} {
		goes(t, test.field, v.Post(path+"/release", url.Values{"field": {test.field}}), below)
		refused := v.Get(path)
		toldOn(t, test.field, refused, test.label+" stays as it is: no agent has reported lej-1, so that nothing would take its place", true)
		holds(t, test.field, refused, "<h1>lej-1</h1>", "office.example", "4 GB")
	}
	wants(t, "no field of agents", v.Post(path+"/release", url.Values{"field": {"site"}}), http.StatusNotFound)
	for _, form := range []url.Values{{"field": {"domain"}, "domain": {"lab.example"}}, {"field": {"name"}, "name": {"lej-9"}}} {
		goes(t, "change", v.Post(path+"/fact", form), below)
		undo := undoPath.FindStringSubmatch(v.Get(path).Body)
		if undo == nil {
			t.Fatalf("%v: got no undo", form)
		}
		goes(t, "undo", v.Post(undo[1], url.Values{"to": {below}}), below)
		undone := v.Get(path)
		holds(t, "undone", undone, "<h1>lej-1</h1>", "office.example", "lej-1 is as it was")
	}
}
