//go:build full

package mustertest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/emulation"

	"muster/internal/draws"
)

// axeVersion is the version of axe-core that scripts/install-test-tools fetches.
const axeVersion = "4.14.0"

// axeRun looks for violations of WCAG 2.2 up to AA and of what axe-core calls best practice. It takes what
// happens to be below or near a bar that stays where it is as too small, so that is looked at again in the
// middle of the screen. Unless all cases are tried, it looks at the first two of rows that are made alike,
// with other texts, and at what stands around each page once: judged has that of the pages before.
const axeRun = `((within, all, judged) => (async () => {
	const made = part => [part, ...part.querySelectorAll('*')].map(e => e.localName + [...e.attributes]
		.filter(a => /^(class|role|hidden|disabled|type|aria-(?!label|describedby|controls|current))/.test(a.name))
		.map(a => a.name + '=' + a.value).join() + (e.matches(':popover-open') ? ' open' : '')).join(' ');
	const seen = {};
	const rows = [...document.querySelectorAll('tbody tr, ul > li, ol > li')].filter(row => {
		const key = made(row);
		return (seen[key] = (seen[key] ?? 0) + 1) > 2;
	});
	const around = [...document.querySelectorAll('.nav, .top, .tabbar, #keys')].filter(part => {
		const key = [innerWidth, document.documentElement.dataset.theme, made(part)].join(' ');
		return judged.includes(key) || !judged.push(key);
	});
	const { violations } = await axe.run({ include: [document.querySelector(within)], exclude: all ? [] : [...rows, ...around] }, {
		runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa', 'best-practice'], resultTypes: ['violations'],
	});
	const { scrollX, scrollY } = window;
	const small = async ({ target }) => {
		const at = document.querySelector(target.flat().join(' '));
		at.scrollIntoView({ block: 'center', behavior: 'instant' });
		return (await axe.run(at, { runOnly: { type: 'rule', values: ['target-size'] } })).violations.length > 0;
	};
	for (const v of violations.filter(v => v.id === 'target-size')) {
		const found = [];
		for (const node of v.nodes) if (await small(node)) found.push(node);
		v.nodes = found;
	}
	scrollTo({ left: scrollX, top: scrollY, behavior: 'instant' });
	return { judged, violations: violations.filter(v => v.nodes.length).map(v => ({
		rule: v.id, help: v.help + ' (' + v.helpUrl + ')',
		nodes: v.nodes.map(n => ({ target: n.target.flat().join(' '), html: n.html.slice(0, 200), why: n.failureSummary })),
	})) };
})())(%q, %t, %s)`

// A violation is what axe-core finds of one of its rules.
type violation struct {
	Rule, Help string
	Nodes      []struct{ Target, HTML, Why string }
}

// axeSource reads axe-core from where scripts/install-test-tools puts it.
var axeSource = sync.OnceValues(func() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	source, err := os.ReadFile(filepath.Join(cache, "muster-test", "axe-core-"+axeVersion, "axe.min.js"))
	if err != nil {
		return "", fmt.Errorf("%w: run scripts/install-test-tools", err)
	}
	return string(source), nil
})

// Axe fails the test for accessibility faults that axe-core finds on the page. If a dialog or menu is open, only that
// is examined, since axe-core does not know that it covers the rest.
func (b *Browser) Axe(t testing.TB) {
	t.Helper()
	b.settle()
	b.still()
	b.scripts(true)
	violations, err := b.axe()
	b.scripts(!b.NoScript)
	if err != nil {
		b.fatalf("axe: %v", err)
	}
	for _, v := range violations {
		var where strings.Builder
		for _, n := range v.Nodes {
			fmt.Fprintf(&where, "\n  %s\n    %s\n    %s", n.Target, n.HTML, strings.ReplaceAll(n.Why, "\n", "\n    "))
		}
		t.Errorf("axe on %s: %s: %s%s", b.URL(), v.Rule, v.Help, where.String())
	}
}

// scripts lets scripts run, or not; axe-core needs time, which does not pass where none may. Those that the page was
// loaded without stay away.
func (b *Browser) scripts(run bool) {
	b.t.Helper()
	if !b.NoScript {
		return
	}
	if _, err := ask(b, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{
		Value: !run,
	}); err != nil {
		b.fatalf("axe: %v", err)
	}
}

// axe runs axe-core in the world of the tests, to which the page's content security policy does not apply.
func (b *Browser) axe() ([]violation, error) {
	source, err := axeSource()
	if err != nil {
		return nil, err
	}
	world, err := b.world()
	if err != nil {
		return nil, err
	}
	if err := b.evaluate(world, "globalThis.axe || (() => {"+source+"\n})(), 0", nil); err != nil {
		return nil, fmt.Errorf("load axe-core: %w", err)
	}
	judged, err := json.Marshal(append([]string{}, b.judged...))
	if err != nil {
		return nil, err
	}
	var verdict struct {
		Judged     []string
		Violations []violation
	}
	err = b.evaluate(world, fmt.Sprintf(axeRun, cmp.Or(b.within, ":root"), draws.All, judged), &verdict)
	b.judged = verdict.Judged
	return verdict.Violations, err
}
