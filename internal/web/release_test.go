//go:build full

package web_test

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"muster/internal/inventory"
	"muster/internal/mustertest"
	"muster/internal/server"
)

// reporter returns a function that posts reports of the computer lap with some sections,
// and fails the test when one is not taken.
func reporter(t *testing.T, s *mustertest.Server) func(sections string) {
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
		got := s.Anonymous().Do(http.MethodPost, "/ocsinventory/t/"+token.Secret, body, "User-Agent",
			"OCS-NG_unified_unix_agent_v2.10.0")
		if got.Status != http.StatusOK {
			t.Fatalf("report: got %d: %s", got.Status, got.Body)
		}
	}
}

// TestRelease lets reports set a field again, also when the computer was changed since
// it was shown, and undoes that.
func TestRelease(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	reporter(t, s)("<HARDWARE><WORKGROUP>agent.example</WORKGROUP></HARDWARE>")
	v := s.SignIn(server.Administrator)
	const path = "/app/computers/1"
	lacks(t, "before", v.Get(path), "set by a person")
	goes(t, "set", v.Post(path+"/fact", url.Values{"field": {"domain"}, "domain": {"office.example"}}), "/computers/1")
	shown := v.Get(path)
	contains(t, "set", shown, "office.example", "set by a person", "Release Domain")
	form := formOn(t, shown, path+"/release")
	form.Set("field", "domain")
	form.Set("version", "1")
	v.Post(path+"/edit", url.Values{"tag": {"x"}})
	goes(t, "release", v.Post(path+"/release", form), "/computers/1")
	released := v.Get(path)
	contains(t, "released", released, "Domain follows the agent&#39;s reports again", "agent.example")
	lacks(t, "released", released, "Release Domain", "office.example</dd>")
	goes(t, "undo", v.Post(undoPath.FindStringSubmatch(released.Body)[1], url.Values{"to": {"/computers/1"}}),
		"/computers/1")
	contains(t, "undone", v.Get(path), "office.example", "Release Domain")
}

// TestReleaseTyped throws nothing away of a computer that no agent has reported:
// it offers no release and refuses one, but takes a change back.
func TestReleaseTyped(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	v := s.SignIn(server.Administrator)
	path := addComputers(t, v, url.Values{"name": {"lej-1"}, "domain": {"office.example"}, "memory": {"4096"}})[0]
	below := strings.TrimPrefix(path, "/app")
	lacks(t, "the page", v.Get(path), "set by a person", path+"/release")
	for _, test := range []struct{ field, label string }{{"domain", "Domain"}, {"name", "Name"}, {"memory", "Memory"}} {
		goes(t, test.field, v.Post(path+"/release", url.Values{"field": {test.field}}), below)
		refused := v.Get(path)
		hasToast(t, test.field, refused,
			test.label+" stays as it is: no agent has reported lej-1, so that nothing would take its place", true)
		contains(t, test.field, refused, "<h1>lej-1</h1>", "office.example", "4 GB")
	}
	wants(t, "no field of agents", v.Post(path+"/release", url.Values{"field": {"site"}}), http.StatusNotFound)
	for _, form := range []url.Values{
		{"field": {"domain"}, "domain": {"lab.example"}}, {"field": {"name"}, "name": {"lej-9"}},
	} {
		goes(t, "change", v.Post(path+"/fact", form), below)
		undo := undoPath.FindStringSubmatch(v.Get(path).Body)
		if undo == nil {
			t.Fatalf("%v: got no undo", form)
		}
		goes(t, "undo", v.Post(undo[1], url.Values{"to": {below}}), below)
		undone := v.Get(path)
		contains(t, "undone", undone, "<h1>lej-1</h1>", "office.example", "lej-1 was changed back")
	}
}

// TestReleaseUnreported keeps what a person has set where the agent of the computer
// reports no value, until they clear it.
func TestReleaseUnreported(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	reporter(t, s)("")
	v := s.SignIn(server.Administrator)
	const path = "/app/computers/1"
	goes(t, "set", v.Post(path+"/edit", url.Values{"domain": {"office.example"}, "serial-number": {"S-1"}, "displays": {
		"",
	}, "displays.0.name": {"LEN T24"}}), "/computers/1")
	for _, test := range []struct{ field, label string }{
		{"domain", "Domain"}, {"serial-number", "Serial number"}, {"displays", "Displays"},
	} {
		goes(t, test.field, v.Post(path+"/release", url.Values{"field": {test.field}}), "/computers/1")
		hasToast(t, test.field, v.Get(path),
			test.label+" stays as it is: the agent tells nothing of it, so that nothing would take its place", true)
	}
	contains(t, "kept", v.Get(path), "office.example", "S-1")
	contains(t, "kept", v.Get(path+"?tab=hardware"), "LEN T24")
	goes(t, "clear", v.Post(path+"/fact", url.Values{"field": {"domain"}, "domain": {""}}), "/computers/1")
	lacks(t, "cleared", v.Get(path), "office.example</dd>", "Release Domain")
}

