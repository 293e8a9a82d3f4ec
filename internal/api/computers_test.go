package api_test

import (
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"muster/internal/mustertest"
)

// golden returns a document as a server with the given base address sends it.
func golden(t *testing.T, name, base string) string {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(text), "BASE", base)
}

// served checks that an answer is a document with status 200.
func served(t *testing.T, what string, r *mustertest.Response, body string) {
	t.Helper()
	equal(t, what+": status", r.Status, http.StatusOK)
	equal(t, what+": Content-Type", r.Header.Get("Content-Type"), "application/xml; charset=utf-8")
	equal(t, what+": body", r.Body, body)
	if r.Header.Get("X-Request-Id") == "" {
		t.Errorf("%s: got no X-Request-Id, want one", what)
	}
}

func TestEntryPoint(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		want := "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<services>\n"
		for _, service := range [][2]string{
			{"hardwares", "Computers List"}, {"tickets", "Helpdesk Tickets List"}, {"risks", "Risks List"},
			{"contracts", "Contracts List"},
			{"softwares", "Software List"}, {"solutions", "Solutions List"}, {"other_assets", "Other Assets List"},
			{"vendors", "Vendors List"},
			{"printers", "Printers List"}, {"audits", "Audit Log List"}, {"incidents", "Incidents List"},
			{"users", "Users List"},
			{"agent_claims", "Agent Claims List"},
		} {
			want += "  <service>\n    <href>" + s.Base + "/" + service[0] + ".xml</href>\n    <name>" + service[1] +
				"</name>\n  </service>\n"
		}
		want += "</services>\n"
		for _, target := range []string{"/api.xml", "/api"} {
			served(t, "GET "+target, s.Admin().Get(target), want)
		}
	})
}

// TestComputer goes through the life of a computer with every field set.
func TestComputer(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		people(s)
		c := s.Admin()
		full := golden(t, "computer.xml", s.Base)

		// What the service sets itself is ignored.
		sent := strings.NewReplacer("<id>1</id>", "<id>77</id>", "2026-01-31T09:30:00Z", "2001-01-01T00:00:00Z",
			`<detected-at nil="true"/>`, "<detected-at>2001-01-01T00:00:00Z</detected-at>").Replace(full)
		r := c.Do("POST", "/hardwares.xml", sent)
		equal(t, "POST: status", r.Status, http.StatusCreated)
		equal(t, "POST: Location", r.Header.Get("Location"), s.Base+"/hardwares/1.xml")
		equal(t, "POST: body", r.Body, full)
		for _, target := range []string{"/hardwares/1.xml", "/hardwares/1", "/hardwares/1-front-desk.xml"} {
			served(t, "GET "+target, c.Get(target), full)
		}
		r = c.Do("POST", "/hardwares", hardware("<name>bare</name>"))
		equal(t, "POST without extension: status", r.Status, http.StatusCreated)
		equal(t, "POST without extension: Location", r.Header.Get("Location"), s.Base+"/hardwares/2.xml")
		for _, target := range []string{"/hardwares.xml", "/hardwares"} {
			served(t, "GET "+target, c.Get(target), golden(t, "list.xml", s.Base))
		}

		unchanged(t, s, c, full)
		changed(t, s, c, full)
		deleted(t, s, c)
	})
}

// unchanged sends a computer back as it is, in several ways.
func unchanged(t *testing.T, s *mustertest.Server, c *mustertest.Client, full string) {
	s.Clock.Advance(time.Hour)
	before := len(s.Audits())
	for what, doc := range map[string]string{
		"the whole document": full,
		"nothing":            "<hardware/>",
		"cpu trimmed":        hardware("<cpu>Intel Core i5</cpu>"),
		"the status in case": hardware("<status> in repair </status>"),
		"the shown values":   hardware("<serial-number>5CD1234</serial-number><manufacturer>Dell</manufacturer><model>OptiPlex 7080</model>"),
		"read-only fields":   hardware("<id>9</id><href>x</href><updated-at>2026-06-01T00:00:00Z</updated-at><detected-at>2026-06-01T00:00:00Z</detected-at>"),
		"the doubled form":   hardware(`<ports type="array"><port type="array"><port><description>RS-232</description><name>COM1</name><port-type>Serial</port-type></port></port></ports>`),
		"underscored": strings.NewReplacer("asset-id>", "asset_id>", "<serial-number>", "<serial_number>",
			"</serial-number>", "</serial_number>").Replace(full),
		"null as empty texts": hardware("<tag/><notes></notes><mice/>"),
	} {
		served(t, "PUT "+what, c.Do("PUT", "/hardwares/1.xml", doc), full)
	}
	served(t, "GET after PUT", c.Get("/hardwares/1.xml"), full)
	equal(t, "audit records of changes that change nothing", len(s.Audits())-before, 0)
}

