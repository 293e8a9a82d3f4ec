// Live arrival: the server tells a page how what it shows is now, at first and whenever that changes. While the page is not looked
// at, nothing is open: the first thing that is told then says whether something was missed.

// A browser opens again what breaks off, but gives up what was refused: then it is tried after a pause, which grows.
const shortest = 5000;
const longest = 60000;

// The number beside a link of the navigation is told as well.
const count = ({ href, text }) => {
  const number = document.querySelector(`.nav a[href="${CSS.escape(href)}"] .n`);
  if (number) number.textContent = text;
};

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
    source.addEventListener('counted', (e) => count(JSON.parse(e.data)));
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

// way is the selector by which an element is found again in a part that is made new, '' for none.
const way = (e) => {
  if (e.id) return `#${CSS.escape(e.id)}`;
  return e.matches('a[href]') ? `a[href="${CSS.escape(e.getAttribute('href'))}"]` : '';
};

// ways are those to what has the focus, or else to where it goes when that is gone: what it names itself, what comes next in the part,
// what came before.
function ways(at, part) {
  const all = [...part.querySelectorAll('button[id], summary[id], input[id], select[id]')];
  const after = (e) => at.compareDocumentPosition(e) & Node.DOCUMENT_POSITION_FOLLOWING;
  return [way(at), at.dataset.then && `#${at.dataset.then}`, ...all.filter(after).map(way), ...all.filter((e) => !after(e)).reverse().map(way)].filter(Boolean);
}

// Parts of a page are those with data-part; each is replaced by the one of the same name. What is folded out in it stays so, and the
// focus stays in it.
export function swap(html, skip = () => false) {
  const page = new DOMParser().parseFromString(html, 'text/html');
  for (const part of document.querySelectorAll('[data-part]')) {
    const fresh = page.querySelector(`[data-part="${part.dataset.part}"]`);
    if (!fresh || skip(part)) continue;
    const at = document.activeElement;
    const to = part.contains(at) ? ways(at, part) : [];
    for (const open of part.querySelectorAll('details[open][id]')) fresh.querySelector(way(open))?.setAttribute('open', '');
    part.replaceWith(document.adoptNode(fresh));
    to.some((selector) => {
      const next = fresh.querySelector(selector);
      next?.focus({ preventScroll: true });
      return next && document.activeElement === next;
    });
  }
  const toast = page.querySelector('.toast');
  if (toast) document.dispatchEvent(new CustomEvent('toast', { detail: document.adoptNode(toast) }));
  return page;
}
