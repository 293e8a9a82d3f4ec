// A change of many records: its progress is shown as it goes. The number and the bar alone are changed, so that whoever is
// elsewhere on the page stays there.

const look = async () => {
  try {
    const answer = await fetch(location.href, { headers: { Accept: 'text/html' } });
    if (answer.redirected || answer.status === 404) return location.reload(); // to sign in again, or to be told that nothing is known of it
    if (answer.ok) {
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
      const next = page.querySelector('[data-running]');
      if (!next) return location.reload();
      const here = document.querySelector('[data-running]');
      here.querySelector('b').textContent = next.querySelector('b').textContent;
      here.querySelector('progress').value = next.querySelector('progress').value;
    }
  } catch { /* the server is away for a moment: ask again */ }
  setTimeout(look, 700);
};
if (document.querySelector('[data-running]')) setTimeout(look, 700);
