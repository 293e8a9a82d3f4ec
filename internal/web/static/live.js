// Live arrival: the server tells a page how what it shows is now, at first and whenever that changes. While the page is not looked
// at, nothing is open: the first thing that is told then says whether something was missed.

export function live(address, changed) {
  let source = null;
  const open = () => {
    if (source || document.hidden) return;
    source = new EventSource(typeof address === 'function' ? address() : address);
    source.addEventListener('changed', (e) => changed(JSON.parse(e.data)));
    source.addEventListener('end', () => { source.close(); source = null; location.reload(); });
  };
  const close = () => { source?.close(); source = null; };
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
