//go:build full

package api_test

import (
	"strings"

	"muster/internal/inventory"
	"muster/internal/kind"
)

// named is the document of a computer with a name and other fields.
func named(fields string) string { return hardware("<name>h</name>" + fields) }

// key makes a header line of an idempotency key.
func key(value string) []string { return []string{"Idempotency-Key: " + value} }

func injections() []hostile {
	return []hostile{
		{what: "a filter", request: "GET /hardwares?name=%27%20OR%20%271%27=%271", status: 200,
			text: "<total_entries>0<"},
		{what: "UNION in a filter", request: "GET /hardwares?site=x%27%20UNION%20SELECT%20*%20FROM%20credentials--",
			status: 200, text: "<total_entries>0<"},
		{what: "a second statement in a filter", request: "GET /hardwares?tag=%27%3BDROP%20TABLE%20hardwares%3B--",
			status: 200, text: "<total_entries>0<"},
		{what: "a function that takes long on SQLite", request: "GET /hardwares?owner=%27||randomblob(500000000)||%27",
			status: 200, text: "<total_entries>0<"},
		{what: "a function that takes long on PostgreSQL",
			request: "GET /hardwares?mac_address=%27||pg_sleep(10)||%27", status: 200, text: "<total_entries>0<"},
		{what: "a parameter of the statement", request: "GET /hardwares?name=$1", status: 200,
			text: "<total_entries>0<"},
		{what: "sort_by", request: "GET /hardwares?sort_by=name%20DESC,(SELECT%20digest%20FROM%20credentials)",
			status: 400, text: "sort_by"},
		{what: "sort_order", request: "GET /hardwares?sort_order=ASC%3BDELETE%20FROM%20users", status: 400,
			text: "sort_order must be ASC or DESC"},
		{what: "page", request: "GET /hardwares?page=1%3Bselect%20pg_sleep(10)", status: 400,
			text: "page must be a number"},
		{what: "per_page", request: "GET /hardwares?per_page=1%20OR%201=1", status: 400,
			text: "per_page must be a number"},
		{what: "after", request: "GET /hardwares?after=0%20OR%201=1", status: 400, text: "after must be an id"},
		{what: "updated_since", request: "GET /hardwares?updated_since=2026-01-01%27--", status: 400,
			text: "updated_since must be"},
		{what: "the name of a parameter", request: "GET /hardwares?name)%20OR%20(1=1", status: 400,
			text: "unknown parameter name) OR (1"},
		{what: "the id of a read", request: "GET /hardwares/1%20OR%201=1", status: 404,
			text: "no computer with the id"},
		{what: "the id of a change", request: "PUT /hardwares/1%27%20OR%20%271", body: named(""), status: 404,
			text: "no computer with the id"},
		{what: "the id of a deletion", request: "DELETE /hardwares/1%20OR%201=1", status: 404,
			text: "no computer with the id"},
		{what: "a text", request: "POST /hardwares", body: hardware("<name>'; DROP TABLE hardwares; --</name>"),
			status: 201, text: "<name>'; DROP TABLE hardwares; --</name>"},
		{what: "a number", request: "POST /hardwares", body: named("<memory>1; DROP TABLE users</memory>"),
			status: 422, text: "Memory is not a number"},
		{what: "a person's name", request: "POST /hardwares", body: named("<owner><name>' OR 1=1 --</name></owner>"),
			status: 422, text: "Owner does not exist: no user is called ' OR 1=1 --"},
		{what: "a person's id", request: "POST /hardwares", body: named("<owner><id>1 OR 1=1</id></owner>"),
			status: 422, text: "Owner"},
		{what: "a unique value", request: "POST /hardwares", body: named("<asset-id>x' OR '1'='1</asset-id>"),
			status: 201, text: "<asset-id>x' OR '1'='1</asset-id>"},
		{what: "a nested text", request: "POST /hardwares",
			body: named("<networks><network><mac-address>');--</mac-address></network></networks>"), status: 201,
			text: "<mac-address>');--<"},
		{what: "an idempotency key", request: "POST /hardwares", header: key("'||pg_sleep(10)||'"), body: named(""),
			status: 201, text: "<name>h<"},
		{what: "a tag", request: "PUT /hardwares/1", header: []string{`If-Match: "1-1' OR '1'='1"`}, body: named(""),
			status: 412, text: "not in the version"},
		{what: "the user agent", request: "GET /hardwares/1", header: []string{
			"User-Agent: ' OR 1=1; DROP TABLE users --",
		}, status: 200, text: "<name>c1<"},
		{what: "the user name", request: "GET /hardwares", who: login{"' OR 1=1 --", "x", "MD5"}, status: 401,
			text: "authentication failed"},
	}
}

