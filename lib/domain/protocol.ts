/**
 * A generation of the venue's contracts: it decides the form of a market's token ids and the exchange
 * that settles its orders. The simulated exchange has both, so that programs can be tried on both.
 */
export const PROTOCOLS = ["v1", "v2"] as const;
export type Protocol = (typeof PROTOCOLS)[number];

/** Ends the titles of V2 markets, because an event may have a V1 market of the same title. */
export const V2_MARK = " (V2)";

/** The exchange contracts: two of the first protocol, and one of the second. */
export const EXCHANGES = ["ctf", "negRisk", "v3"] as const;
export type ExchangeName = (typeof EXCHANGES)[number];

/** Returns the exchange that settles a market. Only the first protocol has one for neg-risk markets. */
export function chooseExchange({
  protocol,
  isNegRisk,
}: {
  protocol: Protocol;
  isNegRisk: boolean;
}): ExchangeName {
  if (protocol === "v2") return "v3";
  return isNegRisk ? "negRisk" : "ctf";
}
