// What somebody types into a form is kept in this tab until the form has its answer. If that was an error, or the page to sign in because
// the session had ended, the same person finds it again when they open the form. Passwords are not kept. Who leaves without sending it
// is asked before, since nothing of it is kept then.

import { forget, named, nameOf, read, write } from './kept.js';

const { user } = document.body.dataset;
const nameFor = (form) => nameOf('typed', form.getAttribute('action'));
const valuesOf = (form) => {
  const data = new FormData(form);
  for (const secret of form.querySelectorAll('[type=password]')) data.delete(secret.name);
  return [...data].filter(([, value]) => typeof value === 'string');
};

// offer lets the server fill the form in once more, which knows rows, links, and what others have changed since.
const offer = (form, name, values) => {
  const notice = document.getElementById('typed').content.firstElementChild.cloneNode(true);
  notice.querySelector('[name=do]').addEventListener('click', () => {
    form.addEventListener('formdata', ({ formData }) => {
      for (const field of [...formData.keys()]) if (field !== 'do') formData.delete(field);
      for (const [field, value] of values) formData.append(field, value);
    });
  });
  notice.querySelector('[data-discard]').addEventListener('click', () => {
    forget(name);
    notice.remove();
    form.querySelector('input:not([type=hidden]), select, textarea')?.focus();
  });
  form.querySelector('button').after(notice); // the first one is that of the Enter key
};

const forms = user ? [...document.querySelectorAll('form[data-form]')] : [];
const here = forms.map(nameFor);
if (document.querySelector('body.gate, [data-wrong]')) for (const name of named('typed')) write(name, { values: read(name).values, lost: true });
else if (user) for (const name of named('typed')) if (!read(name).lost && !here.includes(name)) forget(name);
for (const form of forms) {
  const name = nameFor(form);
  const kept = read(name);
  if (kept?.lost) offer(form, name, kept.values);
  let timer;
  const now = () => { clearTimeout(timer); write(name, { values: valuesOf(form) }); };
  form.addEventListener('input', () => { clearTimeout(timer); timer = setTimeout(now, 200); });
  form.addEventListener('submit', now);
}

// What the page was loaded with is known once the other scripts have made the form theirs. One that answers a form has what was not
// saved.
const unsent = (form) => {
  const values = () => new URLSearchParams(new FormData(form)).toString();
  let loaded = null;
  let sent = false;
  document.addEventListener('DOMContentLoaded', () => { loaded = 'posted' in document.body.dataset ? '' : values(); });
  form.addEventListener('submit', () => { sent = true; });
  addEventListener('pageshow', () => { sent = false; });
  return () => loaded !== null && !sent && values() !== loaded;
};
const checks = forms.map(unsent);
if (checks.length) addEventListener('beforeunload', (e) => { if (checks.some((differs) => differs())) e.preventDefault(); });
