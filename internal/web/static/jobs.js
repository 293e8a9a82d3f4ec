// The pages of jobs say how they are now, as long as somebody looks at them: often while something is under way.

import { swap } from './live.js';

const running = () => document.querySelector('[data-part="jobs"][data-running]');
const look = async () => {
  try {
    if (!document.hidden) {
      const answer = await fetch(location.href, { headers: { Accept: 'text/html' } });
      // to sign in again, or to be told that it is gone
      if (answer.redirected || answer.status === 404) return location.reload();
      if (answer.ok) swap(await answer.text());
    }
  } catch { /* the server is away for a moment: ask again */ }
  setTimeout(look, running() ? 1500 : 15000);
};
setTimeout(look, running() ? 1500 : 15000);
