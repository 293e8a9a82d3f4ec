package activity

import (
	"strings"
	"testing"

	"muster/internal/inventory"
	"muster/internal/kind"
	"muster/internal/message"
	"muster/internal/web/lang"
	"muster/internal/web/page"
)

// TestFormerDeeds says in another language what audit records of former versions say, which have their messages alone.
// Names may contain the fixed words of formats.
func TestFormerDeeds(t *testing.T) {
	t.Parallel()
	c := &page.Call{Locale: &lang.Locale{Language: lang.LanguageNamed("de"), Conventions: lang.LocaleOf("de")}}
	for text, want := range map[string]string{
		"Agent token north changed":                                                                              "Agententoken north geändert",
		"Reported by a new agent, OCS 2.10 (lap-2026)":                                                           "Von einem neuen Agenten gemeldet, OCS 2.10 (lap-2026)",
		"Report by an agent (lap-1) with the agent token north accepted":                                         "Meldung von an agent (lap-1) mit dem Agententoken north angenommen",
		"OCS 2.10 (lap-1) speaks for this computer from now on":                                                  "OCS 2.10 (lap-1) spricht von nun an für diesen Computer",
		"Token x added, until 2099 revoked":                                                                      "Token x added, until 2099 widerrufen",
		"Token x added, for reading only, until 2027-01-01 00:00 UTC":                                            "Token x hinzugefügt, nur zum Lesen, gültig bis 2027-01-01 00:00 UTC",
		"Recovery code used, 7 left":                                                                             "Wiederherstellungscode benutzt, noch 7 übrig",
		"Recovery code used, none left":                                                                          "Recovery code used, none left",
		"Signed out on all devices":                                                                              "Auf allen Geräten abgemeldet",
		"Computer pc merged into computer 7 (other)":                                                             "Computer pc in Computer 7 (other) überführt",
		"Computer pc (id 8, asset id A7) merged into this one":                                                   "Computer pc (Nr. 8, Inventarnummer A7) in diesen überführt",
		"Computer pc (id 8) merged into this one":                                                                "Computer pc (Nr. 8) in diesen überführt",
		"Agent OCS 2 (dev) split off as computer 9 (pc)":                                                         "Agent OCS 2 (dev) als Computer 9 (pc) abgetrennt",
		"Not a duplicate of computer 7 (pc)":                                                                     "Kein Duplikat von Computer 7 (pc)",
		"May be a duplicate of computer 7 (pc) after all":                                                        "Vielleicht doch ein Duplikat von Computer 7 (pc)",
		"Private comment added to ticket Printer":                                                                "Private Notiz zu Ticket Printer hinzugefügt",
		"Something that nobody says":                                                                             "Something that nobody says",
		"Computer b created by its first report; possible duplicate of computers 1 (a), 2 (c)":                   "Computer b durch die erste Meldung angelegt; mögliches Duplikat der Computer 1 (a), 2 (c)",
		"Perhaps two computers: its agents a, b had nothing in common but the UUID 1, which many computers have": "Vielleicht zwei Computer: Seine Agenten a, b hatten nichts gemeinsam als die UUID 1, die viele Computer haben",
	} {
		if got := AuditSentence(c, &inventory.Audit{RecordType: inventory.Computers.Item, Message: text}); got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
	for _, f := range formerForms() {
		if len(f.verbs) == 0 {
			continue
		}
		text := strings.NewReplacer("%s", "x", "%d", "7").Replace(f.format)
		if got := formerlySaid(text); got.Format != f.format || got.String() != text {
			t.Errorf("%s: got %q of %q", text, got, got.Format)
		}
	}
}

// TestSaidDeeds says in another language what audit records keep the wording of, whatever words names have, and shows
// the message where the wording would make another.
func TestSaidDeeds(t *testing.T) {
	t.Parallel()
	c := &page.Call{Locale: &lang.Locale{Language: lang.LanguageNamed("de"), Conventions: lang.LocaleOf("de")}}
	a := &inventory.Audit{RecordType: inventory.Users.Item}
	a.Say(message.New("Token %s added", "x, until y, for reading only, until z"))
	if got, want := AuditSentence(c, a), "Token x, until y, for reading only, until z hinzugefügt"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	a.Message = "Something else"
	if got := AuditSentence(c, a); got != a.Message {
		t.Errorf("a wording of another message: got %q, want %q", got, a.Message)
	}
	a.Message, a.Wording = "Something else", `{"format":`
	if got := AuditSentence(c, a); got != a.Message {
		t.Errorf("a wording that is none: got %q, want %q", got, a.Message)
	}
}

// TestReportedTallies says how many items of collections a report has changed, where a list has some of the changes
// alone: by the wording, and in records of former versions by the message.
func TestReportedTallies(t *testing.T) {
	t.Parallel()
	c := &page.Call{Locale: &lang.Locale{Language: lang.LanguageNamed("de"), Conventions: lang.LocaleOf("de")}}
	k := inventory.Computers.Schema
	summary := message.Joined([]message.Text{
		inventory.ToldTally(&kind.Tally{Field: "drives", Added: 1200, Changed: 2}, true),
		inventory.ToldTally(&kind.Tally{Field: "operating-system", Changed: 1}, false),
		inventory.ToldTally(&kind.Tally{Field: "lost-things", Removed: 1}, true),
	}, "; ")
	a := &inventory.Audit{RecordType: k.Item, RecordName: "lap", ChangesTotal: kind.Some[int64](90)}
	a.Say(message.New("Report with %d changes: %s", 90, summary))
	const written = "Report with 90 changes: drives 1200 added, 2 changed; operating system; lost things 1 removed"
	const want = "Meldung mit 90 Änderungen: Laufwerke 1.200 neu, 2 geändert; Betriebssystem; lost things 1 entfernt"
	if a.Message != written {
		t.Errorf("got %q, want %q", a.Message, written)
	}
	if got := AuditSentence(c, a); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	a.Wording = ""
	if got := AuditSentence(c, a); got != want {
		t.Errorf("of a former version: got %q, want %q", got, want)
	}
}
