package page_test

import (
	"context"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"muster/internal/web/page"
)

// TestMarkdown turns what people write into what others read.
func TestMarkdown(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ written, want string }{
		{"# Restart\n\nPull the *plug*.", "<h2>Restart</h2>\n<p>Pull the <em>plug</em>.</p>\n"},
		{"- a\n- b", "<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n"},
		{"|a|b|\n|-|-:|\n|1|2|",
			"<table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>1</td>\n<td>2</td>\n</tr>\n</tbody>\n</table>\n"},
		{"[VPN](https://vpn.example/?a=1&b=2 \"t\")",
			"<p><a href=\"https://vpn.example/?a=1&amp;b=2\" rel=\"noopener nofollow\">VPN</a></p>\n"},
		{"[other](/app/articles/3)", "<p><a href=\"/app/articles/3\" rel=\"noopener nofollow\">other</a></p>\n"},
		{"See https://vpn.example, or it@example.com.",
			"<p>See <a href=\"https://vpn.example\" rel=\"noopener nofollow\">https://vpn.example</a>, or <a href=\"mailto:it@example.com\" rel=\"noopener nofollow\">it@example.com</a>.</p>\n"},
		{"![plan](https://other.example/plan.png)",
			"<p><a href=\"https://other.example/plan.png\" rel=\"noopener nofollow\">plan</a></p>\n"},
		{"[![plan](/a.png)](/b)", "<p><a href=\"/b\" rel=\"noopener nofollow\">plan</a></p>\n"},
		{"<b>bold</b> & 1 < 2", "<p>&lt;b&gt;bold&lt;/b&gt; &amp; 1 &lt; 2</p>\n"},
		{"<div>\nblock\n</div>", "<p>&lt;div&gt;\nblock\n&lt;/div&gt;</p>\n"},
		{"```sh\nrm <x>\n```", "<pre><code class=\"language-sh\">rm &lt;x&gt;\n</code></pre>\n"},
		{strings.Repeat("-", 200), "<hr>\n"},
	} {
		if got := page.Markdown(test.written); got != test.want {
			t.Errorf("%q: got %q, want %q", test.written, got, test.want)
		}
	}
}

// hostileTexts are what people write who mean harm.
var hostileTexts = []string{
	"<script>alert(1)</script>", "<SCRIPT SRC=//evil.example/x.js>", "<img src=x onerror=alert(1)>",
	"\"><img src=x onerror=alert(1)>",
	"<svg onload=alert(1)>", "<svg><a xlink:href=javascript:alert(1)>x</a></svg>", "<iframe src=javascript:alert(1)>",
	"<a href=javascript:alert(1)>x</a>",
	"<style>*{display:none}</style>", "<math><mtext></mtext></math>", "<base href=//evil.example>",
	"<form action=//evil.example><button>", "<!-- --><b>", "<![CDATA[<b>]]>", "<?php ?>",
	"[x](javascript:alert(1))", "[x](JaVaScRiPt:alert(1))", "[x](javascript&colon;alert(1))",
	"[x](&#106;avascript:alert(1))", "[x](&#x6A;avascript:alert(1))",
	"[x](&amp;#106;avascript:alert(1))", "[x](java\tscript:alert(1))", "[x](<java\nscript:alert(1)>)",
	"[x](java&Tab;script:alert(1))", "[x](java&NewLine;script:alert(1))",
	"[x](\x01javascript:alert(1))", "[x](&#1;javascript:alert(1))", "[x](%6Aavascript:alert(1))", "[x](vbscript:x)",
	"[x](data:text/html,<script>alert(1)</script>)", "[x](file:///etc/passwd)",
	"[x](//evil.example)", "[x](/\\evil.example)", "[x](\\\\evil.example)", "[x](https:evil)", "[x](https:///x)",
	"[x](http:javascript:alert(1))", "[x](blob:https://a/b)",
	"[x](/a\" onclick=\"alert(1))", "[x](/a 'title\" onclick=\"alert(1)')",
	"[x](https://a\" onmouseover=alert(1) x=\")", "![x](javascript:alert(1))",
	"![x](data:image/svg+xml,<svg/onload=alert(1)>)",
	"![x\" onerror=\"alert(1)](/x)", "<javascript:alert(1)>", "<data:text/html,x>", "<JAVASCRIPT:alert(1)>",
	"javascript:alert(1)", "https://a.example/\"onclick=alert(1)", "www.evil.example/<script>",
	"a@b.example\"onclick=x",
	"[x]: javascript:alert(1)\n\n[x]", "[x]: <javascript:alert(1)>\n\n![x]", "```\"><script>alert(1)</script>\nx\n```",
	"```x\" onclick=\"y\n```", "`<script>`", "# <script>", "|<script>|\n|-|\n|<img onerror=x>|",
	"# x {onclick=alert(1)}", "\u202Ejavascript:", "[\u202Ex](https://a.example/\u202Egpj.exe)", "{{.}}",
	"{{template \"shell\" .}}",
}

