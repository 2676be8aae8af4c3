import "server-only";
import { z } from "zod";
import { now } from "@/lib/clock";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import {
  NoResponse,
  parseJson,
  PermissionEnded,
  readJson,
  retryAfterMs,
  send,
  type UpstreamReply,
  type UpstreamRequest,
  UpstreamStatus,
} from "@/lib/polymarket/http";
import {
  type BuilderCredentials,
  makeBuilderHeaders,
} from "@/lib/polymarket/protocol/builder-headers";
import { SIGNATURE_TYPE } from "@/lib/polymarket/protocol/order-hash";
import {
  WireListedTransaction,
  WireNonce,
  WireRefusal,
  WireTransaction,
  WireTransactionStatus,
} from "@/lib/polymarket/wire/relayer";
import type {
  RelayedTransaction,
  RelayedWallet,
  RelaySubmission,
  WalletRelay,
} from "@/lib/venue/wallet-relay";

/** The relayer's names of the wallet types that it serves (polymarket-wallets.md 1). */
const WALLET_TYPE: Record<number, string | undefined> = {
  [SIGNATURE_TYPE.proxy]: "PROXY",
  [SIGNATURE_TYPE.safe]: "SAFE",
  [SIGNATURE_TYPE.depositWallet]: "WALLET",
};
const MAX_REASON = 200;
/** Wait after a refusal because of the quota that names no time. */
const DEFAULT_QUOTA_WAIT_MS = 60_000;
/** The quota is a daily one, so a later time is a mistake of the response. */
const MAX_QUOTA_WAIT_MS = 86_400_000;

/** Returns the operator's credentials; null if they are not configured. */
export function getBuilderCredentials(): BuilderCredentials | null {
  const { BUILDER_API_KEY, BUILDER_SECRET, BUILDER_PASSPHRASE } = env();
  if (!BUILDER_API_KEY || !BUILDER_SECRET || !BUILDER_PASSPHRASE) return null;
  return { key: BUILDER_API_KEY, secret: BUILDER_SECRET, passphrase: BUILDER_PASSPHRASE };
}

export const getNonce: WalletRelay["getNonce"] = async (wallet) => {
  const path = "/v1/account/transactions/params";
  const query = { address: wallet.address, type: getWalletType(wallet) };
  const request = authorize({ service: "relayer", method: "GET", path, query });
  const { address, nonce } = await readJson(request, WireNonce, timeoutMs());
  const isProxy = wallet.signatureType === SIGNATURE_TYPE.proxy;
  return { nonce, relay: isProxy ? (address ?? null) : null };
};

export const submit: WalletRelay["submit"] = async (body, permission) => {
  try {
    const request = authorize({ service: "relayer", method: "POST", path: "/submit", body });
    return parseSubmission(await send(request, timeoutMs(), permission));
  } catch (error) {
    if (error instanceof PermissionEnded) return { outcome: "not_sent" };
    if (error instanceof NoResponse) return { outcome: error.isSent ? "unknown" : "not_sent" };
    throw error;
  }
};

export const getTransaction: WalletRelay["getTransaction"] = async (relayerId) => {
  const path = `/v1/account/transactions/${encodeURIComponent(relayerId)}`;
  try {
    const request = authorize({ service: "relayer", method: "GET", path });
    const found = await readJson(request, WireTransactionStatus, timeoutMs());
    if (found.transaction_id !== relayerId) {
      throw new AppError("UPSTREAM_BAD_RESPONSE", "The relayer returned another transaction.");
    }
    return toRelayed(relayerId, found.state, found.transaction_hash, found.error_msg);
  } catch (error) {
    if (error instanceof UpstreamStatus && error.upstreamStatus === 404) return null;
    throw error;
  }
};

export const findByNonce: WalletRelay["findByNonce"] = async ({ address }, nonce) => {
  const request = authorize({ service: "relayer", method: "GET", path: "/transactions" });
  const listed = await readJson(request, z.array(z.unknown()), timeoutMs());
  return listed.flatMap((item) => {
    // Other users' transactions, and kinds with other fields, are in the same list.
    const parsed = WireListedTransaction.safeParse(item);
    if (!parsed.success) return [];
    const { from, nonce: listedNonce, metadata, transactionID, transactionHash } = parsed.data;
    const isOwn =
      from?.toLowerCase() === address.toLowerCase() && String(listedNonce) === String(nonce);
    if (!isOwn) return [];
    const { state, errorMsg } = parsed.data;
    const relayed = toRelayed(transactionID, state, transactionHash, errorMsg);
    return [{ ...relayed, metadata: metadata ?? "" }];
  });
};

