/** Focuses the first element of a selector that is shown, of a row or its card. Returns whether there is one. */
export function focusShown(selector: string): boolean {
  const found = [...document.querySelectorAll<HTMLElement>(selector)];
  const shown = found.find((one) => one.checkVisibility());
  shown?.focus();
  return shown !== undefined;
}
