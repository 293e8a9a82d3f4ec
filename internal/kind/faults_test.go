package kind_test

import (
	"strings"
	"testing"

	"muster/internal/message"
)

// TestFaults reads documents that are well-formed and wrong. The record stays
// as it is in the fields that are.
func TestFaults(t *testing.T) {
	for _, test := range []struct {
		name, fields string
		want         []string
	}{
		{"unknown element", "<colour>red</colour>", []string{
			"Colour is not a field of test-device (element <colour>)",
		}},
		{"unknown element with children", "<a-b><c>1</c></a-b>", []string{
			"A b is not a field of test-device (element <a-b>)",
		}},
		{"unknown element beyond ASCII", "<élan/>", []string{"Élan is not a field of test-device (element <élan>)"}},
		{"hidden field", "<secret>x</secret>", []string{"Secret is not a field of test-device (element <secret>)"}},
		{"another case", "<Name>x</Name>", []string{"Name is not a field of test-device (element <Name>)"}},
		{"text outside fields", "x<code>D-1</code>", []string{"Test device holds text outside its fields"}},

		{"repeated scalar", "<code>D-1</code><code>b</code>", []string{"Code is given more than once"}},
		{"repeated in both spellings", "<chip-set>M1</chip-set><chip_set>b</chip_set>", []string{
			"Chip set is given more than once",
		}},
		{"repeated person", "<owner>x</owner><owner/>", []string{"Owner is given more than once"}},
		{"repeated collection", "<tools><tool><maker>Acme</maker><serial>S1</serial></tool></tools><tools/>", []string{
			"Tools is given more than once",
		}},
		{"collection and lone item", "<tools><tool><maker>Acme</maker><serial>S1</serial></tool></tools><tool/>",
			[]string{"Tools is given more than once"}},

		{"child in text", "<name>a<b>c</b></name>", []string{"Name must be plain text, not hold <b>"}},
		{"child in number", "<item-count><n>1</n></item-count>", []string{
			"Item count must be plain text, not hold <n>",
		}},
		{"name in a field that is no reference", "<code><name>x</name></code>", []string{
			"Code must be plain text, not hold <name>",
		}},
		{"another child in a reference", "<site><id>1</id><name>B</name></site>", []string{
			"Site must be plain text, not hold <id>",
		}},
		{"child in the name of a reference", "<site><name>B<b/></name><name>C</name></site>", []string{
			"Site must be plain text, not hold <b>",
		}},

		{"no number", "<item-count>many</item-count>", []string{`Item count is not a number: "many"`}},
		{"fraction", "<item-count>1.5</item-count>", []string{`Item count is not a number: "1.5"`}},
		{"negative", "<item-count>-1</item-count>", []string{"Item count must be greater than or equal to 0"}},
		{"very negative", "<item-count>-9223372036854775809</item-count>", []string{
			"Item count must be greater than or equal to 0",
		}},
		{"too large", "<item-count>9223372036854775808</item-count>", []string{
			"Item count must be less than or equal to 9223372036854775807",
		}},
		{"no boolean", "<live>yes</live>", []string{`Live is not true or false: "yes"`}},
		{"no time", "<seen-at>today</seen-at>", []string{
			`Seen at is not a timestamp such as 2026-01-31T09:30:00Z: "today"`,
		}},
		{"no such time", "<seen-at>2026-02-30T00:00:00Z</seen-at>", []string{
			`Seen at is not a timestamp such as 2026-01-31T09:30:00Z: "2026-02-30T00:00:00Z"`,
		}},
		{"year zero", "<seen-at>0000-01-01T00:00:00Z</seen-at>", []string{
			`Seen at is not a timestamp such as 2026-01-31T09:30:00Z: "0000-01-01T00:00:00Z"`,
		}},
		{"the time that is null", "<seen-at>0001-01-01T00:00:00Z</seen-at>", []string{
			`Seen at is not a timestamp such as 2026-01-31T09:30:00Z: "0001-01-01T00:00:00Z"`,
		}},
		{"year 10000 in UTC", "<seen-at>9999-12-31T23:00:00-02:00</seen-at>", []string{
			`Seen at is not a timestamp such as 2026-01-31T09:30:00Z: "9999-12-31T23:00:00-02:00"`,
		}},
		{"no date", "<bought-on>24.12.2025</bought-on>", []string{
			`Bought on is not a date such as 2026-01-31: "24.12.2025"`,
		}},
		{"time as date", "<bought-on>2025-12-24T00:00:00Z</bought-on>", []string{
			`Bought on is not a date such as 2026-01-31: "2025-12-24T00:00:00Z"`,
		}},
		{"the date that is null", "<bought-on>0001-01-01</bought-on>", []string{
			`Bought on is not a date such as 2026-01-31: "0001-01-01"`,
		}},
		{"long value", "<live>" + strings.Repeat("ä", 61) + "</live>", []string{
			`Live is not true or false: "` + strings.Repeat("ä", 60) + `…"`,
		}},

		{"no item", "<parts><disk/></parts>", []string{"Parts holds <disk>, want <part>"}},
		{"text outside items", "<parts>disk</parts>", []string{"Parts holds text outside its items"}},
		{"text outside the fields of an item", "<parts><part>disk</part></parts>", []string{
			"Parts item 1: part holds text outside its fields",
		}},
		{"unknown element in an item", "<parts><part><x-y/></part></parts>", []string{
			"Parts item 1: x y is not a field of part (element <x-y>)",
		}},
		{"wrong type in an item", "<parts><part><name>a</name></part><part><size>-1</size></part></parts>", []string{
			"Parts item 2: size must be greater than or equal to 0",
		}},
		{"repeated in an item", "<parts><part><name>a</name><name>b</name></part></parts>", []string{
			"Parts item 1: name is given more than once",
		}},
		{"child in an item", "<parts><part><name><b/></name></part></parts>", []string{
			"Parts item 1: name must be plain text, not hold <b>",
		}},
		{"after an item", "<parts><part><name>a</name></part></parts><live>x</live>", []string{
			`Live is not true or false: "x"`,
		}},
		{"lone item", "<tool><colour/></tool>", []string{
			"Tools item 1: colour is not a field of toolse (element <colour>)",
		}},
		{"item of the collection alone", "<toolse/>", []string{
			"Toolse is not a field of test-device (element <toolse>)",
		}},

		{"several", "<live>x</live><nonsense/><item-count>y</item-count>", []string{
			`Live is not true or false: "x"`, "Nonsense is not a field of test-device (element <nonsense>)",
			`Item count is not a number: "y"`,
		}},
	} {
		patch := decode(t, inDevice(test.fields))
		equal(t, test.name, message.Strings(patch.Faults()), test.want)
		got := full()
		patch.Apply(got)
		// replaced where the fault is another
		got.Parts, got.Tools, got.Owner = full().Parts, full().Tools, full().Owner
		equal(t, test.name+": record", got, full())
	}
}