/** Adds the operator's authentication (polymarket-wallets.md 2.1). The query is not signed. */
function authorize(request: UpstreamRequest): UpstreamRequest {
  const credentials = getBuilderCredentials();
  if (!credentials) {
    throw new AppError("UPSTREAM_AUTH_FAILED", "This server has no builder credentials.");
  }
  const { method, path, body = "" } = request;
  const timestamp = String(Math.floor(now() / 1_000));
  return {
    ...request,
    headers: { ...makeBuilderHeaders(credentials, { timestamp, method, path, body }) },
  };
}

function getWalletType({ signatureType }: RelayedWallet): string {
  const type = WALLET_TYPE[signatureType];
  if (type) return type;
  throw new AppError("ORDER_REJECTED", "The relayer does not serve this type of wallet.");
}

/** Decides what the response to a submission proves (polymarket-wallets.md 2.2). */
function parseSubmission(reply: UpstreamReply): RelaySubmission {
  const { status, text } = reply;
  if (status >= 200 && status < 300) {
    const parsed = WireTransaction.safeParse(parseJson(text));
    if (!parsed.success) return { outcome: "unknown" };
    const { transactionID, state, transactionHash, errorMsg } = parsed.data;
    return { outcome: "accepted", ...toRelayed(transactionID, state, transactionHash, errorMsg) };
  }
  const reason = readReason(text);
  // A page of a firewall or a proxy proves nothing about the relayer.
  if (reason === null) return { outcome: "unknown" };
  if (status === 429) return parseQuota(reason, reply);
  if (status === 401 || /does not match auth/.test(reason)) return { outcome: "not_authorized" };
  if (status !== 400) return { outcome: "unknown" };
  if (/wallet busy|in-flight|active action/.test(reason)) return { outcome: "busy" };
  if (/nonce .*does not match/.test(reason)) return { outcome: "stale_nonce" };
  const quoted = reason.replaceAll(/[^\x20-\x7e]+/g, " ").slice(0, MAX_REASON);
  const message = `Polymarket's relayer refused the transaction: ${quoted}`;
  return { outcome: "refused", code: "ORDER_REJECTED", message };
}

/** Only the relayer's own text, or a time to wait, proves that nothing was accepted. */
function parseQuota(reason: string, { headers }: UpstreamReply): RelaySubmission {
  const [, seconds] = /resets in (\d{1,9}) seconds/.exec(reason) ?? [];
  const namedMs = seconds === undefined ? retryAfterMs(headers) : Number(seconds) * 1_000;
  if (namedMs === 0 && !/quota exceeded/.test(reason)) return { outcome: "unknown" };
  const waitMs = Math.min(namedMs || DEFAULT_QUOTA_WAIT_MS, MAX_QUOTA_WAIT_MS);
  return { outcome: "quota", retryAfterMs: waitMs };
}

/** Reads the reason of a refusal: JSON, or plain text. Null for an empty body and for pages. */
function readReason(text: string): string | null {
  const parsed = WireRefusal.safeParse(parseJson(text));
  if (parsed.success) return parsed.data.error;
  const plain = text.trim();
  return plain === "" || plain.startsWith("<") || plain.startsWith("{") ? null : plain;
}

function toRelayed(
  relayerId: string,
  state: string,
  transactionHash: string | null | undefined,
  error: string | null | undefined,
): RelayedTransaction {
  return {
    relayerId,
    state: STATE[state] ?? "pending",
    transactionHash: transactionHash || null,
    error: error || null,
  };
}

/** The final states. Every other one, known or not, is pending. */
const STATE: Record<string, RelayedTransaction["state"] | undefined> = {
  STATE_CONFIRMED: "confirmed",
  STATE_FAILED: "failed",
  STATE_INVALID: "failed",
};

/** A short timeout, because a request may be waiting for the result. */
const timeoutMs = () => env().SUBMIT_ATTEMPT_TIMEOUT_MS;