// Computer 3 has a name of 255 times a.
func wildcards() []hostile {
	return []hostile{
		{what: "stars that nearly match", request: "GET /hardwares?name=" + strings.Repeat("*a", 250) + "*b",
			status: 200, text: "<total_entries>0<"},
		{what: "stars that match", request: "GET /hardwares?name=" + strings.Repeat("*a", 250) + "*", status: 200,
			text: "<total_entries>1<"},
		{what: "more stars than text", request: "GET /hardwares?name=" + strings.Repeat("*a", 2900) + "*b",
			status: 200, text: "<total_entries>0<"},
		{what: "stars alone", request: "GET /hardwares?name=" + strings.Repeat("*", 5000) + "b", status: 200,
			text: "<total_entries>0<"},
		{what: "many patterns that nearly match",
			request: "GET /hardwares?" + strings.Repeat("name=*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b&", 100),
			status:  200, text: "<total_entries>0<"},
		{what: "a percent sign", request: "GET /hardwares?name=%25", status: 200, text: "<total_entries>0<"},
		{what: "an underscore", request: "GET /hardwares?name=c_", status: 200, text: "<total_entries>0<"},
		{what: "a set of characters", request: "GET /hardwares?name=c[0-9]", status: 200, text: "<total_entries>0<"},
		{what: "a question mark", request: "GET /hardwares?name=c?", status: 200, text: "<total_entries>0<"},
		{what: "backslashes", request: "GET /hardwares?name=" + strings.Repeat("%5C", 1999), status: 200,
			text: "<total_entries>0<"},
		{what: "a regular expression", request: "GET /hardwares?name=(a%2B)%2B$", status: 200,
			text: "<total_entries>0<"},
	}
}

const script = "<script>alert(1)</script>"

// everyText returns each field that takes any text, nested ones too, with a value.
func everyText(k *kind.Schema, value string) string {
	var b strings.Builder
	for _, f := range k.Fields {
		switch {
		case !f.Editable() || f.OneOf != nil:
		case f.Type == kind.Text:
			b.WriteString("<" + f.Name + ">" + value + "</" + f.Name + ">")
		case f.Type == kind.List:
			b.WriteString("<" + f.Name + "><" + f.Items.Item + ">" + everyText(f.Items, value) + "</" + f.Items.Item +
				"></" + f.Name + ">")
		}
	}
	return b.String()
}

