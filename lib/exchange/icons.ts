import "server-only";
import { EVENT_TEMPLATES } from "@/lib/exchange/catalogue";
import { hashText } from "@/lib/exchange/noise";

/** Names of the drawings of `renderIcon`. */
export const GLYPHS = [
  "atom",
  "ball",
  "ballot",
  "bank",
  "basket",
  "battery",
  "bell",
  "bike",
  "blocks",
  "boat",
  "book",
  "building",
  "candles",
  "chart",
  "coin",
  "crane",
  "drop",
  "factory",
  "film",
  "fish",
  "flag",
  "gamepad",
  "gavel",
  "hoop",
  "house",
  "hurricane",
  "lighthouse",
  "mask",
  "medal",
  "megaphone",
  "meteor",
  "music",
  "parliament",
  "pawn",
  "planet",
  "rain",
  "rings",
  "robot",
  "rocket",
  "scales",
  "seismograph",
  "snow",
  "spark",
  "stopwatch",
  "storm",
  "sun",
  "tennis",
  "thermometer",
  "trophy",
  "wave",
  "wind",
] as const;
type Glyph = (typeof GLYPHS)[number];

/** Markets of the live venue have the icon of their category. */
const CATEGORY_GLYPHS: ReadonlyMap<string, string> = new Map([
  ["category-crypto.svg", "coin"],
  ["category-culture.svg", "mask"],
  ["category-economics.svg", "bank"],
  ["category-finance.svg", "candles"],
  ["category-politics.svg", "parliament"],
  ["category-science.svg", "atom"],
  ["category-sports.svg", "ball"],
  ["category-weather.svg", "sun"],
]);

/** Returns the SVG of a market's `icon`, such as `harbor-election.svg`; null if unknown. */
export function findEventIcon(name: string): string | null {
  const glyph = CATEGORY_GLYPHS.get(name);
  if (glyph !== undefined) return renderIcon(glyph, name);
  const event = EVENT_TEMPLATES.find((template) => `${template.id}.svg` === name);
  return event ? renderIcon(event.glyph, event.id) : null;
}

/**
 * Returns an SVG with a white line drawing on a rounded square, whose two tones derive from `seed`. It
 * has no ids, so a page can inline many icons. An unknown glyph falls back to the spark.
 */
export function renderIcon(glyph: string, seed: string): string {
  const hash = hashText(seed);
  const hue = hash % 360;
  const shadeHue = (hue + 16 + ((hash >>> 16) % 33)) % 360;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">` +
    `<rect width="64" height="64" rx="14" fill="hsl(${hue},48%,36%)"/>` +
    `<path d="${LOWER_RIGHT_HALF}" fill="hsl(${shadeHue},52%,29%)"/>` +
    `<path d="${PATHS.get(glyph) ?? DRAWINGS.spark}" fill="none" stroke="#fff" ` +
    `stroke-width="3.6" stroke-linecap="round" stroke-linejoin="round"/></svg>`
  );
}

/** The background below its diagonal, with the corners of the rounded square. */
const LOWER_RIGHT_HALF =
  "M59.9 4.1A14 14 0 0 1 64 14V50A14 14 0 0 1 50 64H14A14 14 0 0 1 4.1 59.9Z";

