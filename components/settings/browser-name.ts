/** The first match counts, because most user agents also name their browser's ancestors. */
const BROWSERS: readonly [RegExp, string][] = [
  [/Edg(e|A|iOS)?\//, "Edge"],
  [/OPR\/|Opera/, "Opera"],
  [/SamsungBrowser\//, "Samsung Internet"],
  [/Firefox\/|FxiOS\//, "Firefox"],
  [/Chrome\/|CriOS\/|Chromium\//, "Chrome"],
  [/Safari\//, "Safari"],
  [/^curl\//, "curl"],
];
const SYSTEMS: readonly [RegExp, string][] = [
  [/Windows/, "Windows"],
  [/iPhone/, "iPhone"],
  [/iPad/, "iPad"],
  [/Android/, "Android"],
  [/CrOS/, "ChromeOS"],
  [/Mac OS X|Macintosh/, "macOS"],
  [/Linux|X11/, "Linux"],
];

/** Describes a user agent: "Firefox on Linux". */
export function describeBrowser(userAgent: string): string {
  const nameIn = (table: typeof BROWSERS) =>
    table.find(([pattern]) => pattern.test(userAgent))?.[1] ?? null;
  const browser = nameIn(BROWSERS) ?? "Unknown browser";
  const system = nameIn(SYSTEMS);
  return system === null ? browser : `${browser} on ${system}`;
}
