import "server-only";

/** Chains with Polymarket's contracts: Polygon, and Amoy for tests. */
export type ChainId = 137 | 80002;

/** The addresses are the same on both chains (polymarket.md 3.1). */
const EXCHANGE = "0xE111180000d2663C0091e4f400237545B87B996B";
const NEG_RISK_EXCHANGE = "0xe2222d279d744050d28e00520010520000310F59";

/** The EIP-712 domain of an order. */
export interface ExchangeDomain {
  name: "Polymarket CTF Exchange";
  version: "2" | "3";
  chainId: ChainId;
  verifyingContract: string;
}

/** Returns the exchange contract of a market. Multi-outcome events have their own contract. */
export function getExchangeDomain(chainId: ChainId, isNegRisk: boolean): ExchangeDomain {
  return {
    name: "Polymarket CTF Exchange",
    version: "2",
    chainId,
    verifyingContract: isNegRisk ? NEG_RISK_EXCHANGE : EXCHANGE,
  };
}
