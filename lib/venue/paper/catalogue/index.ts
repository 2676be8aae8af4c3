import "server-only";
import { POLITICS_EVENTS } from "@/lib/venue/paper/catalogue/politics";
import { SPORTS_EVENTS } from "@/lib/venue/paper/catalogue/sports";
import { CRYPTO_EVENTS } from "@/lib/venue/paper/catalogue/crypto";
import { FINANCE_EVENTS } from "@/lib/venue/paper/catalogue/finance";
import { ECONOMICS_EVENTS } from "@/lib/venue/paper/catalogue/economics";
import { CULTURE_EVENTS } from "@/lib/venue/paper/catalogue/culture";
import { SCIENCE_EVENTS } from "@/lib/venue/paper/catalogue/science";
import { WEATHER_EVENTS } from "@/lib/venue/paper/catalogue/weather";
import type { EventTemplate } from "@/lib/venue/paper/catalogue/template";

/** Every event the paper exchange lists, in a fixed order. */
export const EVENT_TEMPLATES: readonly EventTemplate[] = [
  ...POLITICS_EVENTS,
  ...SPORTS_EVENTS,
  ...CRYPTO_EVENTS,
  ...FINANCE_EVENTS,
  ...ECONOMICS_EVENTS,
  ...CULTURE_EVENTS,
  ...SCIENCE_EVENTS,
  ...WEATHER_EVENTS,
];
