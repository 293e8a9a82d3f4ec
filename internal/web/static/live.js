// Live arrival: the server tells a page how what it shows is now, at first and whenever that changes. While the page is not looked
// at, nothing is open: the first thing that is told then says whether something was missed.

// A browser opens again what breaks off, but gives up what was refused: then it is tried after a pause, which grows.
const shortest = 5000;
const longest = 60000;

export function live(address, changed) {
  let source = null;
  let pause = shortest;
  let timer;
  const open = () => {
    clearTimeout(timer);
    if (source || document.hidden) return;
    source = new EventSource(typeof address === 'function' ? address() : address);
    source.addEventListener('open', () => { pause = shortest; });
    source.addEventListener('changed', (e) => changed(JSON.parse(e.data)));
    source.addEventListener('end', () => { close(); location.reload(); });
    source.addEventListener('error', (e) => {
      if (e.target !== source || source.readyState !== EventSource.CLOSED) return;
      source = null;
      timer = setTimeout(open, pause);
      pause = Math.min(2 * pause, longest);
    });
  };
  const close = () => { clearTimeout(timer); source?.close(); source = null; };
  document.addEventListener('visibilitychange', () => (document.hidden ? close() : open()));
  window.addEventListener('pagehide', close);
  window.addEventListener('pageshow', open);
  open();
}

// Parts of a page are those with data-part; each is replaced by the one of the same name.
export function swap(html, skip = () => false) {
  const page = new DOMParser().parseFromString(html, 'text/html');
  const had = document.activeElement?.id;
  for (const part of document.querySelectorAll('[data-part]')) {
    const fresh = page.querySelector(`[data-part="${part.dataset.part}"]`);
    if (fresh && !skip(part)) part.replaceWith(document.adoptNode(fresh));
  }
  const toast = page.querySelector('.toast');
  if (toast) document.dispatchEvent(new CustomEvent('toast', { detail: document.adoptNode(toast) }));
  if (had && document.activeElement === document.body) document.getElementById(had)?.focus();
  return page;
}
