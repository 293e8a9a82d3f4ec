// Labels: the button prints the page.
document.querySelector('[data-print]')?.addEventListener('click', () => print());