// changed updates fields one by one: what is not named stays.
func changed(t *testing.T, s *mustertest.Server, c *mustertest.Client, full string) {
	want := full
	was := "2026-01-31T09:30:00Z"
	for _, test := range []struct{ target, send, from, to string }{
		{"/hardwares/1.xml", "<tag>blue</tag>", `<tag nil="true"/>`, "<tag>blue</tag>"},
		{"/hardwares/1", "<site><name>HQ</name></site>", "<site>Genève</site>", "<site>HQ</site>"},
		{"/hardwares/1", "<department><name>IT</name></department>", "<department>Sales</department>",
			"<department>IT</department>"},
		{"/hardwares/1.xml", "<swap/>", "<swap>0</swap>", `<swap nil="true"/>`},
		{"/hardwares/1.xml", "<owner nil='true'/>",
			"<owner>\n    <id>2</id>\n    <name>Anna Berg</name>\n    <email>anna@example.com</email>\n  </owner>",
			`<owner nil="true"/>`},
		{"/hardwares/1.xml", "<cpu>\tAMD </cpu>", "<cpu>  Intel Core i5</cpu>", "<cpu>\tAMD </cpu>"},
	} {
		s.Clock.Advance(time.Hour)
		before := len(s.Audits())
		now := s.Clock.Now().Format(time.RFC3339)
		want = strings.Replace(want, "<updated-at>"+was, "<updated-at>"+now, 1)
		want = strings.Replace(want, test.from, test.to, 1)
		served(t, "PUT "+test.send, c.Do("PUT", test.target, hardware(test.send)), want)
		served(t, "GET after PUT "+test.send, c.Get("/hardwares/1.xml"), want)
		equal(t, "audit records of PUT "+test.send, len(s.Audits())-before, 1)
		was = now
	}
	last := s.Audits()[len(s.Audits())-1]
	equal(t, "the last audit record",
		[]string{last.Action, last.RecordType, last.RecordName, last.Origin, last.User.Email},
		[]string{"update", "hardware", "Front <desk> & co", "api", "admin@localhost"})
}

func deleted(t *testing.T, s *mustertest.Server, c *mustertest.Client) {
	before := len(s.Audits())
	for _, test := range []struct{ get, target string }{
		{"/hardwares/1.xml", "/hardwares/1.xml"}, {"/hardwares/2.xml", "/hardwares/2"},
	} {
		last := c.Get(test.get).Body
		served(t, "DELETE "+test.target, c.Do("DELETE", test.target, ""), last)
		refused(t, "GET after DELETE", c.Get(test.get), http.StatusNotFound, "there is no computer with the id ")
		refused(t, "DELETE again", c.Do("DELETE", test.target, ""), http.StatusNotFound, "there is no computer")
		refused(t, "PUT after DELETE", c.Do("PUT", test.target, last), http.StatusNotFound, "there is no computer")
	}
	equal(t, "computers left", value(t, c.Get("/hardwares.xml").Body, "total_entries"), "0")
	equal(t, "audit records of DELETE", len(s.Audits())-before, 2)
	equal(t, "ids are not used again", create(t, c, "<name>next</name>"), "/hardwares/3")
}

