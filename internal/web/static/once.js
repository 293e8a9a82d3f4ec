// Secrets that are shown once: say that they were copied, and print them.
document.addEventListener('click', (e) => {
  const copy = e.target.closest('[data-copy]');
  if (copy) {
    const was = copy.lastChild.textContent;
    copy.lastChild.textContent = '✓';
    setTimeout(() => { copy.lastChild.textContent = was; }, 1500);
  }
  if (e.target.closest('[data-print]')) window.print();
});
