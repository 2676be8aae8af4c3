import "server-only";
import { z } from "zod";
import crypto from "@/lib/exchange/catalogue/crypto.json";
import culture from "@/lib/exchange/catalogue/culture.json";
import economics from "@/lib/exchange/catalogue/economics.json";
import finance from "@/lib/exchange/catalogue/finance.json";
import politics from "@/lib/exchange/catalogue/politics.json";
import science from "@/lib/exchange/catalogue/science.json";
import sports from "@/lib/exchange/catalogue/sports.json";
import protocolV2 from "@/lib/exchange/catalogue/protocol-v2.json";
import {
  CATEGORIES,
  CategorizedEvent,
  type Category,
  EventTemplate,
} from "@/lib/exchange/catalogue/template";
import weather from "@/lib/exchange/catalogue/weather.json";

const FILES: Readonly<Record<Category, unknown>> = {
  politics,
  sports,
  crypto,
  finance,
  economics,
  culture,
  science,
  weather,
};

/**
 * Every event the paper exchange lists, in a fixed order, those of Protocol V2 last. Throws when a file
 * is not of the schema.
 */
export const EVENT_TEMPLATES: readonly EventTemplate[] = [
  ...CATEGORIES.flatMap((category) =>
    z
      .array(EventTemplate)
      .parse(FILES[category])
      .map((event) => ({ ...event, category, protocol: "v1" as const })),
  ),
  ...z
    .array(CategorizedEvent)
    .parse(protocolV2)
    .map(({ category, event }) => ({ ...event, category, protocol: "v2" as const })),
];
