// A ticket as who asks sees it: answers arrive while the page is open.

import { live, swap } from './live.js';

const page = document.querySelector('.request');
const said = document.querySelector('[data-said]');

live(page.dataset.live, async (now) => {
  const { version, last } = document.querySelector('[data-part="head"]').dataset;
  if (now.version === Number(version) && now.last === Number(last)) return;
  const answer = await fetch(location.href);
  if (answer.redirected) { location.reload(); return; }
  swap(await answer.text());
  said.textContent = ''; said.textContent = said.dataset.said;
});
