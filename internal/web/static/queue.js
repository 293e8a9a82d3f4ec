// A queue: a quiet hint when tickets in it are new or have changed since it was read.

import { live } from './live.js';

const path = location.pathname.replace(/\/$/, '');
const news = document.querySelector('[data-since]');
document.querySelector('.head h1').after(news);

live(() => `${path}/events?since=${news.dataset.since}&seen=${news.dataset.seen}&list=${encodeURIComponent(location.search.slice(1))}`, (now) => {
  news.classList.toggle('sr', !now.new);
  if (!now.new) { news.replaceChildren(); return; }
  const hint = document.createElement('a');
  hint.className = 'btn small news';
  hint.href = location.href;
  hint.textContent = now.text;
  if (news.textContent !== now.text) news.replaceChildren(hint);
});
