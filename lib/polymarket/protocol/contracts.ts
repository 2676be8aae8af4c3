import "server-only";
import type { ExchangeName } from "@/lib/domain/protocol";

/** Chains with Polymarket's contracts: Polygon, and Amoy for tests. */
export type ChainId = 137 | 80002;

/** The EIP-712 domain of an order. */
export interface ExchangeDomain {
  name: "Polymarket CTF Exchange";
  version: "2" | "3";
  chainId: ChainId;
  verifyingContract: string;
}

type Contract = Pick<ExchangeDomain, "version"> & { addresses: Record<ChainId, string> };

/** The exchanges of CLOB V2 (polymarket.md 3.1) and ExchangeV3 (polymarket-protocol-v2.md 6.1). */
const CONTRACTS: Record<ExchangeName, Contract> = {
  ctf: { version: "2", addresses: onBothChains("0xE111180000d2663C0091e4f400237545B87B996B") },
  negRisk: { version: "2", addresses: onBothChains("0xe2222d279d744050d28e00520010520000310F59") },
  v3: {
    version: "3",
    addresses: {
      137: "0xe3333700cA9d93003F00f0F71f8515005F6c00Aa",
      80002: "0x9fE6e61422AdB6F610d8597F9684b16912D50C3D",
    },
  },
};

/** Returns the domain of orders on an exchange. */
export function getExchangeDomain(chainId: ChainId, exchange: ExchangeName): ExchangeDomain {
  const { version, addresses } = CONTRACTS[exchange];
  return {
    name: "Polymarket CTF Exchange",
    version,
    chainId,
    verifyingContract: addresses[chainId],
  };
}

/**
 * The contracts that a wallet calls or approves, and those that take part in a relayed transaction
 * (polymarket-protocol-v2.md 7, polymarket-wallets.md 3 and 4). Chain 137; no others are published.
 */
export const CONTRACT = {
  /** pUSD, the collateral of every market. */
  collateral: "0xC011a7E12a19f7B1f670d46F03B03f3342E82DFB",
  /** Holds the positions of Protocol V1. */
  conditionalTokens: "0x4D97DCd97eC945f40cF65F87097ACe5EA0476045",
  /** Holds the positions of Protocol V2. */
  positionManager: "0x006F54F7f9A22e0000CC2AB60031000000ae9fEF",
  /** Splits, merges and redeems positions of Protocol V1 in binary markets. */
  ctfAdapter: "0xAdA100Db00Ca00073811820692005400218FcE1f",
  /** The same for Protocol V1 in multi-outcome events. */
  negRiskCtfAdapter: "0xadA2005600Dec949baf300f4C6120000bDB6eAab",
  /** Reports the balances of positions in multi-outcome events. */
  negRiskAdapter: "0xd91E80cF2E7be2e162c6513ceD06f1dD0dA35296",
  /** Splits, merges and redeems positions of Protocol V2. */
  router: "0x12121212006e4CD160D18e3f00711DA5c3372600",
  autoRedeemer: "0xa1200000d0002264C9a1698e001292D00E1b00af",
  perpsDeposit: "0xDCa4af75705dbB50f62437045afF9921947917d2",
  depositWalletFactory: "0x00000000000Fb5C9ADea0298D729A0CB3823Cc07",
  safeFactory: "0xaacFeEa03eb1561C4e67d661e40682Bd20E3541b",
  proxyFactory: "0xaB45c5A4B0c941a2F231C04C3f49182e1A254052",
  /** Runs several calls of a Safe in one transaction. */
  multiSend: "0xA238CBeb142c10Ef7Ad8442C6D1f9E89e07e7761",
  relayHub: "0xD216153c06E857cD7f72665E0aF1d7D82172F494",
} as const;

function onBothChains(address: string): Record<ChainId, string> {
  return { 137: address, 80002: address };
}
