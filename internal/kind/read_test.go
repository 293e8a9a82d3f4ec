package kind_test

import (
	"errors"
	"strings"
	"testing"

	"muster/internal/kind"
	"muster/internal/markup"
	"muster/internal/message"
)

// TestApply reads documents that are right, on top of a record that has every
// value: what a document does not name must stay.
func TestApply(t *testing.T) {
	for _, test := range []struct {
		name, fields string
		change       func(*device)
	}{
		{"nothing", "", func(d *device) {}},
		{"white space between fields", "\n\t <!-- no field -->\n", func(d *device) {}},
		{"text", "<name>Saw</name>", func(d *device) { d.Name = "Saw" }},
		{"hyphens", "<chip-set>Z80</chip-set>", func(d *device) { d.Chip = "Z80" }},
		{"underscores", "<chip_set>Z80</chip_set>", func(d *device) { d.Chip = "Z80" }},
		{"any order", "<live>false</live><name>Saw</name><code>X</code>", func(d *device) {
			d.Live, d.Name, d.Code = kind.Some(false), "Saw", "X"
		}},
		{"type attribute", `<name type="integer">Saw</name><item-count type="string">3</item-count>`, func(d *device) {
			d.Name, d.Count = "Saw", kind.Some[int64](3)
		}},
		{"namespaces", `<x:name xmlns:x="urn:x" x:lang="en">Saw</x:name><site xmlns="urn:y">B</site>`, func(d *device) {
			d.Name, d.Site = "Saw", "B"
		}},
		{"character data", "<name>a<![CDATA[<&>]]>&#98;<!-- - -->c</name>", func(d *device) { d.Name = "a<&>bc" }},

		{"empty element clears", "<code/><item-count/><live/><seen-at/><bought-on/><owner/><price/><maker/>", cleared},
		{"no text clears", "<code></code><item-count></item-count><live></live><seen-at></seen-at><bought-on></bought-on><owner></owner><price></price><maker></maker>", cleared},
		{"blanks clear", "<code> \n</code><item-count> </item-count><live>\t</live><seen-at> </seen-at><bought-on> </bought-on><owner> </owner><price>\n</price><maker> </maker>", cleared},
		{"nil clears", `<code nil="true"/><item-count nil="true">5</item-count><live nil="1"/><seen-at nil="true"/><bought-on nil="true"/><owner nil="true"><id>7</id></owner><price nil="true">1</price><maker nil="true">x</maker>`, cleared},
		{"nil of XML Schema clears", `<code xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="true"/>`,
			func(d *device) { d.Code = "" }},
		{"nil that is not true", `<code nil="false">X</code>`, func(d *device) { d.Code = "X" }},

		{"outer blanks of text stay", "<name> Saw\n</name><note>\tx </note>", func(d *device) {
			d.Name, d.Note = " Saw\n", "\tx "
		}},
		{"numbers are trimmed", "<item-count>\n 3 </item-count>", func(d *device) { d.Count = kind.Some[int64](3) }},
		{"booleans are trimmed", "<live> false\n</live>", func(d *device) { d.Live = kind.Some(false) }},
		{"times are trimmed", "<seen-at> 2026-03-01T00:00:00Z </seen-at>", func(d *device) {
			d.SeenAt = day("2026-03-01")
		}},
		{"dates are trimmed", "<bought-on> 2026-03-01 </bought-on>", func(d *device) {
			d.BoughtOn = day("2026-03-01")
		}},
		{"enumerations are trimmed", "<state> Gone </state>", func(d *device) { d.State = "Gone" }},
		{"references are trimmed", "<site> B </site>", func(d *device) { d.Site = "B" }},
		{"padded text but for blanks the same", "<chip-set>M1</chip-set>", func(d *device) {}},
		{"padded text", "<chip-set> M2</chip-set>", func(d *device) { d.Chip = " M2" }},
		{"padded text cleared", "<chip-set/>", func(d *device) { d.Chip = "" }},

		{"read-only fields are ignored",
			"<id>9</id><href>x<y/></href><origin>web</origin><origin>api</origin><created-at>never</created-at><updated-at/><tools-href>z</tools-href><phase>Retired</phase><load>x</load><last-visit-href/><visits><visit/></visits>", func(d *device) {}},
		{"enumeration in another case", "<state>in use</state>", func(d *device) {}},
		{"enumeration in capitals", "<state>GONE</state>", func(d *device) { d.State = "Gone" }},

		{"zero", "<item-count>0</item-count>", func(d *device) { d.Count = kind.Some[int64](0) }},
		{"largest number", "<item-count>9223372036854775807</item-count>", func(d *device) {
			d.Count = kind.Some[int64](1<<63 - 1)
		}},
		{"leading zeros", "<item-count>007</item-count>", func(d *device) { d.Count = kind.Some[int64](7) }},
		{"amount", "<price>\n 3.25 </price>", func(d *device) { d.Price = cents(325) }},
		{"amount of nothing", "<price>0</price>", func(d *device) { d.Price = cents(0) }},
		{"1 is true", "<live>1</live>", func(d *device) {}},
		{"0 is false", "<live>0</live>", func(d *device) { d.Live = kind.Some(false) }},
		{"True is true", "<live>True</live>", func(d *device) {}},
		{"time with offset", "<seen-at>2026-03-01T02:00:00+02:00</seen-at>", func(d *device) {
			d.SeenAt = day("2026-03-01")
		}},
		{"time without offset", "<seen-at>2026-03-01T00:00:00</seen-at>", func(d *device) {
			d.SeenAt = day("2026-03-01")
		}},
		{"time with fraction", "<seen-at>2026-03-01T00:00:00.75Z</seen-at>", func(d *device) {
			d.SeenAt = day("2026-03-01")
		}},
		{"date as time", "<seen-at>2026-03-01</seen-at>", func(d *device) { d.SeenAt = day("2026-03-01") }},

		{"reference by name", "<site><name> B </name></site>", func(d *device) { d.Site = "B" }},
		{"reference among other children", "<site>\n<name>B</name><id>3</id></site><code>X</code>", func(d *device) {
			d.Site, d.Code = "B", "X"
		}},
		{"reference before another reference", "<site><name>A&amp;B</name><note>C&amp;D</note></site>",
			func(d *device) { d.Site = "A&B" }},
		{"reference by empty name", "<site><name/></site>", func(d *device) { d.Site = "" }},
	} {
		patch := decode(t, inDevice(test.fields))
		got, want := full(), full()
		patch.Apply(got)
		test.change(want)
		equal(t, test.name+": faults", message.Strings(patch.Faults()), []string(nil))
		equal(t, test.name, got, want)
	}
}