func TestAssetID(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		c := s.Admin()
		for _, test := range []struct{ send, want string }{
			{"", "MUS-000001"},
			{"<asset-id/>", "MUS-000002"},
			{"<asset-id>MUS-000003</asset-id>", "MUS-000003"},
			{"<asset-id nil='true'/>", "MUS-000004"},
			{"<asset-id>  </asset-id>", "MUS-000005"},
			{"<asset_id>x-1</asset_id>", "x-1"},
		} {
			r := c.Do("POST", "/hardwares.xml", hardware("<name>a</name>"+test.send))
			equal(t, "asset id of "+test.send, value(t, r.Body, "asset-id"), test.want)
		}
		for _, taken := range []string{"x-1", "X-1", "mus-000001"} {
			other := "computer 6 has "
			if taken == "mus-000001" {
				other = "computer 1 has "
			}
			doc := hardware("<name>a</name><asset-id>" + taken + "</asset-id>")
			refused(t, "POST "+taken, c.Do("POST", "/hardwares.xml", doc), http.StatusConflict,
				"Asset id has already been taken: "+other)
			refused(t, "PUT "+taken, c.Do("PUT", "/hardwares/2.xml", doc), http.StatusConflict,
				"Asset id has already been taken: "+other)
		}
		equal(t, "computers after refusals", value(t, c.Get("/hardwares.xml").Body, "total_entries"), "6")
		equal(t, "PUT of another case",
			value(t, c.Do("PUT", "/hardwares/6", hardware("<asset-id>X-1</asset-id>")).Body, "asset-id"), "X-1")
		equal(t, "PUT of none", value(t, c.Do("PUT", "/hardwares/6", hardware("<asset-id/>")).Body, "asset-id"), "nil")
		equal(t, "the next id after refusals", create(t, c, "<name>b</name><asset-id>x-1</asset-id>"), "/hardwares/7")
		equal(t, "the next asset id after refusals",
			value(t, c.Get("/hardwares/"+strings.TrimPrefix(create(t, c, "<name>c</name>"), "/hardwares/")).Body,
				"asset-id"), "MUS-000006")
	})
}

// TestShownValues is about serial number, manufacturer and model: what was set
// is shown, else what the first BIOS entry says.
func TestShownValues(t *testing.T) {
	t.Parallel()
	const bios = "<bioses><biose><ssn>B1</ssn><manufacturer>Dell</manufacturer><model>X</model></biose><biose><ssn>B2</ssn></biose></bioses>"
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		c := s.Admin()
		address := create(t, c, "<name>a</name>"+bios)
		for _, test := range []struct{ send, want string }{
			{"", "B1 Dell X"},
			{"<serial-number>B1</serial-number>", "B1 Dell X"},
			{"<bioses><biose><ssn>B9</ssn></biose></bioses>", "B9 nil nil"},
			{"<manufacturer>HP</manufacturer><serial-number>S</serial-number>", "S HP nil"},
			{bios, "S HP X"},
			{"<serial-number/>", "B1 HP X"},
			{"<bio><ssn>B3</ssn></bio>", "B3 HP nil"},
			{"<bioses/><model>M</model>", "nil HP M"},
			{"<manufacturer nil='true'/><model/>", "nil nil nil"},
		} {
			body := c.Do("PUT", address, hardware(test.send)).Body
			got := strings.Join([]string{
				value(t, body, "serial-number"), value(t, body, "manufacturer"), value(t, body, "model"),
			}, " ")
			equal(t, "after PUT "+test.send, got, test.want)
		}
	})
}

func TestPeople(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		people(s)
		c := s.Admin()
		address := create(t, c, "<name>a</name>")
		for _, field := range []string{"technical-contact", "owner"} {
			for _, test := range []struct{ send, want string }{
				{"<id>2</id>", "anna@example.com"},
				{"<email>Bert@Example.com</email>", "bert@example.com"},
				{"<name>anna BERG</name>", "anna@example.com"},
				{"<name>Anna Berg</name><id> 3 </id>", "bert@example.com"},
				{"<name>x</name><email>anna@example.com</email><phone>1</phone>", "anna@example.com"},
				{"bert@example.com", "bert@example.com"},
				{"Anna Berg", "anna@example.com"},
			} {
				r := c.Do("PUT", address, hardware("<"+field+">"+test.send+"</"+field+">"))
				equal(t, "PUT "+field+" "+test.send, value(t, r.Body, field, "email"), test.want)
			}
			words := map[string]string{"technical-contact": "Technical contact", "owner": "Owner"}[field]
			for _, send := range []string{"<id>99</id>", "<email>no@example.com</email>", "<name>Nobody</name>",
				"<id>x</id>", "<phone>1</phone>"} {
				doc := hardware("<name>b</name><" + field + ">" + send + "</" + field + ">")
				refused(t, "PUT "+field+" "+send, c.Do("PUT", address, doc), http.StatusUnprocessableEntity, words+" ")
				refused(t, "POST "+field+" "+send, c.Do("POST", "/hardwares.xml", doc), http.StatusUnprocessableEntity,
					words+" ")
			}
			equal(t, field+" after refusals", value(t, c.Get(address).Body, field, "email"), "anna@example.com")
			equal(t, "PUT "+field+" nil", value(t, c.Do("PUT", address, hardware("<"+field+"/>")).Body, field), "nil")
		}
		equal(t, "computers after refusals", value(t, c.Get("/hardwares").Body, "total_entries"), "1")
	})
}
