//go:build full

package mustertest

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// A Screen is what a browser is looked at with.
type Screen struct {
	Width, Height int
	Scale         float64 // pixels of the device for each of a page, 0 for 1
	Touch         bool    // a phone: clicks are taps
}

// The screens that pages are made for.
var (
	Desktop = Screen{Width: 1440, Height: 900}
	Phone   = Screen{Width: 390, Height: 844, Scale: phoneScale(), Touch: true}
)

// shotsFolder is where pictures are saved, "" for nowhere.
var shotsFolder = os.Getenv("MUSTER_TEST_SHOTS")

// phoneScale is 2, as phones have it, when pictures are made; nothing else shows it, and each point of the screen
// takes time.
func phoneScale() float64 {
	if shotsFolder == "" {
		return 1
	}
	return 2
}

// BrowserOptions say how a browser differs from the usual one: a desktop in light colours with scripts.
type BrowserOptions struct {
	Base          string        // address of the server, without a slash at the end; the only one that pages may ask
	Screen        Screen        // Desktop unless set
	Dark          bool          // the person prefers dark colours
	ReducedMotion bool          // and no motion
	NoScript      bool          // pages run no script
	Locale        string        // "" for en-US
	Timezone      string        // "" for UTC
	Patience      time.Duration // how long to try, 0 for a minute
}

// A Browser is a window of Chromium with no past: no cookies, nothing cached. It watches all that its pages do, and
// at the end fails the test for what they should not have done; see Expect. Each method fails the test at once when it
// cannot do what it is for.
type Browser struct {
	*tab
	within string // selector of the part of the page that is looked at, "" for all
}

// A tab is what the parts of one page have in common.
type tab struct {
	BrowserOptions
	t      testing.TB
	ctx    context.Context
	target *chromedp.Target
	host   string   // of Base
	shots  string   // folder of the pictures, "" for none
	judged []string // what axe-core has seen around pages
	seen   watch
}

// NewBrowser opens a window that is closed when the test ends.
func NewBrowser(t testing.TB, o BrowserOptions) *Browser {
	t.Helper()
	root, err := chromium()
	if err != nil {
		t.Fatalf("start chromium: %v", err)
	}
	base, err := url.Parse(o.Base)
	if err != nil || base.Host == "" {
		t.Fatalf("BrowserOptions.Base: got %q, want the address of a server", o.Base)
	}
	o.Screen, o.Patience = cmp.Or(o.Screen, Desktop), cmp.Or(o.Patience, patience)
	ctx, cancel := chromedp.NewContext(root, chromedp.WithNewBrowserContext())
	if err := chromedp.Do(ctx); err != nil {
		cancel()
		t.Fatalf("open a window: %v", err)
	}
	b := &Browser{tab: &tab{
		BrowserOptions: o, t: t, ctx: ctx, target: chromedp.FromContext(ctx).Target, host: base.Host,
		shots: shotsFolder,
	}}
	b.watch()
	t.Cleanup(func() { b.end(cancel) })
	if err := b.emulate(); err != nil {
		t.Fatalf("set up the window: %v", err)
	}
	return b
}

// In returns the same browser, narrowed to the part of the page that a selector finds.
func (b *Browser) In(selector string) *Browser {
	return &Browser{tab: b.tab, within: strings.TrimSpace(b.within + " " + selector)}
}

// chromium starts the browser that all tests of a package share, since starting it takes a second. Each test has a
// context of its own there. It is Chromium without the window around the page, which takes half of the time.
var chromium = sync.OnceValues(func() (context.Context, error) {
	program, err := exec.LookPath("chromium-headless-shell")
	if err != nil {
		return nil, fmt.Errorf("%w: run scripts/install-test-tools", err)
	}
	profile, err := os.MkdirTemp("", "muster-chromium-")
	if err != nil {
		return nil, err
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(program), chromedp.UserDataDir(profile), chromedp.Env("HOME="+profile), chromedp.DisableGPU,
		chromedp.IgnoreCertErrors, // test servers have authorities of their own
		// Nothing is to reach another machine, whatever a page or the browser itself asks for.
		chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1"),
		chromedp.Flag("disable-component-update", true),
		// A page that was left is gone; kept for going back, it would leave questions to it unanswered.
		chromedp.Flag("disable-features", "Translate,BackForwardCache,MediaRouter,OptimizationHints"),
		chromedp.Flag("enable-blink-features", "ComputedAccessibilityInfo"), // the names that screen readers say
		chromedp.ModifyCmdFunc(func(cmd *exec.Cmd) { removeAfter(cmd, profile) }),
	)
	allocator, _ := chromedp.NewExecAllocator(context.Background(), options...)
	root, _ := chromedp.NewContext(allocator)
	return root, chromedp.Do(root)
})

// removeAfter makes a command remove its profile when it ends. Chromium ends when the test does, however that
// happens, since the pipe between them closes; nobody is there then to remove its files but its own parent.
func removeAfter(cmd *exec.Cmd, profile string) {
	cmd.Args = append([]string{"sh", "-c", `profile=$1; shift; "$@"; rm -rf "$profile"`, "sh", profile, cmd.Path},
		cmd.Args[1:]...)
	cmd.Path = "/bin/sh"
}

// emulate makes the window what the options say.
func (b *Browser) emulate() error {
	scheme, motion := "light", "no-preference"
	if b.Dark {
		scheme = "dark"
	}
	if b.ReducedMotion {
		motion = "reduce"
	}
	version, err := chromedp.CallBrowser(b.ctx, browser.GetVersion, cdp.Empty{})
	if err != nil {
		return err
	}
	locale := cmp.Or(b.Locale, "en-US")
	return chromedp.Do(b.ctx,
		b.viewport(),
		send(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
			{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: motion},
		}}),
		send(emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: b.NoScript}),
		send(emulation.SetLocaleOverride, emulation.SetLocaleOverrideParams{Locale: locale}),
		send(emulation.SetTimezoneOverride, emulation.SetTimezoneOverrideParams{TimezoneID: cmp.Or(b.Timezone, "UTC")}),
		send(emulation.SetUserAgentOverride, emulation.SetUserAgentOverrideParams{
			UserAgent: version.UserAgent, AcceptLanguage: locale,
		}),
		send(emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true}),
	)
}

func (b *Browser) viewport() chromedp.Action[chromedp.Void] {
	options := []chromedp.EmulateViewportOption{chromedp.EmulateScale(cmp.Or(b.Screen.Scale, 1))}
	if b.Screen.Touch {
		options = append(options, chromedp.EmulatePortrait, chromedp.EmulateMobile, chromedp.EmulateTouch)
	}
	return chromedp.EmulateViewport(int64(b.Screen.Width), int64(b.Screen.Height), options...)
}

// send makes an action of a command whose answer does not matter.
func send[P, R any](cmd cdp.Command[P, R], params P) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, cmd, params)
		if err != nil {
			return fmt.Errorf("%s: %w", cmd.Method, err)
		}
		return nil
	})
}
