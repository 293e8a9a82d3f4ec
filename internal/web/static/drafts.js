// Drafts of answers are kept in this tab until they are sent: until there is something newer than what was there then. A page that
// says why it was not sent keeps them too.

export function drafts(form, last) {
  const area = form.querySelector('textarea');
  const name = form.dataset.draft;
  const kept = JSON.parse(sessionStorage.getItem(name) ?? '{}');
  if (kept.last !== undefined && kept.last !== last() && !document.querySelector('main [role=alert]')) sessionStorage.removeItem(name);
  else if (!area.value && kept.body) {
    area.value = kept.body;
    if (kept.kind) form.querySelector(`[name=kind][value="${kept.kind}"]`).checked = true;
  }
  const keep = (seen) => {
    if (area.value) sessionStorage.setItem(name, JSON.stringify({ body: area.value, kind: new FormData(form).get('kind'), last: seen }));
    else sessionStorage.removeItem(name);
  };
  form.addEventListener('input', () => keep());
  form.addEventListener('submit', () => keep(last()));
  return keep;
}
