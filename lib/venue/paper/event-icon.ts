import "server-only";
import { EVENT_TEMPLATES } from "@/lib/venue/paper/catalogue";
import { iconSvg } from "@/lib/venue/paper/icons";

/** Markets of other venues carry the drawing of their category. */
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

/** The icon that a market's `icon` names, such as `harbor-election.svg`. */
export function findEventIcon(name: string): string | null {
  const glyph = CATEGORY_GLYPHS.get(name);
  if (glyph !== undefined) return iconSvg(glyph, name);
  const event = EVENT_TEMPLATES.find((template) => `${template.id}.svg` === name);
  return event ? iconSvg(event.glyph, event.id) : null;
}
