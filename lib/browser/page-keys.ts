/** Effects of the page shortcuts. They only move the focus. */
const TYPING = "input, textarea, select, [contenteditable]:not([contenteditable='false'])";
/** Inputs without text, such as checkboxes, where letters are free for shortcuts. */
const NO_TEXT = "input:is([type=checkbox], [type=radio], [type=button], [type=submit])";

/** Returns whether a key press would enter text. The field of a closed dialog keeps the focus until the next frame. */
export function isTypingIn(target: EventTarget | null): boolean {
  if (!(target instanceof Element) || !target.checkVisibility()) return false;
  return target.matches(TYPING) && !target.matches(NO_TEXT);
}

export const isDialogOpen = () => document.querySelector("dialog[open]") !== null;

const isShown = (element: HTMLElement) => element.checkVisibility();

/** Focuses the page's search field, or the top bar's. Returns false if neither is visible. */
export function focusSearch(): boolean {
  const fields = document.querySelectorAll<HTMLInputElement>(
    "main input[type=search], #global-search",
  );
  const field = [...fields].find(isShown);
  field?.focus();
  field?.select();
  return field !== undefined;
}

/** Focuses the page's heading, without a mark: it is no control. */
export function focusPageHeading(): void {
  const heading = document.querySelector<HTMLElement>("main h1");
  if (!heading) return;
  heading.tabIndex = -1;
  heading.classList.add("outline-none");
  heading.focus({ preventScroll: true });
}

/** Returns whether no visible element has the focus. The field of a closed dialog keeps it until the next frame. */
export const isFocusLost = (): boolean =>
  document.activeElement === document.body || document.activeElement?.checkVisibility() !== true;

/** Focuses the link of the next or previous table row. */
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

/** Focuses the Cancel control of the focused row. */
export function focusRowCancel(): void {
  const controls = focusedRow()?.querySelectorAll<HTMLElement>("button, a[href], summary") ?? [];
  [...controls].find((control) => /^cancel/i.test(getLabel(control)))?.focus();
}

/** Scrolls an order book's levels to the spread, without scrolling the page. */
export function centerOnSpread(levels: HTMLElement | null): void {
  const spread = levels?.querySelector<HTMLElement>("[data-spread]");
  if (levels && spread) levels.scrollTop = spread.offsetTop - levels.clientHeight / 2;
}

/** Centers the page's order book on the spread, and scrolls it into view. */
export function centerBook(): void {
  const spread = document.querySelector<HTMLElement>("[data-spread]");
  centerOnSpread(spread?.parentElement ?? null);
  spread?.scrollIntoView({ block: "nearest" });
}

/** Closes open menus and returns the focus to their buttons. Returns whether one was open. */
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

const getLabel = (control: HTMLElement) =>
  control.getAttribute("aria-label") ?? control.textContent.trim();
