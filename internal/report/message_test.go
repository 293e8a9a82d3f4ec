package report_test

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"compress/zlib"

	"muster/internal/report"
)

// TestMessages checks what a message is taken for.
func TestMessages(t *testing.T) {
	for _, test := range []struct {
		body   string
		format report.Format
		action report.Action
	}{
		{"<REQUEST><DEVICEID>a</DEVICEID><QUERY>PROLOG</QUERY><TOKEN>12345678</TOKEN></REQUEST>", report.XML,
			report.Prolog},
		{"<?xml version='1.0'?>\n<REQUEST>\n<QUERY>PROLOG</QUERY>\n<DEVICEID>a</DEVICEID></REQUEST>\n", report.XML,
			report.Prolog},
		{"<REQUEST><QUERY>INVENTORY</QUERY><DEVICEID>a</DEVICEID><CONTENT/></REQUEST>", report.XML, report.Inventory},
		{"<REQUEST><QUERY>SNMPQUERY</QUERY><DEVICEID>a</DEVICEID><CONTENT><DEVICE/></CONTENT></REQUEST>", report.XML,
			report.Other},
		{"<REQUEST><DEVICEID>a</DEVICEID></REQUEST>", report.XML, report.Other},
		{"<REQUEST><QUERY>contact</QUERY><DEVICEID>a</DEVICEID></REQUEST>", report.XML, report.Other},
		{`{"action":"contact","deviceid":"a","installed-tasks":["inventory"],"name":"GLPI-Agent","version":"1.12"}`,
			report.JSON, report.Contact},
		{`{"action":"inventory","deviceid":"a","content":{}}`, report.JSON, report.Inventory},
		{`{"content":{},"deviceid":"a","itemtype":"Computer","action":"inventory"}`, report.JSON, report.Inventory},
		{`{"action":"inventory","deviceid":"a","itemtype":"Printer","content":{}}`, report.JSON, report.Other},
		{`{"action":"netdiscovery","deviceid":"a"}`, report.JSON, report.Other},
		{`{"deviceid":"a"}`, report.JSON, report.Other},
	} {
		m := read(t, deflate([]byte(test.body)))
		if m.Format != test.format || m.Action != test.action || m.DeviceID != "a" ||
			(m.Report != nil) != (test.action == report.Inventory) {
			t.Errorf("%s: got %+v, want format %d and action %d", test.body, m, test.format, test.action)
		}
	}
}

// TestErrorFormat checks that an error can be answered in the form of the message.
func TestErrorFormat(t *testing.T) {
	for body, want := range map[string]report.Format{`{"a":x}`: report.JSON, "<REQUEST>": report.XML} {
		m, err := report.Read([]byte(body), report.Source{})
		if err == nil || m.Format != want {
			t.Errorf("%s: got format %d and error %v, want format %d", body, m.Format, err, want)
		}
	}
}

// TestAnswers checks the bytes that agents get.
func TestAnswers(t *testing.T) {
	const head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	for _, test := range []struct {
		what   string
		answer report.Answer
		want   string
	}{
		{"Send", report.Send(24), head + "<REPLY><PROLOG_FREQ>24</PROLOG_FREQ><RESPONSE>SEND</RESPONSE></REPLY>\n"},
		{"Stop", report.Stop(12), head + "<REPLY><PROLOG_FREQ>12</PROLOG_FREQ><RESPONSE>STOP</RESPONSE></REPLY>\n"},
		{"Taken", report.Taken(report.XML), head + "<REPLY><RESPONSE>NO_ACCOUNT_UPDATE</RESPONSE></REPLY>\n"},
		{"Refused", report.Refused(report.XML, "a <b> & c"),
			head + "<REPLY><RESPONSE>ERROR</RESPONSE><MESSAGE>a &lt;b&gt; &amp; c</MESSAGE></REPLY>\n"},
		{"Taken in JSON", report.Taken(report.JSON), `{"status":"ok"}`},
		{"Refused in JSON", report.Refused(report.JSON, `a "b"`), `{"status":"error","message":"a \"b\""}`},
		{"FallBack", report.FallBack(),
			`{"status":"error","message":"this server takes inventories in XML; they follow at the next run"}`},
	} {
		got, contentType := string(test.answer.Body), "application/json"
		if !strings.HasPrefix(test.want, "{") {
			contentType = "application/x-compress-zlib"
			z, err := zlib.NewReader(bytes.NewReader(test.answer.Body))
			if err != nil {
				t.Fatalf("%s: %v", test.what, err)
			}
			plain, err := io.ReadAll(z)
			if err != nil {
				t.Fatalf("%s: %v", test.what, err)
			}
			got = string(plain)
		}
		if got != test.want || test.answer.ContentType != contentType {
			t.Errorf("%s: got %q as %s, want %q as %s", test.what, got, test.answer.ContentType, test.want, contentType)
		}
	}
}
