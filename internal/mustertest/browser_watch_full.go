//go:build full

package mustertest

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/inspector"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
)

// A watch is what was seen of a browser's pages.
type watch struct {
	sync.WaitGroup
	mu       sync.Mutex
	faults   []string
	expected []string
	begun    cdp.LoaderID                 // the last page that began to load
	ended    map[cdp.LoaderID]bool        // the pages that have loaded, or never will
	requests map[network.RequestID]string // addresses
	bytes    float64                      // received since Open
}

// Expect says that pages will do something that else is a fault, as a request that is refused: a fault whose text has
// this part. The test fails when there is none.
func (b *Browser) Expect(fault string) {
	b.seen.mu.Lock()
	defer b.seen.mu.Unlock()
	b.seen.expected = append(b.seen.expected, fault)
}

// fault notes what a page should not have done.
func (w *watch) fault(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.faults = append(w.faults, fmt.Sprintf(format, args...))
}

// verdict returns the faults that were not expected, and the expected ones that did not come.
func (w *watch) verdict() (wrong []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, fault := range w.faults {
		if !slices.ContainsFunc(w.expected, func(part string) bool { return strings.Contains(fault, part) }) {
			wrong = append(wrong, fault)
		}
	}
	for _, part := range w.expected {
		if !slices.ContainsFunc(w.faults, func(fault string) bool { return strings.Contains(fault, part) }) {
			wrong = append(wrong, fmt.Sprintf("expected a fault with %q, and there was none", part))
		}
	}
	return wrong
}

// watch begins to note what happens.
func (b *Browser) watch() {
	b.seen.requests, b.seen.ended = map[network.RequestID]string{}, map[cdp.LoaderID]bool{}
	on(b, runtime.ConsoleAPICalled, b.sawConsole)
	on(b, runtime.ExceptionThrown, b.sawException)
	on(b, log.EntryAdded, b.sawLog)
	on(b, network.RequestWillBeSent,
		func(e network.EventRequestWillBeSent) { b.sawRequest(e.RequestID, e.Request.URL) })
	on(b, network.WebSocketCreated, func(e network.EventWebSocketCreated) { b.sawRequest(e.RequestID, e.URL) })
	on(b, network.ResponseReceived, b.sawResponse)
	on(b, network.LoadingFinished, b.sawEnd)
	on(b, network.LoadingFailed, b.sawFailure)
	on(b, page.FrameStartedNavigating, b.sawNavigation)
	on(b, page.LifecycleEvent, func(e page.EventLifecycleEvent) {
		if e.Name == "load" {
			b.sawLoaded(e.LoaderID)
		}
	})
	on(b, page.WindowOpen, func(e page.EventWindowOpen) {
		b.seen.fault("opened a window, which nobody watches: %s", e.URL)
	})
	on(b, page.JavascriptDialogOpening, b.sawDialog)
	on(b, inspector.TargetCrashed, func(inspector.EventTargetCrashed) { b.seen.fault("the page crashed") })
}

// on calls a function for each event of a kind until the window closes; none that came before is lost.
func on[E any](b *Browser, event cdp.Event[E], saw func(E)) {
	events := cdp.Events(context.Background(), b.target, event)
	b.seen.Go(func() {
		for e, err := range events {
			if err != nil {
				b.seen.fault("%s: %v", event.Method, err)
				return
			}
			saw(e)
		}
	})
}

// sawException records uncaught exceptions of scripts. It ignores a view transition that the browser has skipped
// because the page was left too soon.
func (b *Browser) sawException(e runtime.EventExceptionThrown) {
	if text := exception(e.ExceptionDetails); !strings.Contains(text, "Transition was aborted") {
		b.seen.fault("uncaught exception: %s", text)
	}
}

func (b *Browser) sawConsole(e runtime.EventConsoleAPICalled) {
	if e.Type != runtime.ConsoleAPICalledTypeError && e.Type != runtime.ConsoleAPICalledTypeWarning &&
		e.Type != runtime.ConsoleAPICalledTypeAssert {
		return
	}
	var said []string
	for _, arg := range e.Args {
		said = append(said, strings.Trim(string(arg.Value), `"`)+arg.Description)
	}
	b.seen.fault("console %s: %s", e.Type, strings.Join(said, " "))
}

