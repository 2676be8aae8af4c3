import "server-only";

const LIGHT = `color-scheme: light;
  --bg: oklch(.985 .002 265); --text: oklch(.21 .015 265); --text-2: oklch(.44 .018 265);
  --border: oklch(.905 .007 265); --control: oklch(.615 .015 265); --accent: oklch(.5 .19 275);
  --on-ink: oklch(1 0 0);`;
const DARK = `color-scheme: dark;
  --bg: oklch(.16 .008 265); --text: oklch(.965 .003 265); --text-2: oklch(.78 .012 265);
  --border: oklch(.315 .014 265); --control: oklch(.565 .018 265); --accent: oklch(.74 .125 275);
  --on-ink: oklch(.16 .008 265);`;

/** The dashboard's look, as far as one page needs it: it must not depend on a file that may fail. */
export const FAILED_PAGE_STYLE = `
:root { ${LIGHT} }
:root[data-theme=dark] { ${DARK} }
@media (prefers-color-scheme: dark) { :root:not([data-theme]) { ${DARK} } }
* { box-sizing: border-box }
body { margin: 0; background: var(--bg); color: var(--text);
  font: 14px/20px ui-sans-serif, system-ui, sans-serif }
header { display: flex; flex-wrap: wrap; align-items: center; gap: 0 24px; padding: 6px 16px;
  border-bottom: 1px solid var(--border) }
nav { display: flex; flex-wrap: wrap; gap: 0 16px }
header a { display: inline-flex; align-items: center; min-height: 44px; color: var(--text-2);
  text-decoration: none }
header a:hover { color: var(--text); text-decoration: underline }
header a.mark { gap: 8px; color: var(--text); font-size: 16px; font-weight: 600 }
main { max-width: 464px; margin: 0 auto; padding: 32px 16px }
h1 { margin: 0; font-size: 20px; line-height: 28px; font-weight: 600; letter-spacing: -.01em }
p { margin: 4px 0 0; color: var(--text-2) }
.ways { display: flex; flex-wrap: wrap; gap: 8px; margin: 16px 0 }
.ways a { display: inline-flex; align-items: center; min-height: 44px; padding: 0 16px;
  border: 1px solid var(--control); border-radius: 8px; color: var(--text); font-weight: 550;
  text-decoration: none }
.ways a.primary { background: var(--text); border-color: var(--text); color: var(--on-ink) }
summary { width: fit-content; min-height: 44px; line-height: 44px; color: var(--text-2);
  cursor: pointer }
code { font: 12px/16px ui-monospace, Menlo, monospace; overflow-wrap: anywhere }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
`;