// TestReleaseParts marks the collections of a computer that a person has set, and
// what they have set against its BIOS; released, they are what the agent reported
// last, and follow its reports.
func TestReleaseParts(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := mustertest.Start(t, mustertest.Options{On: db})
		s.AddUser("read@example.com", inventory.Technician, true)
		post := reporter(t, s)
		report := func(drive, model string) {
			t.Helper()
			s.Clock.Advance(time.Hour)
			post("<DRIVES><LETTER>" + drive +
				"</LETTER><TOTAL>1000</TOTAL></DRIVES><MEMORIES><NUMSLOTS>1</NUMSLOTS><CAPACITY>8192</CAPACITY></MEMORIES><VIDEOS><NAME>Radeon</NAME></VIDEOS>" +
				"<BIOS><SMANUFACTURER>Lenovo</SMANUFACTURER><SMODEL>" + model + "</SMODEL><SSN>PF0ABCDE</SSN></BIOS>")
		}
		report("C:", "T14")
		const path, hardware = "/app/computers/1", "/computers/1?tab=hardware"
		v := s.SignIn(server.Administrator)
		lacks(t, "reported", v.Get("/app"+hardware), "set by a person")
		goes(t, "change", v.Post(path+"/edit", url.Values{
			"drives": {""}, "drives.0.name": {"X:"}, "memories": {""}, "memories.0.slot": {"1"},
			"memories.0.capacity": {"4096"},
			"videos":              {""}, "videos.0.name": {"Voodoo"}, "model": {"My model"}, "serial-number": {"MINE"},
			"manufacturer": {"Myself"},
		}), "/computers/1")
		report("D:", "T15")
		page := v.Get(path)
		contains(t, "set", page, "<b>X:</b>", "Release Drives", "Release Memories", "My model", "Release Model", "MINE",
			"Release Serial number", "Myself", "Release Manufacturer")
		lacks(t, "set", page, "<b>D:</b>", "Release Name")
		contains(t, "set, the other parts", v.Get("/app"+hardware), "Release Drives", "Voodoo", "Release Videos",
			`name="rest" value="tab=hardware"`)
		reader := s.SignIn("read@example.com").Get("/app" + hardware)
		contains(t, "who may only read", reader, "set by a person")
		lacks(t, "who may only read", reader, path+"/release")

		for _, test := range []struct{ field, notice, want, gone string }{
			{"drives", "Drives follow the agent&#39;s", "<b>D:</b>", "<b>X:</b>"},
			{"memories", "Memories follow the agent&#39;s", "<b>8 GB</b>", "<b>4 GB</b>"},
			{"videos", "Videos follow the agent&#39;s", "Radeon", "Voodoo"},
		} {
			goes(t, test.field, v.Post(path+"/release", url.Values{"field": {test.field}, "rest": {"tab=hardware"}}),
				hardware)
			released := v.Get("/app" + hardware)
			contains(t, test.field, released, test.notice+" reports again", test.want)
			lacks(t, test.field, released, test.gone, `name="field" value="`+test.field+`"`)
		}
		for _, test := range []struct{ field, reported, gone string }{
			{"model", "T15", "My model"}, {"serial-number", "PF0ABCDE", "MINE"}, {"manufacturer", "Lenovo", "Myself"},
		} {
			goes(t, test.field, v.Post(path+"/release", url.Values{"field": {test.field}}), "/computers/1")
			released := v.Get(path)
			if got := factOn(released, test.field); !strings.Contains(got, test.reported) ||
				strings.Contains(got, test.gone) || strings.Contains(got, "/release") {
				t.Errorf("%s: got %s, want %s, which is not set", test.field, got, test.reported)
			}
		}
		report("E:", "T16")
		followed := v.Get(path)
		contains(t, "the next report", followed, "<b>E:</b>")
		if got := factOn(followed, "model"); !strings.Contains(got, "T16") {
			t.Errorf("the next report: got the model %s, want T16", got)
		}
		goes(t, "set once more", v.Post(path+"/fact", url.Values{"field": {"model"}, "model": {"My model"}}),
			"/computers/1")
		goes(t, "undo", v.Post(undoPath.FindStringSubmatch(v.Get(path).Body)[1], url.Values{"to": {"/computers/1"}}),
			"/computers/1")
		if got := factOn(v.Get(path), "model"); !strings.Contains(got, "T16") || strings.Contains(got, "/release") {
			t.Errorf("undone: got the model %s, want T16, which is not set", got)
		}
	})
}

// factOn returns what a computer's page shows of a fact.
func factOn(page *mustertest.Response, field string) string {
	_, rest, _ := strings.Cut(page.Body, `<div id="fact-`+field+`"`)
	text, _, _ := strings.Cut(rest, "</dd>")
	return text
}
