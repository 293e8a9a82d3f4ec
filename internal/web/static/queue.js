// A queue: a quiet hint when tickets in it are new or have changed.

import { live } from './live.js';

const path = location.pathname.replace(/\/$/, '');
let since = 0;
let hint = null;

live(() => `${path}/events?since=${since}&list=${encodeURIComponent(location.search.slice(1))}`, (now) => {
  since = now.since;
  if (!now.new) { hint?.remove(); hint = null; return; }
  if (!hint) {
    hint = document.createElement('a');
    hint.className = 'btn small news';
    hint.href = location.href;
    hint.setAttribute('role', 'status');
    document.querySelector('.head h1').after(hint);
  }
  hint.textContent = now.text;
});
