/** What the keys do to the page: they only move the focus, to where a person then decides. */
const TYPING = "input, textarea, select, [contenteditable]:not([contenteditable='false'])";
/** Checkboxes and the like take no text, so letters on them are free. */
const NO_TEXT = "input:is([type=checkbox], [type=radio], [type=button], [type=submit])";

export function isTypingIn(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches(TYPING) && !target.matches(NO_TEXT);
}

export const isDialogOpen = () => document.querySelector("dialog[open]") !== null;

const isShown = (element: HTMLElement) => element.checkVisibility();

/** Focuses the page's search field, or the shell's. False when neither is on screen. */
export function focusSearch(): boolean {
  const fields = document.querySelectorAll<HTMLInputElement>(
    "main input[type=search], #global-search",
  );
  const field = [...fields].find(isShown);
  field?.focus();
  field?.select();
  return field !== undefined;
}

/** Moves the focus to the link of the next or previous row of the page's tables. */
export function moveToRow(step: 1 | -1): void {
  const links = [...document.querySelectorAll<HTMLElement>("main tbody tr")]
    .filter(isShown)
    .flatMap((row) => row.querySelector<HTMLElement>("a[href]") ?? []);
  const current = links.findIndex((link) => link.closest("tr") === focusedRow());
  const start = step === 1 ? 0 : links.length - 1;
  const next = links[current === -1 ? start : current + step];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}

/** Focuses the focused row's way to cancel; pressing it is up to the person. */
export function focusRowCancel(): void {
  const controls = focusedRow()?.querySelectorAll<HTMLElement>("button, a[href], summary") ?? [];
  [...controls].find((control) => /^cancel/i.test(nameOf(control)))?.focus();
}

/** Scrolls an order book's levels inside themselves, never the page. */
export function centerOnSpread(levels: HTMLElement | null): void {
  const spread = levels?.querySelector<HTMLElement>("[data-spread]");
  if (levels && spread) levels.scrollTop = spread.offsetTop - levels.clientHeight / 2;
}

/** Brings the spread of the page's order book to the book's middle, and into sight. */
export function centerBook(): void {
  const spread = document.querySelector<HTMLElement>("[data-spread]");
  centerOnSpread(spread?.parentElement ?? null);
  spread?.scrollIntoView({ block: "nearest" });
}

/** Closes the shell's open menus. True when there was one; focus returns to what opened it. */
export function closeMenus(except: Node | null = null): boolean {
  const menus = document.querySelectorAll<HTMLDetailsElement>("details[data-menu][open]");
  const closing = [...menus].filter((menu) => !menu.contains(except));
  for (const menu of closing) {
    const hadFocus = menu.contains(document.activeElement);
    menu.open = false;
    if (hadFocus) menu.querySelector("summary")?.focus();
  }
  return closing.length > 0;
}

const focusedRow = () => document.activeElement?.closest("main tbody tr") ?? null;

const nameOf = (control: HTMLElement) =>
  control.getAttribute("aria-label") ?? control.textContent.trim();
