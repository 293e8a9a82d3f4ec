// Drafts of answers are kept in this tab until they are sent: until their writer's own last answer is another than it was then, whatever
// others have written meanwhile. A page that says why it was not sent keeps them too.

import { forget, nameOf, read, write } from './kept.js';

export function drafts(form, own) {
  const area = form.querySelector('textarea');
  const name = nameOf('draft', form.dataset.draft);
  const kept = read(name) ?? {};
  if (kept.own !== undefined && kept.own !== own() && !document.querySelector('main [role=alert]')) forget(name);
  else if (!area.value && kept.body) {
    area.value = kept.body;
    if (kept.kind) form.querySelector(`[name=kind][value="${kept.kind}"]`).checked = true;
  }
  const keep = (before) => {
    if (area.value) write(name, { body: area.value, kind: new FormData(form).get('kind'), own: before });
    else forget(name);
  };
  form.addEventListener('input', () => keep());
  form.addEventListener('submit', () => keep(own()));
  return keep;
}
