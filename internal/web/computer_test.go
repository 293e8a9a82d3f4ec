package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"muster/internal/inventory"
	"muster/internal/mustertest"
	"muster/internal/server"
)

// TestComputer shows all parts of a computer's page, and leads through the list
// that one came from.
func TestComputer(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := mustertest.Start(t, mustertest.Options{On: db})
		v := s.SignIn(server.Administrator)
		paths := five(t, v)
		v.Post(paths[1]+"/edit", url.Values{
			"drives": {""}, "drives.0.name": {"C:"}, "drives.0.total-space": {"1000"}, "drives.0.free-space": {"50"},
			"memories": {""}, "memories.0.slot": {"1"}, "memories.0.capacity": {"16384"}, "memories.0.memory-type": {
				"DDR5",
			}, "memories.1.slot": {"2"},
			"networks": {""}, "networks.0.description": {"Wi-Fi"}, "networks.0.status": {"Up"},
			"networks.0.mac-address": {"00:11:22:33:44:55"},
		})
		got := v.Get(paths[1] + "?n=2&list=site%3DLeipzig")
		contains(t, "overview", got, "2 of 3", `rel="prev"`, `rel="next"`, "/computers/1?",
			`<rect class="bad" width="95%"`, "950 MB of 1,000 MB used", "16 GB", "1 of 2 slots used",
			`<span class="dot good">Up</span>`, "00:11:22:33:44:55")
		lacks(t, "another place", v.Get(paths[1]+"?n=3&list=site%3DLeipzig"), `rel="prev"`)
		for _, tab := range []string{
			"hardware", "software", "software&view=system&q=x", "tickets", "risks", "contracts", "history",
		} {
			if got := v.Get(paths[1] + "?tab=" + tab); got.Status != http.StatusOK {
				t.Errorf("%s: got %d: %s", tab, got.Status, got.Body)
			}
		}
	})
}

// TestComputerPast shows a computer as it was on a day before.
func TestComputerPast(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := mustertest.Start(t, mustertest.Options{On: db})
		v := s.SignIn(server.Administrator)
		path := addComputers(t, v, url.Values{"name": {"pc-1"}, "site": {"Leipzig"}, "drives": {""}, "drives.0.name": {
			"C:",
		}, "drives.0.total-space": {"1000"}, "drives.0.free-space": {"50"}})[0]
		software := strings.Replace(path, "/app/computers/", "/hardwares/", 1) + "/softwares"
		s.Admin().Do("POST", software+".xml",
			"<software><name>Old Editor</name><version>1</version><install-path>/opt/old</install-path></software>")
		s.Admin().Do("POST", software+".xml", "<software><name>Kept Shell</name></software>")
		s.Clock.Advance(48 * time.Hour)
		if got := s.Admin().Do("DELETE", software+"/1.xml", ""); got.Status != http.StatusOK {
			t.Fatalf("uninstall: got %d: %s", got.Status, got.Body)
		}
		s.Admin().Do("POST", software+".xml", "<software><name>New Browser</name></software>")
		v = s.SignIn(server.Administrator)
		if got := v.Post(path+"/edit",
			url.Values{"site": {"Rotterdam"}, "name": {"pc-9"}, "drives": {""}, "drives.0.name": {"D:"},
				"drives.0.total-space": {"2000"}, "drives.0.free-space": {"50"}}); got.Status != http.StatusSeeOther {
			t.Fatalf("change: got %d: %s", got.Status, got.Body)
		}
		now := v.Get(path)
		contains(t, "now", now, "<h1>pc-9</h1>", "<b>D:</b>")
		was := v.Get(path + "?on=2026-02-01")
		contains(t, "before", was, "<h1>pc-1</h1>", "As it was on 1 Feb 2026", "Back to now", "<b>C:</b>", ">Leipzig")
		lacks(t, "before", was, "<b>D:</b>", path+"/edit")
		contains(t, "before, its tabs", was, `Software <span class="n">2</span>`)
		lacks(t, "before, its tabs", was, "tab=tickets", "tab=risks")
		programs := v.Get(path + "?tab=software&on=2026-02-01")
		contains(t, "software before", programs, "Old Editor", "/opt/old", "Kept Shell", "view=system&amp;on=2026-02-01")
		lacks(t, "software before", programs, "New Browser")
		found := v.Get(path + "?tab=software&on=2026-02-01&q=old")
		contains(t, "some software before", found, "Old Editor")
		lacks(t, "some software before", found, "Kept Shell")
		contains(t, "software now", v.Get(path+"?tab=software"), "New Browser", "Kept Shell")
		contains(t, "before it was known", v.Get(path+"?on=2026-01-01"), "was not known yet")
		history := v.Get(path + "?tab=history")
		contains(t, "history", history, "Monday 2 Feb 2026", "Leipzig</del>", "Rotterdam</ins>", "Drive")
		contains(t, "days with changes", history, `<svg class="ticks`,
			"Changes per day from 5 Dec 2025 to 2 Feb 2026</title>",
			"<desc id=\"ticks-d\">31 Jan 2026: 3 changes, 2 Feb 2026: 3 changes</desc>",
			`<rect x="572" y="0.0" width="6" height="28.0"><title>31 Jan 2026: 3 changes</title></rect>`)
	})
}

// TestMergeComputers makes two computers one, after both were shown side by side.
func TestMergeComputers(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	s.AddUser("read@example.com", inventory.Technician, true)
	s.AddUser("tech@example.com", inventory.Technician, false)
	v := s.SignIn("tech@example.com")
	paths := five(t, v)
	merge := paths[1] + "/merge"
	contains(t, "which", v.Get(merge), `name="other"`, `data-suggest="/app/suggest/merge"`)
	for _, test := range []struct{ other, want string }{{"nonsense", "No computer has this number"}, {
		"lej-2", "a computer is the same as itself",
	}, {"99", "No computer has this number, asset id or name: 99"}} {
		wants(t, test.other, v.Get(merge+"?other="+test.other), http.StatusUnprocessableEntity, test.want,
			`value="`+test.other+`"`)
	}
	sure := v.Get(merge + "?other=lej-1")
	wants(t, "sure", sure, http.StatusOK, "Merge lej-1 and lej-2?", "(#1) is kept, with the tickets", "cannot be undone",
		">Operational<", ">Spare<", "Keep both")
	form := formOn(t, sure, merge)
	if got := v.Get(paths[1]); got.Status != http.StatusOK {
		t.Errorf("before anybody is sure: got %d", got.Status)
	}
	if got := s.SignIn("read@example.com").Post(merge, form); got.Status != http.StatusForbidden {
		t.Errorf("somebody who may only read: got %d, want 403", got.Status)
	}
	wants(t, "nothing that was shown", v.Post(merge, url.Values{"other": {"lej-1"}}), http.StatusUnprocessableEntity,
		"there is no computer")
	goes(t, "merge", v.Post(merge, form), strings.TrimPrefix(paths[0], "/app"))
	contains(t, "the older one", v.Get(paths[0]), "lej-2 and lej-1 are one computer now")
	if got := v.Get(paths[1]); got.Status != http.StatusNotFound {
		t.Errorf("the newer one: got %d, want 404", got.Status)
	}
}
