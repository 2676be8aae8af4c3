import "server-only";
import { isAddress, isHexString } from "ethers";
import { type CallPermit, checkCalls } from "@/lib/custody/call-policy";
import type { LiveWalletIdentity } from "@/lib/db/queries/live-wallets";
import type { ChainId } from "@/lib/polymarket/protocol/contracts";
import { SIGNATURE_TYPE } from "@/lib/polymarket/protocol/order-hash";
import type { WalletCall } from "@/lib/polymarket/protocol/position-calls";
import {
  decodeProxyCalls,
  encodeProxyCalls,
  type ProxyTransaction,
} from "@/lib/polymarket/protocol/proxy-transaction";
import type { DepositWalletBatch } from "@/lib/polymarket/protocol/relayer-batch";
import {
  listSafeCalls,
  type SafeTransaction,
  toSafeTransaction,
} from "@/lib/polymarket/protocol/safe-transaction";

/** A request to sign calls of a wallet as one transaction. */
export interface WalletMessageRequest {
  calls: readonly WalletCall[];
  permit: CallPermit;
  /** The wallet's next nonce, as the relayer named it. */
  nonce: bigint;
  /** Unix seconds. Only deposit wallets have deadlines. */
  deadline: bigint;
  /** The address that sends transactions of proxy wallets. */
  relay: string | null;
}

/** The message of each kind of wallet, made of calls that were checked. */
export type WalletMessage =
  | { kind: "batch"; batch: DepositWalletBatch }
  | { kind: "safe"; transaction: SafeTransaction }
  | { kind: "proxy"; transaction: ProxyTransaction };

/** The gas limit of the official client. Polymarket pays the gas. */
const GAS_LIMIT = 10_000_000n;
const MIN_LIFETIME_SECONDS = 10n;
const MAX_LIFETIME_SECONDS = 600n;
const MAX_UINT256 = 2n ** 256n - 1n;
const ADDRESS_BYTES = 20;

/**
 * Makes the message that a wallet may sign now (polymarket-wallets.md 8). Throws for anything that its
 * policy refuses. Transactions without fees only, no code of another contract except MultiSend.
 */
export function buildWalletMessage(
  { address, funderAddress, signatureType }: LiveWalletIdentity,
  { calls, permit, nonce, deadline, relay }: WalletMessageRequest,
  { chainId, at }: { chainId: ChainId; at: number },
): WalletMessage {
  const checked = checkCalls(calls, permit, chainId);
  if (nonce < 0n || nonce > MAX_UINT256) throw refusal("nonce");
  switch (signatureType) {
    case SIGNATURE_TYPE.depositWallet: {
      checkDeadline(deadline, at);
      return { kind: "batch", batch: { wallet: funderAddress, nonce, deadline, calls: checked } };
    }
    case SIGNATURE_TYPE.safe: {
      const transaction = toSafeTransaction(checked, { safe: funderAddress, nonce });
      requireSame(listSafeCalls(transaction), checked);
      return { kind: "safe", transaction };
    }
    case SIGNATURE_TYPE.proxy: {
      if (relay === null || !isRelay(relay)) throw refusal("relay");
      const data = encodeProxyCalls(checked);
      requireSame(decodeProxyCalls(data), checked);
      const transaction = { from: address, data, gasLimit: GAS_LIMIT, nonce, relay };
      return { kind: "proxy", transaction };
    }
    case SIGNATURE_TYPE.eoa:
      throw refusal("a wallet without a relayer");
  }
}

/** An address may also be written without 0x or as an IBAN, neither of which can be hashed. */
const isRelay = (text: string): boolean => isHexString(text, ADDRESS_BYTES) && isAddress(text);

function checkDeadline(deadline: bigint, at: number): void {
  const left = deadline - BigInt(Math.floor(at / 1_000));
  if (left < MIN_LIFETIME_SECONDS || left > MAX_LIFETIME_SECONDS) throw refusal("deadline");
}

/** Checks that the message runs exactly the checked calls. */
function requireSame(decoded: readonly WalletCall[] | null, calls: readonly WalletCall[]): void {
  const isSame =
    decoded?.length === calls.length &&
    calls.every(({ target, value, data }, index) => {
      const other = decoded[index];
      return other?.target === target && other.value === value && other.data === data;
    });
  if (!isSame) throw refusal("calls");
}

const refusal = (what: string) => new Error(`the signer refuses: ${what}`);