// cleared is what a document that clears a field of each type does.
func cleared(d *device) {
	d.Code, d.Count, d.Live = "", kind.Int{}, kind.Bool{}
	d.Owner, d.Maker, d.Price = kind.Person{}, kind.Ref{}, kind.Decimal{}
	var none device
	d.SeenAt, d.BoughtOn = none.SeenAt, none.BoughtOn
}

// TestApplyCollections reads nested collections on top of a record that has
// some.
func TestApplyCollections(t *testing.T) {
	two := []part{{Name: "a"}, {Name: "b", Size: kind.Some[int64](2)}}
	for _, test := range []struct {
		name, fields string
		parts        []part
	}{
		{"plain", "<parts><part><name>a</name></part><part><name>b</name><size>2</size></part></parts>", two},
		{"marked", `<parts type="array"><part><name>a</name></part><part><name>b</name><size>2</size></part></parts>`,
			two},
		{"doubled", `<parts><part type="array"><part><name>a</name></part><part><name>b</name><size>2</size></part></part></parts>`, two},
		{"marked and doubled", `<parts type="array"><part type="array"><part><name>a</name></part></part><part><name>b</name><size> 2 </size></part></parts>`, two},
		{"empty", "<parts/>", nil},
		{"empty and marked", `<parts type="array"></parts>`, nil},
		{"blanks", "<parts> \n </parts>", nil},
		{"nil", `<parts nil="true"/>`, nil},
		{"doubled and empty", `<parts><part type="array"/></parts>`, nil},
		{"items without a value",
			`<parts><part/><part nil="true"/><part><name> </name><size nil="true"/></part></parts>`, nil},
		{"an item without a value among others",
			"<parts><part><name>a</name></part><part/><part><name>b</name><size>2</size></part></parts>", two},
		{"null is not zero", "<parts><part><size>0</size></part></parts>", []part{{Size: kind.Some[int64](0)}}},
		{"null is not false", "<parts><part><good>false</good></part></parts>", []part{{Good: kind.Some(false)}}},
		{"underscores and any case", "<parts><part><part_state>DOWN</part_state></part></parts>", []part{
			{State: "Down"},
		}},
		{"times", "<parts><part><at>2026-01-01T10:00:00Z</at><on>2026-01-02</on></part></parts>", []part{
			{At: at("2026-01-01T10:00:00Z"), On: day("2026-01-02")},
		}},
	} {
		patch := decode(t, inDevice(test.fields))
		got, want := full(), full()
		patch.Apply(got)
		want.Parts = test.parts
		equal(t, test.name+": faults", message.Strings(patch.Faults()), []string(nil))
		equal(t, test.name, got, want)
	}
}

