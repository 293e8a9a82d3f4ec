// What the browser tests ask of a page. It runs in a world of its own: pages do not see it, nor does it see their
// scripts, and it needs no hole in their content security policy.

const squeezed = text => (text ?? '').replace(/\s+/g, ' ').trim()

const shown = e => e.checkVisibility({ visibilityProperty: true }) && e.getClientRects().length > 0

// reachable tells whether a person can point at an element, or at a label of it.
const reachable = e => shown(e) || [...(e.labels ?? [])].some(shown)

// called tells whether an element has a name, as screen readers say it.
const called = (e, name) => e.type === 'file'
	? [...e.labels].some(l => squeezed(l.textContent) === name) || e.getAttribute('aria-label') === name
	: squeezed(e.computedName) === name

// plausible tells whether an element can have a name at all: its words stand in it or in what labels it. Chromium makes
// the tree of all names anew for each computedName, which takes many milliseconds on a long page, so few are asked.
function plausible(e, name) {
	const by = (e.getAttribute('aria-labelledby') ?? '').split(/\s+/).map(id => document.getElementById(id))
	const written = [e, ...(e.labels ?? []), ...by].map(from => from?.outerHTML).join()
	return (name.match(/[\p{L}\p{N}]+/gu) ?? []).every(word => written.includes(word))
}

const controls = 'a[href], button, summary, input, select, textarea, option, [role], [tabindex]'
const fields = 'input, select, textarea, [contenteditable]'

// deepest are the elements with just this text, and none inside that has it too.
const deepest = (root, text) => [...root.querySelectorAll('*')]
	.filter(e => squeezed(e.innerText) === text && ![...e.children].some(c => squeezed(c.innerText) === text))

const root = within => within ? document.querySelector(within) : document

// all are the elements of a selector.
const all = (within, selector) => [...(root(within)?.querySelectorAll(selector) ?? [])]

// named are the reachable elements of a kind with a name; things to click may be known by their text alone.
function named(within, kind, name) {
	const found = all(within, kind).filter(e => plausible(e, name) && reachable(e) && called(e, name))
	return found.length || kind === fields || !root(within) ? found : deepest(root(within), name).filter(shown)
}

// one returns the only element among those found, or throws why there is none.
function one(found, what) {
	if (found.length === 1) return found[0]
	throw found.length ? `there are ${found.length} of ${what} on the page; look for it In a part` : `there is no ${what}`
}

const control = (within, name) => one(named(within, controls, name), `“${name}”`)
const field = (within, label) => one(named(within, fields, label), `field “${label}”`)
const element = (within, selector) => one(all(within, selector).filter(reachable), selector)

const described = e => e ? `<${e.localName}${e.id ? ' id=' + e.id : ''}${e.classList.length ? ' class=' + e.className : ''}>` : 'nothing'

// place returns the point where to click on an element, or throws why that cannot be done.
function place(e) {
	if (document.documentElement.matches(':active-view-transition')) throw 'one page is turning into another, which takes no clicks'
	if (e.matches(':disabled, [aria-disabled=true]')) throw `${described(e)} is disabled`
	let why
	for (const target of [e, ...(e.labels ?? [])].filter(shown)) {
		target.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' })
		for (const box of target.getClientRects()) {
			const point = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
			const hit = document.elementFromPoint(point.x, point.y)
			const isOf = found => target.contains(found) || found.closest('label')?.control === e
			if (hit && isOf(hit)) {
				guard(isOf)
				return point
			}
			why = `${described(target)} is covered by ${described(hit)} at ${point.x}, ${point.y}`
		}
	}
	throw why
}

// guard lets the next click do nothing when it meets an element that is not one of those meant, since the page has moved
// meanwhile; missed tells whether it did.
function guard(isMeant) {
	globalThis.guarding?.abort()
	globalThis.guarding = new AbortController()
	globalThis.clickMissed = false
	const listen = (type, does) => addEventListener(type, does, { capture: true, once: true, passive: false, signal: guarding.signal })
	listen('pointerdown', down => {
		if (isMeant(down.target)) return
		globalThis.clickMissed = true
		const stop = event => { event.preventDefault(); event.stopImmediatePropagation() }
		for (const type of ['touchstart', 'mousedown', 'mouseup', 'touchend', 'click']) listen(type, stop)
		stop(down)
	})
}

const missed = () => globalThis.clickMissed === true

const changed = e => ['input', 'change'].forEach(type => e.dispatchEvent(new Event(type, { bubbles: true })))

// prepare makes a field ready for typing; it returns false when it has set the text itself, as into fields that take
// no typing.
function prepare(e, text) {
	if (e.matches(':disabled, :read-only')) throw `${described(e)} cannot be changed`
	e.scrollIntoView({ block: 'nearest', behavior: 'instant' })
	e.focus()
	if (/^(date|time|month|week|datetime-local|color|range)$/.test(e.type)) {
		e.value = text
		changed(e)
		return false
	}
	if (e.select) e.select()
	else getSelection().selectAllChildren(e)
	return true
}

// choose selects the option of a field by its text.
function choose(e, text) {
	const option = [...e.options ?? []].find(o => squeezed(o.label) === text)
	if (!option || option.disabled) throw `the field has no option “${text}”`
	e.focus()
	option.selected = true
	changed(e)
	return true
}

// quiet tells whether nothing moves on the page any more.
const quiet = () => document.readyState === 'complete' && document.fonts.status === 'loaded' && document.getAnimations()
	.every(a => a.playState !== 'running' || a.effect?.getComputedTiming().endTime === Infinity)

// ready throws why nobody can use the page yet: it is not loaded, not shown, or still blends over from the one before,
// while it takes no clicks.
function ready() {
	if (document.readyState !== 'complete') throw document.readyState
	if (performance.getEntriesByType('paint').length === 0) throw 'it is not shown yet'
	if (document.documentElement.matches(':active-view-transition')) throw 'it blends over from the page before'
}

// shift is the sum of all layout shifts that nobody caused.
function shift() {
	const observer = new PerformanceObserver(() => {})
	observer.observe({ type: 'layout-shift', buffered: true })
	const sum = observer.takeRecords().filter(s => !s.hadRecentInput).reduce((sum, s) => sum + s.value, 0)
	observer.disconnect()
	return sum
}
