//go:build full

package web_test

import (
	"fmt"
	"net/http"
	"testing"

	"muster/internal/inventory"
	"muster/internal/mustertest"
)

// many are computers of 102 sites and as many owners, which a menu does not all
// offer: a hundred have two each, one has the last of both, and one has none.
func many(t *testing.T, s *mustertest.Server) {
	t.Helper()
	for i := range 100 {
		add(t, s, "/users", fmt.Sprintf("<user><first-name>Uma</first-name><last-name>Person %03d</last-name><email>p%d@example.com</email></user>", i, i))
		for range 2 {
			add(t, s, "/hardwares",
				fmt.Sprintf("<hardware><name>pc</name><site>Site %03d</site><owner>p%d@example.com</owner></hardware>",
					i, i))
		}
	}
	add(t, s, "/users", "<user><first-name>Änne</first-name><last-name>Zwick</last-name><email>rare@elsewhere.example</email></user>")
	add(t, s, "/hardwares",
		"<hardware><name>alone</name><site>Zwickau</site><owner>rare@elsewhere.example</owner></hardware>")
	add(t, s, "/hardwares", "<hardware><name>nowhere</name></hardware>")
}

// TestFindValues says that a menu has not all values of a filter, and reaches the
// others by a part of what is shown of them, among what the other filters leave.
func TestFindValues(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := mustertest.Start(t, mustertest.Options{On: db})
		many(t, s)
		s.AddUser("tech@example.com", inventory.Technician, false)
		s.AddUser("ask@example.com", inventory.Requester, false)
		v := s.SignIn("tech@example.com")
		const ok = http.StatusOK
		const frequent, zwickau = "The 100 most frequent values.",
			`value="Zwickau" data-n="1"><span>Zwickau</span><span class="n">1</span>`
		expect(t, "the menu", v.Get("/app/computers?add=site"), ok, frequent, `name="find"`,
			`<noscript><button class="btn small" name="add" value="site">Find</button></noscript>`, `data-all="-1"`,
			`!value="Zwickau"`)
		expect(t, "a menu with all", v.Get("/app/computers?add=site&name=pc"), ok, `data-all="200"`,
			`value="Site 099"`, "!"+frequent, `!name="find"`)
		const values = "/app/computers/values?add="
		expect(t, "a site", v.Get(values+"site&find=+zWICK"), ok, zwickau, "1 value matches.", "!Site 0", "!<html")
		expect(t, "all again", v.Get(values+"site&find="), ok, frequent, `value="Site 099"`, "!Zwickau")
		expect(t, "a hundred", v.Get(values+"site&find=site"), ok, "100 values match.", `value="Site 099"`)
		expect(t, "more than a hundred", v.Get(values+"owner&find=e"), ok,
			"The 100 most frequent matches.")
		expect(t, "no site", v.Get(values+"site&find=non"), ok, `value="" data-n="1"><span>None</span>`,
			"1 value matches.")
		expect(t, "other filters", v.Get(values+"site&find=zwick&name=pc"), ok, "0 values match.", "!Zwickau")
		expect(t, "other words", v.Get(values+"site&find=zwick&q=alone"), ok, zwickau)
		expect(t, "the own filter", v.Get(values+"site&find=zwick&site=Site+001"), ok, zwickau,
			`value="Site 001" data-n="2" checked`, "1 value matches.")
		for _, part := range []string{"zwick", "%C3%84nne+zw", "%C3%A4NNE", "ELSEWHERE"} {
			expect(t, "an owner by "+part, v.Get(values+"owner&find="+part), ok,
				`value="rare@elsewhere.example" data-n="1"><span>Änne Zwick</span>`, "1 value matches.")
		}
		for _, part := range []string{"*", "Z*u", "%FF", "%00", "_ite", "%25"} {
			expect(t, "no wildcard: "+part, v.Get(values+"site&find="+part), ok, "0 values match.")
		}
		expect(t, "a word of the language", v.Get(values+"status&find=oper"), ok, `value="Operational" data-n="202"`,
			"1 value matches.")
		expect(t, "yes or no", v.Get("/app/software/values?add=hidden&find=ye"), ok, "0 values match.")
		expect(t, "no such filter", v.Get(values+"nonsense&find=x"), http.StatusNotFound)
		expect(t, "no choices", v.Get(values+"name&find=x"), http.StatusNotFound)
		expect(t, "a requester", s.SignIn("ask@example.com").Get(values+"site&find=zwick"), http.StatusForbidden)
		expect(t, "for a form", v.Get("/app/suggest/computers/site?q=zwick"), ok,
			`[{"value":"Zwickau","label":"Zwickau"}]`)
		expect(t, "the list", v.Get("/app/computers?owner=rare@elsewhere.example"), ok, "1 of 202", ">alone</a>",
			"Owner <b>Änne Zwick</b>")
	})
}

// TestFindValuesWithoutScripts finds values by a button, and keeps what is chosen.
func TestFindValuesWithoutScripts(t *testing.T) {
	t.Parallel()
	s := mustertest.Start(t, mustertest.Options{})
	many(t, s)
	s.AddUser("tech@example.com", inventory.Technician, false)
	v := s.SignIn("tech@example.com")
	const rare = `name="owner" value="rare@elsewhere.example" data-n="1"><span>Änne Zwick</span>`
	found := v.Get("/app/computers?site=Zwickau&find=zwick&add=owner")
	expect(t, "beside another filter", found, http.StatusOK, "1 of 202", `id="asked"`, rare,
		`type="hidden" name="site" value="Zwickau"`, `name="find" value="zwick"`)
	found = v.Get("/app/computers?owner=p1%40example.com&find=zwick&add=owner")
	expect(t, "beside a chosen one", found, http.StatusOK, "2 of 202", `id="asked"`, rare,
		`value="p1@example.com" data-n="2" checked`, `close" href="/app/computers?owner=p1%40example.com"`)
	expect(t, "both", v.Get("/app/computers?owner=p1@example.com&owner=rare@elsewhere.example&find=zwick"),
		http.StatusOK, "3 of 202", `!id="asked"`)
	expect(t, "nothing", v.Get("/app/computers?add=owner&find=nobody"), http.StatusOK, "0 values match.",
		"!No record has a value here.")
}