func markups() []hostile {
	return []hostile{
		{what: "in each text", request: "POST /hardwares", body: hardware(everyText(inventory.Computers.Schema,
			"&lt;script>'\"&amp;]]&gt;")), status: 201, text: "<model>&lt;script&gt;'\"&amp;]]&gt;</model>"},
		{what: "in each text, in JSON", request: "GET /hardwares.json?name=%3Cscript*", status: 200,
			text: `"tag":"<script>'\"&]]>"`},
		{what: "a link", request: "POST /hardwares", body: named("<description>javascript:alert(1)</description>"),
			status: 201, text: "<description>javascript:alert(1)<"},
		{what: "a formula", request: "POST /hardwares", body: named("<tag>=cmd|' /C calc'!A0</tag>"), status: 201,
			text: "<tag>=cmd|' /C calc'!A0<"},
		{what: "in CDATA", request: "POST /hardwares", body: named("<tag><![CDATA[" + script + "]]></tag>"),
			status: 201, text: "<tag>&lt;script&gt;"},
		{what: "as an element", request: "POST /hardwares", body: named(script), status: 422,
			text: "Script is not a field of hardware (element <script>)"},
		{what: "within a text", request: "POST /hardwares", body: named("<tag>" + script + "</tag>"), status: 422,
			text: "Tag must be plain text, not hold <script>"},
		{what: "as a root", request: "POST /hardwares", body: "<svg onload='alert(1)'/>", status: 422,
			text: "the document's root is <svg>"},
		{what: "as an enumerated value", request: "POST /hardwares", body: named("<status>&lt;b></status>"),
			status: 422, text: "Status must be one of"},
		{what: "as a number", request: "POST /hardwares", body: named("<memory>&lt;b></memory>"), status: 422,
			text: `Memory is not a number: "<b>"`},
		{what: "as a person", request: "POST /hardwares", body: named("<owner>&lt;b></owner>"), status: 422,
			text: "no user is called <b>"},
		{what: "in a path", request: "GET /%3Cscript%3Ealert(1)%3C/script%3E", status: 404,
			text: "there is nothing at /%3Cscript%3E"},
		{what: "in a path, raw", request: "GET /<script>alert(1)</script>", status: 404,
			text: "there is nothing at /<script>"},
		{what: "in a path, in JSON", request: "GET /<script>.json", status: 404,
			text: "there is nothing at /<script>.json"},
		{what: "in an id", request: "GET /hardwares/%3Cb%3E", status: 404, text: `no computer with the id "<b>"`},
		{what: "in a parameter's name", request: "GET /hardwares?%3Cscript%3E=1", status: 400,
			text: "unknown parameter <script>"},
		{what: "in a parameter's value", request: "GET /hardwares?page=%3Cscript%3E", status: 400,
			text: "page must be a number"},
		{what: "in the content type", request: "POST /hardwares", header: []string{"Content-Type: text/<script>"},
			body: named(""), status: 415, text: `"text/<script>" is not understood`},
		{what: "in the content coding", request: "POST /hardwares", header: []string{"Content-Encoding: <script>"},
			body: named(""), status: 415, text: `"<script>" is not understood`},
		{what: "in the charset", request: "POST /hardwares", header: []string{
			`Content-Type: text/xml; charset="<script>"`,
		}, body: named(""), status: 415, text: `charset "<script>" is not supported`},
		{what: "in Accept", request: "GET /hardwares", header: []string{"Accept: text/<script>"}, status: 200,
			text: "<hardwares>"},
		{what: "in the user agent and referrer", request: "GET /api", header: []string{
			"User-Agent: " + script, "Referer: " + script,
		}, status: 200, text: "<href>https://localhost/"},
		{what: "in the host", request: "GET /api", header: []string{"Host: <script>"}, status: 400, bare: true,
			text: "malformed Host header"},
		{what: "in the user name", request: "GET /api", who: login{script, "x", "MD5"}, status: 401,
			text: "authentication failed"},
	}
}

func foreigners() []hostile {
	return []hostile{
		{what: "a read of another's record", request: "GET /hardwares/1", who: anna, status: 404,
			text: "no computer with the id 1"},
		{what: "the same with a name behind the id", request: "GET /hardwares/1-2.xml", who: anna, status: 404,
			text: "no computer with the id 1"},
		{what: "the same in JSON", request: "GET /hardwares/1.json", who: anna, status: 404,
			text: "no computer with the id 1"},
		{what: "HEAD of another's record", request: "HEAD /hardwares/1", who: anna, status: 404},
		{what: "a change of another's record", request: "PUT /hardwares/1", who: anna,
			body: named("<owner>" + anna.user + "</owner>"), status: 404, text: "no computer with the id 1"},
		{what: "a change of another's record under a condition", request: "PUT /hardwares/1", who: anna,
			header: []string{"If-Match: *"}, body: named(""), status: 404, text: "no computer"},
		{what: "a deletion of another's record", request: "DELETE /hardwares/1", who: anna, status: 404,
			text: "no computer with the id 1"},
		{what: "a change of an own record", request: "PUT /hardwares/2", who: anna, body: named(""), status: 403,
			text: "a requester may not change"},
		{what: "a creation of an own record", request: "POST /hardwares", who: anna,
			body: named("<owner>" + anna.user + "</owner>"), status: 403, text: "a requester may not create"},
		{what: "a creation under another's key", request: "POST /hardwares", who: anna,
			header: key("'||pg_sleep(10)||'"), body: named(""), status: 403, text: "a requester may not create"},
		{what: "a filter by another owner", request: "GET /hardwares?owner=", who: anna, status: 200,
			text: "<total_entries>0<"},
		{what: "a filter that would find all", request: "GET /hardwares?owner=*&owner=&per_page=1000", who: anna,
			status: 200, text: "<total_entries>1<"},
		{what: "rows after another's", request: "GET /hardwares?after=2", who: anna, status: 200,
			text: "<total_entries>1<"},
		{what: "a creation by one who may only read", request: "POST /hardwares", who: reader, body: named(""),
			status: 403, text: "may only read"},
		{what: "a change by one who may only read", request: "PUT /hardwares/1", who: reader, body: named(""),
			status: 403, text: "may only read"},
		{what: "a deletion by one who may only read", request: "DELETE /hardwares/1", who: reader, status: 403,
			text: "may only read"},
		{what: "a method in a header", request: "POST /hardwares/1", who: reader, header: []string{
			"X-HTTP-Method-Override: DELETE", "X-Method-Override: DELETE",
		}, status: 405, text: "POST is not possible here"},
		{what: "a method in a parameter", request: "GET /hardwares/1?_method=delete", status: 400,
			text: "unknown parameter _method"},
		{what: "a user in a header", request: "GET /hardwares", who: nobody, header: []string{
			"X-Remote-User: admin@localhost", "X-Forwarded-User: admin@localhost", "Remote-User: admin@localhost",
		}, status: 401, text: "authentication failed"},
		{what: "a cookie", request: "GET /hardwares", who: nobody, header: []string{
			"Cookie: session=admin; user=admin@localhost",
		}, status: 401, text: "authentication failed"},
		{what: "a page of another site", request: "DELETE /hardwares/1", header: []string{
			"Origin: https://evil.example", "Sec-Fetch-Site: cross-site",
		}, status: 403, text: "a page of another site"},
	}
}