/** Path data on the 64 x 64 grid, kept within 12..52 and stroked, never filled. */
const DRAWINGS: Readonly<Record<Glyph, string>> = {
  atom:
    "M19.3 19.3a18 8 45 1 0 25.4 25.4a18 8 45 1 0-25.4-25.4" +
    "M19.3 44.7a18 8-45 1 0 25.4-25.4a18 8-45 1 0-25.4 25.4M32 32h0",
  ball:
    "M15 32a17 17 0 1 0 34 0a17 17 0 1 0-34 0M32 26l6 4.5-2.3 7h-7.4l-2.3-7zM32 26v-9" +
    "M38 30.5l8-2.5M35.7 37.5l5.3 7M28.3 37.5l-5.3 7M26 30.5l-8-2.5",
  ballot: "M15 34v15h34V34zM23 34V15h18v19M28 24l3 3 5-6",
  bank: "M14 26l18-11 18 11zM15 49h34M21 33v9M32 33v9M43 33v9",
  basket: "M14 28h36l-5 20H19zM22 28l7-12M42 28l-7-12M27 35v6M37 35v6",
  battery: "M13 23h32v18H13zM51 29v6M21 30v4M29 30v4",
  bell: "M18 42c4-4 4-8 4-14a10 10 0 0 1 20 0c0 6 0 10 4 14zM28 49a4 4 0 0 0 8 0M32 18v-4",
  bike:
    "M12 40a8 8 0 1 0 16 0a8 8 0 1 0-16 0M36 40a8 8 0 1 0 16 0a8 8 0 1 0-16 0" +
    "M20 40l7-14h12l5 14M27 26l6 14h6M24 21h6M39 26l-2-6h6",
  blocks: "M14 15h15v15H14zM35 34h15v15H35zM29 22h9a4 4 0 0 1 4 4v8",
  boat: "M14 40h36l-6 9H20zM32 40V14M32 16l14 18H32",
  book: "M32 20c-4-4-11-4-17-3v28c6-1 13-1 17 3c4-4 11-4 17-3V17c-6-1-13-1-17 3zM32 20v28",
  building: "M20 49V16h16v33M36 28h9v21M15 49h34M27 24h2M27 32h2M27 40h2",
  candles: "M22 15v6M22 39v10M17 21h10v18H17zM42 15v10M42 39v10M37 25h10v14H37z",
  chart: "M16 15v33h33M23 40l8-9 6 5 11-14",
  coin: "M15 32a17 17 0 1 0 34 0a17 17 0 1 0-34 0M32 23l8 9-8 9-8-9z",
  crane: "M22 50V14M14 21h36M22 14l20 7M43 21v10M36 31h14v9H36zM15 50h14",
  drop: "M32 14c7 9 12 15 12 22a12 12 0 0 1-24 0c0-7 5-13 12-22zM27 37a5 5 0 0 0 5 5",
  factory: "M15 49V27l11 7v-7l11 7V16h12v33zM24 42h0M32 42h0M40 42h0",
  film: "M15 17h34v30H15zM24 17v30M40 17v30M15 27h9M15 37h9M40 27h9M40 37h9",
  fish: "M13 32c6-10 18-12 26-3l11-8v22l-11-8c-8 9-20 7-26-3zM23 31h0",
  flag: "M20 50V14M20 16h26l-6 8 6 8H20",
  gamepad:
    "M22 23h20c6 0 9 6 9 15s-5 9-8 5l-4-5H25l-4 5c-3 4-8 4-8-5s3-15 9-15zM19 31h6M22 28v6" +
    "M40 28h0M44 33h0",
  gavel: "M33 14l12 12-9 9-12-12zM30 29L16 43M32 49h17",
  hoop:
    "M15 32a17 17 0 1 0 34 0a17 17 0 1 0-34 0M15 32h34M32 15v34M20.5 20a17 17 0 0 1 0 24" +
    "M43.5 20a17 17 0 0 0 0 24",
  house: "M14 32l18-16 18 16M20 28v20h24V28M32 48V38",
  hurricane: "M26 32a6 6 0 1 0 12 0a6 6 0 1 0-12 0M46 15c-14-2-26 5-26 17M18 49c14 2 26-5 26-17",
  lighthouse:
    "M27 25l-4 24h18l-4-24zM28 25v-6l4-5 4 5v6M25 38h14M20 18l-6-3M20 24l-6 2M44 18l6-3" +
    "M44 24l6 2",
  mask:
    "M17 17c10 4 20 4 30 0v15c0 10-8 16-15 18c-7-2-15-8-15-18zM24 29h3M37 29h3" +
    "M26 37c4 4 8 4 12 0",
  medal: "M21 14l6 14M43 14l-6 14M21 38a11 11 0 1 0 22 0a11 11 0 1 0-22 0M32 35v6",
  megaphone: "M15 27v10h8l18 9V18L23 27zM23 37l3 11h6l-3-8M47 27a7 7 0 0 1 0 10",
  meteor: "M15 40a9 9 0 1 0 18 0a9 9 0 1 0-18 0M34 32L49 17M25 24l9-9M40 40l9-9",
  music:
    "M27 43V20l20-4v22M17 43a5 5 0 1 0 10 0a5 5 0 1 0-10 0" +
    "M37 38a5 5 0 1 0 10 0a5 5 0 1 0-10 0",
  parliament: "M15 49h34M19 43V33M32 43V33M45 43V33M14 33h36M20 33a12 12 0 0 1 24 0M32 21v-7",
  pawn: "M25 21a7 7 0 1 0 14 0a7 7 0 1 0-14 0M28 28c0 7-3 9-5 14h18c-2-5-5-7-5-14M20 49h24",
  planet:
    "M21 32a11 11 0 1 0 22 0a11 11 0 1 0-22 0" +
    "M41 24c6-2 10-2 10.5 0c1 3-8 9-18 13s-20 6-21 3c-.6-2 3-5 8-8.5",
  rain:
    "M22 36a7 7 0 0 1 0-14a11 11 0 0 1 21-1a7.5 7.5 0 0 1 0 15zM24 43l-2 6M33 43l-2 6" +
    "M42 43l-2 6",
  rings: "M14 32a11 11 0 1 0 22 0a11 11 0 1 0-22 0M28 32a11 11 0 1 0 22 0a11 11 0 1 0-22 0",
  robot: "M17 25h30v22H17zM32 25v-9M26 34v1M38 34v1M28 41h8M12 33v6M52 33v6",
  rocket:
    "M32 13c8 6 9 16 7 25H25c-2-9-1-19 7-25zM25 30l-8 9v7l8-5M39 30l8 9v7l-8-5M32 45v5" +
    "M32 26h0",
  scales: "M32 14v35M23 49h18M18 21h28M18 21l-6 15h12zM46 21l-6 15h12z",
  seismograph: "M13 34h8l4-8 5 18 6-28 5 22 3-4h7",
  snow: "M32 14v36M16.4 23l31.2 18M16.4 41l31.2-18M27 16l5 5 5-5M27 48l5-5 5 5",
  spark: "M32 14c1 11 7 17 18 18c-11 1-17 7-18 18c-1-11-7-17-18-18c11-1 17-7 18-18z",
  stopwatch: "M17 35a15 15 0 1 0 30 0a15 15 0 1 0-30 0M28 14h8M32 14v6M32 35l6-7",
  storm: "M22 36a7 7 0 0 1 0-14a11 11 0 0 1 21-1a7.5 7.5 0 0 1 0 15zM34 36l-6 7h7l-5 7",
  sun:
    "M24 32a8 8 0 1 0 16 0a8 8 0 1 0-16 0M32 13v4M32 47v4M13 32h4M47 32h4" +
    "M18.6 18.6l2.8 2.8M42.6 42.6l2.8 2.8M18.6 45.4l2.8-2.8M42.6 21.4l2.8-2.8",
  tennis: "M15 32a17 17 0 1 0 34 0a17 17 0 1 0-34 0M19 21c9 6 9 16 0 22M45 21c-9 6-9 16 0 22",
  thermometer: "M28 36V19a4 4 0 0 1 8 0v17a8 8 0 1 1-8 0zM32 43V29",
  trophy:
    "M22 15h20v11a10 10 0 0 1-20 0zM22 19h-7v3a7 7 0 0 0 7 7M42 19h7v3a7 7 0 0 1-7 7" +
    "M32 36v8M24 49h16",
  wave:
    "M13 27c5 0 5-6 9.5-6s4.5 6 9.5 6 5-6 9.5-6 4.5 6 9.5 6" +
    "M13 41c5 0 5-6 9.5-6s4.5 6 9.5 6 5-6 9.5-6 4.5 6 9.5 6",
  wind: "M14 25h22a5 5 0 1 0-5-5M14 33h30a5 5 0 1 1-5 5M14 41h13a4.5 4.5 0 1 1-4.5 4.5",
};

/** A map, because a glyph named "constructor" must not find an object's own machinery. */
const PATHS: ReadonlyMap<string, string> = new Map(Object.entries(DRAWINGS));
