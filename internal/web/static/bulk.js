// A change of many records: its progress is shown as it goes.

const look = async () => {
  const now = document.querySelector('[data-progress]');
  if (!now?.hasAttribute('data-running')) return;
  try {
    const answer = await fetch(location.href, { headers: { Accept: 'text/html' } });
    const next = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const part = next.querySelector('[data-progress]');
    if (answer.ok && part) {
      now.replaceWith(part);
      document.title = next.title;
      document.querySelector('h1').replaceWith(next.querySelector('h1'));
    }
  } catch { /* the server is away for a moment: ask again */ }
  setTimeout(look, 700);
};
setTimeout(look, 700);
