// Lists: filters tell at once how many records their ticked values have, and long choices can be searched.

const show = (form) => {
  const button = form.querySelector('[data-show]');
  const values = form.querySelector('[data-all]');
  if (!button || !values) return;
  const ticked = [...values.querySelectorAll('.tick:checked')];
  const n = ticked.length ? ticked.reduce((sum, t) => sum + Number(t.dataset.n), 0) : Number(values.dataset.all);
  if (n >= 0) button.textContent = button.dataset.show.replace('…', n.toLocaleString(document.documentElement.dataset.locale || document.documentElement.lang));
};

for (const form of document.querySelectorAll('form[data-facet]')) {
  form.addEventListener('change', () => show(form));
  form.querySelector('[data-find]')?.addEventListener('input', (e) => {
    const wanted = e.target.value.trim().toLocaleLowerCase();
    for (const item of form.querySelectorAll('.item')) item.hidden = !item.textContent.toLocaleLowerCase().includes(wanted);
  });
  form.addEventListener('submit', () => { // what is not filled in is not asked for
    for (const input of form.querySelectorAll('input.input')) if (!input.value) input.disabled = true;
  });
}
document.querySelector('#asked .tick, #asked .input:not([data-find])')?.focus();

// Enter in the value of a field for all ticked records sets that field.
for (const input of document.querySelectorAll('.bulk .pop .input, .bulk .pop .select')) {
  input.addEventListener('keydown', (e) => {
    if (e.key === 'Enter') { e.preventDefault(); input.closest('.pop').querySelector('[name=field]').click(); }
  });
}
