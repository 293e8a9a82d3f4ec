//go:build full

package mustertest

import (
	"context"
	"os"
	"path/filepath"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// Text returns what can be read in the first element of a selector, once there is one.
func (b *Browser) Text(selector string) (text string) {
	b.t.Helper()
	b.until("read "+selector, func() error { return b.js(&text, "all(%s, %s)[0].innerText", b.within, selector) })
	return text
}

// Wait waits until the page shows an element of a selector, and as all that wait until it is loaded if it has
// just come: what is read there before takes no keys yet.
func (b *Browser) Wait(selector string) {
	b.t.Helper()
	b.until("wait for "+selector, func() error {
		return b.js(nil, "all(%s, %[2]s).some(shown) || (() => { throw 'there is no ' + %[2]s })()", b.within, selector)
	})
	b.settle()
}

// WaitGone waits until the page shows no element of a selector.
func (b *Browser) WaitGone(selector string) {
	b.t.Helper()
	b.until("wait until there is no "+selector, func() error {
		return b.js(nil, "!all(%s, %s).some(shown) || (() => { throw 'it is there' })()", b.within, selector)
	})
	b.settle()
}

// WaitText waits until a text can be read on the page.
func (b *Browser) WaitText(text string) {
	b.t.Helper()
	b.until("wait for “"+text+"”", func() error {
		return b.js(nil, "squeezed((root(%s)?.body ?? root(%[1]s))?.innerText).includes(%s) || (() => { throw 'it is not there' })()", b.within, text)
	})
	b.settle()
}

// Count returns how many elements a selector has on the page now.
func (b *Browser) Count(selector string) (n int) {
	b.t.Helper()
	b.until("count "+selector, func() error { return b.js(&n, "all(%s, %s).length", b.within, selector) })
	return n
}

// URL returns the address of the page.
func (b *Browser) URL() (address string) {
	b.t.Helper()
	b.until("read the address", func() error { return b.js(&address, "location.href") }) // not while the page is left
	return address
}

// Eval runs an expression among the scripts of the page and reads its value into a variable, unless that is nil.
func (b *Browser) Eval(expression string, into any) {
	b.t.Helper()
	if err := b.evaluate(0, expression, into); err != nil {
		b.fatalf("run %s: %v", expression, err)
	}
}

// Cookies returns the cookies that the page's address gets.
func (b *Browser) Cookies() []*network.Cookie {
	b.t.Helper()
	result, err := ask(b, network.GetCookies, network.GetCookiesParams{})
	if err != nil {
		b.fatalf("read the cookies: %v", err)
	}
	return result.Cookies
}

// Download does something that makes the page hand out a file, and returns the file's name and content.
func (b *Browser) Download(do func()) (name string, content []byte) {
	b.t.Helper()
	dir := b.t.TempDir()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	begin, progress := chromedp.BrowserEvents(ctx, browser.DownloadWillBegin),
		chromedp.BrowserEvents(ctx, browser.DownloadProgress)
	_, err := chromedp.CallBrowser(ctx, browser.SetDownloadBehavior, browser.SetDownloadBehaviorParams{
		Behavior:         browser.SetDownloadBehaviorBehaviorAllowAndName,
		BrowserContextID: chromedp.FromContext(b.ctx).BrowserContextID,
		DownloadPath:     dir, EventsEnabled: new(true),
	})
	if err != nil {
		b.fatalf("download: %v", err)
	}
	do()
	var file string
	for e, err := range begin {
		if err != nil {
			b.fatalf("download: none began: %v", err)
		}
		if e.FrameID == cdp.FrameID(b.target.TargetID) {
			file, name = e.GUID, e.SuggestedFilename
			break
		}
	}
	for e, err := range progress {
		if err != nil || e.GUID == file && e.State == browser.DownloadProgressStateCanceled {
			b.fatalf("download %s: it did not end: %v", name, err)
		}
		if e.GUID == file && e.State == browser.DownloadProgressStateCompleted {
			break
		}
	}
	content, err = os.ReadFile(filepath.Join(dir, file))
	if err != nil {
		b.fatalf("download %s: %v", name, err)
	}
	return name, content
}

// LayoutShift returns how much the page has moved by itself since it was opened: 0 is nothing.
func (b *Browser) LayoutShift() (sum float64) {
	b.t.Helper()
	b.settle()
	b.still()
	if err := b.js(&sum, "shift()"); err != nil {
		b.fatalf("measure shifts: %v", err)
	}
	return sum
}

// Transferred returns how many bytes came from the server since Open, headers among them.
func (b *Browser) Transferred() int {
	b.t.Helper()
	b.settle()
	b.seen.mu.Lock()
	defer b.seen.mu.Unlock()
	return int(b.seen.bytes)
}
