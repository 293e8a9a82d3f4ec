//go:build full

package mustertest

import (
	"context"
	"errors"
	"strings"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// Open opens a page of the server, given by its path.
func (b *Browser) Open(path string) {
	b.t.Helper()
	b.seen.mu.Lock()
	b.seen.bytes = 0
	b.seen.mu.Unlock()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, chromedp.Navigate(b.Base+path)); err != nil {
		b.fatalf("open %s: %v", path, err)
	}
	b.settle()
}

// Click clicks the only control with a name, as screen readers say it, or else the only thing with such a text; then
// it waits for the page that it opens, if it opens one.
func (b *Browser) Click(name string) {
	b.t.Helper()
	b.click("click “"+name+"”", "place(control(%s, %s))", name)
}

// ClickOn clicks the only element of a selector.
func (b *Browser) ClickOn(selector string) {
	b.t.Helper()
	b.click("click on "+selector, "place(element(%s, %s))", selector)
}

func (b *Browser) click(what, call, arg string) {
	b.t.Helper()
	for missed := true; missed; {
		var point struct{ X, Y float64 }
		b.until(what, func() error { return b.js(&point, call, b.within, arg) })
		action := chromedp.Steps(
			chromedp.MouseEvent(chromedp.MouseMoved, point.X, point.Y),
			chromedp.MouseClickXY(point.X, point.Y))
		if b.Screen.Touch {
			action = chromedp.TapXY(point.X, point.Y)
		}
		b.run(what, action)
		missed = false
		_ = b.js(&missed, "missed()") // fails when the page is left by now
	}
}

// run does something to the page and waits for the page that it opens, if it opens one.
func (b *Browser) run(what string, action chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, action); err != nil {
		b.fatalf("%s: %v", what, err)
	}
	b.settle()
}

// Type puts a text into the field with a label, in place of what is there.
func (b *Browser) Type(label, text string) {
	b.t.Helper()
	what := "type into “" + label + "”"
	var typed bool
	b.until(what, func() error { return b.js(&typed, "prepare(field(%s, %s), %s)", b.within, label, text) })
	switch {
	case !typed:
		b.settle()
	case text == "":
		b.Press("Backspace")
	default:
		b.run(what, send(input.InsertText, input.InsertTextParams{Text: text}))
	}
}

// Select chooses an option of the field with a label.
func (b *Browser) Select(label, option string) {
	b.t.Helper()
	b.until("select in “"+label+"”",
		func() error { return b.js(nil, "choose(field(%s, %s), %s)", b.within, label, option) })
	b.settle()
}

// Check makes a box or a choice ticked, or not.
func (b *Browser) Check(label string, on bool) {
	b.t.Helper()
	var is bool
	b.until("tick “"+label+"”", func() error { return b.js(&is, "field(%s, %s).checked", b.within, label) })
	if is != on {
		b.click("tick “"+label+"”", "place(field(%s, %s))", label)
	}
}

// keys are the names of keys that make no character.
var keys = map[string]string{
	"Enter": kb.Enter, "Escape": kb.Escape, "Tab": kb.Tab, "Backspace": kb.Backspace, "Delete": kb.Delete, "Space": " ",
	"ArrowUp": kb.ArrowUp, "ArrowDown": kb.ArrowDown, "ArrowLeft": kb.ArrowLeft, "ArrowRight": kb.ArrowRight,
	"Home": kb.Home, "End": kb.End, "PageUp": kb.PageUp, "PageDown": kb.PageDown,
}

var modifiers = map[string]chromedp.Modifier{
	"Control": chromedp.ModifierCtrl, "Shift": chromedp.ModifierShift, "Alt": chromedp.ModifierAlt,
}

// Press presses keys one after another: a character, or a name as "Enter" or "Control+Enter". Those of a sequence, as
// "g c", are pressed at once, since a page takes them for one only for a while.
func (b *Browser) Press(pressed ...string) {
	b.t.Helper()
	for _, sequence := range pressed {
		var all []chromedp.Action[chromedp.Void]
		for _, combination := range strings.Fields(sequence) {
			all = append(all, b.press(combination))
		}
		b.run("press "+sequence, chromedp.Steps(all...))
	}
}

// press presses one key, maybe with others held.
func (b *Browser) press(combination string) chromedp.Action[chromedp.Void] {
	b.t.Helper()
	parts := strings.Split(combination, "+")
	key := parts[len(parts)-1]
	var with chromedp.Modifier
	for _, name := range parts[:len(parts)-1] {
		with |= modifiers[name]
	}
	if code, ok := keys[key]; ok {
		key = code
	}
	if len([]rune(key)) != 1 {
		b.t.Fatalf("press %s: there is no such key", combination)
	}
	return press([]rune(key)[0], with)
}

// press lets a key go down and up. What it writes comes with the first, so that a
// page that takes the key for itself keeps it from writing, as at a keyboard.
func press(key rune, with chromedp.Modifier) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		events := kb.Encode(key)
		down, up := events[0], events[len(events)-1]
		if writes := with&^chromedp.ModifierShift == 0; writes && len(events) == 3 {
			down.Text, down.UnmodifiedText = events[1].Text, events[1].UnmodifiedText
		}
		for _, e := range []*input.DispatchKeyEventParams{down, up} {
			e.Modifiers |= int64(with)
			if _, err := cdp.Call(ctx, t, input.DispatchKeyEvent, *e); err != nil {
				return err
			}
		}
		return nil
	})
}

// Upload chooses a file in the field with a label.
func (b *Browser) Upload(label, file string) {
	b.t.Helper()
	what := "upload into “" + label + "”"
	b.until(what, func() error { return b.js(nil, "globalThis.mustertestField = field(%s, %s), 0", b.within, label) })
	world, err := b.world()
	if err != nil {
		b.fatalf("%s: %v", what, err)
	}
	found, err := ask(b, runtime.Evaluate, runtime.EvaluateParams{Expression: "mustertestField", ContextID: world})
	if err == nil && found.ExceptionDetails != nil {
		err = errors.New(exception(found.ExceptionDetails))
	}
	if err != nil {
		b.fatalf("%s: %v", what, err)
	}
	b.run(what, send(dom.SetFileInputFiles, dom.SetFileInputFilesParams{
		Files: []string{file}, ObjectID: found.Result.ObjectID,
	}))
}
