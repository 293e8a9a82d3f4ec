package kind_test

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"muster/internal/kind"
)

const base = "https://muster.example.com"

const xmlHeader = `<?xml version="1.0" encoding="UTF-8"?>` + "\n"

const fullDocument = xmlHeader + `<test-device>
  <id>42</id>
  <href>https://muster.example.com/test_devices/42.xml</href>
  <code>D-1</code>
  <name>Press &amp; &lt;Co&gt;</name>
  <state>In Use</state>
  <chip-set>  M1 </chip-set>
  <site>HQ</site>
  <maker>Acme &lt;Ltd&gt;</maker>
  <item-count>12</item-count>
  <price>12.5</price>
  <live>true</live>
  <seen-at>2026-01-31T09:30:00Z</seen-at>
  <phase>Here</phase>
  <bought-on>2025-12-24</bought-on>
  <retired-on>2027-12-24</retired-on>
  <owner>
    <id>8</id>
    <name>bert@example.com</name>
    <email>bert@example.com</email>
  </owner>
  <origin>import</origin>
  <sockets type="array">
    <socket>
      <id>4</id>
      <name>left &lt;1&gt;</name>
      <href>https://muster.example.com/wall_sockets/4.xml</href>
    </socket>
    <socket>
      <id>6</id>
      <name>right</name>
      <href>https://muster.example.com/wall_sockets/6.xml</href>
    </socket>
  </sockets>
  <places type="array">
    <place>
      <asset-type>wall-socket</asset-type>
      <id>6</id>
      <name>right</name>
      <href>https://muster.example.com/wall_sockets/6.xml</href>
    </place>
    <place>
      <asset-type>room</asset-type>
      <id>4</id>
      <name>Attic &amp; Co</name>
      <href>https://muster.example.com/rooms/4.xml</href>
    </place>
  </places>
  <load>3</load>
  <last-visit-href>https://muster.example.com/visits/9.xml</last-visit-href>
  <created-at>2026-01-02T03:04:05Z</created-at>
  <updated-at>2026-02-03T04:05:06Z</updated-at>
  <tools-href>https://muster.example.com/test_devices/42/tools.xml</tools-href>
  <old-tools-href>https://muster.example.com/test_devices/42/tools.xml?view=old&amp;all=1</old-tools-href>
  <note>one&#xD;
two	three</note>
  <keeper>
    <email>anna@example.com</email>
    <first-name>Anna &lt;A&gt;</first-name>
    <last-name>Berg</last-name>
    <last-login>2026-01-30T08:00:00Z</last-login>
    <phone>+49 &amp; 1</phone>
  </keeper>
  <parts type="array">
    <part>
      <name>disk</name>
      <part-state>Up</part-state>
      <size>0</size>
      <good>false</good>
      <at>2026-01-01T00:00:00Z</at>
      <on>2026-01-01</on>
      <cost>0.05</cost>
    </part>
    <part>
      <name>fan</name>
      <part-state nil="true"/>
      <size nil="true"/>
      <good nil="true"/>
      <at nil="true"/>
      <on nil="true"/>
      <cost nil="true"/>
    </part>
  </parts>
  <tools type="array">
    <toolse>
      <maker>Acme</maker>
      <serial>S1</serial>
    </toolse>
  </tools>
  <visits type="array">
    <visit>
      <id>9</id>
      <user>
        <id>8</id>
        <name>bert@example.com</name>
        <email>bert@example.com</email>
      </user>
    </visit>
    <visit>
      <id nil="true"/>
      <user nil="true"/>
    </visit>
  </visits>
</test-device>
`

const emptyDocument = xmlHeader + `<test-device>
  <id>0</id>
  <href>/test_devices/0.xml</href>
  <code nil="true"/>
  <name nil="true"/>
  <state>New</state>
  <chip-set nil="true"/>
  <site nil="true"/>
  <maker nil="true"/>
  <item-count nil="true"/>
  <price nil="true"/>
  <live nil="true"/>
  <seen-at nil="true"/>
  <phase nil="true"/>
  <bought-on nil="true"/>
  <retired-on nil="true"/>
  <owner nil="true"/>
  <origin nil="true"/>
  <sockets type="array"/>
  <places type="array"/>
  <load nil="true"/>
  <last-visit-href nil="true"/>
  <created-at nil="true"/>
  <updated-at nil="true"/>
  <tools-href>/test_devices/0/tools.xml</tools-href>
  <old-tools-href>/test_devices/0/tools.xml?view=old&amp;all=1</old-tools-href>
  <note nil="true"/>
  <keeper nil="true"/>
  <parts type="array"/>
  <tools type="array"/>
  <visits type="array"/>
</test-device>
`

