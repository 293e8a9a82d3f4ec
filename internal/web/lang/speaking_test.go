package lang

import (
	"strings"
	"testing"

	"muster/internal/agentsetup"
	"muster/internal/kind"
	"muster/internal/message"
)

// TestFault says messages in English, as the API does, and as pages do in both languages: with the words of the program
// and numbers of records in the language, and what people wrote as it is.
func TestFault(t *testing.T) {
	t.Parallel()
	english := &Locale{Language: LanguageNamed("en"), Conventions: LocaleOf("en")}
	german := &Locale{Language: LanguageNamed("de"), Conventions: LocaleOf("de")}
	blank := message.Says("can't be blank")
	item := func(list message.Word, n int, of message.Text) message.Text {
		return message.New("%s item %d: %s", list, n, of)
	}
	for _, test := range []struct {
		text          message.Text
		english, want string
	}{
		{blank.Of("Name"), "Name can't be blank", "Name darf nicht leer sein"},
		{message.Says("is too long (maximum is %d characters)", 255).Of("Operating system"),
			"Operating system is too long (maximum is 255 characters)",
			"Betriebssystem ist zu lang (höchstens 255 Zeichen)"},
		{message.Says("must be one of %s", "administrator, technician, requester").Of("Role"),
			"Role must be one of administrator, technician, requester",
			"Rolle muss eines von diesen sein: administrator, technician, requester"},
		{item("Drives", 2, message.Says("must be greater than or equal to 0").Of("total space")),
			"Drives item 2: total space must be greater than or equal to 0",
			"Laufwerke, Zeile 2: Gesamter Platz muss mindestens 0 sein"},
		{item("Purchases", 1, message.Says("is not a number: %s", `"a must be b"`).Of("total cost")),
			`Purchases item 1: total cost is not a number: "a must be b"`,
			`Käufe, Zeile 1: Gesamtkosten ist keine Zahl: "a must be b"`},
		{message.New("there is no user %s", "a@example.com"), "there is no user a@example.com",
			"Es gibt keinen Benutzer a@example.com"},
		{message.New("there is no user %s", "New"), "there is no user New", "Es gibt keinen Benutzer New"},
		{message.Says("must be an e-mail address such as anna@example.com, not %q", "x").Of("Email"),
			`Email must be an e-mail address such as anna@example.com, not "x"`,
			`E-Mail muss eine E-Mail-Adresse wie anna@example.com sein, nicht "x"`},
		{message.Says("must be a number from %d to %d, not %q", 1, 1000, "x").Of("page-size"),
			`page-size must be a number from 1 to 1000, not "x"`,
			`Datensätze auf einer Seite muss eine Zahl von 1 bis 1000 sein, nicht "x"`},
		{message.Says("must be a timestamp such as 2026-01-31T09:30:00Z or a date, not %s", `"x"`).Of("created_at"),
			`created_at must be a timestamp such as 2026-01-31T09:30:00Z or a date, not "x"`,
			`Angelegt am muss ein Zeitpunkt wie 2026-01-31T09:30:00Z oder ein Datum sein, nicht "x"`},
		{message.New("a %s may not delete %s", message.Word("technician"), message.Word("user records")),
			"a technician may not delete user records", "Die Rolle Techniker darf das nicht löschen: Benutzer"},
		{message.New("a %s may not see %s", message.Word("requester"), message.Word("audit records")),
			"a requester may not see audit records", "Die Rolle Anfragender darf das nicht sehen: Protokolleintrag"},
		{message.Says("must be different from each other: %s is there twice", "New").Of("statuses"),
			"statuses must be different from each other: New is there twice",
			"Weitere Status müssen sich voneinander unterscheiden: New steht zweimal da"},
		{message.New("%s: it was merged into computer %d",
			message.New("there is no %s with the id %d", message.Word("computer"), 7), 8),
			"there is no computer with the id 7: it was merged into computer 8",
			"Es gibt keinen Datensatz dieser Art (Computer) mit der ID 7: Er wurde in Computer 8 überführt"},
		{message.New("the software %d is still installed on %s", 7, message.Count{N: 1, Noun: "computer"}),
			"the software 7 is still installed on 1 computer", "Die Software 7 ist noch installiert: 1 Computer"},
		{message.New("%s cannot lose %s, which is the status of %s: give them another first", message.Word("statuses"),
			"New",
			message.New("%s and %s", message.Count{N: 1200, Noun: "computer"},
				message.Count{N: 2, Noun: "other asset"})),
			"statuses cannot lose New, which is the status of 1200 computers and 2 other assets: give them another first",
			"Weitere Status: New kann nicht entfallen. Diesen Status haben noch: 1.200 Computer und 2 andere Geräte. Geben Sie ihnen zuerst einen anderen"},
		{message.Joined([]message.Text{blank.Of("Name"), blank.Of("Email")}, "; "),
			"Name can't be blank; Email can't be blank", "Name darf nicht leer sein; E-Mail darf nicht leer sein"},
		{message.Says("can't go from Closed to Resolved: reopen the ticket first").Of("State"),
			"State can't go from Closed to Resolved: reopen the ticket first",
			"Der Status kann nicht von Geschlossen zu Gelöst wechseln: Öffnen Sie erst das Ticket wieder"},
		{message.Plain("a sentence of nobody"), "a sentence of nobody", "a sentence of nobody"},
	} {
		if got := test.text.String(); got != test.english {
			t.Errorf("got %q, want %q", got, test.english)
		}
		if got := german.Fault(test.text); got != test.want {
			t.Errorf("%s: got %q, want %q", test.text, got, test.want)
		}
		page := strings.ReplaceAll(test.english, "1200", "1,200")
		if got := english.Fault(test.text); got != page {
			t.Errorf("in English: got %q, want %q", got, page)
		}
	}
	if n, of := kind.ItemFault(item("Drives", 2, blank.Of("total space"))); n != 2 || of.Subject() != "total space" {
		t.Errorf("the fault of an item: got %d, %v", n, of)
	}
}

// TestAdvice says in one line of another language what people should know before they point agents at the server.
func TestAdvice(t *testing.T) {
	t.Parallel()
	german := &Locale{Language: LanguageNamed("de"), Conventions: LocaleOf("de")}
	for _, test := range []struct {
		access agentsetup.Access
		want   string
	}{
		{agentsetup.Access{URL: "http://muster.example.com"},
			"Ohne TLS kann jeder auf dem Weg das Token und die Meldungen lesen. " +
				"Muster als Agent meldet so nicht: Seine Einstellungen sind weggelassen."},
		{agentsetup.Access{URL: "https://muster.example.com", CA: "/ca.pem"}, ""},
		{agentsetup.Access{URL: "https://muster.example.com"}, ""},
	} {
		got := german.Advice(test.access.Advice())
		if len(got) != 1 || test.want != "" && got[0] != test.want || got[0] == test.access.Advice()[0].String() {
			t.Errorf("%+v: got %q, want %q", test.access, got, test.want)
		}
	}
}
