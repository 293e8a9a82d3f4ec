package api_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"muster/internal/mustertest"
)

// licence is the document of a software licence with so many seats for each of
// its items, a name and a version each.
func licence(seats int, items ...string) string {
	var b strings.Builder
	for i := 0; i < len(items); i += 2 {
		fmt.Fprintf(&b, "<item><name>%s</name><version>%s</version><quantity>%d</quantity></item>", items[i],
			items[i+1], seats)
	}
	return "<contract><name>l</name><type>SoftwareLicense</type><items>" + b.String() + "</items></contract>"
}

// uses returns seats, installed and compliance of a contract.
func uses(t *testing.T, c *mustertest.Client, id string) string {
	t.Helper()
	body := c.Get("/contracts/" + id).Body
	return value(t, body, "seats") + " " + value(t, body, "installed") + " " + value(t, body, "compliance")
}

// TestLicence follows a licence through all that changes what it counts.
func TestLicence(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		c := s.Admin()
		for _, name := range []string{"a", "b", "c"} {
			create(t, c, "<name>"+name+"</name>")
		}
		for _, fields := range []string{
			"<name>Office</name><version>10.0.1</version>", "<name>OFFICE Pro</name><version>10</version>",
			"<name>Office</name><version>11</version>", "<name>Gimp</name>",
		} {
			madeAt(t, c, "/softwares", software(fields))
		}
		id := madeAt(t, c, "/contracts", licence(2, "office*", "10"))
		step := func(what, want, method, path, document string) {
			t.Helper()
			if r := c.Do(method, path, document); r.Status != http.StatusOK && r.Status != http.StatusCreated {
				t.Errorf("%s: got %d %s", what, r.Status, r.Body)
			}
			equal(t, what, uses(t, c, id), want)
		}
		equal(t, "at first", uses(t, c, id), "2 0 Unused")
		before := c.Get("/contracts/" + id)
		s.Clock.Advance(time.Minute)
		step("one computer", "2 1 Compliant", "POST", "/hardwares/1/softwares", software("<id>1</id>"))
		step("it counts once", "2 1 Compliant", "POST", "/hardwares/1/softwares", software("<id>2</id>"))
		step("another version", "2 1 Compliant", "POST", "/hardwares/2/softwares", software("<id>3</id>"))
		step("another name", "2 1 Compliant", "POST", "/hardwares/2/softwares", software("<id>4</id>"))
		step("two", "2 2 Compliant", "POST", "/hardwares/2/softwares", software("<id>2</id>"))
		step("three, of new software", "2 3 Over-used", "POST", "/hardwares/3/softwares",
			software("<name>office viewer</name><version>100</version>"))
		now := c.Get("/contracts/" + id)
		equal(t, "updated-at", value(t, now.Body, "updated-at"), value(t, before.Body, "updated-at"))
		equal(t, "the tag is another", before.Header.Get("ETag") != now.Header.Get("ETag"), true)
		r := c.Do("PUT", "/contracts/"+id, before.Body, "If-Match", before.Header.Get("ETag"))
		equal(t, "PUT of an older read",
			[]string{fmt.Sprint(r.Status), value(t, r.Body, "installed"), value(t, r.Body, "compliance")},
			[]string{"200", "3", "Over-used"})

		step("more seats", "5 3 Compliant", "PUT", "/contracts/"+id, licence(5, "office*", "10"))
		step("disposed", "5 2 Compliant", "PUT", "/hardwares/2", hardware("<status>disposed</status>"))
		step("lost instead", "5 2 Compliant", "PUT", "/hardwares/2", hardware("<status>Lost</status>"))
		step("less on one that is lost", "5 2 Compliant", "DELETE", "/hardwares/2/softwares/2", "")
		step("more on it", "5 2 Compliant", "POST", "/hardwares/2/softwares", software("<id>1</id>"))
		step("found", "5 3 Compliant", "PUT", "/hardwares/2", hardware("<status>Spare</status>"))
		step("one of two removed", "5 3 Compliant", "DELETE", "/hardwares/1/softwares/2", "")
		step("both removed", "5 2 Compliant", "DELETE", "/hardwares/1/softwares/1", "")
		step("renamed away", "5 1 Compliant", "PUT", "/softwares/1", software("<name>Writer</name>"))
		step("renamed, and back", "5 2 Compliant", "PUT", "/softwares/1", software("<name>oFFice</name>"))
		step("another version of it", "5 1 Compliant", "PUT", "/softwares/1", software("<version>1</version>"))
		step("the version is back", "5 2 Compliant", "PUT", "/softwares/1", software("<version>10.9</version>"))
		step("other items", "8 1 Compliant", "PUT", "/contracts/"+id, licence(4, "Gimp", "", "nothing", ""))
		step("an item without a name", "4 0 Unused", "PUT", "/contracts/"+id, licence(4, "", ""))
		step("all", "1 2 Over-used", "PUT", "/contracts/"+id, licence(1, "*", ""))
		step("no licence", "nil nil nil", "PUT", "/contracts/"+id, "<contract><type>Lease</type></contract>")
		step("more while it is none", "nil nil nil", "POST", "/hardwares/1/softwares", software("<id>4</id>"))
		step("a licence again", "1 3 Over-used", "PUT", "/contracts/"+id,
			"<contract><type>SoftwareLicense</type></contract>")
		step("a computer deleted", "1 2 Over-used", "DELETE", "/hardwares/2", "")
		second := madeAt(t, c, "/contracts", licence(3, "g?mp", "", `g\*`, "", "G*P", ""))
		equal(t, "a second licence", uses(t, c, second), "9 1 Compliant")
		equal(t, "by compliance", ids(t, c.Get("/contracts?sort_by=compliance").Body), second+" "+id)
		equal(t, "by installed", ids(t, c.Get("/contracts?sort_by=installed&sort_order=desc").Body), id+" "+second)
		done(t, c, "PUT", "/contracts/"+second,
			"<contract><hardwares><hardware><id>1</id></hardware></hardwares></contract>")
		done(t, c, "DELETE", "/contracts/"+id, "")
		done(t, c, "DELETE", "/hardwares/1", "")
		equal(t, "the second licence", uses(t, c, second), "9 0 Unused")
		equal(t, "its computers", ids(t, c.Get("/contracts/"+second+"/hardwares").Body), "")
		exact(t, s)
	})
}

