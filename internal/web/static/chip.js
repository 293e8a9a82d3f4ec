// The chip in the top bar: how the person's own jobs are, on every page, and what has become of them. Nothing is asked
// while there are none.

const place = document.getElementById('job-place');
const name = `jobs ${document.body.dataset.user}`; // those that were under way on the last page of this tab
const chip = () => document.getElementById('job-chip');
const ids = () => (chip()?.dataset.ids || '').split(',').filter(Boolean);
const told = () => (sessionStorage.getItem(name) || '').split(',').filter(Boolean);

// What this page shows itself is not said once more.
const shown = (id) => new RegExp(`\\D${id}(\\D|$)`).test(location.pathname + location.search);

// The button and the list stay where they are, open or with the focus, when what they say is made new.
const swap = (page) => {
  const fresh = page.getElementById('job-chip');
  const list = page.getElementById('my-jobs');
  if (!chip()) { place.replaceChildren(fresh, list); return; }
  const open = document.getElementById('my-jobs');
  const at = document.activeElement;
  const label = open.contains(at) && at.ariaLabel;
  chip().ariaLabel = fresh.ariaLabel;
  chip().dataset.ids = fresh.dataset.ids;
  chip().replaceChildren(...fresh.childNodes);
  open.replaceChildren(...list.childNodes);
  if (label) [...open.querySelectorAll('button')].find((b) => b.ariaLabel === label)?.focus();
};

// tell says what has become of jobs.
const tell = (page) => {
  for (const toast of page.querySelectorAll('.toast')) {
    document.dispatchEvent(new CustomEvent('toast', { detail: document.adoptNode(toast) }));
  }
};

const look = async () => {
  const of = [...new Set([...ids(), ...told()])];
  try {
    if (!document.hidden) {
      const answer = await fetch(`${place.dataset.chip}?of=${of}&back=${encodeURIComponent(place.dataset.here)}`);
      if (answer.redirected || answer.status === 404) return; // the person is signed out
      if (answer.ok) {
        const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
        swap(page);
        const now = ids();
        const over = of.filter((id) => !now.includes(id));
        sessionStorage.setItem(name, now);
        if (!over.every(shown)) tell(page);
      }
    }
  } catch { /* the server is away for a moment: ask again */ }
  if (ids().length || told().length) setTimeout(look, 2000);
};

if (ids().length) sessionStorage.setItem(name, [...new Set([...ids(), ...told()])]);
if (told().length) setTimeout(look, chip() ? 1000 : 0);