func TestFaultsAreLimited(t *testing.T) {
	patch := decode(t, inDevice(strings.Repeat("<x/>", 200)))
	if got := len(patch.Faults()); got != 50 {
		t.Errorf("got %d faults, want 50", got)
	}
	patch = decode(t, inDevice("<"+strings.Repeat("x", 100_000)+"/>"))
	if got := len(patch.Faults()[0].String()); got > 300 {
		t.Errorf("got a message of %d bytes about a long name", got)
	}
}

// TestPeople reads references to users; bert is the owner before.
func TestPeople(t *testing.T) {
	for _, test := range []struct{ name, owner, want, fault string }{
		{"id", "<id>7</id>", "anna@example.com", ""},
		{"id in blanks", "\n <id> 7 </id>\n ", "anna@example.com", ""},
		{"e-mail address", "<email>anna@example.com</email>", "anna@example.com", ""},
		{"name", "<name>Anna &lt;A&gt; Berg</name>", "anna@example.com", ""},
		{"id before the rest", "<name>nobody</name><email>bert@example.com</email><id>7</id>", "anna@example.com", ""},
		{"e-mail address before name", "<name>nobody</name><email>anna@example.com</email>", "anna@example.com", ""},
		{"the first that has a value", `<id nil="true"/><email/><name>Anna &lt;A&gt; Berg</name>`, "anna@example.com",
			""},
		{"other children are ignored", "<id>7</id><phone><x/></phone><first-name>B</first-name>", "anna@example.com",
			""},
		{"plain e-mail address", " anna@example.com\n", "anna@example.com", ""},
		{"plain name", "Anna &lt;A&gt; Berg", "anna@example.com", ""},
		{"nobody", "", "", ""},
		{"children without a value", "<id/><name> </name>", "", ""},
		{"no key", "<phone>1</phone>", "bert@example.com", "Owner must be named by id, email or name"},
		{"no number", "<id>seven</id>", "bert@example.com", `Owner has an id that is not a number: "seven"`},
		{"id 0", "<id>0</id>", "bert@example.com", `Owner has an id that is not a number: "0"`},
		{"element in the key", "<name>Anna<b/></name><email>anna@example.com</email>", "bert@example.com",
			"Owner must be named by plain text, not <b>"},
		{"unknown id", "<id>9</id>", "bert@example.com", "Owner does not exist"},
		{"unknown e-mail address", "x@example.com", "bert@example.com", "Owner does not exist"},
		{"unknown name", "<name>x</name>", "bert@example.com", "Owner does not exist"},
	} {
		patch := decode(t, inDevice("<owner>"+test.owner+"</owner><name>n</name>"))
		if err := patch.Resolve(known); err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		got := full()
		patch.Apply(got)
		equal(t, test.name, got.Owner.Email, test.want)
		equal(t, test.name+": faults", message.Join(patch.Faults(), "; "), test.fault)
		equal(t, test.name+": the field behind", got.Name, "n")
	}
}
