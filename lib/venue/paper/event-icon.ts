import "server-only";
import { EVENT_TEMPLATES } from "@/lib/venue/paper/catalogue";
import { iconSvg } from "@/lib/venue/paper/icons";

/** The icon that a market's `icon` names, such as `harbor-election.svg`. */
export function findEventIcon(name: string): string | null {
  const event = EVENT_TEMPLATES.find((template) => `${template.id}.svg` === name);
  return event ? iconSvg(event.glyph, event.id) : null;
}
