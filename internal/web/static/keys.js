// Keys. An element says by data-key which key works it, a link by data-go which one leads there after G; the rest is here.

const off = document.documentElement.dataset.keys === 'off';
export const typing = (t) => t.closest?.('input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable]');
const find = (attribute, key) => document.querySelector(`[${attribute}="${CSS.escape(key.toUpperCase())}"]`);

// work follows, presses or goes into an element; what is closed in a menu counts too. From the button of a menu that it opens,
// Tab leads into that.
const work = (e, at) => {
  if (!at) return false;
  e.preventDefault();
  if (at.matches('input, textarea, select, [popovertarget]')) at.focus();
  if (!at.matches('input, textarea, select')) at.click();
  return true;
};

// Rows: one is here, also when the list is come back to; a tick up to here takes those since the last one.
const rows = () => [...document.querySelectorAll('[data-walk] tbody tr, ol[data-walk] > li:not(.day)')];
const link = (row) => row?.querySelector('a.name, a');
const kept = `here ${location.pathname}${location.search}`;
const left = JSON.parse(sessionStorage.getItem(kept) ?? '{}');
if (left.path) (rows().find((r) => link(r)?.pathname === left.path) ?? rows()[left.at])?.classList.add('here');
let ticked = -1;
const walk = (e, key) => {
  const all = rows();
  if (!all.length) return false;
  const at = all.findIndex((r) => r.classList.contains('here'));
  const tick = (i) => all[i].querySelector('.tick');
  if (key === 'j' || key === 'k') {
    all[at]?.classList.remove('here');
    const next = Math.max(0, Math.min(all.length - 1, at + (key === 'j' ? 1 : -1)));
    const to = all[next];
    to.classList.add('here');
    link(to)?.focus({ focusVisible: false });
    to.scrollIntoView({ block: 'nearest' });
    sessionStorage.setItem(kept, JSON.stringify({ path: link(to)?.pathname, at: next }));
    return true;
  }
  if (key === 'x' && at >= 0 && tick(at)) {
    if (e.shiftKey && ticked >= 0) {
      for (let i = Math.min(at, ticked); i <= Math.max(at, ticked); i++) if (!tick(i).checked) tick(i).click();
    } else tick(at).click();
    ticked = at;
    return true;
  }
  return key === 'enter' && at >= 0 && e.target === document.body && work(e, link(all[at]));
};

// Keys of parts that every list has.
const parts = { '[': 'a[rel=prev]', ']': 'a[rel=next]', f: '[popovertarget=add-filter]', '/': '.top .search input' };

let gone = 0; // when G was pressed
document.addEventListener('keydown', (e) => {
  if (off || e.ctrlKey || e.metaKey || e.altKey || e.isComposing || e.defaultPrevented || typing(e.target) || document.querySelector('dialog[open]')) return;
  const key = e.key.toLowerCase();
  if (key === 'escape') return;
  if (key === '?') { document.getElementById('keys')?.togglePopover(); return; }
  if (document.querySelector('.dialog:popover-open, .pop:popover-open')) return; // keys are for what is open
  const going = Date.now() - gone < 1500;
  gone = key === 'g' && !going ? Date.now() : 0;
  if (gone) return;
  if (going) { work(e, find('data-go', key)); return; }
  if (!e.shiftKey && work(e, find('data-key', key))) return;
  if (walk(e, key)) return;
  if (parts[key]) work(e, document.querySelector(parts[key]));
});