func TestApplyLoneItem(t *testing.T) {
	one := []tool{{Serial: "X"}}
	for _, test := range []struct {
		name, fields string
		tools        []tool
	}{
		{"alone", "<tool><serial>X</serial></tool>", one},
		{"alone and empty", "<tool/>", nil},
		{"alone and nil", `<tool nil="true"/>`, nil},
		{"alone and an array", `<tool type="array"><tool><serial>X</serial></tool></tool>`, one},
		{"in its collection", "<tools><tool><serial>X</serial></tool></tools>", one},
		{"doubled", `<tools><tool type="array"><tool><serial>X</serial></tool></tool></tools>`, one},
		{"by its own name", "<tools><toolse><serial>X</serial></toolse></tools>", one},
	} {
		patch := decode(t, inDevice(test.fields))
		got := full()
		patch.Apply(got)
		equal(t, test.name+": faults", message.Strings(patch.Faults()), []string(nil))
		equal(t, test.name, got.Tools, test.tools)
	}
}

func TestRoots(t *testing.T) {
	for _, root := range []string{"test-device", "test_device"} {
		if _, err := devices.Decode([]byte("<" + root + "/>")); err != nil {
			t.Errorf("<%s/>: got %v, want no error", root, err)
		}
	}
	long := strings.Repeat("x", 1000)
	for root, want := range map[string]string{
		"device":       "the document's root is <device>, want <test-device>",
		"test-devices": "the document's root is <test-devices>, want <test-device>",
		"Test-Device":  "the document's root is <Test-Device>, want <test-device>",
		long:           "the document's root is <" + long[:60] + "…>, want <test-device>",
	} {
		_, err := devices.Decode([]byte("<" + root + "><name>x</name></" + root + ">"))
		invalid, ok := errors.AsType[*kind.Invalid](err)
		if !ok || invalid.Error() != want {
			t.Errorf("<%s>: got %v, want %s", root, err, want)
		}
	}
}

func TestMalformed(t *testing.T) {
	for _, doc := range []string{
		"", "text", "<test-device>", "<test-device/>x", "<test-device/><more/>", "<device>", "<device/>x",
		inDevice("<name>"), inDevice("<name>&nbsp;</name>"), inDevice("<site><name>x</site>"),
		inDevice("<owner><id>1</owner>"),
		inDevice("<x:name>a</x:name>"), inDevice("<name>\x01</name>"), inDevice("<nonsense><a></nonsense>"),
		inDevice("<parts><disk><a></disk></parts>"), inDevice("<parts><part><name><a></part></parts>"),
		inDevice("<name><a><b></a></name>"),
		inDevice("<parts>&x;</parts>"), inDevice("<id><a></id>"),
		"<!DOCTYPE test-device><test-device/>",
		strings.Repeat("<test-device>", 65) + strings.Repeat("</test-device>", 65),
		inDevice(strings.Repeat("<x/>", 10_000)),
	} {
		_, err := devices.Decode([]byte(doc))
		if _, ok := errors.AsType[*markup.SyntaxError](err); !ok {
			t.Errorf("%.80s: got %v, want a syntax error", doc, err)
		}
	}
}
