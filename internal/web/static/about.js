// About: the audit trail is verified without leaving the page. Only the part that tells of it is shown anew, so that the focus stays
// where it is, and how it began and ended is said.

import { swap } from './live.js';

const trail = () => document.querySelector('[data-part="trail"]');
const running = () => trail().matches('[data-running]');
const say = () => { document.getElementById('said').textContent = trail().querySelector('p').textContent; };

const look = async () => {
  try {
    const answer = await fetch(location.href);
    if (answer.redirected) { location.reload(); return; }
    if (answer.ok) swap(await answer.text());
  } catch { /* the next time may be better */ }
  if (running()) setTimeout(look, 700); else say();
};
if (running()) setTimeout(look, 700);

document.addEventListener('submit', async (e) => {
  if (!e.target.matches('[data-verify]')) return;
  e.preventDefault();
  if (running()) return;
  try {
    const page = swap(await (await fetch(e.target.action, { method: 'POST' })).text());
    if (!page.getElementById('said')) { location.reload(); return; } // they are no longer signed in
    say();
    if (running()) setTimeout(look, 700);
  } catch { e.target.submit(); }
});
