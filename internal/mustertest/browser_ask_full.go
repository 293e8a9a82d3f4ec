//go:build full

package mustertest

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

//go:embed browser.js
var browserJS string

// ask sends a command to the tab.
func ask[P, R any](b *Browser, cmd cdp.Command[P, R], params P) (R, error) {
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	return cdp.Call(ctx, b.target, cmd, params)
}

// world returns the world of the tests in the present page.
func (b *Browser) world() (runtime.ExecutionContextID, error) {
	world, err := ask(b, page.CreateIsolatedWorld, page.CreateIsolatedWorldParams{
		FrameID: cdp.FrameID(b.target.TargetID), WorldName: "mustertest",
	})
	return world.ExecutionContextID, err
}

// evaluate runs an expression in a world of the page, 0 for that of its own scripts, and reads its value.
func (b *Browser) evaluate(world runtime.ExecutionContextID, expression string, into any) error {
	result, err := ask(b, runtime.Evaluate, runtime.EvaluateParams{
		Expression: expression, ContextID: world, ReturnByValue: new(true), AwaitPromise: new(true),
		UserGesture: new(true),
	})
	if err != nil {
		return err
	}
	if result.ExceptionDetails != nil {
		return errors.New(strings.TrimPrefix(exception(result.ExceptionDetails), "Uncaught "))
	}
	if into == nil || len(result.Result.Value) == 0 {
		return nil
	}
	return json.Unmarshal(result.Result.Value, into)
}

// js calls a function of browser.js.
func (b *Browser) js(into any, call string, args ...any) error {
	world, err := b.world()
	if err != nil {
		return err
	}
	quoted := make([]any, len(args))
	for i, arg := range args {
		text, err := json.Marshal(arg)
		if err != nil {
			return err
		}
		quoted[i] = string(text)
	}
	return b.evaluate(world, "(() => {\n"+browserJS+"\nreturn "+fmt.Sprintf(call, quoted...)+"\n})()", into)
}

// until tries something again until it succeeds.
func (b *Browser) until(what string, try func() error) {
	b.t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(b.Patience); ; <-tick.C {
		err := try()
		if err == nil {
			return
		}
		if time.Now().After(deadline) || b.ctx.Err() != nil {
			b.fatalf("%s: %v", what, err)
		}
	}
}

// settle waits for the page that the last action opened, if it opened one.
func (b *Browser) settle() {
	b.t.Helper()
	for range 2 { // a form is sent in a task of its own, after the click that sends it
		_ = b.js(nil, "0") // fails when the page is just left
	}
	b.until("wait for the page to load", func() error {
		if b.seen.loading() {
			return errors.New("it is still loading")
		}
		return b.js(nil, "ready()")
	})
}

// still waits until nothing moves.
func (b *Browser) still() {
	b.t.Helper()
	b.until("wait until nothing moves", func() error { return b.js(nil, "quiet() || (() => { throw 'it moves' })()") })
}

// Shot saves a picture of the whole page in the folder MUSTER_TEST_SHOTS, if there is one.
func (b *Browser) Shot(name string) {
	b.t.Helper()
	if b.shots == "" {
		return
	}
	b.settle()
	b.still()
	if err := b.shoot(name); err != nil {
		b.t.Fatalf("make a picture: %v", err)
	}
}

// shoot saves a picture of the page as it is.
func (b *Browser) shoot(name string) error {
	if b.shots == "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	picture, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(b.shots, name+".png"), picture, 0o644)
}

// picture names the picture of a failure.
func (b *Browser) picture(what string) string {
	return strings.ReplaceAll(b.t.Name(), "/", "-") + "-" + what
}

// fatalf ends the test with the state of the page.
func (b *Browser) fatalf(format string, args ...any) {
	b.t.Helper()
	message := fmt.Sprintf(format, args...)
	if err := b.shoot(b.picture("failed")); err != nil {
		message += fmt.Sprintf("\nno picture: %v", err)
	}
	var text, address string
	_ = b.js(&address, "location.href") // there may be no page
	_ = b.js(&text, "document.body.innerText.slice(0, 2000)")
	b.t.Fatalf("%s\npage %s:\n%s", message, address, text)
}
