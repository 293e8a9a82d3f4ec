// Choices that do something as soon as they are made: by a click, or from an opened list. What keys go through in a closed list is not
// chosen before Enter, or before it is left; Escape takes it back.

// opened tells whether the list of a choice is open; in a browser that does not tell, it may be.
export const opened = (at, maybe) => { try { return at.matches('select:open'); } catch { return maybe && at.matches('select'); } };

export function chosen(selector, act) {
  let pressed = null; // the choice that a key is just pressed in, and its value
  let passing = null; // the choice that keys go through, and its value before
  const press = (e) => {
    if (!e.target.matches?.(selector) || opened(e.target, false)) return;
    pressed = { at: e.target, value: e.target.value };
    setTimeout(() => { pressed = null; }); // what the key does has happened then
  };
  const choose = () => {
    const { at, value } = passing;
    passing = null;
    if (at.isConnected && at.value !== value) act(at);
  };
  document.addEventListener('keydown', (e) => {
    if (e.target !== passing?.at || opened(e.target, false)) press(e);
    else if (e.key === 'Enter') { e.preventDefault(); choose(); }
    else if (e.key === 'Escape') { passing.at.value = passing.value; passing = null; }
    else press(e);
  }, true);
  document.addEventListener('keypress', press, true); // letters work after keydown
  document.addEventListener('change', (e) => {
    if (!e.target.matches(selector)) return;
    if (pressed?.at !== e.target) { passing = null; act(e.target); }
    else if (passing?.at !== e.target) passing = pressed;
  });
  document.addEventListener('focusout', (e) => { if (e.target === passing?.at) choose(); });
}
