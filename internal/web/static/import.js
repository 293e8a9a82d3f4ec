// Imports: while the server is at work, the page shows how far it is.

const again = async () => {
  try {
    const answer = await fetch(location.href, { headers: { Accept: 'text/html' } });
    if (!answer.ok || answer.redirected) return location.reload();
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const bar = page.querySelector('[data-running]');
    if (!bar) return location.reload();
    const here = document.querySelector('[data-running]');
    here.querySelector('p').replaceChildren(...bar.querySelector('p').childNodes);
    here.querySelector('progress').value = bar.querySelector('progress').value;
  } catch { /* the next time may be better */ }
  setTimeout(again, 700);
};
setTimeout(again, 700);
