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
  for (const toast of next.querySelectorAll('.toasts > *')) document.dispatchEvent(new CustomEvent('toast', { detail: toast }));
  const input = document.querySelector('[data-fact] :is(input:not([type=hidden]), select, textarea)');
  input?.focus();
  input?.select?.();
  return true;
};

// go opens the form of a fact, or closes it; where that fails, the link is followed.
const go = async (link, focus) => {
  try {
    if (!take(await read(link.href))) location.assign(link.href);
    if (focus) document.querySelector(focus)?.focus();
  } catch { location.assign(link.href); }
};

document.addEventListener('click', (e) => {
  const link = e.target.closest('[data-edit], [data-cancel]');
  if (!link || e.ctrlKey || e.metaKey || e.shiftKey) return;
  e.preventDefault();
  const field = link.closest('form')?.elements.field.value;
  go(link, field && `#fact-${field} [data-edit]`);
});
document.addEventListener('keydown', (e) => {
  if (e.key === 'Escape') e.target.closest('[data-fact]')?.querySelector('[data-cancel]').click();
});
document.addEventListener('submit', async (e) => {
  const form = e.target;
  if (!form.matches('[data-fact]')) return;
  e.preventDefault();
  if (form.ariaBusy) return;
  form.ariaBusy = 'true';
  const field = form.elements.field.value;
  try {
    const next = await read(form.action, { method: 'POST', body: new URLSearchParams(new FormData(form)) });
    if (take(next)) {
      if (!document.querySelector('[data-fact]')) document.querySelector(`#fact-${field} [data-edit]`)?.focus();
      return;
    }
  } catch { /* send it as browsers do */ }
  form.submit();
});
