// A client of the sandbox's relayer and of its node, in the same process.
import { Wallet } from "ethers";
import { now } from "@/lib/clock";
import {
  type BuilderCredentials,
  makeBuilderHeaders,
} from "@/lib/polymarket/protocol/builder-headers";
import {
  encodePositionCall,
  type PositionCall,
  type WalletCall,
} from "@/lib/polymarket/protocol/position-calls";
import { encodeProxyCalls } from "@/lib/polymarket/protocol/proxy-transaction";
import {
  signBatch,
  signProxyTransaction,
  signSafeTransaction,
} from "@/lib/polymarket/protocol/relayer-signature";
import {
  toBatchSubmission,
  toProxySubmission,
  toSafeSubmission,
} from "@/lib/polymarket/protocol/relayer-submission";
import { toSafeTransaction } from "@/lib/polymarket/protocol/safe-transaction";
import {
  deriveDepositWallet,
  deriveProxyWallet,
  deriveSafeWallet,
} from "@/lib/polymarket/protocol/wallets";
import { createSandboxKey } from "@/lib/sandbox/keys";
import { createBuilderKey } from "@/lib/sandbox/builder-keys";
import { RELAY } from "@/lib/sandbox/wallet-nonce";
import { answerSandbox } from "@/lib/sandbox/router";

export type WalletType = "WALLET" | "SAFE" | "PROXY";

/** An owner with a builder's key and wallets of every type. */
export interface RelayedOwner {
  key: Wallet;
  builder: BuilderCredentials;
}

export interface RelayerAnswer {
  status: number;
  body: Record<string, string>;
}

const GAS_LIMIT = 200_000n;
const DEADLINE_S = 600;

export async function makeRelayedOwner(): Promise<RelayedOwner> {
  const key = new Wallet(Wallet.createRandom().privateKey);
  const { apiKey } = await createSandboxKey({ owner: key.address, nonce: "0" });
  return { key, builder: await createBuilderKey({ owner: key.address, apiKey }) };
}

export function deriveRelayedWallet({ key }: RelayedOwner, type: WalletType): string {
  if (type === "SAFE") return deriveSafeWallet(key.address);
  return type === "PROXY" ? deriveProxyWallet(key.address) : deriveDepositWallet(key.address);
}

/** Sends a request to the relayer with a builder's headers. `path` may have a query. */
export async function askRelayer(
  builder: BuilderCredentials,
  path: string,
  { body = "", headers = {} }: { body?: string; headers?: Record<string, string> } = {},
): Promise<RelayerAnswer> {
  const method = body === "" ? "GET" : "POST";
  const signed = {
    timestamp: String(Math.floor(now() / 1000)),
    method,
    path: path.replace(/\?.*/, ""),
    body,
  };
  const request = new Request(`http://localhost/sandbox/relayer${path}`, {
    method,
    headers: { ...makeBuilderHeaders(builder, signed), ...headers },
    ...(body === "" ? {} : { body }),
  });
  const response = await answerSandbox(request);
  return { status: response.status, body: await response.json() };
}

export async function readNonce({ key, builder }: RelayedOwner, type: WalletType): Promise<bigint> {
  const path = `/v1/account/transactions/params?address=${key.address}&type=${type}`;
  const { body } = await askRelayer(builder, path);
  return BigInt(body["nonce"] ?? "");
}

/** Signs calls of a wallet as the body of `POST /submit`. */
export function signCalls(
  owner: RelayedOwner,
  type: WalletType,
  { calls, nonce }: { calls: readonly WalletCall[]; nonce: bigint },
) {
  const { key } = owner;
  const from = key.address;
  const metadata = "a test";
  const wallet = deriveRelayedWallet(owner, type);
  if (type === "WALLET") {
    const deadline = BigInt(Math.floor(now() / 1000) + DEADLINE_S);
    const batch = { wallet, nonce, deadline, calls };
    return toBatchSubmission(batch, { from, signature: signBatch(key, batch, 137), metadata });
  }
  if (type === "SAFE") {
    const transaction = toSafeTransaction(calls, { safe: wallet, nonce });
    const signature = signSafeTransaction(key, transaction, 137);
    return toSafeSubmission(transaction, { from, signature, metadata });
  }
  const data = encodeProxyCalls(calls);
  const transaction = { from, data, gasLimit: GAS_LIMIT, nonce, relay: RELAY };
  const signature = signProxyTransaction(key, transaction);
  return toProxySubmission(transaction, { proxyWallet: wallet, signature, metadata });
}

export const submitBody = (
  { builder }: RelayedOwner,
  body: unknown,
  headers: Record<string, string> = {},
) => askRelayer(builder, "/submit", { body: JSON.stringify(body), headers });

/** Signs calls with the wallet's next nonce and submits them. */
export async function submitCalls(
  owner: RelayedOwner,
  type: WalletType,
  calls: readonly PositionCall[],
  headers: Record<string, string> = {},
): Promise<RelayerAnswer> {
  const nonce = await readNonce(owner, type);
  const encoded = calls.map(encodePositionCall);
  return submitBody(owner, signCalls(owner, type, { calls: encoded, nonce }), headers);
}

/** Reads the state of a submitted transaction. */
export async function readState({ builder }: RelayedOwner, id: string): Promise<string[]> {
  const { body } = await askRelayer(builder, `/v1/account/transactions/${id}`);
  return [body["state"] ?? "", body["error_msg"] ?? ""];
}

/** Sends JSON-RPC to the sandbox's node. */
export async function askNode(body: unknown): Promise<unknown> {
  const request = new Request("http://localhost/sandbox/rpc", {
    method: "POST",
    body: JSON.stringify(body),
  });
  return (await answerSandbox(request)).json();
}
