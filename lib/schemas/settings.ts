import { z } from "zod";

/** The dashboard's look in this browser. Stored in a cookie, so that the first paint is right. */
export const DisplaySettings = z.object({
  theme: z.enum(["system", "light", "dark"]).catch("system"),
  direction: z.enum(["default", "cvd", "inverted"]).catch("default"),
  density: z.enum(["comfortable", "compact"]).catch("comfortable"),
  hideValues: z.boolean().catch(false),
  shortcuts: z.boolean().catch(true),
  /** How often live data refreshes. */
  liveUpdates: z.enum(["live", "slow", "paused"]).catch("live"),
  /** An IANA name, or "auto" for the browser's zone. */
  timeZone: z.string().max(64).catch("auto"),
  hour12: z.boolean().catch(false),
  /** The navigation on wide screens: words, or icons only. */
  rail: z.enum(["words", "icons"]).catch("words"),
});
export type DisplaySettings = z.output<typeof DisplaySettings>;

/** The defaults of new orders. Stored with the account. */
export const TradingSettings = z.object({
  reviewOrders: z.boolean().catch(true),
  defaultOrderType: z.enum(["market", "limit"]).catch("market"),
  /** How far from the best price a market order can fill, in cents. */
  priceProtectionCents: z.int().min(1).max(20).catch(5),
  /** The quick-add buttons of the ticket's amount, in whole USDC. */
  quickAmounts: z.array(z.int().min(1).max(1_000_000)).length(3).catch([1, 20, 100]),
});
export type TradingSettings = z.output<typeof TradingSettings>;

/** Parses the display cookie. Missing and invalid fields get their defaults. */
export function parseDisplaySettings(cookie: string | undefined): DisplaySettings {
  return DisplaySettings.parse(parseObject(cookie));
}

/** The cookie's text is JSON, or percent-encoded JSON as the browser sent it. */
function parseObject(text = "{}"): object {
  try {
    const value: unknown = JSON.parse(text.startsWith("{") ? text : decodeURIComponent(text));
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
  } catch {
    return {};
  }
}