const listDocument = xmlHeader + `<test-devices>
  <page>2</page>
  <per_page>1</per_page>
  <total_entries>3</total_entries>
  <test-device>
    <id>42</id>
    <href>https://muster.example.com/test_devices/42.xml</href>
    <code>D-1</code>
    <name>Press &amp; &lt;Co&gt;</name>
    <state>In Use</state>
    <chip-set>M1</chip-set>
    <site>HQ</site>
    <maker>Acme &lt;Ltd&gt;</maker>
    <item-count>12</item-count>
    <price>12.5</price>
    <live>true</live>
    <seen-at>2026-01-31T09:30:00Z</seen-at>
    <phase>Here</phase>
    <bought-on>2025-12-24</bought-on>
    <retired-on>2027-12-24</retired-on>
    <owner>
      <id>8</id>
      <name>bert@example.com</name>
      <email>bert@example.com</email>
    </owner>
    <origin>import</origin>
    <sockets type="array">
      <socket>
        <id>4</id>
        <name>left &lt;1&gt;</name>
        <href>https://muster.example.com/wall_sockets/4.xml</href>
      </socket>
      <socket>
        <id>6</id>
        <name>right</name>
        <href>https://muster.example.com/wall_sockets/6.xml</href>
      </socket>
    </sockets>
    <places type="array">
      <place>
        <asset-type>wall-socket</asset-type>
        <id>6</id>
        <name>right</name>
        <href>https://muster.example.com/wall_sockets/6.xml</href>
      </place>
      <place>
        <asset-type>room</asset-type>
        <id>4</id>
        <name>Attic &amp; Co</name>
        <href>https://muster.example.com/rooms/4.xml</href>
      </place>
    </places>
    <load>3</load>
    <last-visit-href>https://muster.example.com/visits/9.xml</last-visit-href>
    <created-at>2026-01-02T03:04:05Z</created-at>
    <updated-at>2026-02-03T04:05:06Z</updated-at>
    <tools-href>https://muster.example.com/test_devices/42/tools.xml</tools-href>
    <old-tools-href>https://muster.example.com/test_devices/42/tools.xml?view=old&amp;all=1</old-tools-href>
  </test-device>
</test-devices>
`

func TestAppendRecord(t *testing.T) {
	equal(t, "full record", string(devices.AppendRecord(nil, kind.XML, base, full())), fullDocument)
	equal(t, "new record", string(devices.AppendRecord(nil, kind.XML, "", devices.New())), emptyDocument)
	equal(t, "what stood before", string(devices.AppendRecord([]byte("before"), kind.XML, "", devices.New())),
		"before"+emptyDocument)
}

func TestAppendList(t *testing.T) {
	page := kind.Page{Position: kind.Position{Number: 2, PerPage: 1, Total: 3}, Records: []any{full()}}
	equal(t, "list", string(devices.AppendList(nil, kind.XML, base, page)), listDocument)

	empty := xmlHeader + "<test-devices>\n  <page>1</page>\n  <per_page>25</per_page>\n  <total_entries>0</total_entries>\n</test-devices>\n"
	equal(t, "empty list", string(devices.AppendList(nil, kind.XML, base,
		kind.Page{Position: kind.Position{Number: 1, PerPage: 25}})), empty)
}

// element returns the line of a document with the named element.
func element(doc []byte, name string) string {
	for line := range strings.Lines(string(doc)) {
		if strings.HasPrefix(strings.TrimSpace(line), "<"+name) {
			return strings.TrimSpace(line)
		}
	}
	return ""
}

