// A ticket's page: fields that save themselves, drafts that are kept, keys, and live arrival. Without it the page has buttons.

import { chosen, opened } from './choose.js';
import { drafts } from './drafts.js';
import { typing } from './keys.js';
import { live, swap } from './live.js';

const ticket = document.querySelector('.ticket');
const composer = document.querySelector('.composer');
const said = document.querySelector('[data-said]');
const head = () => document.querySelector('[data-part="head"]').dataset;
const tell = (text) => document.dispatchEvent(new CustomEvent('toast', { detail: text }));

// What a field has had: when it was shown or saved last, and what is on its way to be saved.
const saved = new WeakMap();
const underway = new WeakMap();
const shown = (at) => (at.matches('select') ? [...at.options].find((o) => o.defaultSelected)?.value ?? at.options[0].value : at.defaultValue);
const before = (at) => saved.get(at) ?? shown(at);
const begun = (at) => at.matches('input, select') && at.value !== (underway.get(at) ?? before(at));

// What somebody has begun to type or choose in the panel, or has opened there, is left as it is, unless it is what was just sent; the
// panel is made new when they leave it. So is the state that they have chosen for after their answer.
let stale = false;
const keeps = (part, sent) => {
  const at = document.activeElement;
  if (part.dataset.part === 'composer-states') return composer.elements.state.value !== '' || opened(composer.elements.state, at === composer.elements.state);
  if (part.dataset.part !== 'panel' || !part.contains(at)) return false;
  const is = sent ? begun(at) && at.form !== sent : begun(at) || opened(at, true) || at.matches('details[open] input, [type=datetime-local]');
  stale ||= is;
  return is;
};

// The answers of the server are the page as it is now, so they are asked for one after another.
let turn = Promise.resolve();
const next = (work) => { turn = turn.then(work).catch(() => tell(ticket.dataset.failed)); };
function show(html, skip) {
  stale = false;
  return swap(html, skip);
}

// send sends a form of the panel or a toast. The field that it is for is looked up when it is its turn: an answer before may have
// replaced it, and its form then knows more of the ticket. What could not be saved is as it was.
function send(form, { field, button } = {}) {
  if (button?.ariaDisabled) return; // it is on its way; a button that were disabled would lose the focus
  const value = field?.value;
  let data = new FormData(form, button);
  if (field) underway.set(field, value);
  if (button) button.ariaDisabled = 'true';
  next(async () => {
    const now = field && document.getElementById(field.id);
    if (now) { now.value = value; underway.set(now, value); data = new FormData(now.form); }
    let done = false;
    try { done = await post(form, data); } finally {
      if (button) button.ariaDisabled = null;
      if (now) { underway.delete(now); if (done) saved.set(now, value); else now.value = before(now); }
    }
  });
}

// post sends a form and shows the page that answers. One that is no ticket says why nothing was done, or that nobody is signed in any
// more.
async function post(form, data) {
  const answer = await fetch(form.action, { method: 'POST', body: new URLSearchParams(data) });
  const page = show(await answer.text(), (part) => keeps(part, form));
  if (page.querySelector('.ticket')) document.querySelector('[data-part="notice"] .changed')?.scrollIntoView({ block: 'nearest' });
  else if (answer.redirected) location.reload();
  else tell([...page.querySelectorAll('main h1, main h1 ~ p:not(.quiet)')].map((e) => e.textContent.replace(/([^.!?…])$/, '$1.')).join(' ') || ticket.dataset.failed);
  return answer.ok;
}
async function refresh() {
  const answer = await fetch(location.href).catch(() => null); // the events tell again when the server is back
  if (!answer) return false;
  if (answer.redirected || !answer.ok) { location.reload(); return false; }
  show(await answer.text(), (part) => part.dataset.part === 'notice' || keeps(part));
  return true;
}

// Fields save when they are chosen; those that are typed into, when they are left. Escape leaves them as they were.
chosen('.ticket select[data-save]', (at) => send(at.form, { field: at }));
ticket.addEventListener('focusout', (e) => {
  const at = e.target;
  if (!at.isConnected) return;
  if (at.dataset.save === 'leave' && begun(at) && at.validity.valid) send(at.form, { field: at });
  else if (stale) next(refresh);
});
document.addEventListener('submit', (e) => {
  if (e.target === composer || !e.target.closest('.panel-side, .toast')) return;
  e.preventDefault();
  send(e.target, { field: e.target.querySelector('[data-save]'), button: e.submitter });
});

// Drafts of answers are kept, and an article can be put into one.
if (composer) {
  const area = composer.querySelector('textarea');
  const keep = drafts(composer, () => head().own);
  composer.addEventListener('focusin', () => composer.classList.add('used'));
  composer.addEventListener('keydown', (e) => { if (e.key === 'Enter' && (e.ctrlKey || e.metaKey)) { e.preventDefault(); composer.requestSubmit(); } });
  document.addEventListener('click', (e) => {
    const insert = e.target.closest('[data-insert]');
    if (!insert) return;
    const link = insert.dataset.insert.replace('](/', `](${location.origin}/`);
    area.setRangeText(link, area.selectionStart, area.selectionEnd, 'end');
    area.focus(); keep();
  });
}

// Suggestions while somebody types.
let asked = 0;
ticket.addEventListener('input', async (e) => {
  const from = e.target.dataset.suggest;
  if (!from || e.target.value.length < 2) return;
  const mine = ++asked;
  const answer = await fetch(`${from}?q=${encodeURIComponent(e.target.value)}`, { redirect: 'error' }).catch(() => null);
  if (mine !== asked || !answer?.ok) return;
  let list = document.getElementById('suggested');
  if (!list) { list = document.createElement('datalist'); list.id = 'suggested'; document.body.append(list); }
  list.replaceChildren(...(await answer.json()).map((o) => new Option(o.label, e.target.dataset.by === 'label' ? o.label : o.value)));
  e.target.setAttribute('list', 'suggested');
});

// Keys: r reply, n note, and those that fields and links carry.
document.addEventListener('keydown', (e) => {
  if (e.key === 'Escape' && e.target.closest('.ticket')) {
    if (e.target.dataset.save === 'leave') e.target.value = before(e.target);
    e.target.blur();
  }
  if (e.ctrlKey || e.metaKey || e.altKey || e.defaultPrevented || typing(e.target) || document.querySelector('.pop:popover-open') || document.documentElement.dataset.keys === 'off') return;
  const key = e.key.toLowerCase();
  if (composer && (key === 'r' || key === 'n')) {
    e.preventDefault();
    composer.querySelector(`[value="${key === 'r' ? 'reply' : 'note'}"]`).click();
    composer.querySelector('textarea').focus();
    return;
  }
  const to = document.querySelector(`button[data-key="${CSS.escape(key)}"], a[data-key="${CSS.escape(key)}"]`) ?? document.querySelector(`[data-key="${CSS.escape(key)}"]`);
  if (!to || to.disabled) return;
  e.preventDefault();
  if (to.matches('a, button')) { to.click(); return; }
  to.focus();
  try { to.showPicker(); } catch { /* the browser shows none without a click */ }
});

live(ticket.dataset.live, (now) => next(async () => {
  if (now.version === Number(head().version) && now.last === Number(head().last)) return;
  if (await refresh()) { said.textContent = ''; said.textContent = said.dataset.said; }
}));
