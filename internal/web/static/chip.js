// The chip in the top bar: how the person's own jobs are, on every page, and what has become of them. Nothing is asked while there are none.

const place = document.getElementById('job-place');
const name = `jobs ${document.body.dataset.user}`; // those that were under way on the last page of this tab
const chip = () => document.getElementById('job-chip');
const ids = () => (chip()?.dataset.ids || '').split(',').filter(Boolean);
const told = () => (sessionStorage.getItem(name) || '').split(',').filter(Boolean);

// What this page shows itself is not said once more.
const shown = (id) => new RegExp(`\\D${id}(\\D|$)`).test(location.pathname + location.search);

// The list stays open, and the focus in it, when it is made new.
const swap = (page) => {
  const fresh = page.getElementById('job-chip');
  const list = page.getElementById('my-jobs');
  const open = document.getElementById('my-jobs');
  if (!chip()) { place.replaceChildren(fresh, list); return; }
  const at = document.activeElement;
  const label = open.contains(at) && at.ariaLabel;
  if (at === chip()) { chip().replaceWith(fresh); fresh.focus(); } else chip().replaceWith(fresh);
  open.replaceChildren(...list.childNodes);
  if (label) [...open.querySelectorAll('button')].find((b) => b.ariaLabel === label)?.focus();
};

const look = async () => {
  const of = [...new Set([...ids(), ...told()])];
  try {
    if (!document.hidden) {
      const answer = await fetch(`${place.dataset.news}?of=${of}&back=${encodeURIComponent(place.dataset.here)}`);
      if (answer.redirected || answer.status === 404) return; // the person is signed out
      if (answer.ok) {
        const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
        swap(page);
        const now = ids();
        const over = of.filter((id) => !now.includes(id));
        sessionStorage.setItem(name, now);
        if (over.length && !over.every(shown)) {
          for (const toast of page.querySelectorAll('.toast')) document.dispatchEvent(new CustomEvent('toast', { detail: document.adoptNode(toast) }));
        }
      }
    }
  } catch { /* the server is away for a moment: ask again */ }
  if (ids().length || told().length) setTimeout(look, 2000);
};

if (ids().length) sessionStorage.setItem(name, [...new Set([...ids(), ...told()])]);
if (told().length) setTimeout(look, chip() ? 1000 : 0);
