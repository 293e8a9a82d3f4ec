// Comfort for forms: suggestions while typing, linked records found at once, rows without a round trip, a live preview.

const later = (f, ms) => { let timer; return (...args) => { clearTimeout(timer); timer = setTimeout(() => f(...args), ms); }; };
// ask returns what the server suggests for a text, null when it cannot be asked or would have the person sign in first.
const ask = async (path, text) => {
  const res = await fetch(`${path}?q=${encodeURIComponent(text)}`, { redirect: 'error' }).catch(() => null);
  return res?.ok ? res.json() : null;
};
const make = (name, props = {}, ...children) => {
  const e = Object.assign(document.createElement(name), props);
  e.append(...children);
  return e;
};

// Values of text fields, people and vendors, also in forms that come into the page later.
const suggest = later(async (input) => {
  const text = input.value.trim();
  if (!text) return;
  const found = await ask(input.dataset.suggest, text);
  if (found && input.value.trim() === text) input.list?.replaceChildren(...found.map((o) => make('option', { value: o.value, label: o.label })));
}, 150);
addEventListener('input', (e) => { if (e.target.matches('[data-suggest]')) suggest(e.target); });

// Linked records: what is found for the text that is there can be added by a click, the first by Enter.
for (const box of document.querySelectorAll('[data-pick]')) {
  const input = box.querySelector('input[type=search]');
  const [picked, found] = [box.querySelector('.picked'), box.querySelector('.found')];
  input.removeAttribute('name');
  const has = (value) => [...picked.querySelectorAll('input')].some((i) => i.value === value);
  const add = (o) => {
    picked.append(make('label', { className: 'choice' }, make('input', { className: 'tick', type: 'checkbox', name: box.dataset.name, value: o.value, checked: true }), make('span', { textContent: o.label })));
    input.value = ''; found.replaceChildren(); input.focus();
  };
  const show = later(async () => {
    const text = input.value.trim();
    const all = text ? await ask(box.dataset.pick, text) : [];
    if (!all || input.value.trim() !== text) return;
    found.replaceChildren(...all.filter((o) => !has(o.value)).map((o) => {
      const b = make('button', { type: 'button', className: 'btn small', textContent: `+ ${o.label}` });
      b.addEventListener('click', () => add(o));
      return b;
    }));
  }, 150);
  input.addEventListener('input', () => { found.replaceChildren(); show(); });
  input.addEventListener('keydown', (e) => { if (e.key === 'Enter') { e.preventDefault(); found.querySelector('button')?.click(); } });
  box.querySelector('[name=do]').addEventListener('click', (e) => { e.preventDefault(); show(); input.focus(); });
}

// Rows of nested collections.
for (const box of document.querySelectorAll('[data-items]')) {
  const body = box.querySelector('tbody');
  const blank = box.querySelector('template').content.firstElementChild;
  const remove = (row) => row.querySelector('[value^="remove:"]');
  const number = () => [...body.rows].forEach((row, i) => { // as the server names them
    for (const [to, from] of [[row, blank], [remove(row), remove(blank)]]) to.ariaLabel = from.ariaLabel.replace('…', i + 1);
  });
  let next = body.rows.length + 1000;
  box.addEventListener('click', (e) => {
    const button = e.target.closest('[name=do]');
    if (!button) return;
    e.preventDefault();
    if (button.value.startsWith('remove:')) { button.closest('tr').remove(); number(); box.querySelector('[value^="add:"]').focus(); return; }
    const row = blank.cloneNode(true);
    for (const i of row.querySelectorAll('[name]')) i.name = i.name.replace('.N.', `.${next}.`);
    for (const i of row.querySelectorAll('[id]')) i.id = i.id.replace('-N-', `-${next}-`);
    for (const l of row.querySelectorAll('label')) l.htmlFor = l.htmlFor.replace('-N-', `-${next}-`);
    next += 1;
    body.append(row);
    number();
    box.querySelector('details').open = true;
    row.querySelector('input:not([type=hidden]), select, textarea').focus();
  });
}

// A preview of Markdown, made by the server.
for (const view of document.querySelectorAll('[data-preview]')) {
  const area = document.getElementById(view.dataset.of);
  const show = async () => {
    const text = area.value;
    const res = await fetch(view.dataset.preview, { method: 'POST', body: new URLSearchParams({ text }), redirect: 'error' }).catch(() => null);
    const html = res?.ok ? await res.text() : null;
    if (area.value !== text) return;
    if (html === null) view.textContent = view.dataset.failed; else view.innerHTML = html;
    view.hidden = !text.trim();
  };
  area.addEventListener('input', later(show, 300));
  area.parentElement.querySelector('[value=preview]').addEventListener('click', (e) => { e.preventDefault(); show(); });
}

// A form that is on its way is not sent twice.
for (const form of document.querySelectorAll('[data-form]')) {
  form.addEventListener('submit', (e) => { if (form.dataset.sent) e.preventDefault(); form.dataset.sent = 'yes'; });
  addEventListener('pageshow', () => { delete form.dataset.sent; });
}
