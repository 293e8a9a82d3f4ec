// Lists: filters tell at once how many records their ticked values have, and long choices can be searched: here, or where there
// are more of them on the server.

const show = (form) => {
  const button = form.querySelector('[data-show]');
  const values = form.querySelector('[data-all]');
  if (!button || !values) return;
  const ticked = [...values.querySelectorAll('.tick:checked')];
  const n = ticked.length ? ticked.reduce((sum, t) => sum + Number(t.dataset.n), 0) : Number(values.dataset.all);
  button.textContent = n < 0 ? button.dataset.plain : button.dataset.show.replace('…', n.toLocaleString(document.documentElement.dataset.locale || document.documentElement.lang));
};

// put shows other values; what is ticked stays so, and stays there.
const put = (form, items) => {
  const values = form.querySelector('[data-all]');
  const ticked = new Map([...values.querySelectorAll('.tick:checked')].map((t) => [t.value, t.closest('.item')]));
  for (const old of values.querySelectorAll('.item')) old.remove();
  values.append(...items);
  for (const t of values.querySelectorAll('.tick')) { t.checked = ticked.has(t.value); ticked.delete(t.value); }
  values.append(...ticked.values());
  show(form);
};

// looksUp asks the server for the values in which a text is found.
const looksUp = (form, input) => {
  const note = form.querySelector('[role=status]');
  let asking;
  return async () => {
    asking?.abort();
    asking = new AbortController();
    const asked = new URLSearchParams(new FormData(form));
    asked.set('find', input.value);
    asked.set('add', input.dataset.find);
    try {
      const answer = await fetch(`${form.dataset.facet}?${asked}`, { signal: asking.signal, redirect: 'error' });
      if (!answer.ok) throw new Error(answer.status);
      const found = document.createElement('template');
      found.innerHTML = await answer.text(); // of our own server, escaped there
      put(form, found.content.querySelectorAll('.item'));
      note.textContent = found.content.lastElementChild.textContent;
    } catch (e) {
      if (e.name !== 'AbortError') note.textContent = note.dataset.failed;
    }
  };
};

for (const form of document.querySelectorAll('form[data-facet]')) {
  form.addEventListener('change', () => show(form));
  const input = form.querySelector('[data-find]');
  const there = () => {
    const wanted = input.value.trim().toLocaleLowerCase();
    for (const item of form.querySelectorAll('.item')) item.hidden = !item.textContent.toLocaleLowerCase().includes(wanted);
  };
  const find = input?.dataset.find ? looksUp(form, input) : there;
  let timer;
  input?.addEventListener('input', () => {
    clearTimeout(timer);
    if (find === there) find();
    else timer = setTimeout(find, 150);
  });
  input?.addEventListener('keydown', async (e) => { // Enter goes to what is found
    if (e.key !== 'Enter' || e.isComposing) return;
    e.preventDefault();
    clearTimeout(timer);
    await find();
    form.querySelector('.item:not([hidden]) .tick')?.focus();
  });
  form.addEventListener('formdata', (e) => e.formData.delete('find')); // it is no part of the list
  form.addEventListener('submit', () => { // what is not filled in is not asked for
    for (const input of form.querySelectorAll('input.input:not([data-find])')) if (!input.value) input.disabled = true;
  });
}
document.querySelector('#asked .tick, #asked .input:not([data-find])')?.focus();

// Enter in the value of a field for all ticked records sets that field.
for (const input of document.querySelectorAll('.bulk .pop .input, .bulk .pop .select')) {
  input.addEventListener('keydown', (e) => {
    if (e.key === 'Enter') { e.preventDefault(); input.closest('.pop').querySelector('[name=field]').click(); }
  });
}
