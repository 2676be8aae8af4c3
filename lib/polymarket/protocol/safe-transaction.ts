import "server-only";
import {
  concat,
  dataLength,
  dataSlice,
  getAddress,
  Interface,
  solidityPacked,
  toBigInt,
  toNumber,
  TypedDataEncoder,
  type TypedDataField,
  ZeroAddress,
} from "ethers";
import { type ChainId, CONTRACT } from "@/lib/polymarket/protocol/contracts";
import type { WalletCall } from "@/lib/polymarket/protocol/position-calls";

/** A Safe runs a transaction as a call, or the code of another contract as its own. */
const SAFE_OPERATION = { call: 0, delegateCall: 1 } as const;

/** A transaction of a Safe (polymarket-wallets.md 3.2). Gas is paid by Polymarket, so it has no fees. */
export interface SafeTransaction {
  safe: string;
  to: string;
  value: bigint;
  data: string;
  operation: 0 | 1;
  nonce: bigint;
}

const SAFE_TYPES: Record<"SafeTx", TypedDataField[]> = {
  SafeTx: [
    { name: "to", type: "address" },
    { name: "value", type: "uint256" },
    { name: "data", type: "bytes" },
    { name: "operation", type: "uint8" },
    { name: "safeTxGas", type: "uint256" },
    { name: "baseGas", type: "uint256" },
    { name: "gasPrice", type: "uint256" },
    { name: "gasToken", type: "address" },
    { name: "refundReceiver", type: "address" },
    { name: "nonce", type: "uint256" },
  ],
};
const NO_FEES = {
  safeTxGas: 0n,
  baseGas: 0n,
  gasPrice: 0n,
  gasToken: ZeroAddress,
  refundReceiver: ZeroAddress,
};
const CREATION_TYPES: Record<"CreateProxy", TypedDataField[]> = {
  CreateProxy: [
    { name: "paymentToken", type: "address" },
    { name: "payment", type: "uint256" },
    { name: "paymentReceiver", type: "address" },
  ],
};
const FREE_CREATION = { paymentToken: ZeroAddress, payment: 0n, paymentReceiver: ZeroAddress };
const MULTI_SEND = new Interface(["function multiSend(bytes transactions)"]);
/** The packed form of a call: operation, target, value and the length of the data. */
const ITEM_TYPES = ["uint8", "address", "uint256", "uint256", "bytes"];
const ITEM_HEAD_BYTES = 85;

/** Computes the hash of the transaction, which the owner signs as a personal message. */
export function computeSafeHash(
  { safe, to, value, data, operation, nonce }: SafeTransaction,
  chainId: ChainId,
): string {
  const message = { to, value, data, operation, nonce, ...NO_FEES };
  return TypedDataEncoder.hash({ chainId, verifyingContract: safe }, SAFE_TYPES, message);
}

/** Computes the digest that the owner signs to create its Safe. */
export function computeSafeCreationDigest(chainId: ChainId): string {
  const domain = {
    name: "Polymarket Contract Proxy Factory",
    chainId,
    verifyingContract: CONTRACT.safeFactory,
  };
  return TypedDataEncoder.hash(domain, CREATION_TYPES, FREE_CREATION);
}

/** Makes the transaction that runs these calls: directly, or through MultiSend if there are several. */
export function toSafeTransaction(
  calls: readonly WalletCall[],
  { safe, nonce }: { safe: string; nonce: bigint },
): SafeTransaction {
  const [only, ...others] = calls;
  if (!only) throw new RangeError("a transaction has at least one call");
  if (others.length === 0) {
    const { target: to, value, data } = only;
    return { safe, to, value, data, operation: SAFE_OPERATION.call, nonce };
  }
  const data = packMultiSend(calls);
  const operation = SAFE_OPERATION.delegateCall;
  return { safe, to: CONTRACT.multiSend, value: 0n, data, operation, nonce };
}

/**
 * Lists the calls of a transaction. Null for the code of any contract but MultiSend, for nested code,
 * and for bytes that are not the exact encoding of these calls.
 */
export function listSafeCalls({
  to,
  value,
  data,
  operation,
}: SafeTransaction): WalletCall[] | null {
  if (operation === SAFE_OPERATION.call) return [{ target: to, value, data }];
  if (to.toLowerCase() !== CONTRACT.multiSend.toLowerCase() || value !== 0n) return null;
  return unpackMultiSend(data);
}

function packMultiSend(calls: readonly WalletCall[]): string {
  const items = calls.map(({ target, value, data }) =>
    solidityPacked(ITEM_TYPES, [SAFE_OPERATION.call, target, value, dataLength(data), data]),
  );
  return MULTI_SEND.encodeFunctionData("multiSend", [concat(items)]);
}

function unpackMultiSend(data: string): WalletCall[] | null {
  try {
    const [packed] = MULTI_SEND.decodeFunctionData("multiSend", data);
    const calls = listItems(String(packed));
    const isExact = calls.length > 0 && packMultiSend(calls) === data.toLowerCase();
    return isExact ? calls : null;
  } catch {
    // The data is not a MultiSend, or an item ends early.
    return null;
  }
}

/** The operation of an item is not read: it is 0 in the encoding that the bytes are compared with. */
function listItems(packed: string): WalletCall[] {
  const calls: WalletCall[] = [];
  const total = dataLength(packed);
  for (let start = 0; start < total;) {
    const end = start + ITEM_HEAD_BYTES;
    const dataEnd = end + toNumber(dataSlice(packed, start + 53, end));
    calls.push({
      target: getAddress(dataSlice(packed, start + 1, start + 21)),
      value: toBigInt(dataSlice(packed, start + 21, start + 53)),
      data: dataSlice(packed, end, dataEnd),
    });
    start = dataEnd;
  }
  return calls;
}
