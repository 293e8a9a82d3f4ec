// Imports: while the server is at work, the page shows how far it is. What it begins with is said once, not each step of it; that it
// is done is told by the page that follows.

const said = document.querySelector('[data-said]');
said.textContent = said.dataset.said;

const again = async () => {
  try {
    const answer = await fetch(location.href, { headers: { Accept: 'text/html' } });
    if (!answer.ok || answer.redirected) return location.reload();
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const bar = page.querySelector('[data-running]');
    if (!bar) return location.reload();
    const here = document.querySelector('[data-running]');
    here.querySelector('span').textContent = bar.querySelector('span').textContent;
    here.querySelector('progress').value = bar.querySelector('progress').value;
  } catch { /* the next time may be better */ }
  setTimeout(again, 700);
};
setTimeout(again, 700);
