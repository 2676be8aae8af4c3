import "server-only";
import { concat, Interface, keccak256, toBeHex, toUtf8Bytes } from "ethers";
import { CONTRACT } from "@/lib/polymarket/protocol/contracts";
import type { WalletCall } from "@/lib/polymarket/protocol/position-calls";

/** A transaction of a proxy wallet (polymarket-wallets.md 3.3). Gas is paid by Polymarket. */
export interface ProxyTransaction {
  /** The owner of the proxy wallet. */
  from: string;
  /** The calls in the factory's encoding. */
  data: string;
  gasLimit: bigint;
  nonce: bigint;
  /** The address that sends the transaction. The relayer names it together with the nonce. */
  relay: string;
}

const FACTORY = new Interface([
  "function proxy((uint8 typeCode, address to, uint256 value, bytes data)[] calls)",
]);
/** An ordinary call. Others would run foreign code as the wallet's own. */
const CALL = 1;
const WORD_BYTES = 32;
const FREE = toBeHex(0, WORD_BYTES);

/** Computes the hash of the transaction, which the owner signs as a personal message. */
export function computeProxyHash({ from, data, gasLimit, nonce, relay }: ProxyTransaction): string {
  return keccak256(
    concat([
      toUtf8Bytes("rlx:"),
      from,
      CONTRACT.proxyFactory,
      data,
      FREE,
      FREE,
      toBeHex(gasLimit, WORD_BYTES),
      toBeHex(nonce, WORD_BYTES),
      CONTRACT.relayHub,
      relay,
    ]),
  );
}

/** Encodes calls for the factory, which runs them as the caller's proxy wallet. */
export function encodeProxyCalls(calls: readonly WalletCall[]): string {
  const items = calls.map(({ target, value, data }) => [CALL, target, value, data]);
  return FACTORY.encodeFunctionData("proxy", [items]);
}

/** Decodes the calls. Null for bytes that are not the exact encoding of ordinary calls. */
export function decodeProxyCalls(data: string): WalletCall[] | null {
  try {
    const [items] = FACTORY.decodeFunctionData("proxy", data);
    const calls = (items as readonly { to: string; value: bigint; data: string }[]).map(
      (item): WalletCall => ({ target: item.to, value: item.value, data: item.data }),
    );
    // Compares the type codes too.
    return encodeProxyCalls(calls) === data.toLowerCase() ? calls : null;
  } catch {
    // The data is not a call of this function.
    return null;
  }
}
