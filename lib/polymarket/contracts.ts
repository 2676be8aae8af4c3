import "server-only";

/** Chains that Polymarket trades on: Polygon, and Amoy for tests. */
export type ChainId = 137 | 80002;

/** Same addresses on both chains (polymarket.md 3.1). */
const EXCHANGE = "0xE111180000d2663C0091e4f400237545B87B996B";
const NEG_RISK_EXCHANGE = "0xe2222d279d744050d28e00520010520000310F59";

/** What an order is signed for. */
export interface ExchangeDomain {
  name: "Polymarket CTF Exchange";
  version: "2" | "3";
  chainId: ChainId;
  verifyingContract: string;
}

/** The exchange that settles a market: multi-outcome events have their own. */
export function exchangeDomain(chainId: ChainId, isNegRisk: boolean): ExchangeDomain {
  return {
    name: "Polymarket CTF Exchange",
    version: "2",
    chainId,
    verifyingContract: isNegRisk ? NEG_RISK_EXCHANGE : EXCHANGE,
  };
}
