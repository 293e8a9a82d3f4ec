// Instant results below the search of the top bar: a list that arrows walk, as a combobox does.

const form = document.querySelector('form[data-instant]');
const input = form?.querySelector('input');
if (input) {
  const list = document.createElement('div');
  list.id = 'instant'; list.className = 'instant'; list.hidden = true; list.setAttribute('role', 'listbox');
  list.setAttribute('aria-label', input.getAttribute('aria-label'));
  form.append(list);
  for (const [name, value] of Object.entries({ role: 'combobox', 'aria-expanded': 'false', 'aria-controls': list.id, 'aria-autocomplete': 'list', 'aria-haspopup': 'listbox' })) input.setAttribute(name, value);

  let timer, asking, at = -1;
  const options = () => [...list.querySelectorAll('[role=option]')];
  const open = (is) => {
    list.hidden = !is;
    input.setAttribute('aria-expanded', is);
    if (!is) { at = -1; input.removeAttribute('aria-activedescendant'); }
  };
  const mark = (to) => {
    const all = options();
    all[at]?.setAttribute('aria-selected', 'false');
    at = all.length ? (to + all.length + 1) % (all.length + 1) : -1; // the place after the last is the input itself
    if (at === all.length) at = -1;
    const here = all[at];
    if (!here) { input.removeAttribute('aria-activedescendant'); return; }
    here.setAttribute('aria-selected', 'true');
    here.scrollIntoView({ block: 'nearest' });
    input.setAttribute('aria-activedescendant', here.id);
  };
  const fill = (is) => { // with what was found; or with bones, shaped like it
    if (!is) list.innerHTML = '<div class="bones"><span class="bone w2"></span><span class="bone w3"></span><span class="bone w1"></span></div>';
    list.setAttribute('aria-busy', !is);
    at = -1;
    open(document.activeElement === input && (!is || options().length > 0));
  };
  const ask = async () => {
    asking?.abort();
    const q = input.value.trim();
    if (q.length < 2) { open(false); return; }
    asking = new AbortController();
    const late = setTimeout(fill, 300, false);
    try {
      const answer = await fetch(`${form.action}/instant?q=${encodeURIComponent(q)}`, { signal: asking.signal, redirect: 'error' });
      if (!answer.ok) { open(false); return; }
      list.innerHTML = await answer.text(); // of our own server, escaped there
      fill(true);
    } catch (e) {
      if (e.name !== 'AbortError') open(false);
    } finally {
      clearTimeout(late);
    }
  };
  input.addEventListener('input', () => { clearTimeout(timer); timer = setTimeout(ask, 150); });
  input.addEventListener('focus', () => { if (options().length && input.value.trim().length > 1) open(true); });
  input.addEventListener('blur', () => setTimeout(() => open(false), 150));
  input.addEventListener('keydown', (e) => {
    if (e.isComposing) return;
    const isOpen = !list.hidden;
    if (e.key === 'Escape' && isOpen) { e.preventDefault(); open(false); }
    if (e.key === 'ArrowDown' || e.key === 'ArrowUp') {
      e.preventDefault();
      if (!isOpen && options().length) open(true);
      mark(e.key === 'ArrowDown' ? at + 1 : (at < 0 ? options().length : at) - 1);
    }
    if (e.key === 'Enter' && isOpen && at >= 0) { e.preventDefault(); location.href = options()[at].dataset.href; }
  });
  list.addEventListener('pointerdown', (e) => e.preventDefault()); // the input keeps the focus
  list.addEventListener('click', (e) => {
    const to = e.target.closest('[role=option]');
    if (to) location.href = to.dataset.href;
  });
}
