// Storage and backups: while a backup is being made, the page is shown anew.

import { swap } from './live.js';

const running = () => document.querySelector('[data-part="storage"][data-running]');

const look = async () => {
  try {
    const answer = await fetch(location.href);
    if (answer.redirected) { location.reload(); return; }
    if (answer.ok) swap(await answer.text());
  } catch { /* the next time may be better */ }
  if (running()) setTimeout(look, 1000);
};
if (running()) setTimeout(look, 1000);
