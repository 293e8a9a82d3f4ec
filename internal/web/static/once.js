// Secrets that are shown once can be printed.
document.addEventListener('click', (e) => { if (e.target.closest('[data-print]')) window.print(); });