// sawLog notes what the browser itself complains of; refusals by the content security policy among it.
func (b *Browser) sawLog(e log.EventEntryAdded) {
	bad := e.Entry.Level == log.EntryLevelError || e.Entry.Level == log.EntryLevelWarning
	for _, ignored := range []string{
		"Failed to load resource",                // sawResponse and sawFailure report those
		"Ignored attempt to cancel a touchstart", // by the browser itself, of a tap while the page scrolls
	} {
		bad = bad && !strings.HasPrefix(e.Entry.Text, ignored)
	}
	if bad {
		b.seen.fault("browser %s (%s): %s %s", e.Entry.Level, e.Entry.Source, e.Entry.Text, e.Entry.URL)
	}
}

func (b *Browser) sawRequest(id network.RequestID, address string) {
	u, err := url.Parse(address)
	if err != nil {
		b.seen.fault("request to a strange address: %s", address)
		return
	}
	if u.Scheme == "data" || u.Scheme == "blob" || u.Scheme == "about" {
		return
	}
	if u.Host != b.host {
		b.seen.fault("request to another host: %s", address)
	}
	b.seen.mu.Lock()
	defer b.seen.mu.Unlock()
	b.seen.requests[id] = address
}

// sawResponse notes what was refused. A page may be: that is what a person then reads.
func (b *Browser) sawResponse(e network.EventResponseReceived) {
	status := e.Response.Status
	if status >= 500 || status >= 400 && e.Type != network.ResourceTypeDocument {
		b.seen.fault("status %d: %s", status, e.Response.URL)
	}
}

func (b *Browser) sawEnd(e network.EventLoadingFinished) {
	b.seen.mu.Lock()
	defer b.seen.mu.Unlock()
	b.seen.bytes += e.EncodedDataLength
}

// sawFailure notes what could not be loaded, unless a page was left meanwhile.
func (b *Browser) sawFailure(e network.EventLoadingFailed) {
	b.sawLoaded(cdp.LoaderID(e.RequestID)) // a page's own request has its id; a download ends so
	if e.Canceled || e.ErrorText == "net::ERR_ABORTED" {
		return
	}
	b.seen.mu.Lock()
	address := b.seen.requests[e.RequestID]
	b.seen.mu.Unlock()
	b.seen.fault("load failed: %s %s %s", address, e.ErrorText, e.BlockedReason)
}

// sawNavigation notes that another page begins to load; a place within the same page needs no loading.
func (b *Browser) sawNavigation(e page.EventFrameStartedNavigating) {
	within := e.NavigationType == page.FrameStartedNavigatingNavigationTypeSameDocument ||
		e.NavigationType == page.FrameStartedNavigatingNavigationTypeHistorySameDocument
	if within || string(e.FrameID) != string(b.target.TargetID) {
		return
	}
	b.seen.mu.Lock()
	defer b.seen.mu.Unlock()
	b.seen.begun = e.LoaderID
}

func (b *Browser) sawLoaded(id cdp.LoaderID) {
	b.seen.mu.Lock()
	defer b.seen.mu.Unlock()
	b.seen.ended[id] = true
}

// loading reports whether a page is being loaded.
func (w *watch) loading() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.begun != "" && !w.ended[w.begun]
}

// sawDialog notes and closes a dialog, which would stop everything.
func (b *Browser) sawDialog(e page.EventJavascriptDialogOpening) {
	b.seen.fault("dialog (%s): %s", e.Type, e.Message)
	if _, err := ask(b, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{Accept: true}); err != nil {
		b.seen.fault("close the dialog: %v", err)
	}
}

// end closes the window and fails the test for what was seen in it.
func (b *Browser) end(closeWindow func()) {
	b.t.Helper()
	if !b.t.Failed() {
		b.settle()
	}
	if wrong := b.seen.verdict(); len(wrong) > 0 && !b.t.Failed() {
		_ = b.shoot(b.picture("fault")) // an error is ignored: the faults themselves say more
	}
	closeWindow()
	b.seen.Wait()
	for _, fault := range b.seen.verdict() {
		b.t.Errorf("browser: %s", fault)
	}
}

// exception returns what was thrown and where.
func exception(d *runtime.ExceptionDetails) string {
	text := d.Text
	var thrown string
	if d.Exception != nil && json.Unmarshal(d.Exception.Value, &thrown) == nil {
		return thrown // a text, as browser.js throws
	}
	if d.Exception != nil {
		text += " " + d.Exception.Description + string(d.Exception.Value)
	}
	return fmt.Sprintf("%s (%s:%d)", text, d.URL, d.LineNumber+1)
}
