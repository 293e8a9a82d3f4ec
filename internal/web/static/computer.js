// Facts of a computer are changed where they stand: the page comes anew without being left, and stays where it was scrolled to.

const read = async (address, options) => {
  const answer = await fetch(address, options);
  return new DOMParser().parseFromString(await answer.text(), 'text/html');
};

// take puts the new page in the place of the old, and tells what was done.
const take = (next) => {
  const main = next.querySelector('main');
  if (!main || !main.querySelector('header.record')) return false;
  document.querySelector('main').replaceChildren(...main.childNodes);
  document.title = next.title;
  for (const toast of next.querySelectorAll('.toast')) document.dispatchEvent(new CustomEvent('toast', { detail: toast }));
  const input = document.querySelector('[data-fact] :is(input:not([type=hidden]), select, textarea)');
  input?.focus();
  input?.select?.();
  return true;
};

// go opens the form of a fact, or closes it; where that fails, the link is followed.
const go = async (address, focus) => {
  try {
    if (!take(await read(address))) location.assign(address);
    if (focus) document.querySelector(focus)?.focus();
  } catch { location.assign(address); }
};

let sent = false; // a form, as browsers do, which leaves the page

// save sends the form of a fact; true when it was taken, and not shown again with what is wrong. Where that fails, it is sent as
// browsers do.
const save = async (form) => {
  if (form.ariaBusy) return false;
  form.ariaBusy = 'true';
  try {
    if (take(await read(form.action, { method: 'POST', body: new URLSearchParams(new FormData(form)) }))) return !document.querySelector('[data-fact]');
  } catch { /* as below */ }
  sent = true;
  form.submit();
  return false;
};

// changed reports whether a form has something else than the record.
const changed = (form) => {
  const [is, was] = [new FormData(form).getAll(form.elements.field.value).at(-1), form.elements.was.value];
  return is?.replace(/\r\n?/g, '\n') !== was.replace(/\r\n?/g, '\n');
};

// Who leaves with something that was not sent is asked.
addEventListener('submit', (e) => { sent ||= !e.defaultPrevented; });
addEventListener('beforeunload', (e) => {
  const open = document.querySelector('[data-fact]');
  if (!sent && open && changed(open)) e.preventDefault();
});
document.addEventListener('click', async (e) => {
  const link = e.target.closest('[data-edit], [data-cancel]');
  if (!link || e.ctrlKey || e.metaKey || e.shiftKey) return;
  e.preventDefault();
  const field = link.closest('form')?.elements.field.value;
  const open = document.querySelector('[data-fact]');
  if (!field && open && changed(open) && !await save(open)) return; // another fact is opened: what is written here is not lost
  go(link.href, field && `#fact-${field} [data-edit]`);
});
document.addEventListener('keydown', (e) => {
  if (e.key !== 'Escape') return;
  const form = e.target.closest('[data-fact]');
  if (!form || e.target.matches('textarea') && changed(form)) return; // too much to be lost by one key
  form.querySelector('[data-cancel]').click();
});
document.addEventListener('submit', async (e) => {
  const form = e.target;
  if (!form.matches('[data-fact]')) return;
  e.preventDefault();
  const field = form.elements.field.value;
  if (await save(form)) document.querySelector(`#fact-${field} [data-edit]`)?.focus();
});
