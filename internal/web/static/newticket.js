// A new ticket: the computers of who asks are offered as soon as somebody is named.

import { swap } from './live.js';

const who = document.querySelector('[name="requester"]');
const picked = document.querySelector('[data-name="hardwares"] .picked');
const offers = () => picked.querySelector('[data-part="offers"]');

who.addEventListener('change', async () => {
  const asked = who.value;
  const answer = await fetch(`${location.pathname}?requester=${encodeURIComponent(asked)}`).catch(() => null);
  if (!answer?.ok || answer.redirected || who.value !== asked) return;
  const page = await answer.text();
  for (const tick of offers().querySelectorAll('.tick:checked')) offers().before(tick.closest('label'));
  swap(page);
  for (const tick of offers().querySelectorAll('.tick')) {
    if (picked.querySelectorAll(`.tick[value="${tick.value}"]`).length > 1) tick.closest('label').remove();
  }
});
