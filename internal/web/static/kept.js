// What is kept in this tab of what somebody writes: what they typed into forms, and drafts of answers. The names say whose it is: nobody
// else finds it, and nobody at all after a sign-out.

const { user } = document.body.dataset;
const all = () => Object.keys(sessionStorage).filter((name) => /^(typed|draft) /.test(name));

export const nameOf = (kind, of) => `${kind} ${user} ${of}`;
export const named = (kind) => all().filter((name) => name.startsWith(`${kind} `));
export const read = (name) => JSON.parse(sessionStorage.getItem(name));
export const forget = (name) => sessionStorage.removeItem(name);
export const write = (name, value) => {
  try { sessionStorage.setItem(name, JSON.stringify(value)); } catch { /* there is no room: it is comfort alone */ }
};

const forgetUnless = (keeps) => { for (const name of all()) if (!keeps(name)) forget(name); };
if (user) forgetUnless((name) => name.split(' ')[1] === user);
document.addEventListener('submit', (e) => { // when the page is left: the browser may ask before
  if (e.target.getAttribute('action')?.endsWith('/signout')) addEventListener('pagehide', () => forgetUnless(() => false));
});
