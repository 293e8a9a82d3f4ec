// A ticket's page: fields that save themselves, drafts that are kept, keys, and live arrival. Without it the page has buttons.

import { live, swap } from './live.js';

const ticket = document.querySelector('.ticket');
const composer = document.querySelector('.composer');
const said = document.querySelector('[data-said]');

// Whatever comes back from the server is the page as it is now.
const busy = (part) => part.dataset.part === 'panel' && part.contains(document.activeElement) && document.activeElement.matches('input, select, textarea');
function show(html, skip) {
  const page = swap(html, skip);
  for (const b of document.querySelectorAll('[data-insert]')) b.hidden = !composer;
  return page;
}
async function send(form, button) {
  const data = new URLSearchParams(new FormData(form, button));
  const answer = await fetch(form.action, { method: 'POST', body: data });
  const page = show(await answer.text());
  if (!page.querySelector('.ticket')) { document.querySelector('main').replaceWith(document.adoptNode(page.querySelector('main'))); return; }
  document.querySelector('[data-part="notice"] .changed')?.scrollIntoView({ block: 'nearest' });
}
async function refresh() {
  const answer = await fetch(location.href);
  if (answer.redirected) { location.reload(); return; }
  show(await answer.text(), (part) => busy(part) || part.dataset.part === 'notice' || part.dataset.part === 'composer-states' && composer.querySelector('select').value !== '');
  said.textContent = ''; said.textContent = said.dataset.said;
}

// Fields save on change; those that are typed into, when they are left.
ticket.addEventListener('change', (e) => { if (e.target.dataset.save === '') send(e.target.form); });
ticket.addEventListener('focusin', (e) => { if (e.target.dataset.save === 'leave' && e.target.was === undefined) e.target.was = e.target.value; });
ticket.addEventListener('focusout', (e) => {
  if (e.target.dataset.save === 'leave' && e.target.value !== e.target.was && e.target.validity.valid) { e.target.was = e.target.value; send(e.target.form); }
});
document.addEventListener('submit', (e) => {
  if (e.target === composer || !e.target.closest('.panel-side, .toast')) return;
  e.preventDefault(); send(e.target, e.submitter);
});

// Drafts of answers are kept in this tab until they are sent.
if (composer) {
  const area = composer.querySelector('textarea');
  const name = composer.dataset.draft;
  const kept = JSON.parse(sessionStorage.getItem(name) ?? '{}');
  if (kept.sent && !document.querySelector('.notice.changed, .composer .error')) sessionStorage.removeItem(name);
  else if (!area.value && kept.body) { area.value = kept.body; composer.querySelector(`[value="${kept.kind}"]`).checked = true; }
  const keep = (sent) => {
    if (area.value) sessionStorage.setItem(name, JSON.stringify({ body: area.value, kind: new FormData(composer).get('kind'), sent }));
    else sessionStorage.removeItem(name);
  };
  composer.addEventListener('input', () => keep(false));
  composer.addEventListener('submit', () => keep(true));
  composer.addEventListener('keydown', (e) => { if (e.key === 'Enter' && (e.ctrlKey || e.metaKey)) { e.preventDefault(); composer.requestSubmit(); } });
  document.addEventListener('click', (e) => {
    const insert = e.target.closest('[data-insert]');
    if (!insert) return;
    const link = insert.dataset.insert.replace('](/', `](${location.origin}/`);
    area.setRangeText(link, area.selectionStart, area.selectionEnd, 'end');
    area.focus(); keep(false);
  });
  for (const b of document.querySelectorAll('[data-insert]')) b.hidden = false;
}

// Suggestions while somebody types.
let asked = 0;
ticket.addEventListener('input', async (e) => {
  const from = e.target.dataset.suggest;
  if (!from || e.target.value.length < 2) return;
  const mine = ++asked;
  const answer = await fetch(`${from}?q=${encodeURIComponent(e.target.value)}`);
  if (mine !== asked || !answer.ok) return;
  let list = document.getElementById('suggested');
  if (!list) { list = document.createElement('datalist'); list.id = 'suggested'; document.body.append(list); }
  list.replaceChildren(...(await answer.json()).map((o) => new Option(o.label, e.target.dataset.by === 'label' ? o.label : o.value)));
  e.target.setAttribute('list', 'suggested');
});

// Keys: r reply, n note, and those that fields and links carry.
const typing = (t) => t.closest('input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable], [popover]');
document.addEventListener('keydown', (e) => {
  if (e.key === 'Escape' && e.target.closest('.ticket')) e.target.blur();
  if (e.ctrlKey || e.metaKey || e.altKey || e.defaultPrevented || typing(e.target) || document.documentElement.dataset.keys === 'off') return;
  const key = e.key.toLowerCase();
  if (composer && (key === 'r' || key === 'n')) {
    e.preventDefault();
    composer.querySelector(`[value="${key === 'r' ? 'reply' : 'note'}"]`).click();
    composer.querySelector('textarea').focus();
    return;
  }
  const to = document.querySelector(`button[data-key="${key}"], a[data-key="${key}"]`) ?? document.querySelector(`[data-key="${key}"]`);
  if (!to || to.disabled) return;
  e.preventDefault();
  if (to.matches('a, button')) { to.click(); return; }
  to.focus();
  try { to.showPicker(); } catch { /* the browser shows none without a click */ }
});

live(ticket.dataset.live, (now) => {
  const { version, last } = document.querySelector('[data-part="head"]').dataset;
  if (now.version !== Number(version) || now.last !== Number(last)) refresh();
});