func TestAppendValues(t *testing.T) {
	for _, test := range []struct {
		name, element string
		set           func(*device)
		want          string
	}{
		{"markup", "name", func(d *device) { d.Name = `a<b>&"c'` }, `<name>a&lt;b&gt;&amp;"c'</name>`},
		{"blanks", "name", func(d *device) { d.Name = " a\t" }, "<name> a\t</name>"},
		{"forbidden character", "name", func(d *device) { d.Name = "a\x01b\uFFFEc" }, "<name>a\uFFFDb\uFFFDc</name>"},
		{"not UTF-8", "name", func(d *device) { d.Name = "a\xffb" }, "<name>a\uFFFDb</name>"},
		{"beyond ASCII", "name", func(d *device) { d.Name = "Müller 😀" }, "<name>Müller 😀</name>"},
		{"zero", "item-count", func(d *device) { d.Count = kind.Some[int64](0) }, "<item-count>0</item-count>"},
		{"largest", "item-count", func(d *device) { d.Count = kind.Some[int64](1<<63 - 1) },
			"<item-count>9223372036854775807</item-count>"},
		{"false", "live", func(d *device) { d.Live = kind.Some(false) }, "<live>false</live>"},
		{"another zone", "seen-at", func(d *device) { d.SeenAt = at("2026-01-01T00:30:00+02:00") },
			"<seen-at>2025-12-31T22:30:00Z</seen-at>"},
		{"fraction", "seen-at", func(d *device) { d.SeenAt = at("2026-01-01T00:30:00.999Z") },
			"<seen-at>2026-01-01T00:30:00Z</seen-at>"},
		{"early year", "bought-on", func(d *device) { d.BoughtOn = day("0042-01-02") },
			"<bought-on>0042-01-02</bought-on>"},
		{"late year", "bought-on", func(d *device) { d.BoughtOn = day("9999-12-31").AddDate(3000, 0, 0) },
			"<bought-on>12999-12-31</bought-on>"},
		{"amount", "price", func(d *device) { d.Price = kind.Decimal{V: 10_001, Valid: true} },
			"<price>1.0001</price>"},
		{"smallest amount", "price", func(d *device) { d.Price = kind.Decimal{V: 1, Valid: true} },
			"<price>0.0001</price>"},
		{"largest amount", "price", func(d *device) { d.Price = kind.Decimal{V: 1<<63 - 1, Valid: true} },
			"<price>922337203685477.5807</price>"},
		{"amount of nothing", "price", func(d *device) { d.Price = cents(0) }, "<price>0</price>"},
		{"whole amount", "price", func(d *device) { d.Price = cents(1000) }, "<price>10</price>"},
		{"address", "last-visit-href", func(d *device) { d.LastVisit = "/a&b/1" },
			"<last-visit-href>https://muster.example.com/a&amp;b/1.xml</last-visit-href>"},
		{"person without phone", "phone", func(d *device) { d.Keeper = bert }, `<phone nil="true"/>`},
		{"person who never signed in", "last-login", func(d *device) { d.Keeper = bert }, `<last-login nil="true"/>`},
	} {
		d := devices.New()
		test.set(d)
		equal(t, test.name, element(devices.AppendRecord(nil, kind.XML, base, d), test.element), test.want)
	}
}

func TestPaddedTextOfBlanksInLists(t *testing.T) {
	d := &device{Chip: " \t"}
	doc := devices.AppendList(nil, kind.XML, base, kind.Page{Records: []any{d}})
	equal(t, "blanks", element(doc, "chip-set"), `<chip-set nil="true"/>`)
}

func TestAppendServices(t *testing.T) {
	got := kind.AppendServices(nil, kind.XML,
		[]kind.Service{{Href: base + "/a.xml?x=1&y=2", Name: "A & B"}, {Href: "/c.xml", Name: "C"}})
	want := xmlHeader + `<services>
  <service>
    <href>https://muster.example.com/a.xml?x=1&amp;y=2</href>
    <name>A &amp; B</name>
  </service>
  <service>
    <href>/c.xml</href>
    <name>C</name>
  </service>
</services>
`
	equal(t, "services", string(got), want)
}

func TestAppendErrors(t *testing.T) {
	got := kind.AppendErrors(nil, kind.XML, []string{"Name can't be blank", "a < b"})
	equal(t, "errors", string(got),
		xmlHeader+"<errors>\n  <error>Name can't be blank</error>\n  <error>a &lt; b</error>\n</errors>\n")
}

func TestDocumentsAreXML(t *testing.T) {
	for _, doc := range []string{fullDocument, emptyDocument, listDocument} {
		if err := wellFormed([]byte(doc)); err != nil {
			t.Errorf("%v in %s", err, doc)
		}
	}
}

// wellFormed asks the standard library's reader.
func wellFormed(doc []byte) error {
	for d := xml.NewDecoder(strings.NewReader(string(doc))); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}