// TestMarkdownHostile leaves nothing alive of what people write who mean harm.
func TestMarkdownHostile(t *testing.T) {
	t.Parallel()
	for _, written := range hostileTexts {
		if fault := live(page.Markdown(written)); fault != "" {
			t.Errorf("%q: got %s in %q", written, fault, page.Markdown(written))
		}
	}
}

// TestMarkdownIntricate reads texts that are made to take long.
func TestMarkdownIntricate(t *testing.T) {
	t.Parallel()
	const long = 64 << 10
	for _, part := range []string{
		">", "> ", "- ", "1. ", "1) ", "* a\n ", "[", "![", "[](", "*", "**a", "*a _b ", "`", "``a", "<", "|", "|-\n",
		"&#", "\\", "~~", "a@", "http://", "<a", "[a]: <", "\n>\n>",
	} {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		done := make(chan string, 1)
		go func() { done <- page.Markdown(strings.Repeat(part, long/len(part))) }()
		select {
		case got := <-done:
			if fault := live(got); fault != "" {
				t.Errorf("%q again and again: got %s", part, fault)
			}
		case <-ctx.Done():
			t.Errorf("%q again and again takes too long", part)
		}
		cancel()
	}
}

// FuzzMarkdown looks for texts of which something stays alive.
func FuzzMarkdown(f *testing.F) {
	for _, written := range hostileTexts {
		f.Add(written)
	}
	f.Fuzz(func(t *testing.T, written string) {
		if fault := live(page.Markdown(written)); fault != "" {
			t.Errorf("%q: got %s in %q", written, fault, page.Markdown(written))
		}
	})
}

// proseElements are the elements that Markdown makes, each with its attributes.
var proseElements = map[string][]string{
	"p": {"class"}, "h2": nil, "h3": nil, "h4": nil, "h5": nil, "h6": nil, "ul": nil, "ol": {"start"}, "li": nil,
	"blockquote": nil, "pre": nil, "code": {"class"},
	"em": nil, "strong": nil, "del": nil, "br": nil, "hr": nil, "a": {"href", "rel"}, "table": nil, "thead": nil,
	"tbody": nil, "tr": nil, "th": nil, "td": nil,
}

// live returns markup in a fragment that Markdown cannot produce, "" for none.
func live(fragment string) string {
	tokens := html.NewTokenizer(strings.NewReader(fragment))
	for {
		switch tokens.Next() {
		case html.ErrorToken:
			return ""
		case html.CommentToken, html.DoctypeToken:
			return "a comment"
		case html.StartTagToken, html.SelfClosingTagToken, html.EndTagToken:
			if fault := liveTag(tokens.Token()); fault != "" {
				return fault
			}
		}
	}
}

func liveTag(tag html.Token) string {
	allowed, ok := proseElements[tag.Data]
	if !ok {
		return "the element " + tag.Data
	}
	for _, a := range tag.Attr {
		if !slices.Contains(allowed, a.Key) {
			return "the attribute " + a.Key
		}
		if a.Key != "href" {
			continue
		}
		u, err := url.Parse(a.Val)
		if err != nil || !slices.Contains([]string{"", "http", "https", "mailto"}, u.Scheme) || u.Scheme == "" &&
			(u.Host != "" || !strings.HasPrefix(a.Val, "/")) {
			return "the address " + a.Val
		}
	}
	return ""
}
