import { z } from "zod";

/** How the dashboard looks in this browser. Kept in a cookie, so that the first paint is right. */
export const DisplaySettings = z.object({
  theme: z.enum(["system", "light", "dark"]).catch("system"),
  direction: z.enum(["default", "cvd", "inverted"]).catch("default"),
  density: z.enum(["comfortable", "compact"]).catch("comfortable"),
  hideValues: z.boolean().catch(false),
  shortcuts: z.boolean().catch(true),
  /** How often prices that others change are brought up to date. */
  liveUpdates: z.enum(["live", "slow", "paused"]).catch("live"),
  /** An IANA name; "auto" is what the browser says. */
  timeZone: z.string().max(64).catch("auto"),
  hour12: z.boolean().catch(false),
  /** The navigation on wide screens: words, or icons only. */
  rail: z.enum(["words", "icons"]).catch("words"),
});
export type DisplaySettings = z.output<typeof DisplaySettings>;

/** What the account's orders start from. Kept with the account. */
export const TradingSettings = z.object({
  reviewOrders: z.boolean().catch(true),
  defaultOrderType: z.enum(["market", "limit"]).catch("market"),
  /** How far a market order may go from the best price, in cents. */
  priceProtectionCents: z.int().min(1).max(20).catch(5),
  /** What the ticket's chips add to the amount, in whole USDC. */
  quickAmounts: z.array(z.int().min(1).max(1_000_000)).length(3).catch([1, 20, 100]),
});
export type TradingSettings = z.output<typeof TradingSettings>;

/** Reads the display cookie; whatever it lacks or spoils gets its default. */
export function parseDisplaySettings(cookie: string | undefined): DisplaySettings {
  return DisplaySettings.parse(parseObject(cookie));
}

/** The cookie's text is JSON, or still percent-encoded as the browser sent it. */
function parseObject(text = "{}"): object {
  try {
    const value: unknown = JSON.parse(text.startsWith("{") ? text : decodeURIComponent(text));
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
  } catch {
    return {};
  }
}