func assignments() []hostile {
	return []hostile{
		{what: "an id", request: "POST /hardwares", body: named("<id>1</id>"), status: 201, text: "<name>h<"},
		{what: "another record's id", request: "PUT /hardwares/1", body: hardware("<id>2</id><tag>mine</tag>"),
			status: 200, text: "<id>1</id>", audits: 1},
		{what: "times", request: "PUT /hardwares/1",
			body:   hardware("<created-at>1970-01-01T00:00:00Z</created-at><updated-at>1970-01-01T00:00:00Z</updated-at><detected-at>1970-01-01T00:00:00Z</detected-at>"),
			status: 200, text: "<created-at>2026-01-31T09:30:00Z<"},
		{what: "addresses", request: "PUT /hardwares/1",
			body:   hardware("<href>https://evil.example</href><audits-href>https://evil.example</audits-href>"),
			status: 200, text: "<audits-href>https://localhost/hardwares/1/audits.xml<"},
		{what: "a version", request: "PUT /hardwares/1", body: hardware("<version>99</version>"), status: 422,
			text: "Version is not a field"},
		{what: "a column of the table", request: "POST /hardwares",
			body: named("<name-folded>x</name-folded><document>x</document>"), status: 422,
			text: "Name folded is not a field"},
		{what: "a role and a password", request: "POST /hardwares",
			body: named("<role>administrator</role><password>x</password>"), status: 422, text: "Role is not a field"},
		{what: "a role of the owner", request: "PUT /hardwares/2",
			body:   hardware("<owner><id>2</id><role>administrator</role><email>x@example.com</email></owner>"),
			status: 200, text: "<email>" + anna.user + "<"},
		{what: "audit records in a record", request: "POST /hardwares",
			body: named("<audits><audit><message>nothing</message></audit></audits>"), status: 422,
			text: "Audits is not a field"},
		{what: "an audit record", request: "POST /audits", body: "<audit><message>nothing</message></audit>",
			status: 405, text: "POST is not possible here"},
		{what: "an administrator, by a requester", request: "POST /users", who: anna,
			body: "<user><email>x@example.com</email><role>administrator</role></user>", status: 403,
			text: "a requester may not create user records"},
		{what: "a role of one's own", request: "PUT /users/2", who: anna,
			body: "<user><role>administrator</role></user>", status: 403,
			text: "a requester may not change user records"},
		{what: "a short password", request: "PUT /users/2", body: "<user><password>x</password></user>", status: 422,
			text: "Password is too short (minimum is 12 characters)"},
		{what: "two records", request: "POST /hardwares",
			body:   "<hardwares><hardware><name>a</name></hardware><hardware><name>b</name></hardware></hardwares>",
			status: 422, text: "the document's root is <hardwares>"},
		{what: "fields as attributes", request: "POST /hardwares", body: `<hardware name="a" id="1"/>`, status: 422,
			text: "Name can't be blank"},
	}
}
