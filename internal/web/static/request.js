// A ticket as who asks sees it: answers arrive while the page is open, and what is being written is kept.

import { drafts } from './drafts.js';
import { live, swap } from './live.js';

const page = document.querySelector('.request');
const said = document.querySelector('[data-said]');
const head = () => document.querySelector('[data-part="head"]').dataset;

const form = document.querySelector('form[data-draft]');
if (form) drafts(form, () => head().own);

live(page.dataset.live, async (now) => {
  const { version, last } = head();
  if (now.version === Number(version) && now.last === Number(last)) return;
  const answer = await fetch(location.href).catch(() => null); // the events tell again when the server is back
  if (answer?.redirected) { location.reload(); return; }
  if (!answer?.ok) return;
  swap(await answer.text());
  if (Number(head().last) > Number(last)) { said.textContent = ''; said.textContent = said.dataset.said; }
});
