package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"muster/internal/mustertest"
	"muster/internal/server"
)

// acmePrograms is more software than a licence covers that is counted at once.
const acmePrograms = 2_100

// reportPrograms reports a computer with programs by their names, as an agent does.
func reportPrograms(t *testing.T, s *mustertest.Server, secret, device string, names ...string) {
	t.Helper()
	var programs strings.Builder
	for _, name := range names {
		fmt.Fprintf(&programs, "<SOFTWARES><NAME>%s</NAME><VERSION>1</VERSION></SOFTWARES>", name)
	}
	document := fmt.Sprintf(`<REQUEST><CONTENT><HARDWARE><NAME>PC %[1]s</NAME><OSNAME>Debian 12</OSNAME></HARDWARE>
		<BIOS><SMANUFACTURER>Dell Inc.</SMANUFACTURER><SSN>SER-%[1]s</SSN></BIOS>%[2]s</CONTENT><DEVICEID>%[1]s</DEVICEID>
		<QUERY>INVENTORY</QUERY></REQUEST>`, device, programs.String())
	req, err := http.NewRequest(http.MethodPost, s.Base+"/ocsinventory", strings.NewReader(document))
	if err != nil {
		t.Fatal(err)
	}
	req.SetBasicAuth("agent", secret)
	resp, err := (&http.Client{Transport: s.Transport()}).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		t.Fatalf("the report of %s: got %s, want 200", device, resp.Status)
	}
}

// acme returns the names of so many programs of one maker.
func acme(n int) (names []string) {
	for i := range n {
		names = append(names, fmt.Sprint("Acme ", i+1))
	}
	return names
}

// counted returns what a contract says of its use, and whether that is being counted.
func counted(t *testing.T, c *mustertest.Client, id string) string {
	t.Helper()
	return uses(t, c, id) + " " + value(t, c.Get("/contracts/"+id).Body, "counting")
}

// TestLicenceCountedMeanwhile counts licences that cover much as jobs: while nobody does these, what was known last is
// shown, and whatever changes is right when they are done, by a server that has come after the first.
func TestLicenceCountedMeanwhile(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		o := mustertest.Options{On: db, Change: func(cfg *server.Config) { cfg.Jobs = 0 }}
		s := mustertest.Start(t, o)
		c, secret := s.Admin(), agentToken(t, s, "agents")
		reportPrograms(t, s, secret, "a", acme(acmePrograms)...)
		reportPrograms(t, s, secret, "b", acme(2)...)
		create(t, c, "<name>c</name>")
		id := madeAt(t, c, "/contracts", licence(2, "Acme 3", ""))
		equal(t, "a small licence", counted(t, c, id), "2 1 Compliant false")
		before := c.Get("/contracts/" + id)
		done(t, c, "PUT", "/contracts/"+id, licence(1, "Acme*", ""))
		equal(t, "it covers much", counted(t, c, id), "1 1 Compliant true")
		other, gone := madeAt(t, c, "/contracts", licence(1, "*", "")), madeAt(t, c, "/contracts", licence(1, "acme*", "1"))
		equal(t, "a new one", counted(t, c, other), "1 nil nil true")
		equal(t, "as JSON", strings.Contains(c.Get("/contracts/"+other+".json").Body, `"counting":true`), true)
		equal(t, "those with a compliance", ids(t, c.Get("/contracts?compliance=Compliant").Body), id)
		madeAt(t, c, "/hardwares/3/softwares", software("<name>Acme 7</name><version>1</version>"))
		reportPrograms(t, s, secret, "d", acme(5)...)
		equal(t, "more computers", counted(t, c, id), "1 1 Compliant true")
		done(t, c, "DELETE", "/contracts/"+gone, "")
		s.Quit()

		o.Database, o.Data, o.Clock, o.Change = s.Database, s.Data, s.Clock, nil
		s = mustertest.Start(t, o)
		c = s.Admin()
		mustertest.Eventually(t, "both are counted", func() bool {
			return counted(t, c, id) == "1 4 Over-used false" && counted(t, c, other) == "1 4 Over-used false"
		})
		equal(t, "the over-used ones", len(strings.Fields(ids(t, c.Get("/contracts?compliance=Over-used").Body))), 2)
		equal(t, "the tag is another", before.Header.Get("ETag") != c.Get("/contracts/"+id).Header.Get("ETag"), true)
		trail := c.Get("/audits?record_type=contract&record_id=" + id).Body
		equal(t, "the trail says it", strings.Contains(trail, "<message>Computers counted: 4 computers</message>") &&
			strings.Contains(trail, "<from>1</from>") && strings.Contains(trail, "<origin>rule</origin>"), true)
		done(t, c, "PUT", "/hardwares/2", hardware("<status>Lost</status>"))
		equal(t, "one is lost", counted(t, c, id), "1 3 Over-used false")
		done(t, c, "PUT", "/contracts/"+id, licence(1, "Acme 7", ""))
		mustertest.Eventually(t, "it covers little", func() bool { return counted(t, c, id) == "1 2 Over-used false" })
		exact(t, s)
	})
}