// TestLicenceSort sorts contracts by what follows from numbers, and filters them by
// it, also right after the numbers have changed.
func TestLicenceSort(t *testing.T) {
	t.Parallel()
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		c := start(t, db).Admin()
		create(t, c, "<name>a</name>")
		madeAt(t, c, "/hardwares/1/softwares", software("<name>x</name>"))
		madeAt(t, c, "/contracts", "<contract><name>none</name></contract>")
		madeAt(t, c, "/contracts", licence(1, "y", ""))
		madeAt(t, c, "/contracts", licence(0, "x", ""))
		madeAt(t, c, "/contracts", licence(1, "x", ""))
		equal(t, "ascending", ids(t, c.Get("/contracts?sort_by=compliance").Body), "4 3 2 1")
		equal(t, "descending", ids(t, c.Get("/contracts?sort_by=compliance&sort_order=DESC").Body), "2 3 4 1")
		by := func(query string) string { return ids(t, c.Get("/contracts?"+query).Body) }
		equal(t, "over-used", by("compliance=over-used"), "3")
		equal(t, "others", by("compliance=Compliant&compliance=Unused&type=SoftwareLicense"), "2 4")
		equal(t, "neither", by("compliance="), "1")
		madeAt(t, c, "/hardwares/1/softwares", software("<name>y</name>"))
		equal(t, "none is unused", by("compliance=Unused"), "")
		create(t, c, "<name>b</name>")
		madeAt(t, c, "/hardwares/2/softwares", software("<name>x</name>"))
		equal(t, "two over-used", by("compliance=Over-used"), "3 4")
		equal(t, "two over-used with a word", by("compliance=Over-used&q=l"), "3 4")
	})
}

// TestCountsTogether lets many change at once what counts follow from, and
// compares with a recount.
func TestCountsTogether(t *testing.T) {
	t.Parallel()
	const writers, changes = 8, 120
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db)
		c := s.Admin()
		for i := range 4 {
			create(t, c, fmt.Sprintf("<name>c%d</name>", i))
			madeAt(t, c, "/softwares", software(fmt.Sprintf("<name>p%d</name><version>%d</version>", i, i)))
		}
		for _, l := range []string{
			licence(1, "*", ""), licence(1, "p*", "1"), licence(2, "p0", "", "p1", ""), licence(2, "q*", ""),
		} {
			madeAt(t, c, "/contracts", l)
		}
		var all sync.WaitGroup
		for w := range writers {
			client := s.Admin()
			all.Go(func() {
				random := rand.New(rand.NewPCG(uint64(w), 7))
				for range changes {
					method, path, document := anyChange(random)
					if r := client.Do(method, path, document); r.Status >= 500 {
						t.Errorf("%s %s %s: got %d %s", method, path, document, r.Status, r.Body)
					}
				}
			})
		}
		all.Wait()
		exact(t, s)
		equal(t, "there are installations",
			parse(t, c.Get("/hardwares?include=softwares").Body).child("hardware") != nil, true)
	})
}

// anyChange draws a change that counts may follow from.
func anyChange(r *rand.Rand) (method, path, document string) {
	computer, id, n := 1+r.IntN(6), 1+r.IntN(6), r.IntN(4)
	program := fmt.Sprintf("<name>%c%d</name><version>%d</version>", "pqPQ"[r.IntN(4)], r.IntN(4), r.IntN(3))
	switch r.IntN(20) {
	case 0:
		return "POST", "/hardwares", hardware("<name>new</name>")
	case 1:
		return "DELETE", fmt.Sprintf("/hardwares/%d", computer), ""
	case 2, 3:
		status := [...]string{"Operational", "Disposed", "Lost", "Spare"}[n]
		return "PUT", fmt.Sprintf("/hardwares/%d", computer), hardware("<status>" + status + "</status>")
	case 4:
		return "PUT", fmt.Sprintf("/softwares/%d", id), software(program)
	case 5:
		return "DELETE", fmt.Sprintf("/softwares/%d", id), ""
	case 6:
		return "PUT", fmt.Sprintf("/contracts/%d", 1+n),
			licence(n, [...]string{"*", "p*", "Q?", "q1"}[r.IntN(4)], [...]string{"", "1"}[r.IntN(2)])
	case 7:
		return "PUT", fmt.Sprintf("/contracts/%d", 1+n),
			"<contract><type>" + [...]string{"Lease", "SoftwareLicense"}[r.IntN(2)] + "</type></contract>"
	case 8:
		return "POST", "/contracts", licence(n, "p*", "")
	case 9:
		return "DELETE", fmt.Sprintf("/contracts/%d", 4+r.IntN(3)), ""
	case 10, 11, 12, 13:
		return "DELETE", fmt.Sprintf("/hardwares/%d/softwares/%d", computer, id), ""
	case 14, 15, 16:
		return "POST", fmt.Sprintf("/hardwares/%d/softwares", computer), software(fmt.Sprintf("<id>%d</id>", id))
	}
	return "POST", fmt.Sprintf("/hardwares/%d/softwares", computer), software(program)
}
